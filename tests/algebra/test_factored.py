"""The normal form keeps the value, and shows what one expects."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction as F

import pytest
from hypothesis import assume, given

from symscale.algebra.normal_form import compact, factored
from symscale.algebra.polynomials import TooComplexError
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import Node
from symscale.expressions.parser import parse
from symscale.expressions.text import text
from symscale.expressions.values import Enclosure
from symscale.units import UnitSystem
from tests.strategies import arithmetic, environments, numeric, plain_value


@given(node=arithmetic, values=environments)
def test_arithmetic_keeps_its_value(node: Node, values: Mapping[str, F]) -> None:
    try:
        form = factored(node).node()
        wanted = plain_value(node, values)
        found = plain_value(form, values)
    except (TooComplexError, ZeroDivisionError):
        return
    assert found == wanted


@given(node=numeric, values=environments)
def test_choices_and_roundings_keep_their_value(node: Node, values: Mapping[str, F]) -> None:
    try:
        form = factored(node).node()
        wanted = plain_value(node, values)
        found = plain_value(form, values)
    except (TooComplexError, ZeroDivisionError):
        return
    assert found == wanted


@given(node=arithmetic)
def test_it_is_its_own_normal_form(node: Node) -> None:
    try:
        once = factored(node)
        assume(len(text(once.node())) < 500)
        again = factored(once.node())
    except (TooComplexError, ZeroDivisionError):
        return
    assert again == once


@given(a=arithmetic, b=arithmetic)
def test_what_is_equal_cancels(a: Node, b: Node) -> None:
    """(a + b)**2 - a**2 - 2*a*b - b**2 is nothing, whatever a and b are."""
    try:
        one, other = factored(a), factored(b)
        square = (one + other) * (one + other)
        rest = square - one * one - one * other - one * other - other * other
    except (TooComplexError, ZeroDivisionError):
        return
    assert rest.is_zero


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("(V*n - V)/n", "V*(n - 1)/n"),
        ("2*N*D + 2*(2*N*D)", "6*D*N"),
        ("B*T*c/n/W + b*N/n/W", "(B*T*c + N*b)/(W*n)"),
        ("(a*b + a*c)/(b + c)", "a"),
        ("(x**2 - 1)/(x - 1)", "x + 1"),
        ("1/(1 - f + f/k)", "k/(f + k - f*k)"),
        ("sqrt(x**2*y)", "x*sqrt(y)"),
        ("sqrt(8*d*M)/sqrt(2*d*M)", "2"),
        ("2**0.5*2**1.5", "4"),
        ("x - x", "0"),
        ("ceil(7/2)*max(2, 3)", "12"),
        ("-(a - b)", "b - a"),
        ("(b*N)**a/N**a", "(N*b)**a/N**a"),
    ],
)
def test_it_reads_well(units: UnitSystem, written: str, shown: str) -> None:
    node = parse(written, units)
    form = factored(node, positive=["x", "y", "d", "M"])
    assert text(form.node()) in (shown, text(compact(parse(shown, units))))


def test_roots_are_drawn_over_positive_names_alone(units: UnitSystem) -> None:
    node = parse("sqrt(x**2)", units)
    assert text(factored(node, positive=["x"]).node()) == "x"
    value = evaluate(factored(node).node(), {"x": F(-3)})
    assert value == 3


@pytest.mark.parametrize("power", ["1/3", "0.34", "-2.5"])
def test_irrational_powers_keep_their_value(units: UnitSystem, power: str) -> None:
    node = parse(f"(8*x/y)**({power}) + x**({power})", units)
    point = {"x": F(5), "y": F(7)}
    wanted, found = (
        evaluate(node, point),
        evaluate(factored(node, positive=["x", "y"]).node(), point),
    )
    assert isinstance(wanted, Enclosure)
    assert isinstance(found, Enclosure)
    assert wanted.low <= found.high
    assert found.low <= wanted.high


def test_it_gives_up_on_what_nobody_would_read(units: UnitSystem) -> None:
    node = parse("(a + b + c + d + e + f)**12*(a - b + c)**9 + g", units)
    with pytest.raises(TooComplexError):
        factored(node)
    assert compact(node) == node
