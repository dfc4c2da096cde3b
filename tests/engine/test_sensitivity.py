"""Elasticities against SymPy's derivatives, limits against values far out."""

from __future__ import annotations

import random
from fractions import Fraction as F

import pytest
import sympy

from symscale.catalog.formulas import Formula
from symscale.catalog.loader import Catalog
from symscale.engine.sensitivity import elasticities, elasticity, limit
from symscale.errors import DomainError, SymscaleError
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import Call, Node, walk
from symscale.expressions.parser import parse
from symscale.expressions.text import text
from symscale.expressions.tree import symbol, sympy_tree
from symscale.expressions.values import Enclosure
from symscale.units import UnitSystem

ROUNDED = frozenset({"ceil", "floor"})
CHOICES = frozenset({"max", "min", "where", "abs"})


def _functions(node: Node) -> set[str]:
    return {part.function for part in walk(node) if isinstance(part, Call)}


def _positive(formula: Formula) -> list[str]:
    return [letter for letter, q in formula.symbols.items() if q.domain.positive]


def _point(formula: Formula, draw: random.Random) -> dict[str, F]:
    point = {}
    for letter, quantity in formula.symbols.items():
        for _ in range(500):
            value = F(draw.randint(1, 60)) / (
                1 if quantity.domain.integer else draw.choice((1, 60))
            )
            if value in quantity.domain:
                point[letter] = value
                break
    return point


def test_of_every_smooth_formula_against_sympy(catalog: Catalog) -> None:
    """x/y dy/dx by SymPy's own derivative, exactly where it is rational, to 20 digits else."""
    checked = 0
    for formula in list(catalog.formulas.values())[::2]:
        node = formula.numeric
        if _functions(node) & (ROUNDED | CHOICES):
            continue
        tree = sympy_tree(node)
        point = _point(formula, random.Random(formula.id))
        numbers = {symbol(n): sympy.Rational(*v.as_integer_ratio()) for n, v in point.items()}
        try:
            evaluate(node, point)
        except SymscaleError:
            continue
        for letter, found in elasticities(node, positive=_positive(formula)).items():
            x = symbol(letter)
            wanted = (x * sympy.diff(tree, x) / tree).subs(numbers)
            value = evaluate(found.expression, point)
            if isinstance(value, Enclosure):
                value = value.key
            assert isinstance(value, F)
            gap = abs(sympy.N(wanted, 40) - sympy.Rational(*value.as_integer_ratio()))
            assert gap < sympy.Rational(1, 10**20), (formula.id, letter)
            checked += 1
    assert checked > 300


@pytest.mark.parametrize(
    ("id", "letter", "expected"),
    [
        ("train_seconds", "n", "-1"),
        ("train_seconds", "C", "1"),
        ("ring_all_gather_seconds", "n", "1/(n - 1)"),
        ("amdahl_speedup", "k", "f/(f + k - f*k)"),
        ("kaplan_loss", "N", "-a"),
        ("compute_optimal_params", "C", "0.5"),
        ("devices_for_deadline", "C", "1"),
        ("roofline_seconds", "M", "where(C/P >= M/W, 0, 1)"),
    ],
)
def test_closed_forms(catalog: Catalog, id: str, letter: str, expected: str) -> None:
    formula = catalog.formulas[id]
    found = elasticity(formula.numeric, letter, positive=_positive(formula))
    assert text(found.expression) in (expected, "1/2" if expected == "0.5" else expected)


def test_constant_exponents_are_told(catalog: Catalog) -> None:
    found = elasticities(catalog.formulas["train_seconds"].numeric)
    assert {letter: e.constant for letter, e in found.items()} == {
        "C": 1,
        "n": -1,
        "P": -1,
        "u": -1,
    }
    ring = elasticity(catalog.formulas["ring_all_gather_seconds"].numeric, "n")
    assert ring.constant is None


def test_the_switching_surface(catalog: Catalog) -> None:
    found = elasticity(catalog.formulas["roofline_seconds"].numeric, "C")
    assert [text(surface) for surface in found.surfaces] == ["C/P == M/W"]
    below = {"C": F(1), "P": F(1), "M": F(2), "W": F(1)}
    above = {**below, "C": F(3)}
    assert [evaluate(found.expression, p) for p in (below, above)] == [0, 1]
    assert not found.rounded
    assert elasticity(catalog.formulas["devices_for_deadline"].numeric, "C").rounded


@pytest.mark.parametrize(
    ("written", "letter", "to", "expected"),
    [
        ("V*(n - 1)/n", "n", "infinity", "V"),
        ("V*(n - 1)/n", "n", "1", "0"),
        ("2*B*D*F/(b*(B*D + D*F + B*F))", "B", "infinity", "2*D*F/(b*(D + F))"),
        ("1/(1 - f + f/k)", "k", "infinity", "1/(1 - f)"),
        ("C/(n*P)", "n", "infinity", "0"),
        ("6*N*T", "N", "infinity", None),
        ("(n**2 - 1)/(n - 1)", "n", "1", "2"),
        ("(2*n - 1)/(b*(2*n + 1))", "n", "infinity", "1/b"),
        ("sqrt(4*n + 1)/sqrt(n)", "n", "infinity", None),
    ],
)
def test_limits(
    units: UnitSystem, written: str, letter: str, to: str, expected: str | None
) -> None:
    node = parse(written, units)
    where = "infinity" if to == "infinity" else F(to)
    if "sqrt" in written:
        found = limit(node, letter, "infinity", positive=["n"])
        assert found is not None
        value = evaluate(found, {})
        assert value == 2
        return
    found = limit(node, letter, where)  # type: ignore[arg-type]
    assert (found and text(found)) == expected


def test_a_limit_is_what_values_far_out_come_close_to(catalog: Catalog) -> None:
    checked = 0
    for formula in catalog.formulas.values():
        point = _point(formula, random.Random(formula.id))
        for letter in formula.symbols:
            try:
                found = limit(formula.numeric, letter, "infinity", positive=_positive(formula))
                far = evaluate(formula.numeric, {**point, letter: F(10**40)})
                goal = evaluate(found, point) if found is not None else None
            except SymscaleError:
                continue
            if not isinstance(far, F) or isinstance(goal, Enclosure):
                continue
            if goal is None:
                assert abs(far) > 10**10
            else:
                assert isinstance(goal, F)
                assert abs(far - goal) < F(1, 10**8) * (abs(goal) + 1), (formula.id, letter)
            checked += 1
    assert checked > 700


def test_what_cannot_be_told(units: UnitSystem) -> None:
    with pytest.raises(DomainError, match="inside of a function"):
        limit(parse("ceil(n/8)", units), "n", "infinity")
