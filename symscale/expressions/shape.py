"""What a tree may look like: where labels and conditions stand, and how large its value can be."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias

from symscale.errors import ExpressionError, TooLargeError
from symscale.expressions.nodes import (
    Binary,
    Call,
    Compare,
    Label,
    Name,
    Node,
    Number,
    Sign,
    chain,
)
from symscale.expressions.values import MAX_EXACT_BITS

Kind: TypeAlias = Literal["number", "label", "truth"]

MAX_BITS = 65536
MAX_NODES = 4000
MAX_LEVELS = 150
NAME_BITS = 64


def check_shape(node: Node) -> Kind:
    """The kind of value that a well-formed tree has.

    Raises ExpressionError where a label or a comparison stands in place of a number or a `where`
    inside a condition, and TooLargeError where the tree or its value could pass the bounds.
    """
    walker = _Shape()
    kind = walker.kind(node)
    walker.bits(node)
    return kind


def value_bits(node: Node) -> int:
    """A bound on the bits of numerator and denominator together, names counted as 64 each.

    Raises TooLargeError past 65,536.
    """
    return _Shape().bits(node)


class _Shape:
    def __init__(self) -> None:
        self.nodes = 0
        self.depth = 0
        self.in_condition = False

    def kind(self, node: Node) -> Kind:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise TooLargeError(f"an expression has at most {MAX_NODES} parts, expanded")
        self.depth += 1
        if self.depth > MAX_LEVELS:
            raise TooLargeError(f"an expression has at most {MAX_LEVELS} levels, expanded")
        kind = self._kind(node)
        self.depth -= 1
        return kind

    def _kind(self, node: Node) -> Kind:
        match node:
            case Label():
                return "label"
            case Sign():
                self.numeric(node.operand, f"unary {node.op}")
            case Binary("**", base, exponent):
                self.numeric(base, "**")
                self.numeric(exponent, "**")
            case Binary():
                first, rest = chain(node)
                self.numeric(first, rest[0][0])
                for op, operand in rest:
                    self.numeric(operand, op)
            case Compare():
                self.condition(node)
                return "truth"
            case Call("where", (condition, then, otherwise)):
                return self.where(condition, then, otherwise)
            case Call():
                for argument in node.arguments:
                    self.numeric(argument, node.function)
        return "number"

    def numeric(self, node: Node, place: str) -> None:
        kind = self.kind(node)
        if kind != "number":
            what = "a label" if kind == "label" else "a comparison"
            raise ExpressionError(f"{place} takes numbers, not {what}")

    def condition(self, node: Compare) -> None:
        if self.in_condition:
            raise ExpressionError("a comparison does not stand inside another")
        self.in_condition = True
        self.numeric(node.left, node.op)
        self.numeric(node.right, node.op)
        self.in_condition = False

    def where(self, condition: Node, then: Node, otherwise: Node) -> Kind:
        if self.in_condition:
            raise ExpressionError("where does not stand inside a condition")
        if not isinstance(condition, Compare):
            raise ExpressionError("the first argument of where is a comparison")
        self.kind(condition)
        kinds = {self.kind(then), self.kind(otherwise)}
        if len(kinds) != 1 or "truth" in kinds:
            raise ExpressionError("where chooses between two numbers or two labels")
        return kinds.pop()

    def bits(self, node: Node) -> int:
        """A bound on the bits of numerator and denominator, names counted as 64 each."""
        match node:
            case Number():
                bits = node.value.numerator.bit_length() + node.value.denominator.bit_length()
            case Name():
                bits = NAME_BITS
            case Label():
                bits = 0
            case Sign():
                bits = self.bits(node.operand)
            case Binary("**", base, exponent):
                bits = self.power_bits(base, exponent)
            case Binary():
                first, rest = chain(node)
                bits = self.bits(first) + sum(self.bits(operand) + 1 for _, operand in rest)
            case Compare():
                bits = self.bits(node.left) + self.bits(node.right)
            case Call():
                bits = max((self.bits(argument) for argument in node.arguments), default=NAME_BITS)
        if bits > MAX_BITS:
            raise TooLargeError(f"a value of this expression could pass {MAX_BITS} bits")
        return bits

    def power_bits(self, base: Node, exponent: Node) -> int:
        """A constant exponent multiplies the bits; with any other, evaluation keeps to a bound."""
        self.bits(exponent)
        power = constant_value(exponent)
        if power is None:
            return max(self.bits(base), MAX_EXACT_BITS)
        times = max(1, -(-abs(power.numerator) // power.denominator))
        if times > MAX_BITS:
            raise TooLargeError(f"an exponent is at most {MAX_BITS}")
        return self.bits(base) * times


def constant_value(node: Node) -> Fraction | None:
    """The value of arithmetic on literals alone, None where a name, a function or zero stands in
    the way. Raises TooLargeError for a power that is not small."""
    match node:
        case Number():
            return node.value
        case Sign():
            value = constant_value(node.operand)
            return -value if value is not None and node.op == "-" else value
        case Binary("**", base, exponent):
            return _combine("**", constant_value(base), constant_value(exponent))
        case Binary():
            first, rest = chain(node)
            value = constant_value(first)
            for op, operand in rest:
                value = _combine(op, value, constant_value(operand))
            return value
        case _:
            return None


def _combine(op: str, left: Fraction | None, right: Fraction | None) -> Fraction | None:
    if left is None or right is None:
        return None
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right if right else None
        case _:
            if right.denominator != 1 or (not left and right < 0):
                return None
            bits = left.numerator.bit_length() + left.denominator.bit_length()
            if bits * abs(right.numerator) > MAX_BITS:
                raise TooLargeError(f"a value of this expression could pass {MAX_BITS} bits")
            return left**right.numerator
