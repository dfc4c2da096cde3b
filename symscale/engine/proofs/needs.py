"""What an expression needs in order to have a value: divisors that are not zero, arguments of roots
and logarithms that are not below it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from symscale.engine.proofs.facts import NOT_NEGATIVE, NOT_ZERO, POSITIVE, Signs
from symscale.expressions.nodes import Binary, Call, Node, chain, is_natural, walk
from symscale.expressions.shape import literal_value


class Need(NamedTuple):
    """A part that must have one of some signs."""

    part: Node
    signs: Signs


def needs(node: Node) -> Iterator[Need]:
    """What an expression without choices needs."""
    for part in walk(node):
        match part:
            case Binary("/", _, divisor):
                for factor in _factors(divisor):
                    yield Need(factor, NOT_ZERO)
            case Binary("**", base, exponent) if not is_natural(exponent):
                yield from _of_power(base, exponent)
            case Call("sqrt", (argument,)):
                yield Need(argument, NOT_NEGATIVE)
            case Call("log" | "log2", (argument,)):
                yield Need(argument, POSITIVE)


def _of_power(base: Node, exponent: Node) -> Iterator[Need]:
    power = literal_value(exponent)
    if power is None:
        yield Need(base, POSITIVE)
    elif power.denominator != 1:
        yield Need(base, POSITIVE if power < 0 else NOT_NEGATIVE)
    elif power < 0:
        for factor in _factors(base):
            yield Need(factor, NOT_ZERO)


def _factors(node: Node) -> Iterator[Node]:
    """Parts of which one is zero where a value is, if it has one."""
    match node:
        case Binary("*" | "/"):
            first, rest = chain(node)
            yield from _factors(first)
            for op, factor in rest:
                if op == "*":
                    yield from _factors(factor)
        case Binary("**", base, exponent) if (literal_value(exponent) or 0) > 0:
            yield from _factors(base)
        case _:
            yield node
