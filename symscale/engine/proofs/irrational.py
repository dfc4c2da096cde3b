"""Irrational parts as letters: equal ones are the same letter, and then two sides can be compared
as rational functions."""

from __future__ import annotations

from symscale.engine.proofs.readings import Readings
from symscale.engine.ratios import stays_rational
from symscale.expressions.nodes import (
    Binary,
    Call,
    Name,
    Node,
    Number,
    Sign,
    names,
    rewrite,
)
from symscale.expressions.shape import literal_value


class IrrationalParts:
    """The roots, logarithms, exponentials and powers that have got a letter so far."""

    def __init__(self, readings: Readings) -> None:
        self.readings = readings
        self.parts: list[Node] = []

    def named(self, node: Node) -> Node:
        """The expression with a letter for each irrational part."""
        return rewrite(node, lambda part: part if stays_rational(part) else self.letter(part))

    def letter(self, part: Node) -> Node:
        for place, known in enumerate(self.parts):
            if self.is_same(part, known):
                return Name(f"@{place}")
            match part, known:
                case Call("exp", (a,)), Call("exp", (b,)) if self.is_equal(a, Sign("-", b)):
                    return Binary("/", Number("1"), Name(f"@{place}"))
        self.parts.append(part)
        return Name(f"@{len(self.parts) - 1}")

    def is_same(self, part: Node, known: Node) -> bool:
        """Whether two parts are the same function of the same value."""
        match part, known:
            case Call(f, (a,)), Call(g, (b,)):
                return f == g and self.is_equal(a, b)
            case Binary("**", a, m), Binary("**", b, n):
                return self.is_equal(a, b) and self.is_equal(m, n)
            case _:
                return False

    def is_equal(self, a: Node, b: Node) -> bool:
        if a == b:
            return True
        difference = Binary("-", a, b)
        if not self.readings.variables.keys() >= names(difference).keys():
            return False
        quotient = self.readings.quotient(difference)
        return quotient is not None and not quotient.over

    def is_tame(self, part: Node) -> bool:
        """Whether a part is the root or the logarithm of a product of letters above zero: no sum is
        in it that could hide a change of sign."""
        match part:
            case Call("sqrt" | "log" | "log2", (base,)):
                return self.is_positive_product(base)
            case Binary("**", base, exponent):
                return literal_value(exponent) is not None and self.is_positive_product(base)
            case _:
                return False

    def is_positive_product(self, node: Node) -> bool:
        match node:
            case Name(id):
                variable = self.readings.variables.get(id)
                return variable is not None and variable.is_positive
            case Number():
                return node.value > 0
            case Binary("*" | "/", left, right):
                return self.is_positive_product(left) and self.is_positive_product(right)
            case Binary("**", base, exponent):
                return literal_value(exponent) is not None and self.is_positive_product(base)
            case _:
                return False


def varies_fast(part: Node) -> bool:
    """Whether a part is an exponential, or a power whose exponent varies: its size has no bound
    that digits could tell."""
    match part:
        case Call("exp"):
            return True
        case Binary("**", _, exponent):
            return literal_value(exponent) is None
        case _:
            return False
