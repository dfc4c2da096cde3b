"""Every quotient of polynomials that an expression can be.

`max`, `min`, `abs` and `where` choose one of several; `ceil` and `floor` stay within one of their
argument, which stands for them. Nothing is cancelled, so a divisor keeps its zeros.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from itertools import product
from math import gcd, lcm
from typing import TypeAlias

from symscale.algebra.polynomials import TooComplexError
from symscale.expressions.nodes import Binary, Call, Name, Node, Number, Sign, chain, number

Powers: TypeAlias = tuple[int, ...]
"""The exponents of the letters, in their order."""

Terms: TypeAlias = dict[Powers, Fraction]
"""A polynomial: exponents to a coefficient that is not zero."""

MAX_TERMS, MAX_EXPONENT, MAX_OPTIONS = 64, 24, 16
MAX_POWER = 400
"""Of numbers alone."""


@dataclass(frozen=True, slots=True)
class Quotient:
    """One polynomial over another."""

    over: Terms
    under: Terms

    def __add__(self, other: Quotient) -> Quotient:
        if self.under == other.under:
            return Quotient(_sum([self.over, other.over]), self.under)
        over = _sum([_product(self.over, other.under), _product(other.over, self.under)])
        return Quotient(over, _product(self.under, other.under))

    def __neg__(self) -> Quotient:
        return Quotient({powers: -c for powers, c in self.over.items()}, self.under)

    def __mul__(self, other: Quotient) -> Quotient:
        return Quotient(_product(self.over, other.over), _product(self.under, other.under))

    def __truediv__(self, other: Quotient) -> Quotient:
        return self * Quotient(other.under, other.over)

    @property
    def constant(self) -> Fraction | None:
        """The value, where no letter is left."""
        if any(any(powers) for side in (self.over, self.under) for powers in side):
            return None
        over, under = (sum(side.values(), Fraction(0)) for side in (self.over, self.under))
        return over / under if under else None


def _sum(sides: Iterable[Terms]) -> Terms:
    total: Terms = {}
    for side in sides:
        for powers, c in side.items():
            total[powers] = total.get(powers, Fraction(0)) + c
    if len(total) > MAX_TERMS:
        raise TooComplexError
    return {powers: c for powers, c in total.items() if c}


def _product(a: Terms, b: Terms) -> Terms:
    if len(a) * len(b) > MAX_TERMS * 4:
        raise TooComplexError
    terms = [
        {tuple(map(int.__add__, left, right)): x * y}
        for left, x in a.items()
        for right, y in b.items()
    ]
    if any(max(powers, default=0) > MAX_EXPONENT for term in terms for powers in term):
        raise TooComplexError
    return _sum(terms)


def primitive(terms: Terms) -> Terms:
    """The multiple with coprime integer coefficients, the first of them positive."""
    if not terms:
        return terms
    under = lcm(*(c.denominator for c in terms.values()))
    over = gcd(*(c.numerator * (under // c.denominator) for c in terms.values()))
    scale = Fraction(under, over if terms[max(terms)] > 0 else -over)
    return {powers: c * scale for powers, c in terms.items()}


def along(terms: Terms, place: Sequence[Fraction], letter: int) -> tuple[Fraction, ...]:
    """The coefficients, the constant first, where one letter alone varies; a letter is its
    position, and every other has its value at `place`."""
    found = [Fraction(0)] * (1 + max((powers[letter] for powers in terms), default=-1))
    for powers, c in terms.items():
        for position, power in enumerate(powers):
            if power and position != letter:
                c *= place[position] ** power if power > 1 else place[position]
        found[powers[letter]] += c
    while found and not found[-1]:
        found.pop()
    return tuple(found)


def put(terms: Terms, letter: int, over: Terms, under: Terms) -> Terms:
    """The polynomial with a quotient in the place of a letter, multiplied by the divisor to the
    letter's highest power. Raises TooComplexError."""
    most = max((powers[letter] for powers in terms), default=0)
    unit = (0,) * len(next(iter(terms), ()))
    total: Terms = {}
    for powers, c in terms.items():
        rest = {(*powers[:letter], 0, *powers[letter + 1 :]): c}
        factors = [over] * powers[letter] + [under] * (most - powers[letter])
        total = _sum([total, reduce(_product, factors, _product(rest, {unit: Fraction(1)}))])
    return total


def divided(over: Terms, under: Terms) -> Terms | None:
    """The polynomial that `under` times it is `over`, if there is one."""
    found: Terms = {}
    leading = max(under)
    rest = over
    while rest:
        first = max(rest)
        powers = tuple(map(int.__sub__, first, leading))
        if min(powers, default=0) < 0 or len(found) > MAX_TERMS:
            return None
        found[powers] = rest[first] / under[leading]
        rest = _sum([rest, _product(under, {powers: -found[powers]})])
    return found


