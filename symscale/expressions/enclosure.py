"""Evaluation node by node: exactly while the values are rational, in intervals where they are not.

The kernel falls back on it when an expression leaves the rationals. Intervals come from mpmath's
directed rounding, through functions without state, so that threads do not meet.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Any, TypeAlias

from symscale.errors import DomainError, TooLargeError, UndecidedError
from symscale.expressions.nodes import (
    SUM,
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
from symscale.expressions.text import text
from symscale.expressions.values import Enclosure, Value, exact_log2, exact_power

START_BITS = 160
MOST_BITS = 1024
WIDTH = Fraction(1, 10**30)
MAX_MAGNITUDE = 1 << 17
"""Values beyond 2 to this power are refused."""

MAX_EXPONENT_BITS = 64
"""A power of an interval takes a squaring for each bit of its exponent."""

Interval: TypeAlias = tuple[Any, Any]
Operand: TypeAlias = Fraction | Interval

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def evaluate(node: Node, values: Mapping[str, Fraction], *, bits: int = START_BITS) -> Value:
    """The value of an expression at exact values of its names, in base units.

    It starts at `bits` of precision. A comparison or a rounding that the intervals leave open
    doubles them, up to 1,024. Raises UndecidedError after that, DomainError where a function is not
    defined (division by zero, the logarithm of a negative number), TooLargeError for values beyond
    2**131072 and for powers so close to zero that half of a higher precision would not show them.
    """
    while True:
        try:
            return _Evaluator(values, bits).result(node)
        except _Undecided as open_question:
            if bits >= MOST_BITS:
                raise UndecidedError(
                    f"{open_question} is not decided by {bits} bits of precision"
                ) from None
            bits = min(2 * bits, MOST_BITS)


class _Undecided(Exception):
    pass


class _Evaluator:
    def __init__(self, values: Mapping[str, Fraction], bits: int) -> None:
        from mpmath import libmp  # brought by sympy; loaded here to keep rational work light

        self.mp = libmp
        self.values = values
        self.bits = bits
        self.smallest = bits // 2 if bits > MOST_BITS else MAX_MAGNITUDE

    def result(self, node: Node) -> Value:
        match node:
            case Label():
                return node.text
            case Compare():
                return self.holds(node)
            case Call("where", (condition, then, otherwise)):
                return self.result(then if self.holds(condition) else otherwise)
        value = self.value(node)
        if isinstance(value, Fraction):
            return value
        low, high = (Fraction(*self.mp.to_rational(end)) for end in value)
        if high - low > WIDTH * min(abs(low), abs(high)) or low * high < 0:
            raise _Undecided(f"the value of {text(node)}")
        return Enclosure(low, high)

    def value(self, node: Node) -> Operand:
        match node:
            case Number():
                return node.value
            case Name():
                return self.values[node.id]
            case Sign():
                value = self.value(node.operand)
                return value if node.op == "+" else self.subtract(Fraction(0), value)
            case Binary("**", base, exponent):
                return self.power(self.value(base), self.value(exponent), node)
            case Binary():
                return self.chain(node)
            case Call("where", (condition, then, otherwise)):
                return self.value(then if self.holds(condition) else otherwise)
            case Call():
                arguments = [self.value(argument) for argument in node.arguments]
                return self.function(node, arguments)
            case _:
                raise TypeError(f"{text(node)} is not a number")

    def chain(self, node: Binary) -> Operand:
        first, rest = chain(node)
        value = self.value(first)
        for op, operand in rest:
            other = self.value(operand)
            if op in SUM:
                value = self.add(value, other) if op == "+" else self.subtract(value, other)
            elif op == "*":
                value = self.multiply(value, other)
            else:
                value = self.divide(value, other, operand)
        return value

    def interval(self, value: Operand) -> Interval:
        if not isinstance(value, Fraction):
            return value
        pair = value.numerator, value.denominator
        return (
            self.mp.from_rational(*pair, self.bits, "f"),
            self.mp.from_rational(*pair, self.bits, "c"),
        )

    def bounded(self, value: Interval) -> Interval:
        for _sign, mantissa, exponent, size in value:
            if mantissa and abs(exponent + size) > MAX_MAGNITUDE:
                raise TooLargeError(f"a value passes 2**{MAX_MAGNITUDE}")
        return value

    def visible(self, value: Interval) -> Interval:
        for _sign, mantissa, exponent, size in value:
            if mantissa and exponent + size < -self.smallest:
                raise TooLargeError(f"a power is below 2**-{self.smallest}")
        return self.bounded(value)

    def add(self, a: Operand, b: Operand) -> Operand:
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return a + b
        return self.bounded(self.mp.mpi_add(self.interval(a), self.interval(b), self.bits))

    def subtract(self, a: Operand, b: Operand) -> Operand:
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return a - b
        return self.bounded(self.mp.mpi_sub(self.interval(a), self.interval(b), self.bits))

    def multiply(self, a: Operand, b: Operand) -> Operand:
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return a * b
        return self.bounded(self.mp.mpi_mul(self.interval(a), self.interval(b), self.bits))

    def divide(self, a: Operand, b: Operand, divisor: Node) -> Operand:
        if self.sign(b, divisor) == 0:
            raise DomainError(f"{text(divisor)} is zero and divides")
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return a / b
        return self.bounded(self.mp.mpi_div(self.interval(a), self.interval(b), self.bits))

    def sign(self, value: Operand, node: Node) -> int:
        """-1, 0 or 1; undecided for an interval with zero inside."""
        if isinstance(value, Fraction):
            return (value > 0) - (value < 0)
        low, high = (self.mp.mpf_sign(end) for end in value)
        if low == high != 0:
            return int(low)
        raise _Undecided(f"the sign of {text(node)}")

    def power(self, base: Operand, exponent: Operand, node: Binary) -> Operand:
        if isinstance(exponent, Fraction):
            if isinstance(base, Fraction):
                exact = exact_power(base, exponent)
                if exact is not None:
                    return exact
            if exponent.denominator == 1:
                return self.integer_power(self.interval(base), exponent.numerator, node)
        if self.sign(base, node.left) <= 0:
            raise DomainError(f"in {text(node)}, {text(node.left)} is not positive")
        logarithm = self.mp.mpi_log(self.interval(base), self.bits)
        return self.exponential(self.mp.mpi_mul(logarithm, self.interval(exponent), self.bits))

    def integer_power(self, base: Interval, exponent: int, node: Binary) -> Interval:
        if exponent < 0:
            self.sign(base, node.left)
        if exponent.bit_length() > MAX_EXPONENT_BITS:
            raise TooLargeError(f"the exponent in {text(node)} passes 2**{MAX_EXPONENT_BITS}")
        for _sign, mantissa, power, size in base:
            if mantissa and abs(power + size - 1) * abs(exponent) > MAX_MAGNITUDE:
                raise TooLargeError(f"{text(node)} passes 2**{MAX_MAGNITUDE}")
        guard = abs(exponent).bit_length() + 10
        return self.visible(self.mp.mpi_pow_int(base, exponent, self.bits + guard))

    def exponential(self, value: Interval) -> Interval:
        for _sign, mantissa, power, size in value:
            if mantissa and power + size > MAX_MAGNITUDE.bit_length():
                raise TooLargeError(f"an exponential passes 2**{MAX_MAGNITUDE}")
        return self.visible(self.mp.mpi_exp(value, self.bits))

    def function(self, node: Call, arguments: list[Operand]) -> Operand:
        first = arguments[0]
        match node.function:
            case "max" | "min":
                return self.extreme(node, arguments)
            case "ceil" | "floor":
                return self.rounded(node, first)
            case "abs":
                negative = self.sign(first, node.arguments[0]) < 0
                return self.subtract(Fraction(0), first) if negative else first
            case "count":
                return first
            case "sqrt":
                if self.sign(first, node.arguments[0]) < 0:
                    raise DomainError(f"the root of {text(node.arguments[0])}, which is negative")
                exact = exact_power(first, Fraction(1, 2)) if isinstance(first, Fraction) else None
                return (
                    exact
                    if exact is not None
                    else self.mp.mpi_sqrt(self.interval(first), self.bits)
                )
            case "exp":
                return self.exponential(self.interval(first)) if first != 0 else Fraction(1)
            case "log" | "log2":
                return self.logarithm(node, first)
            case _:
                raise TypeError(f"{node.function} is not a function of the notation")

    def logarithm(self, node: Call, value: Operand) -> Operand:
        if self.sign(value, node.arguments[0]) <= 0:
            raise DomainError(f"the logarithm of {text(node.arguments[0])}, which is not positive")
        if isinstance(value, Fraction):
            power = exact_log2(value)
            if power is not None and (node.function == "log2" or not power):
                return power
        natural: Interval = self.mp.mpi_log(self.interval(value), self.bits)
        if node.function == "log":
            return natural
        two = self.mp.mpi_log(self.interval(Fraction(2)), self.bits)
        quotient: Interval = self.mp.mpi_div(natural, two, self.bits)
        return quotient

    def extreme(self, node: Call, arguments: list[Operand]) -> Operand:
        best, part = arguments[0], node.arguments[0]
        for other, argument in zip(arguments[1:], node.arguments[1:], strict=True):
            larger = self.compare(best, other, Compare("<", part, argument)) < 0
            if larger == (node.function == "max"):
                best, part = other, argument
        return best

    def rounded(self, node: Call, value: Operand) -> Fraction:
        rounding = ceil if node.function == "ceil" else floor
        if isinstance(value, Fraction):
            return Fraction(rounding(value))
        ends = {rounding(Fraction(*self.mp.to_rational(end))) for end in value}
        if len(ends) > 1:
            raise _Undecided(text(node))
        return Fraction(ends.pop())

    def holds(self, node: Node) -> bool:
        if not isinstance(node, Compare):
            raise TypeError(f"{text(node)} is not a comparison")
        order = self.compare(self.value(node.left), self.value(node.right), node)
        return _COMPARE[node.op](order, 0)

    def compare(self, a: Operand, b: Operand, node: Node) -> int:
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return (a > b) - (a < b)
        difference: Interval = self.mp.mpi_sub(self.interval(a), self.interval(b), self.bits)
        return self.sign(difference, node)
