"""Rational expressions evaluated on the tree, in pairs of integers: for a few points of an
expression that is met once, where a kernel would not be worth its compilation."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from symscale.expressions.nodes import Binary, Call, Name, Node, Number, Sign, chain


def stays_rational(part: Node) -> bool:
    """Whether this node alone, its parts aside, makes rational numbers of rational numbers by
    `+ - * /`, an integer power or `count`."""
    match part:
        case Number() | Name() | Sign() | Call("count"):
            return True
        case Binary("**", _, exponent):
            return _integer(exponent) is not None
        case Binary():
            return True
        case _:
            return False


def rational_value(node: Node, values: Mapping[str, Fraction]) -> Fraction:
    """The exact value of an expression all of whose nodes stay rational.

    Raises ZeroDivisionError.
    """
    return Fraction(*_ratio(node, values))


def _integer(node: Node) -> int | None:
    match node:
        case Number() if node.value.denominator == 1:
            return node.value.numerator
        case Sign(op, operand):
            power = _integer(operand)
            return -power if power is not None and op == "-" else power
        case _:
            return None


def _ratio(node: Node, values: Mapping[str, Fraction]) -> tuple[int, int]:
    """Numerator and denominator, without common factors taken out."""
    match node:
        case Name():
            return values[node.id].as_integer_ratio()
        case Number():
            return node.value.as_integer_ratio()
        case Binary("**", base, exponent):
            return _power(*_ratio(base, values), _integer(exponent) or 0)
        case Binary():
            return _chain(node, values)
        case Sign():
            over, under = _ratio(node.operand, values)
            return (-over, under) if node.op == "-" else (over, under)
        case Call():
            return _ratio(node.arguments[0], values)
        case _:
            raise TypeError(f"a {type(node).__name__} is not rational")


def _chain(node: Binary, values: Mapping[str, Fraction]) -> tuple[int, int]:
    first, rest = chain(node)
    over, under = _ratio(first, values)
    for op, operand in rest:
        a, b = _ratio(operand, values)
        match op:
            case "*":
                over, under = over * a, under * b
            case "/":
                over, under = over * b, under * a
            case _:
                a = a if op == "+" else -a
                over, under = (over + a, under) if b == under else (over * b + a * under, under * b)
        if not under:
            raise ZeroDivisionError
    return over, under


def _power(over: int, under: int, exponent: int) -> tuple[int, int]:
    if exponent >= 0:
        return over**exponent, under**exponent
    if not over:
        raise ZeroDivisionError
    return under**-exponent, over**-exponent
