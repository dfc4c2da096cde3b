"""Roots written so that a proof can take them apart: of an even power, as an absolute value; of a
number, as a number."""

from __future__ import annotations

from fractions import Fraction

from symscale.errors import SymscaleError
from symscale.expressions.nodes import Binary, Call, Node, Number, is_natural, number, rewrite
from symscale.expressions.shape import literal_value
from symscale.expressions.values import exact_power

_HALF = Fraction(1, 2)


def without_roots(node: Node) -> Node:
    """The same expression, with `sqrt(x**2)` as `abs(x)` and `sqrt(4)` as 2."""
    return rewrite(node, _written)


def _written(part: Node) -> Node:
    match part:
        case Call("sqrt", (base,)):
            return _raised(base, _HALF) or part
        case Binary("**", base, exponent):
            power = literal_value(exponent)
            if power is None or is_natural(exponent):
                return part
            return _raised(base, power) or Binary("**", base, number(power))
        case _:
            return part


def _raised(base: Node, power: Fraction) -> Node | None:
    """The power of a number, if it is rational, or of an even power."""
    value = literal_value(base)
    if value is not None:
        try:
            exact = exact_power(value, power)
        except SymscaleError:
            return None
        return None if exact is None else number(exact)
    match base:
        case Binary("**", inner, Number() as even) if is_natural(even) and even.value % 2 == 0:
            size, total = Call("abs", (inner,)), even.value * power
            return size if total == 1 else Binary("**", size, number(total))
        case _:
            return None
