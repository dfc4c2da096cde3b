"""One way to write what rounds: equal roundings of counts become the same tree.

For integers a and b > 0, ceil(a/b) is floor((a - 1)/b) + 1; floor((a + k*b)/b) is floor(a/b) + k;
floor((2*a + 1)/4) is floor(a/2); and an integer is its own rounding. Of any other number,
floor(-x) is -ceil(x).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from math import ceil, floor, gcd, lcm, prod

from symscale.algebra.polynomials import TooComplexError
from symscale.algebra.quotients import Quotients, Terms
from symscale.engine.boundaries import has_value, without_shared_letters
from symscale.engine.lowest import sign_of
from symscale.engine.variables import Variable
from symscale.errors import TooLargeError
from symscale.expressions.nodes import (
    Binary,
    Call,
    Compare,
    Name,
    Node,
    Number,
    Sign,
    number,
    rewrite,
    walk,
)
from symscale.expressions.shape import literal_value


def rounded_alike(node: Node, variables: Mapping[str, Variable]) -> Node:
    """The same expression, its roundings written in the one way."""
    return rewrite(node, _Roundings(variables).rewritten)


_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_ABOVE = {
    ">": {"floor": (">", 0), "ceil": (">=", 1)},
    ">=": {"floor": (">", -1), "ceil": (">=", 0)},
    "<": {"floor": ("<=", -1), "ceil": ("<", 0)},
    "<=": {"floor": ("<=", 0), "ceil": ("<", 1)},
}
"""How a count compares with what is rounded, after so much is taken from it, where it compares in
this way with the rounding."""


@dataclass(frozen=True)
class _Roundings:
    variables: Mapping[str, Variable]

    @cached_property
    def reader(self) -> Quotients:
        return Quotients.of(self.variables)

    def rewritten(self, part: Node) -> Node:
        match part:
            case Call("ceil" | "floor", (argument,)):
                value = literal_value(argument)
                if value is not None:
                    rounded = ceil(value) if part.function == "ceil" else floor(value)
                    return number(Fraction(rounded))
                return self.rounding(part.function, argument) or self.of_any(part)
            case Compare(op, left, right):
                return self.compared(op, left, right) or part
            case _:
                return part

    def compared(self, op: str, left: Node, right: Node) -> Node | None:
        """A count against a rounding as the count against what is rounded; None for any other.

        A count is above floor(y) where it is above y, and at least ceil(y) where it is at least y.
        """
        split = _split_rounding(right)
        if split is None:
            split, left = _split_rounding(left), right
            op = _TURNED[op]
        if split is None or op not in _ABOVE or not self.is_count(left):
            return None
        rounding, added = split
        (inner,) = rounding.arguments
        strict, moved = _ABOVE[op][rounding.function]
        count = Binary("-", left, number(Fraction(added + moved))) if added + moved else left
        return Compare(strict, count, inner)

    def is_count(self, node: Node) -> bool:
        pair = self.integers(node)
        return pair is not None and pair[1] == {(0,) * len(self.variables): 1}

    def of_any(self, part: Call) -> Node:
        """Whole numbers taken out of what is rounded, and a sign."""
        match part.arguments[0]:
            case Sign("-", operand):
                other = "floor" if part.function == "ceil" else "ceil"
                return Sign("-", Call(other, (operand,)))
        pair = self.single(part.arguments[0])
        if pair is None:
            return part
        over, under = map(self.in_counts, pair)
        leading = max(under)
        whole = floor(over.get(leading, Fraction(0)) / under[leading])
        if not whole:
            return part
        rest = _sum(over, under, -whole)
        argument = Binary("/", self.node(rest), self.node(under))
        return Binary("+", Call(part.function, (argument,)), number(Fraction(whole)))

    def rounding(self, function: str, argument: Node) -> Node | None:
        """The floor of a quotient of integers, reduced; None where it is none."""
        pair = self.integers(argument)
        if pair is None:
            return None
        over, under = pair
        unit = (0,) * len(self.variables)
        if under == {unit: 1}:
            return self.node(over)
        if over[max(over)] < 0:
            other = "floor" if function == "ceil" else "ceil"
            return Sign("-", self.reduced(other, _sum({}, over, -1), under))
        return self.reduced(function, over, under)

    def reduced(self, function: str, over: Terms, under: Terms) -> Node:
        unit, added = (0,) * len(self.variables), 0
        if function == "ceil":
            over, added = _sum(over, {unit: Fraction(-1)}, 1), 1
        leading = max(under)
        whole = over.get(leading, Fraction(0)) // under[leading]
        over = _sum(over, under, -whole)
        if list(under) == [unit]:
            over, under = _coarser(over, under[unit], unit)
        added += whole
        if not over:
            return number(Fraction(added))
        quotient = Call("floor", (Binary("/", self.node(over), self.node(under)),))
        return Binary("+", quotient, number(Fraction(added))) if added else quotient

    def integers(self, argument: Node) -> tuple[Terms, Terms] | None:
        """An argument as a quotient of polynomials that count, coprime in numbers and letters, the
        lower one above zero; None where it is no such thing."""
        pair = self.single(argument)
        if pair is None:
            return None
        sides = [self.in_counts(side) for side in pair]
        variables = list(self.variables.values())
        sign = sign_of(pair[1], variables)
        if not all(map(self.counts, sides)) or sign is None:
            return None
        numbers = [c for side in sides for c in side.values()]
        whole = lcm(*(c.denominator for c in numbers))
        scale = Fraction(whole, gcd(*(abs(int(c * whole)) for c in numbers)))
        scale *= sign
        over, under = without_shared_letters(sides, variables)
        return _sum({}, over, scale), _sum({}, under, scale)

    def single(self, argument: Node) -> tuple[Terms, Terms] | None:
        """An argument without rules as a quotient of polynomials, not zero."""
        if any(isinstance(part, Call) and part.function != "count" for part in walk(argument)):
            return None
        try:
            if not has_value(argument, self.variables):
                return None  # nothing would tell that once it is rewritten
            options = self.reader.read(argument)
        except (TooComplexError, TooLargeError):
            return None
        if not options or not options[0].over or not options[0].under:
            return None
        return options[0].over, options[0].under

    def in_counts(self, terms: Terms) -> Terms:
        """A polynomial in the counts that letters are the multiples of."""
        scales = [variable.scale for variable in self.variables.values()]
        return {
            powers: c / prod(scale**power for scale, power in zip(scales, powers, strict=True))
            for powers, c in terms.items()
        }

    def counts(self, terms: Terms) -> bool:
        """Whether all letters of a polynomial stand for integers."""
        return all(
            variable.domain.integer
            for place, variable in enumerate(self.variables.values())
            if any(powers[place] for powers in terms)
        )

    def node(self, terms: Terms) -> Node:
        """A polynomial as a tree, its terms in a fixed order."""
        sums = [self.term(powers, c) for powers, c in sorted(terms.items(), reverse=True)]
        return reduce(lambda a, b: Binary("+", a, b), sums) if sums else Number("0")

    def term(self, powers: tuple[int, ...], c: Fraction) -> Node:
        factors: list[Node] = []
        for (letter, variable), power in zip(self.variables.items(), powers, strict=True):
            if power:
                c *= variable.scale**power
                name = Name(letter)
                factors.append(name if power == 1 else Binary("**", name, Number(str(power))))
        if c != 1 or not factors:
            factors.insert(0, number(c))
        return reduce(lambda a, b: Binary("*", a, b), factors)


def _split_rounding(node: Node) -> tuple[Call, int] | None:
    """A rounding, and the whole number that is added to it."""
    match node:
        case Call("ceil" | "floor"):
            return node, 0
        case Binary("+" | "-", Call("ceil" | "floor") as rounding, Number() as more):
            if more.value.denominator == 1:
                return rounding, int(more.value) * (1 if node.op == "+" else -1)
        case Binary("+", Number() as more, Call("ceil" | "floor") as rounding):
            if more.value.denominator == 1:
                return rounding, int(more.value)
    return None


def _sum(a: Terms, b: Terms, times: int | Fraction) -> Terms:
    total = dict(a)
    for powers, c in b.items():
        total[powers] = total.get(powers, Fraction(0)) + times * c
    return {powers: c for powers, c in total.items() if c}


def _coarser(over: Terms, under: Fraction, unit: tuple[int, ...]) -> tuple[Terms, Terms]:
    """floor((g*a + c)/(g*b)) is floor((a + floor(c/g))/b)."""
    shared = gcd(int(under), *(int(c) for powers, c in over.items() if any(powers)))
    found = {powers: Fraction(floor(c / shared)) for powers, c in over.items()}
    return {powers: c for powers, c in found.items() if c}, {unit: under / shared}
