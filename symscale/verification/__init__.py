"""Does every key, formula and task hold?"""

from __future__ import annotations

from symscale.catalog.loader import Catalog
from symscale.verification.formulas import verify_formulas as verify_formulas
from symscale.verification.keys import verify_keys as verify_keys
from symscale.verification.report import Report as Report
from symscale.verification.tasks import verify_task as verify_task

VARIANTS = 5
"""Random variants on which the two paths are compared, besides the published values."""


def verify(catalog: Catalog, *, variants: int = VARIANTS) -> Report:
    """Check every formula and task of a catalog, and the published keys that it carries.

    Formulas: each gives the figures on record. Tasks: SymPy's substitution in the closed form and
    the kernel agree at the published values and on random variants; the grader accepts the key, and
    refuses it changed by one part in a million and with every known mistake; the variants are worth
    having. Raises CatalogError for a file that cannot be read.
    """
    formulas = verify_formulas(catalog).formulas
    tasks = tuple(verify_task(task, catalog, variants=variants) for task in catalog.tasks.values())
    keys = [verify_keys(path, catalog) for path in catalog.published]
    return Report(
        formulas=formulas,
        tasks=tasks,
        keys=tuple(key for report in keys for key in report.keys),
        cells=sum(report.cells for report in keys),
        failures=tuple(failure for report in keys for failure in report.failures),
    )
