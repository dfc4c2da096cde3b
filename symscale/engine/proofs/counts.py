"""Polynomials with integer coefficients in the counts that letters are the multiples of: a capacity
in GiB counts bytes, and what counts is an integer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, comb, floor, gcd, lcm, prod
from typing import TypeAlias, TypeVar

from symscale.algebra.quotients import Powers, Terms
from symscale.engine.variables import Variable

Counts: TypeAlias = dict[Powers, int]
"""Exponents to a coefficient, all but for a factor above zero."""

Shape: TypeAlias = frozenset[tuple[Powers, int]]
"""What varies in a polynomial, with coprime coefficients."""

End: TypeAlias = tuple[Fraction, bool]
"""A number that a value is never below, and whether it is always above it."""

ZERO_END: End = (Fraction(0), False)

_Number = TypeVar("_Number", int, Fraction)


@dataclass(frozen=True)
class Counting:
    """Between polynomials in the numbers that letters stand for and those in counts."""

    variables: Sequence[Variable]

    def counted(self, terms: Terms) -> Counts:
        if self._scaled:
            terms = {powers: c / self._scale(powers) for powers, c in terms.items()}
        under = lcm(*(c.denominator for c in terms.values()))
        return {powers: c.numerator * (under // c.denominator) for powers, c in terms.items()}

    def in_numbers(self, counts: Counts) -> Terms:
        return {powers: c * self._scale(powers) for powers, c in counts.items()}

    def is_whole(self, terms: Terms) -> bool:
        """Whether a polynomial in numbers is one of counts with integer coefficients."""
        return self.counts(terms) and all(
            (c / self._scale(powers)).denominator == 1 for powers, c in terms.items()
        )

    def coprime(self, over: Terms, under: Terms) -> tuple[Counts, Counts]:
        """Two polynomials in numbers, multiplied by the same factor above zero."""
        sides = [
            {powers: c / self._scale(powers) for powers, c in side.items()}
            for side in (over, under)
        ]
        numbers = [c for side in sides for c in side.values()]
        multiple = lcm(*(c.denominator for c in numbers))
        scale = Fraction(multiple, gcd(*(int(c * multiple) for c in numbers)))
        first, second = ({p: int(c * scale) for p, c in side.items()} for side in sides)
        return first, second

    def counts(self, terms: Mapping[Powers, object]) -> bool:
        """Whether all letters of a polynomial are integers."""
        return all(
            self.variables[i].domain.integer
            for powers in terms
            for i, power in enumerate(powers)
            if power
        )

    def end(self, counts: Counts, *, strict: bool) -> tuple[Shape, End]:
        """The lower end of what varies that keeps a polynomial from being below zero, or at it."""
        constant = counts.get((0,) * len(self.variables), 0)
        varying = {powers: c for powers, c in counts.items() if any(powers)}
        if not varying:
            return frozenset(), (Fraction(0), strict)
        shared = gcd(*varying.values())
        shape = {powers: c // shared for powers, c in varying.items()}
        end = Fraction(-constant, shared)
        if self.counts(shape):
            end, strict = Fraction(floor(end) + 1 if strict else ceil(end)), False
        return frozenset(shape.items()), (end, strict)

    @cached_property
    def letters(self) -> list[Shape]:
        """Each letter alone."""
        size = range(len(self.variables))
        return [frozenset([(tuple(int(i == j) for j in size), 1)]) for i in size]

    @cached_property
    def negatives(self) -> list[Shape]:
        return [frozenset((powers, -c) for powers, c in letter) for letter in self.letters]

    def _scale(self, powers: Powers) -> Fraction:
        """What a product of letters is to be multiplied by to be one of counts."""
        return prod((self.variables[i].scale ** powers[i] for i in self._scaled), start=Fraction(1))

    @cached_property
    def _scaled(self) -> list[int]:
        return [i for i, variable in enumerate(self.variables) if variable.scale != 1]


def negative(counts: Counts) -> Counts:
    return {powers: -c for powers, c in counts.items()}


def zeros(counts: Counts) -> Shape:
    """The same for the multiples of a polynomial, which are zero at the same places."""
    if not counts:
        return frozenset()
    shared = gcd(*counts.values()) * (1 if counts[max(counts)] > 0 else -1)
    return frozenset((powers, c // shared) for powers, c in counts.items())


def less(shape: Shape, end: Fraction) -> Counts:
    """What varies less a number, but for a factor above zero."""
    counts = {powers: c * end.denominator for powers, c in shape}
    if end:
        counts[(0,) * len(next(iter(counts)))] = -end.numerator
    return counts


def without(terms: Mapping[Powers, _Number], letters: Powers) -> dict[Powers, _Number]:
    """A polynomial divided by letters that all of its terms have."""
    if not any(letters):
        return dict(terms)
    return {tuple(map(int.__sub__, powers, letters)): c for powers, c in terms.items()}


def shifted(counts: Counts, letter: int, by: Fraction) -> Counts:
    """The polynomial with `letter + by` in the place of a letter, times a factor above zero."""
    degree = max(powers[letter] for powers in counts)
    total: Counts = {}
    for powers, c in counts.items():
        most = powers[letter]
        c *= by.denominator ** (degree - most)
        for power in range(most + 1):
            place = (*powers[:letter], power, *powers[letter + 1 :])
            term = c * comb(most, power) * by.numerator ** (most - power) * by.denominator**power
            total[place] = total.get(place, 0) + term
    return {powers: c for powers, c in total.items() if c}
