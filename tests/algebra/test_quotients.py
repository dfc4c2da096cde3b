"""What an expression can be, as quotients of polynomials."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

from symscale.algebra.polynomials import TooComplexError
from symscale.algebra.quotients import Quotient, Quotients, along, primitive
from symscale.algebra.roots import value_at
from symscale.expressions.nodes import Node
from symscale.expressions.parser import parse
from symscale.units import UnitSystem
from tests.strategies import NAMES, arithmetic, environments, plain_value


def read(expression: str, units: UnitSystem) -> list[Quotient] | None:
    return Quotients.of(["x", "y"]).read(parse(expression, units))


@given(arithmetic, environments)
def test_one_quotient_has_the_value(node: Node, values: dict[str, Fraction]) -> None:
    try:
        found = Quotients.of(NAMES).read(node)
        expected = plain_value(node, values)
    except (TooComplexError, ZeroDivisionError):
        return
    assert found is not None
    (quotient,) = found
    place = [values[name] for name in NAMES]
    for letter, name in enumerate(NAMES):
        over, under = (
            value_at(along(side, place, letter), values[name])
            for side in (quotient.over, quotient.under)
        )
        assert over == expected * under


@pytest.mark.parametrize(
    ("expression", "options"),
    [
        ("max(x, y, x + y)", ["x", "y", "x + y"]),
        ("max(x, 1*x)", ["x"]),
        ("abs(x - y)*2", ["2*x - 2*y", "2*y - 2*x"]),
        ("where(x > y, x, y)/y", ["x/y", "y/y"]),
        ("ceil(x/2)**2", ["x**2/4"]),
        ("(x + 1)**(2 - 1)", ["x + 1"]),
        ("min(x, y) - max(x, y)", ["0*x", "x - y", "y - x"]),
    ],
)
def test_options(expression: str, options: list[str], units: UnitSystem) -> None:
    found = read(expression, units)
    expected = [read(option, units) for option in options]
    assert found is not None
    assert len(found) == len(options)
    assert all(single is not None and single[0] in found for single in expected)


def test_nothing_is_cancelled(units: UnitSystem) -> None:
    found, divisor = read("x*(x - y)/(x - y)", units), read("x - y", units)
    assert found is not None
    assert divisor is not None
    assert found[0].under == divisor[0].over


@pytest.mark.parametrize(
    "expression", ["sqrt(x)", "x**y", "log(x) + 1", "x**(1/2)", "max(exp(x), 1)"]
)
def test_what_is_none(expression: str, units: UnitSystem) -> None:
    assert read(expression, units) is None


CHOICES = "+".join(f"max(x, {k}*y)" for k in (2, 3, 5, 9, 17))


@pytest.mark.parametrize("expression", ["x**25", "(x + y + 1)**20", "x**12*x**13", CHOICES])
def test_bounds(expression: str, units: UnitSystem) -> None:
    with pytest.raises(TooComplexError):
        read(expression, units)


def test_primitive(units: UnitSystem) -> None:
    one, same = read("x/2 - y/3", units), read("4*y - 6*x", units)
    assert one is not None
    assert same is not None
    assert primitive(one[0].over) == primitive(same[0].over)
