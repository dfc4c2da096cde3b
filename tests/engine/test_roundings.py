"""Roundings written in one way keep their values, and equal ones become one tree."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symscale.algebra.normal_form import compact
from symscale.catalog.quantities import Domain
from symscale.engine.roundings import rounded_alike
from symscale.engine.variables import Variable
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import Binary, Call, Name, Node, number
from symscale.expressions.parser import parse
from symscale.expressions.text import text
from symscale.units import UnitSystem

VARIABLES = {
    "a": Variable(Domain.parse("integer >= 1")),
    "b": Variable(Domain.parse("integer >= 2")),
    "z": Variable(Domain.parse("integer >= 0")),
    "k": Variable(Domain.parse("integer >= 1"), Fraction(1000)),
    "v": Variable(Domain.parse("> 0")),
    "w": Variable(Domain.parse("> 0"), Fraction(1, 8)),
}


@pytest.mark.parametrize(
    "same",
    [
        ["ceil(a/b)", "floor((a - 1)/b) + 1", "floor((a + b - 1)/b)", "-floor(-a/b)"],
        ["floor(a/2)", "floor(a/2 + 1/4)", "floor((2*a + 1)/4)", "-ceil(-a/2)"],
        ["a*b", "ceil(a*b)", "floor(a*b)"],
        ["ceil(2*a/(2*b))", "ceil(a*b/(b*b))"],
        ["4", "ceil(7/2)"],
        ["a > floor(v)", "floor(v) < a", "a >= floor(v) + 1", "floor(v) + 1 <= a"],
    ],
)
def test_equal_roundings(same: list[str], units: UnitSystem) -> None:
    found = {_normal(rounded_alike(parse(each, units), VARIABLES)) for each in same}
    if same[0] == "a > floor(v)":
        assert all("floor" not in each for each in found)
    else:
        assert len(found) == 1


def _normal(node: Node) -> str:
    return text(compact(node, positive=["a", "b", "k", "v", "w"]))


literals = st.fractions(-3, 3, max_denominator=4).map(number)
leaves = st.sampled_from([Name(name) for name in VARIABLES]) | literals
sums = st.recursive(
    leaves,
    lambda inner: st.builds(Binary, st.sampled_from("+-*/"), inner, inner),
    max_leaves=5,
)
roundings = st.builds(
    lambda function, argument, more: Binary("+", Call(function, (argument,)), more),
    st.sampled_from(["ceil", "floor"]),
    sums,
    literals,
)


@given(roundings, st.data())
def test_values_are_kept(node: Node, data: st.DataObject) -> None:
    """Wherever there is one; and where there is none, there is none afterwards."""
    point = {
        name: data.draw(st.integers(0, 7).map(Fraction)) / 4 + Fraction(1, 4)
        if not variable.domain.integer
        else (data.draw(st.integers(0, 6)) + (variable.lowest or 0) * variable.scale)
        / variable.scale
        for name, variable in VARIABLES.items()
    }
    assert all(variable.admits(point[name]) for name, variable in VARIABLES.items())
    assert _value(rounded_alike(node, VARIABLES), point) == _value(node, point)


def _value(node: Node, point: dict[str, Fraction]) -> Fraction | None:
    """The value by its definition, None where there is none."""
    match node:
        case Call("ceil" | "floor", (argument,)):
            value = _value(argument, point)
            rounded = ceil if node.function == "ceil" else floor
            return None if value is None else Fraction(rounded(value))
        case Binary():
            left, right = _value(node.left, point), _value(node.right, point)
            if left is None or right is None or (node.op == "/" and not right):
                return None
            if node.op == "**":
                return left**right.numerator
            return {
                "+": left + right,
                "-": left - right,
                "*": left * right,
                "/": left / (right or 1),
            }[node.op]
        case _:
            found = evaluate(node, point)  # a name, a literal, a power or a sign of these
            assert isinstance(found, Fraction)
            return found
