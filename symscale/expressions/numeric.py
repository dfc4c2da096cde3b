"""Expressions over plain numbers: each name a number of its unit, and the value too."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from symscale.expressions.nodes import (
    Binary,
    Name,
    Node,
    Number,
    number,
    rewrite,
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
    plain = substitute(rewrite(node, _without_unit), scaled)
    return plain if unit.scale == 1 else Binary("/", plain, _scale(unit.scale))


def _without_unit(node: Node) -> Node:
    return number(node.value) if isinstance(node, Number) and node.unit is not None else node


def _scale(scale: Fraction) -> Node:
    over = scale.numerator
    if scale.denominator == 1 and over > 1024 and over & (over - 1) == 0:
        return Binary("**", Number("2"), Number(str(over.bit_length() - 1)))
    return number(scale)
