"""Rational expressions evaluated on the tree, in pairs of integers: for a few points of an
expression that is met once, where a kernel would not be worth its compilation."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

from symscale.expressions.nodes import PRODUCT, SUM, Binary, Call, Label, Name, Node, Number, Sign


def stays_rational(part: Node) -> bool:
    """Whether this node alone, its parts aside, makes rational numbers of rational numbers by
    `+ - * /`, an integer power or `count`."""
    match part:
        case Number() | Name() | Label() | Sign() | Call("count"):
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
    ratios = {name: value.as_integer_ratio() for name, value in values.items()}
    return Fraction(*_ratio(node, ratios))


def _integer(node: Node) -> int | None:
    match node:
        case Number() if node.value.denominator == 1:
            return node.value.numerator
        case Sign(op, operand):
            power = _integer(operand)
            return -power if power is not None and op == "-" else power
        case _:
            return None


_Ratio: TypeAlias = tuple[int, int]
"""Numerator and denominator, without common factors taken out."""


def _ratio(node: Node, values: Mapping[str, _Ratio]) -> _Ratio:
    match node:
        case Name():
            return values[node.id]
        case Number():
            return node.value.as_integer_ratio()
        case Binary() if node.op == "**":
            return _power(*_ratio(node.left, values), _integer(node.right) or 0)
        case Binary():
            return _run(node, values)
        case Sign():
            over, under = _ratio(node.operand, values)
            return (-over, under) if node.op == "-" else (over, under)
        case Call():
            return _ratio(node.arguments[0], values)
        case _:
            raise TypeError(f"a {type(node).__name__} is not rational")


def _run(node: Binary, values: Mapping[str, _Ratio]) -> _Ratio:
    """The value of a run of operators of one level, which leans to the left."""
    run = PRODUCT if node.op in PRODUCT else SUM
    steps: list[Binary] = []
    first: Node = node
    while isinstance(first, Binary) and first.op in run:
        steps.append(first)
        first = first.left
    over, under = _ratio(first, values)
    for step in reversed(steps):
        a, b = _ratio(step.right, values)
        match step.op:
            case "*":
                over, under = over * a, under * b
            case "/":
                if not a:
                    raise ZeroDivisionError
                over, under = over * b, under * a
            case "+":
                over, under = (over + a, under) if b == under else (over * b + a * under, under * b)
            case "-":
                over, under = (over - a, under) if b == under else (over * b - a * under, under * b)
    return over, under


def _power(over: int, under: int, exponent: int) -> _Ratio:
    if exponent >= 0:
        return over**exponent, under**exponent
    if not over:
        raise ZeroDivisionError
    return under**-exponent, over**-exponent
