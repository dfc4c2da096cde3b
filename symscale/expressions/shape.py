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
    return _Shape().measure(node)[0]


def value_bits(node: Node) -> int:
    """A bound on the bits of numerator and denominator together, names counted as 64 each.

    Raises what `check_shape` raises.
    """
    return _Shape().measure(node)[1]


class _Shape:
    """One walk for the kind of a value and a bound on its bits."""

    def __init__(self) -> None:
        self.nodes = 0
        self.depth = 0
        self.in_condition = False

    def measure(self, node: Node) -> tuple[Kind, int]:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise TooLargeError(f"an expression has at most {MAX_NODES} parts, expanded")
        match node:
            case Name():
                return "number", NAME_BITS
            case Number():
                over, under = node.value.as_integer_ratio()
                return "number", over.bit_length() + under.bit_length()
            case Label():
                return "label", 0
        self.depth += 1
        if self.depth >= MAX_LEVELS:
            raise TooLargeError(f"an expression has at most {MAX_LEVELS} levels, expanded")
        kind, bits = self.parts(node)
        self.depth -= 1
        if bits > MAX_BITS:
            raise TooLargeError(f"a value of this expression could pass {MAX_BITS} bits")
        return kind, bits

    def parts(self, node: Sign | Binary | Compare | Call) -> tuple[Kind, int]:
        match node:
            case Binary() if node.op == "**":
                bits = self.number(node.left, "**")
                self.number(node.right, "**")
                return "number", _power_bits(bits, node.right)
            case Binary():
                first, rest = chain(node)
                bits = self.number(first, rest[0][0]) + len(rest)
                for op, operand in rest:
                    bits += self.number(operand, op)
                return "number", bits
            case Sign():
                return "number", self.number(node.operand, f"unary {node.op}")
            case Compare():
                return "truth", self.condition(node)
            case Call("where", (condition, then, otherwise)):
                return self.where(condition, then, otherwise)
            case Call():
                sizes = [self.number(argument, node.function) for argument in node.arguments]
                return "number", max(sizes, default=NAME_BITS)

    def number(self, node: Node, place: str) -> int:
        """The bits of what must be a number."""
        kind, bits = self.measure(node)
        if kind != "number":
            what = "a label" if kind == "label" else "a comparison"
            raise ExpressionError(f"{place} takes numbers, not {what}")
        return bits

    def condition(self, node: Compare) -> int:
        if self.in_condition:
            raise ExpressionError("a comparison does not stand inside another")
        self.in_condition = True
        bits = self.number(node.left, node.op) + self.number(node.right, node.op)
        self.in_condition = False
        return bits

    def where(self, condition: Node, then: Node, otherwise: Node) -> tuple[Kind, int]:
        if self.in_condition:
            raise ExpressionError("where does not stand inside a condition")
        if not isinstance(condition, Compare):
            raise ExpressionError("the first argument of where is a comparison")
        sizes = [self.measure(part) for part in (condition, then, otherwise)]
        kinds = {kind for kind, _ in sizes[1:]}
        if len(kinds) != 1 or "truth" in kinds:
            raise ExpressionError("where chooses between two numbers or two labels")
        return kinds.pop(), max(bits for _, bits in sizes)


def _power_bits(bits: int, exponent: Node) -> int:
    """A constant exponent multiplies the bits; with any other, evaluation keeps to a bound."""
    power = constant_value(exponent)
    if power is None:
        return max(bits, MAX_EXACT_BITS)
    times = max(1, -(-abs(power.numerator) // power.denominator))
    if times > MAX_BITS:
        raise TooLargeError(f"an exponent is at most {MAX_BITS}")
    return bits * times


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


def literal_value(node: Node) -> Fraction | None:
    """The same, None for a power that is not small too."""
    try:
        return constant_value(node)
    except TooLargeError:
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
