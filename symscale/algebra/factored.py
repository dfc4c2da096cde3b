"""The factored normal form of an expression: a number times powers of atoms and polynomials.

Products stay products and only sums are multiplied out, so `V*(n - 1)/n` keeps its shape while
`(V*n - V)/n` takes it. It shows closed forms and finds inverses; it decides no verdict, because
it divides common factors away and so forgets where they are zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from math import floor
from typing import TypeAlias

from symscale.algebra import polynomials
from symscale.algebra.polynomials import MAX_POWER, UNIT, Monomial, Polynomial, TooComplexError
from symscale.errors import TooLargeError
from symscale.expressions.nodes import (
    Binary,
    Call,
    Name,
    Node,
    Number,
    Sign,
    number,
)
from symscale.expressions.shape import constant_value
from symscale.expressions.text import text
from symscale.expressions.values import exact_power

Base: TypeAlias = Node | Polynomial

MAX_PRIME = 100
"""Factors below this are drawn out of roots of numbers."""


@dataclass(frozen=True)
class Factored:
    """`coefficient` times each base to its exponent."""

    coefficient: Fraction
    factors: Mapping[Base, Fraction] = field(default_factory=dict)

    def __mul__(self, other: Factored) -> Factored:
        if not self.coefficient or not other.coefficient:
            return ZERO
        powers = dict(self.factors)
        for base, power in other.factors.items():
            powers[base] = powers.get(base, Fraction(0)) + power
        scale = self.coefficient * other.coefficient
        kept: dict[Base, Fraction] = {}
        for base, power in powers.items():
            if isinstance(base, Number):
                whole = floor(power)
                scale, power = scale * base.value**whole, power - whole
            if power:
                kept[base] = power
        return Factored(scale, kept)

    def __truediv__(self, other: Factored) -> Factored:
        """Raises ZeroDivisionError."""
        inverse = {base: -power for base, power in other.factors.items()}
        return self * Factored(1 / other.coefficient, inverse)

    def __neg__(self) -> Factored:
        return Factored(-self.coefficient, self.factors)

    def __add__(self, other: Factored) -> Factored:
        return total([self, other])

    def __sub__(self, other: Factored) -> Factored:
        return total([self, -other])

    @property
    def is_zero(self) -> bool:
        return not self.coefficient

    @property
    def constant(self) -> Fraction | None:
        """The value, where no base is left."""
        return None if self.factors else self.coefficient

    @property
    def atoms(self) -> frozenset[Node]:
        found: set[Node] = set()
        for base in self.factors:
            found |= base.atoms if isinstance(base, Polynomial) else {base}
        return frozenset(found)

    def node(self) -> Node:
        """The expression, numerator over denominator.

        Raises TooComplexError where a number has more digits than a literal.
        """
        try:
            return self._node()
        except TooLargeError:
            raise TooComplexError from None

    def _node(self) -> Node:
        form = _without_sign(self) if self.coefficient < 0 else self
        over = [(base, power) for base, power in form.factors.items() if power > 0]
        under = [(base, -power) for base, power in form.factors.items() if power < 0]
        top = _product(abs(form.coefficient.numerator), over)
        shown = top
        if under or form.coefficient.denominator != 1:
            shown = Binary("/", top, _product(form.coefficient.denominator, under))
        return Sign("-", shown) if form.coefficient < 0 else shown


def _without_sign(form: Factored) -> Factored:
    """A minus sign drawn into the first difference among the factors, if there is one."""
    for base, power in sorted(form.factors.items(), key=lambda item: _rank(item[0])):
        if isinstance(base, Polynomial) and power in (1, -1) and min(base.terms.values()) < 0:
            turned = Polynomial.of({monomial: -c for monomial, c in base.items})
            others = {b: p for b, p in form.factors.items() if b != base}
            return Factored(-form.coefficient, {**others, turned: power})
    return form


ZERO = Factored(Fraction(0))
ONE = Factored(Fraction(1))


def atom(node: Node) -> Factored:
    return Factored(Fraction(1), {node: Fraction(1)})


def from_terms(terms: Mapping[Monomial, Fraction]) -> Factored:
    """A polynomial, with what its terms share taken out."""
    if not terms:
        return ZERO
    scale, shared = polynomials.content(terms)
    rest = polynomials.multiply(terms, {polynomials.inverse(shared): 1 / scale})
    factors: dict[Base, Fraction] = dict(shared)
    if len(rest) == 1:
        ((monomial, coefficient),) = rest.items()
        return Factored(scale * coefficient, factors) * Factored(Fraction(1), dict(monomial))
    polynomial = Polynomial.of(rest)
    if _leans_negative(polynomial):
        scale = -scale
        polynomial = Polynomial.of({monomial: -c for monomial, c in rest.items()})
    factors[polynomial] = Fraction(1)
    return Factored(scale, factors)


def _leans_negative(polynomial: Polynomial) -> bool:
    """Which of a polynomial and its negative is shown: the one with more plus signs."""
    signs = sum(1 if c > 0 else -1 for c in polynomial.terms.values())
    return signs < 0 or (signs == 0 and polynomial.ordered[0][1] < 0)


def total(terms: Iterable[Factored]) -> Factored:
    """The sum: what the terms share stays outside, and the rest is multiplied out."""
    terms = [term for term in terms if term.coefficient]
    if len(terms) < 2:
        return terms[0] if terms else ZERO
    bases: dict[Base, None] = dict.fromkeys(base for term in terms for base in term.factors)
    shared = {}
    for base in bases:
        least = min(term.factors.get(base, Fraction(0)) for term in terms)
        if least:
            shared[base] = least
    common = Factored(Fraction(1), shared)
    inner = from_terms(polynomials.add(expand(term / common) for term in terms))
    return cancelled(common * inner)


def expand(term: Factored) -> dict[Monomial, Fraction]:
    """A product without denominators as a polynomial."""
    terms = {UNIT: term.coefficient}
    for base, power in term.factors.items():
        if isinstance(base, Polynomial) and power.denominator == 1 and 0 < power <= MAX_POWER:
            factor = polynomials.power(base.terms, power.numerator)
        elif isinstance(base, Polynomial):
            opaque = Factored(Fraction(1), {base: power}).node()
            factor = {frozenset({(opaque, Fraction(1))}): Fraction(1)}
        else:
            factor = {frozenset({(base, power)}): Fraction(1)}
        terms = polynomials.multiply(terms, factor)
    return terms


def cancelled(form: Factored) -> Factored:
    """Polynomials above and below the line, divided by each other where that is exact."""
    over = [b for b, p in form.factors.items() if isinstance(b, Polynomial) and p == 1]
    under = [b for b, p in form.factors.items() if isinstance(b, Polynomial) and p == -1]
    for top in over:
        for bottom in under:
            quotient = polynomials.divide(top, bottom)
            if quotient is not None:
                factors = {b: p for b, p in form.factors.items() if b not in (top, bottom)}
                rest = Factored(form.coefficient, factors)
                return cancelled(rest * from_terms(quotient))
            reverse = polynomials.divide(bottom, top)
            if reverse is not None:
                factors = {b: p for b, p in form.factors.items() if b not in (top, bottom)}
                rest = Factored(form.coefficient, factors)
                return cancelled(rest / from_terms(reverse))
    return form


def raised(
    form: Factored, exponent: Fraction, positive: Callable[[Node], bool] = lambda _: False
) -> Factored:
    """A power with a constant exponent.

    A fractional one is drawn over the factors that are positive; the rest stays under one root.
    Raises ZeroDivisionError.
    """
    if form.is_zero:
        if exponent < 0:
            raise ZeroDivisionError
        return ZERO if exponent else ONE
    if exponent.denominator == 1:
        scale = exact_power(form.coefficient, exponent)
        if scale is None:
            raise TooComplexError
        powers = {base: power * exponent for base, power in form.factors.items() if exponent}
        return Factored(scale) * Factored(Fraction(1), powers)
    outside: dict[Base, Fraction] = {}
    inside: dict[Base, Fraction] = {}
    for base, power in form.factors.items():
        safe = not isinstance(base, Polynomial) and positive(base)
        (outside if safe else inside)[base] = power
    whole = Factored(Fraction(1), {base: power * exponent for base, power in outside.items()})
    coefficient = form.coefficient
    if coefficient > 0:
        whole *= _root(coefficient, exponent)
        coefficient = Fraction(1)
    rest = Factored(coefficient, inside)
    if not inside and coefficient == 1:
        return whole
    if coefficient == 1 and len(inside) == 1 and abs(next(iter(inside.values()))) == 1:
        return whole * Factored(Fraction(1), {b: p * exponent for b, p in inside.items()})
    return whole * atom(Binary("**", rest.node(), number(exponent)))


def _root(value: Fraction, exponent: Fraction) -> Factored:
    """A power of a number, exact or as numerator and denominator to that power."""
    scale = exact_power(value, exponent)
    if scale is not None:
        return Factored(scale)
    root = ONE
    for part, power in ((value.numerator, exponent), (value.denominator, -exponent)):
        outside, inside = _drawn_out(part, exponent.denominator)
        root *= Factored(Fraction(outside) ** (power * exponent.denominator).numerator)
        if inside != 1:
            root *= Factored(Fraction(1), {Number(str(inside)): power})
    return root


def _drawn_out(number: int, degree: int) -> tuple[int, int]:
    """`number` as outside**degree * inside, small prime factors looked at."""
    outside, inside = 1, number
    for prime in range(2, MAX_PRIME):
        while inside % prime**degree == 0:
            outside, inside = outside * prime, inside // prime**degree
    return outside, inside


def _product(scale: int, factors: list[tuple[Base, Fraction]]) -> Node:
    ordered = sorted(factors, key=lambda item: _rank(item[0]))
    parts = [_power(base, power) for base, power in ordered]
    if scale != 1 or not parts:
        parts = [number(Fraction(scale)), *parts]
    return reduce(lambda left, right: Binary("*", left, right), parts)


def _rank(base: Base) -> tuple[int, str]:
    if isinstance(base, Polynomial):
        return 2, text(_sum(base))
    return (0 if isinstance(base, Name) else 1), text(base)


def _power(base: Base, exponent: Fraction) -> Node:
    node = _sum(base) if isinstance(base, Polynomial) else base
    if exponent == 1:
        return node
    if exponent == Fraction(1, 2):
        return Call("sqrt", (node,))
    if isinstance(node, Binary) and node.op == "**":
        inner = constant_value(node.right)
        if inner is not None:
            return Binary("**", node.left, number(inner * exponent))
        return Binary("**", node.left, Binary("*", node.right, number(exponent)))
    return Binary("**", node, number(exponent))


def _sum(polynomial: Polynomial) -> Node:
    shown: Node | None = None
    for monomial, coefficient in sorted(polynomial.ordered, key=lambda item: item[1] < 0):
        size = Factored(abs(coefficient), dict(monomial)).node()
        if shown is None:
            shown = Sign("-", size) if coefficient < 0 else size
        else:
            shown = Binary("-" if coefficient < 0 else "+", shown, size)
    return shown if shown is not None else Number("0")
