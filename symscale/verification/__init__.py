"""Does every key, formula and task hold?"""

from __future__ import annotations

from symscale.catalog.loader import Catalog
from symscale.verification.formulas import verify_formulas as verify_formulas
from symscale.verification.keys import verify_keys as verify_keys
from symscale.verification.report import KeyReport
from symscale.verification.report import Report as Report
from symscale.verification.tasks import verify_task as verify_task

VARIANTS = 5
"""Random variants on which the two paths are compared, besides the published values."""


def verify(catalog: Catalog, *, variants: int = VARIANTS) -> Report:
    """Check every task of a catalog, and the published keys that it carries.

    For each task: SymPy's substitution in the closed form and the kernel agree at the published
    values and on random variants; the grader accepts the key, and refuses it changed by one part
    in a million and with every known mistake. Raises CatalogError for a file that cannot be read.
    """
    tasks = tuple(verify_task(task, catalog, variants=variants) for task in catalog.tasks.values())
    keys: list[KeyReport] = []
    cells = 0
    for path in catalog.published:
        report = verify_keys(path, catalog)
        keys += report.keys
        cells += report.cells
    return Report(tasks, tuple(keys), cells)
