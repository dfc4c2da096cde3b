"""Expressions over plain numbers: each name a number of its unit, and the value too."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from symscale.expressions.nodes import (
    Binary,
    Name,
    Node,
    Number,
    children,
    number,
    rebuild,
    substitute,
)
from symscale.units import UNITLESS, Unit


def in_units(node: Node, names: Mapping[str, Unit], unit: Unit = UNITLESS) -> Node:
    """The same expression between numbers: of `names`' units on the way in, of `unit` on the way
    out. Unit literals become what they measure in base units.

    >>> from symscale.units import Unit
    >>> from symscale.expressions.text import text
    >>> text(in_units(Name("H"), {"H": Unit("GiB", Fraction(2**30))}))
    'H*2**30'
    """
    scaled = {
        name: Binary("*", Name(name), _scale(of.scale))
        for name, of in names.items()
        if of.scale != 1
    }
    plain = substitute(_without_units(node, {}), scaled)
    return plain if unit.scale == 1 else Binary("/", plain, _scale(unit.scale))


def _without_units(node: Node, done: dict[int, Node]) -> Node:
    if isinstance(node, Number):
        return node if node.unit is None else number(node.value)
    parts = children(node)
    if not parts:
        return node
    known = done.get(id(node))
    if known is None:
        plain = []
        for part in parts:
            plain.append(_without_units(part, done))
        known = done[id(node)] = rebuild(node, tuple(plain))
    return known


def _scale(scale: Fraction) -> Node:
    over = scale.numerator
    if scale.denominator == 1 and over > 1024 and over & (over - 1) == 0:
        return Binary("**", Number("2"), Number(str(over.bit_length() - 1)))
    return number(scale)
