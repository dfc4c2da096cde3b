"""Equal parts become one object, and the trees stay equal to what they were."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from symscale.expressions.nodes import Node, walk
from symscale.expressions.parser import parse
from symscale.expressions.sharing import share
from symscale.units import UnitSystem
from tests.strategies import expressions


def objects(nodes: list[Node]) -> dict[int, Node]:
    return {id(part): part for node in nodes for part in walk(node)}


@given(st.lists(expressions, max_size=4))
def test_there_is_one_object_for_all_equals(nodes: list[Node]) -> None:
    shared = share(nodes)
    assert shared == nodes
    parts = objects(shared).values()
    assert len(parts) == len(set(parts))


def test_what_differs_in_its_operator_alone_stays_apart(units: UnitSystem) -> None:
    binary = ["a + b", "a - b", "a*b", "a/b", "a**b", "a < b", "a <= b", "max(a, b)", "min(a, b)"]
    unary = ["-a", "+a", "abs(a)", "sqrt(a)"]
    nodes = [parse(source, units) for source in binary + unary]
    assert share(nodes) == nodes
