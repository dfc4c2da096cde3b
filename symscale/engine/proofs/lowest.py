"""How low a value can get, from the lower ends of the domains."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor
from typing import TypeAlias

from symscale.engine.variables import Variable
from symscale.expressions.nodes import Binary, Call, Name, Node, Number, chain, is_natural

_End: TypeAlias = tuple[Fraction, bool]
"""A number that a value is never below, and whether it is always above it."""

_ZERO = Fraction(0)


def lowest(node: Node, variables: Mapping[str, Variable]) -> Fraction | None:
    """A number that the value is never below, as far as signs and roundings show one."""
    end = _end(node, variables)
    return None if end is None else end[0]


def is_positive(node: Node, variables: Mapping[str, Variable]) -> bool:
    """Whether the value is above zero wherever the names are in their domains, as far as signs
    and roundings show it."""
    end = _end(node, variables)
    return end is not None and (end[0] > 0 or end == (_ZERO, True))


def _end(node: Node, variables: Mapping[str, Variable]) -> _End | None:
    match node:
        case Number():
            return node.value, False
        case Name():
            variable = variables[node.id]
            low = variable.lowest
            return None if low is None else (low, not low and variable.is_positive)
        case Binary("+" | "-"):
            return _end_of_sum(node, variables)
        case Binary("**", base, exponent):
            end = _end(base, variables)
            if end is None or end[0] < 0 or (end == (_ZERO, False) and not is_natural(exponent)):
                return None
            return _ZERO, end[0] > 0 or end[1]
        case Binary():
            first, rest = chain(node)
            ends = [_end(part, variables) for part in (first, *(part for _, part in rest))]
            known = [end for end in ends if end is not None and end[0] >= 0]
            if len(known) < len(ends):
                return None
            return _ZERO, all(low > 0 or above for low, above in known)
        case Call():
            return _end_of_call(node.function, [_end(each, variables) for each in node.arguments])
        case _:
            return None


def _end_of_sum(node: Binary, variables: Mapping[str, Variable]) -> _End | None:
    first, rest = chain(node)
    end = _end(first, variables)
    for op, operand in rest:
        more = _end(operand, variables)
        if op == "-":
            more = (-operand.value, False) if isinstance(operand, Number) else None
        if end is None or more is None:
            return None
        end = end[0] + more[0], end[1] or more[1]
    return end


def _end_of_call(function: str, ends: list[_End | None]) -> _End | None:
    known = [end for end in ends if end is not None]
    if function == "max":
        return max(known, default=None)
    if function == "exp":
        return _ZERO, True
    if not known or len(known) < len(ends):
        return None
    low, above = known[0]
    match function:
        case "min":
            return min(known)[0], all(above for _, above in known)
        case "ceil":
            return Fraction(floor(low) + 1 if above else ceil(low)), False
        case "floor":
            return Fraction(floor(low)), False
        case "count":
            return low, above
        case "sqrt" if low >= 0:
            return _ZERO, low > 0 or above
        case _:
            return None