def tree(terms: Terms, letters: Iterable[str]) -> Node:
    """The polynomial as an expression, its terms in a fixed order."""
    names = list(letters)
    sums = [_term(powers, c, names) for powers, c in sorted(terms.items(), reverse=True)]
    return reduce(lambda a, b: Binary("+", a, b), sums) if sums else Number("0")


def _term(powers: Powers, c: Fraction, letters: Sequence[str]) -> Node:
    factors: list[Node] = [number(c)] if c != 1 or not any(powers) else []
    for letter, power in zip(letters, powers, strict=True):
        if power:
            name = Name(letter)
            factors.append(name if power == 1 else Binary("**", name, Number(str(power))))
    return reduce(lambda a, b: Binary("*", a, b), factors)


@dataclass(frozen=True)
class Quotients:
    """Reads expressions in some letters."""

    letters: Mapping[str, int]
    """The letters, with their positions."""
    _done: dict[int, tuple[Node, list[Quotient] | None]] = field(
        default_factory=dict[int, tuple[Node, "list[Quotient] | None"]]
    )
    """By identity, with the node, so that no other takes its place."""

    @classmethod
    def of(cls, letters: Iterable[str]) -> Quotients:
        return cls({letter: position for position, letter in enumerate(letters)})

    def read(self, node: Node) -> list[Quotient] | None:
        """The quotients that a node can be, each once; None where it is not such a choice.

        Raises TooComplexError for polynomials or choices of more than a few dozen terms.
        """
        key = id(node)
        if key not in self._done:
            found = self._read(node)
            if found is not None and len(found) > 1:
                found = _each_once(found)
            self._done[key] = node, found
        return self._done[key][1]

    def _read(self, node: Node) -> list[Quotient] | None:
        match node:
            case Name(id):
                powers = [0] * len(self.letters)
                powers[self.letters[id]] = 1
                return [Quotient({tuple(powers): Fraction(1)}, self.one)]
            case Number():
                return [self.constant(node.value)]
            case Sign(op, operand):
                options = self.read(operand)
                if options is None or op == "+":
                    return options
                return [-option for option in options]
            case Binary("**", base, exponent):
                return self._power(base, exponent)
            case Binary():
                return self._chain(node)
            case Call("count" | "ceil" | "floor", (argument,)):
                return self.read(argument)
            case Call("abs", (argument,)):
                options = self.read(argument)
                return None if options is None else [*options, *(-option for option in options)]
            case Call("max" | "min", arguments) | Call("where", (_, *arguments)):
                return self._any_of(arguments)
            case _:
                return None

    @property
    def one(self) -> Terms:
        return {(0,) * len(self.letters): Fraction(1)}

    def constant(self, value: Fraction) -> Quotient:
        return Quotient(dict.fromkeys(self.one, value) if value else {}, self.one)

    def _any_of(self, nodes: Iterable[Node]) -> list[Quotient] | None:
        found: list[Quotient] = []
        for node in nodes:
            options = self.read(node)
            if options is None:
                return None
            found += options
        return found

    def _chain(self, node: Binary) -> list[Quotient] | None:
        first, rest = chain(node)
        found = self.read(first)
        for op, operand in rest:
            options = self.read(operand)
            if found is None or options is None:
                return None
            found = _each_once(_combined(op, a, b) for a, b in product(found, options))
        return found

    def _power(self, base: Node, exponent: Node) -> list[Quotient] | None:
        options, powers = self.read(base), self.read(exponent)
        if options is None or powers is None or len(powers) != 1:
            return None
        power = powers[0].constant
        if power is None or power.denominator != 1:
            return None
        return [self._raised(option, power.numerator) for option in options]

    def _raised(self, option: Quotient, power: int) -> Quotient:
        one, value = self.constant(Fraction(1)), option.constant
        if value and abs(power) <= MAX_POWER:
            return self.constant(value**power)
        if abs(power) > MAX_EXPONENT:
            raise TooComplexError
        raised = reduce(Quotient.__mul__, [option] * abs(power), one)
        return raised if power >= 0 else one / raised


def _combined(op: str, a: Quotient, b: Quotient) -> Quotient:
    match op:
        case "+":
            return a + b
        case "-":
            return a + -b
        case "*":
            return a * b
        case _:
            return a / b


def _each_once(options: Iterable[Quotient]) -> list[Quotient]:
    found: list[Quotient] = []
    for option in options:
        if option not in found:
            found.append(option)
            if len(found) > MAX_OPTIONS:
                raise TooComplexError
    return found
