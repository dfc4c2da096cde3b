"""Values stay between the ends that are found for them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from symscale.expressions.nodes import Node
from symscale.expressions.parser import parse
from symscale.expressions.reach import reach
from symscale.units import UnitSystem
from tests.strategies import NAMES, numeric, plain_value

values = st.fractions(-4, 4, max_denominator=6)


@given(
    numeric, st.fixed_dictionaries({name: st.tuples(values, values) for name in NAMES}), st.data()
)
def test_every_value_lies_within(
    node: Node, pairs: dict[str, tuple[Fraction, Fraction]], data: st.DataObject
) -> None:
    ranges = {name: (min(pair), max(pair)) for name, pair in pairs.items()}
    ends = reach(node, ranges)
    assume(ends is not None)
    assert ends is not None
    place = {
        name: low
        + (high - low) * data.draw(st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1)]))
        for name, (low, high) in ranges.items()
    }
    assert ends[0] <= plain_value(node, place) <= ends[1]


@pytest.mark.parametrize(
    ("written", "ends"),
    [
        ("a + b", ("3", "7")),
        ("a - b", ("-3", "1")),
        ("a*c", ("-6", "9")),
        ("-a/b", ("-3/2", "-1/4")),
        ("c**2", ("0", "9")),
        ("c**3", ("-8", "27")),
        ("c**0", ("1", "1")),
        ("a**-2", ("1/9", "1")),
        ("a/c", None),
        ("c**-1", None),
        ("abs(c)", ("0", "3")),
        ("abs(-a)", ("1", "3")),
        ("max(a, c)", ("1", "3")),
        ("min(a, c)", ("-2", "3")),
        ("ceil(a/2)", ("1", "2")),
        ("floor(a/2)", ("0", "1")),
        ("count(a)", ("1", "3")),
        ("sqrt(a)", None),
        ("1 + log(a)", None),
        ("a**b", None),
        ("where(a > 1, a, b)", None),
    ],
)
def test_ends(written: str, ends: tuple[str, str] | None, units: UnitSystem) -> None:
    """For a in [1, 3], b in [2, 4], c in [-2, 3]."""
    ranges = {"a": (1, 3), "b": (2, 4), "c": (-2, 3)}
    exact = {name: (Fraction(low), Fraction(high)) for name, (low, high) in ranges.items()}
    expected = ends and tuple(map(Fraction, ends))
    assert reach(parse(written, units), exact) == expected
