"""Ends that a value stays between while its names stay within ranges, found exactly."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor
from typing import TypeAlias

from symscale.expressions.nodes import Binary, Call, Name, Node, Number, Sign
from symscale.expressions.shape import literal_value

Ends: TypeAlias = tuple[Fraction, Fraction]

MAX_POWER = 64


def reach(node: Node, ranges: Mapping[str, Ends]) -> Ends | None:
    """Two numbers between which the value lies, whatever the names are within their ranges.

    Every part is taken by itself, so the ends may lie farther apart than the values do. None where
    that tells nothing: for roots and logarithms, choices, and a divisor that may be zero.

    >>> reach(Binary("-", Name("a"), Number("1")), {"a": (Fraction(2), Fraction(3))})
    (Fraction(1, 1), Fraction(2, 1))
    """
    match node:
        case Number():
            return node.value, node.value
        case Name():
            return ranges[node.id]
        case Sign():
            ends = reach(node.operand, ranges)
            return _negative(ends) if ends is not None and node.op == "-" else ends
        case Binary("**", base, exponent):
            ends, power = reach(base, ranges), literal_value(exponent)
            if ends is None or power is None or power.denominator != 1 or abs(power) > MAX_POWER:
                return None
            return _power(ends, power.numerator)
        case Binary():
            left, right = reach(node.left, ranges), reach(node.right, ranges)
            return None if left is None or right is None else _combined(node.op, left, right)
        case Call():
            found = [reach(argument, ranges) for argument in node.arguments]
            known = [ends for ends in found if ends is not None]
            return _called(node.function, known) if len(known) == len(found) else None
        case _:
            return None


def _negative(ends: Ends) -> Ends:
    return -ends[1], -ends[0]


def _combined(op: str, left: Ends, right: Ends) -> Ends | None:
    match op:
        case "+":
            return left[0] + right[0], left[1] + right[1]
        case "-":
            return left[0] - right[1], left[1] - right[0]
        case "*":
            products = [a * b for a in left for b in right]
            return min(products), max(products)
        case "/" if right[0] > 0 or right[1] < 0:
            return _combined("*", left, (1 / right[1], 1 / right[0]))
        case _:
            return None


def _power(ends: Ends, exponent: int) -> Ends | None:
    low, high = ends
    if exponent < 0:
        inverse = _combined("/", (Fraction(1), Fraction(1)), ends)
        return None if inverse is None else _power(inverse, -exponent)
    powers = sorted((low**exponent, high**exponent))
    if exponent % 2 == 0 and exponent and low < 0 < high:
        return Fraction(0), powers[1]
    return powers[0], powers[1]


def _called(function: str, known: list[Ends]) -> Ends | None:
    lows, highs = zip(*known, strict=True)
    match function:
        case "max":
            return max(lows), max(highs)
        case "min":
            return min(lows), min(highs)
        case "ceil" | "floor":
            rounded = ceil if function == "ceil" else floor
            return Fraction(rounded(lows[0])), Fraction(rounded(highs[0]))
        case "count":
            return known[0]
        case "abs":
            sizes = sorted((abs(lows[0]), abs(highs[0])))
            return (Fraction(0) if lows[0] < 0 < highs[0] else sizes[0]), sizes[1]
        case _:
            return None
