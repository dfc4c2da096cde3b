"""Polynomials over atoms: exact, sparse, in as many letters as there are.

An atom is a name, or a part of an expression that algebra does not look into, such as
`ceil(x)` or `N**a`. Exponents are rational, so that square roots of names are monomials too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from math import floor, gcd, lcm
from typing import TypeAlias

from symscale.expressions.nodes import Node, Number
from symscale.expressions.text import text

Monomial: TypeAlias = frozenset[tuple[Node, Fraction]]
"""Atoms with their exponents, none of them zero."""

Terms: TypeAlias = dict[Monomial, Fraction]

UNIT: Monomial = frozenset()
MAX_TERMS = 400
MAX_POWER = 12


class TooComplexError(Exception):
    """The normal form would be larger than anybody would read."""


@dataclass(frozen=True)
class Polynomial:
    """A sum of monomials with rational coefficients."""

    items: frozenset[tuple[Monomial, Fraction]]

    @classmethod
    def of(cls, terms: Mapping[Monomial, Fraction]) -> Polynomial:
        if len(terms) > MAX_TERMS:
            raise TooComplexError
        return cls(frozenset((monomial, c) for monomial, c in terms.items() if c))

    @cached_property
    def terms(self) -> Terms:
        return dict(self.items)

    @cached_property
    def atoms(self) -> frozenset[Node]:
        return frozenset(atom for monomial in self.terms for atom, _ in monomial)

    def in_powers_of(self, atom: Node) -> dict[Fraction, Terms]:
        """The coefficients, by the exponent of one atom."""
        found: dict[Fraction, Terms] = {}
        for monomial, coefficient in self.items:
            powers = dict(monomial)
            power = powers.pop(atom, Fraction(0))
            found.setdefault(power, {})[frozenset(powers.items())] = coefficient
        return found

    @cached_property
    def ordered(self) -> list[tuple[Monomial, Fraction]]:
        """The terms in a fixed order, the leading one first."""
        return sorted(self.items, key=lambda item: monomial_key(item[0]))


def monomial_key(monomial: Monomial) -> tuple[Fraction, tuple[tuple[str, Fraction], ...]]:
    """The highest degree first, then by the letters: an order that no file decides."""
    degree = sum((power for _, power in monomial), Fraction(0))
    return -degree, tuple(sorted((text(atom), power) for atom, power in monomial))


def times(a: Monomial, b: Monomial) -> Monomial:
    if not a or not b:
        return a or b
    powers = dict(a)
    for atom, power in b:
        powers[atom] = powers.get(atom, Fraction(0)) + power
    return frozenset((atom, power) for atom, power in powers.items() if power)


def inverse(monomial: Monomial) -> Monomial:
    return frozenset((atom, -power) for atom, power in monomial)


def add(sides: Iterable[Mapping[Monomial, Fraction]]) -> Terms:
    total: Terms = {}
    for side in sides:
        for monomial, coefficient in side.items():
            total[monomial] = total.get(monomial, Fraction(0)) + coefficient
    return {monomial: c for monomial, c in total.items() if c}


def settled(monomial: Monomial) -> tuple[Fraction, Monomial]:
    """Whole powers of numbers taken out: 2**(3/2) is 2 times 2**(1/2)."""
    scale = Fraction(1)
    powers = dict(monomial)
    for atom, power in monomial:
        if isinstance(atom, Number):
            whole = floor(power)
            scale *= atom.value**whole
            powers[atom] = power - whole
    return scale, frozenset((atom, power) for atom, power in powers.items() if power)


def multiply(a: Mapping[Monomial, Fraction], b: Mapping[Monomial, Fraction]) -> Terms:
    if len(a) * len(b) > MAX_TERMS * 10:
        raise TooComplexError
    product: Terms = {}
    for left, x in a.items():
        for right, y in b.items():
            scale, monomial = settled(times(left, right))
            product[monomial] = product.get(monomial, Fraction(0)) + scale * x * y
    product = {monomial: c for monomial, c in product.items() if c}
    if len(product) > MAX_TERMS:
        raise TooComplexError
    return product


def power(terms: Mapping[Monomial, Fraction], exponent: int) -> Terms:
    if exponent > MAX_POWER:
        raise TooComplexError
    return reduce(multiply, [terms] * exponent, {UNIT: Fraction(1)})


def content(terms: Mapping[Monomial, Fraction]) -> tuple[Fraction, Monomial]:
    """The number and the monomial that all terms share; the rest has coprime integer
    coefficients and no common atom."""
    over = reduce(gcd, (c.numerator for c in terms.values()))
    under = reduce(lcm, (c.denominator for c in terms.values()))
    atoms = {atom for monomial in terms for atom, _ in monomial}
    shared = {
        atom: min(dict(monomial).get(atom, Fraction(0)) for monomial in terms) for atom in atoms
    }
    return Fraction(over, under), frozenset((a, power) for a, power in shared.items() if power)


def divide(over: Polynomial, under: Polynomial) -> Terms | None:
    """The exact quotient, None where there is a remainder.

    Division by leading terms in a lexicographic order; every step takes the leading term away.
    """
    order = sorted({*over.atoms, *under.atoms}, key=text)

    def rank(monomial: Monomial) -> tuple[Fraction, ...]:
        powers = dict(monomial)
        return tuple(powers.get(atom, Fraction(0)) for atom in order)

    lead = max(under.terms, key=rank)
    rest, quotient = dict(over.terms), Terms()
    for _ in range(MAX_TERMS):
        if not rest:
            return quotient
        first = max(rest, key=rank)
        factor = times(first, inverse(lead))
        if any(power < 0 for _, power in factor):
            return None
        scale = rest[first] / under.terms[lead]
        quotient[factor] = scale
        rest = add([rest, multiply(under.terms, {factor: -scale})])
    return None
