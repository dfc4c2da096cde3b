"""What is proved to rise or to fall does so on a grid."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction as F
from itertools import pairwise

import pytest
from hypothesis import given, settings

from symscale.algebra.monotone import Monotone
from symscale.expressions.nodes import Name, Node, number, substitute
from symscale.expressions.parser import parse
from symscale.units import UnitSystem
from tests.strategies import environments, plain_value, without_where


@settings(max_examples=300)
@given(node=without_where, values=environments)
def test_a_proof_holds_on_a_grid(node: Node, values: Mapping[str, F]) -> None:
    alone = substitute(node, {name: number(x) for name, x in values.items() if name != "a"})
    direction = Monotone("a", F(1), None).direction(alone)
    if direction is None:
        return
    found = []
    for k in range(1, 40):
        try:
            found.append(plain_value(alone, {"a": F(k, 2) + F(1, 2)}))
        except ZeroDivisionError:
            return
    for before, after in pairwise(found):
        assert (after - before) * direction >= 0
        assert direction or after == before


@pytest.mark.parametrize(
    ("written", "direction"),
    [
        ("V*(n - 1)/n", 1),
        ("ceil(n/8)*8", 1),
        ("1/ceil(n/8)", -1),
        ("max(3/n, 2)", -1),
        ("(1 - 0.8**(n + 1))/(1 - 0.8)", 1),
        ("2*log2(n)*3", 1),
        ("sqrt(n)/7", 1),
        ("exp(-(n - 1)/15)", -1),
        ("n + 1/n", 1),
        ("n + 100/n", None),
        ("(n - 5)**2", None),
        ("1/(n - 5)", None),
        ("n/ceil(n/8)", None),
        ("n - floor(n)", None),
    ],
)
def test_directions(units: UnitSystem, written: str, direction: int | None) -> None:
    node = substitute(parse(written, units), {"V": number(F(3))})
    assert Monotone("n", F(2), None).direction(node) == direction
    assert Monotone("m", F(2), None).direction(substitute(node, {"n": Name("k")})) == 0
