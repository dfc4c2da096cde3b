"""Tidying changes how an expression is written, and nothing else."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symscale.expressions.nodes import Call, Node
from symscale.expressions.parser import parse
from symscale.expressions.text import text
from symscale.expressions.tidy import tidy
from symscale.units import UnitSystem
from tests.strategies import NAMES, environments, expressions, plain_value

positive_values = st.fixed_dictionaries(
    dict.fromkeys(NAMES, st.fractions(min_value=2, max_value=1000, max_denominator=30))
)
AT_LEAST_TWO = dict.fromkeys(NAMES, Fraction(2))


def outcome(node: Node, values: dict[str, Fraction]) -> object:
    try:
        return plain_value(node, values)
    except ZeroDivisionError:
        return "divides by zero"


@given(expressions, environments)
def test_the_value_is_the_same_and_so_is_its_absence(
    node: Node, values: dict[str, Fraction]
) -> None:
    assert outcome(tidy(node), values) == outcome(node, values)


@given(expressions, positive_values)
def test_the_same_where_names_are_known_to_be_positive(
    node: Node, values: dict[str, Fraction]
) -> None:
    assert outcome(tidy(node, positive=AT_LEAST_TWO), values) == outcome(node, values)


@given(expressions)
def test_what_is_tidy_stays(node: Node) -> None:
    once = tidy(node, positive=AT_LEAST_TWO)
    assert tidy(once, positive=AT_LEAST_TWO) == once


@given(expressions)
def test_it_can_be_read_again(units: UnitSystem, node: Node) -> None:
    once = tidy(node)
    assert parse(text(once), units) == once


@pytest.mark.parametrize(
    ("written", "tidied"),
    [
        ("2*a*b + 2*(2*a*b)", "6*a*b"),
        ("a/b/c*2", "2*a/(b*c)"),
        ("1/(a/b)", "b/a"),
        ("a*b/a", "b"),
        ("a - a", "0"),
        ("0*a + b", "b"),
        ("-a + b", "b - a"),
        ("-(a*b)/c", "-a*b/c"),
        ("a*(b - 1)/b + a*(b - 1)/b", "2*a*(b - 1)/b"),
        ("a/(b - 1)*(b - 1)", "a"),
        ("a/(b - 3)*(b - 3)", "a*(b - 3)/(b - 3)"),
        ("a**2*a", "a**3"),
        ("count(a*b)*count(c)", "a*b*c"),
        ("a*2**30*2/2**30", "2*a"),
        ("a/86400*6/3600", "6*a/(86400*3600)"),
        ("ceil(2*a/(2*b)) + 1", "ceil(a/b) + 1"),
        ("max(a*1, b + 0)", "max(a, b)"),
        ('where(a*2 > b*1, "x", "y")', 'where(2*a > b, "x", "y")'),
        ("sqrt(4*a)**2", "sqrt(4*a)**2"),
        ("2**a*2**a", "(2**a)**2"),
        ("1/3*a", "a/3"),
        ("0.5*a", "a/2"),
        ("0.007*a", "7*a/1000"),
        ("a/(2*b)/3", "a/(6*b)"),
        ("a*999*2", "1998*a"),
        ("a*1000*2", "2*1000*a"),
        ("a*2**30", "2**30*a"),
        ("a**1*b", "a*b"),
        ("(a + b)**2", "(a + b)**2"),
        ("(a*b)**100", "a**100*b**100"),
        ("(a*b)**101", "(a*b)**101"),
        ("-(a - b)", "b - a"),
        ("c - (a - b)*1", "c - a + b"),
        ("b*(a + a)", "2*b*a"),
        ("(a + b)/(c - 3)", "(a + b)/(c - 3)"),
        ("c*count(a*b)", "c*a*b"),
        ("max(count(a), b)", "max(a, b)"),
        ("0*log(d) - a + b", "b + 0*log(d) - a"),
    ],
)
def test_how_it_reads(units: UnitSystem, written: str, tidied: str) -> None:
    assert text(tidy(parse(written, units), positive=AT_LEAST_TWO)) == tidied


@pytest.mark.parametrize(
    "factor",
    ["a", "a**2", "(a - 1)", "(a + b)", "max(a, b)", "min(a, b)", "ceil(a)", "sqrt(a)"],
)
def test_what_is_positive_cancels(units: UnitSystem, factor: str) -> None:
    quotient = parse(f"c/{factor}*{factor}", units)
    difference = parse(f"c*{factor}/b - c*{factor}/b", units)
    assert text(tidy(quotient, positive=AT_LEAST_TWO)) == "c"
    assert text(tidy(difference, positive=AT_LEAST_TWO)) == "0"


@pytest.mark.parametrize(
    "factor",
    [
        "d",
        "d**2",
        "(d - 1)",
        "(a - 2)",
        "(a + d)",
        "(d + a)",
        "max(a, d)",
        "min(a, 0)",
        "floor(a/b)",
        "abs(d)",
        "log(d)",
    ],
)
def test_what_may_be_zero_or_undefined_does_not(units: UnitSystem, factor: str) -> None:
    quotient = tidy(parse(f"c/{factor}*{factor}", units), positive=AT_LEAST_TWO)
    assert text(quotient) == f"c*{factor}/{factor}"


def test_a_part_that_is_shared_is_tidied_once(units: UnitSystem) -> None:
    part = parse("a + a", units)
    tidied = tidy(Call("max", (part, part)))
    assert isinstance(tidied, Call)
    first, second = tidied.arguments
    assert first is second
