"""Whether an expression in one letter only rises or only falls, proved from its shape."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from symscale.algebra.pieces import between, rational
from symscale.algebra.roots import derivative, difference, product, real_roots, value_at
from symscale.errors import SymscaleError
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import SUM, Binary, Call, Node, Sign, chain, names
from symscale.expressions.shape import constant_value
from symscale.expressions.values import Enclosure

Direction: TypeAlias = Literal[-1, 0, 1]

_RISING = frozenset({"ceil", "floor", "max", "min", "count", "sqrt", "log", "log2", "exp"})


@dataclass(frozen=True)
class Monotone:
    """Questions about expressions in `letter` alone, between two bounds."""

    letter: str
    low: Fraction | None
    high: Fraction | None

    def direction(self, node: Node) -> Direction | None:
        """1 where it never falls, -1 where it never rises, 0 for a constant, None if unknown."""
        if self.letter not in names(node):
            return 0
        slope = self._slope(node)
        if slope is not None:
            return slope
        match node:
            case Sign(op, operand):
                return self.direction(operand) if op == "+" else _turned(self.direction(operand))
            case Binary("**", base, exponent):
                return self._power(base, exponent)
            case Binary() if node.op in SUM:
                first, rest = chain(node)
                terms = [self.direction(first)]
                for op, term in rest:
                    found = self.direction(term)
                    terms.append(found if op == "+" else _turned(found))
                return _common(terms)
            case Binary():
                first, rest = chain(node)
                return self._product([("*", first), *rest])
            case Call() if node.function in _RISING:
                return _common([self.direction(argument) for argument in node.arguments])
        return None

    def is_positive(self, node: Node) -> bool:
        """Whether it is proved never to be negative; it may be zero."""
        if self.letter not in names(node):
            return _sign(node) in (0, 1)
        quotient = rational(node, self.letter)
        if quotient is not None:
            try:
                points = [
                    root
                    for side in (quotient.over, quotient.under)
                    if side
                    for root in real_roots(side, self.low, self.high)
                ]
            except ValueError:
                return False
            if any(not _at_edge(root, self.low, self.high) for root in points):
                return False
            x = next(between([], self.low, self.high))
            return value_at(quotient.over, x) * value_at(quotient.under, x) >= 0
        match node:
            case Binary("**", base, _):
                return self.is_positive(base)
            case Binary("+" | "*" | "/", left, right):
                return self.is_positive(left) and self.is_positive(right)
            case Call("max", arguments):
                return any(self.is_positive(argument) for argument in arguments)
            case Call("exp" | "sqrt" | "abs"):
                return True
            case Call("min" | "ceil" | "floor" | "count", arguments):
                return all(self.is_positive(argument) for argument in arguments)
        return False

    def _product(self, factors: list[tuple[str, Node]]) -> Direction | None:
        """Of factors that are never negative; or of one, and constants of either sign."""
        found = [
            self.direction(factor) if op == "*" else _turned(self.direction(factor))
            for op, factor in factors
        ]
        if all(self.is_positive(factor) for _, factor in factors):
            return _common(found)
        varying = [at for at, (_, factor) in enumerate(factors) if self.letter in names(factor)]
        signs = [_sign(factor) for at, (_, factor) in enumerate(factors) if at not in varying]
        if len(varying) != 1 or None in signs:
            return None
        op, factor = factors[varying[0]]
        if op == "/" and not self.is_positive(factor):
            return None
        return found[varying[0]] if signs.count(-1) % 2 == 0 else _turned(found[varying[0]])

    def _slope(self, node: Node) -> Direction | None:
        """The sign of the derivative of a rational function without poles between the bounds."""
        quotient = rational(node, self.letter)
        if quotient is None or not quotient.under:
            return None
        over, under = quotient.over, quotient.under
        change = difference(product(derivative(over), under), product(over, derivative(under)))
        if not change:
            return 0
        try:
            turns = [
                root
                for root in (
                    *real_roots(change, self.low, self.high),
                    *real_roots(under, self.low, self.high),
                )
                if not _at_edge(root, self.low, self.high)
            ]
        except ValueError:
            return None
        if turns:
            return None
        return 1 if value_at(change, next(between([], self.low, self.high))) > 0 else -1

    def _power(self, base: Node, exponent: Node) -> Direction | None:
        power = constant_value(exponent)
        if power is not None and self.is_positive(base):
            found = self.direction(base)
            return found if power > 0 else _turned(found)
        if self.letter in names(base):
            return None
        try:
            value = evaluate(base, {})
        except (SymscaleError, KeyError):
            return None
        middle = value.key if isinstance(value, Enclosure) else value
        if not isinstance(middle, Fraction) or middle <= 0:
            return None
        found = self.direction(exponent)
        return found if middle >= 1 else _turned(found)


def _sign(node: Node) -> Direction | None:
    """The sign of a constant."""
    try:
        value = evaluate(node, {})
    except (SymscaleError, KeyError):
        return None
    low = value.low if isinstance(value, Enclosure) else value
    if not isinstance(low, Fraction):
        return None
    return 1 if low > 0 else -1 if low < 0 else 0


def _at_edge(root: Fraction | Enclosure, low: Fraction | None, high: Fraction | None) -> bool:
    return root in (low, high)


def _turned(found: Direction | None) -> Direction | None:
    match found:
        case 1:
            return -1
        case -1:
            return 1
        case _:
            return found


def _common(found: list[Direction | None]) -> Direction | None:
    kinds = set(found) - {0}
    if None in kinds or len(kinds) > 1:
        return None
    return kinds.pop() if kinds else 0
