"""Each formula against what is known of it from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from symscale.catalog.documents import value_exact
from symscale.catalog.formulas import Formula
from symscale.catalog.loader import Catalog
from symscale.catalog.proofs import Figure
from symscale.errors import SymscaleError
from symscale.expressions.values import Enclosure, Value
from symscale.verification.report import FormulaReport, Report

IRRATIONAL_TOLERANCE = Fraction(1, 10**25)
"""Figures of irrational values are decimals of 30 digits."""


def verify_formulas(catalog: Catalog) -> Report:
    """Evaluate every formula at every figure on record.

    A formula without a figure or an identity fails: its dimensions are not proof enough.
    Raises CatalogError for a file that cannot be read.
    """
    known = set(catalog.formulas)
    strays = sorted(set(catalog.figures) - known)
    reports = [_verify(formula, catalog) for formula in catalog.formulas.values()]
    reports += [FormulaReport(id, "", 0, 0, 0, ("no formula is called that",)) for id in strays]
    return Report(formulas=tuple(reports))


def _verify(formula: Formula, catalog: Catalog) -> FormulaReport:
    figures = catalog.figures.get(formula.id, [])
    identities = catalog.identities_of(formula.id)
    failures = [failure for figure in figures for failure in _check(formula, figure)]
    if not figures and not identities:
        failures.append("has no proof")
    return FormulaReport(
        formula=formula.id,
        area=formula.area,
        published=sum(figure.kind == "published" for figure in figures),
        oracle=sum(figure.kind == "oracle" for figure in figures),
        identities=len(identities),
        failures=tuple(failures),
    )


def _check(formula: Formula, figure: Figure) -> Iterator[str]:
    try:
        value = formula.evaluate(**figure.inputs)
    except SymscaleError as error:
        yield f"{figure.place}: {error}"
        return
    if not agrees(value, figure):
        yield f"{figure.place}: {value_exact(value)} instead of {value_exact(figure.value)}"


def agrees(value: Value, figure: Figure) -> bool:
    """Whether a value is the figure's: exactly if rational, to 25 digits if not."""
    if isinstance(value, Enclosure):
        return abs(value.key - figure.value) <= IRRATIONAL_TOLERANCE * abs(figure.value)
    return value == figure.value
