"""Places on a line where a distance has a certain value, or is an integer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import ceil, floor, lcm

from symscale.algebra.roots import Coefficients

NEIGHBOURS = 4
"""How many integers around a value are looked at."""
_STEPS = 64
"""How many integers to try for one at which a variable that counts is an integer too."""
_RESIDUES = 4096


def _whole(terms: Sequence[Fraction]) -> list[int]:
    common = lcm(*(term.denominator for term in terms))
    return [int(term * common) for term in terms]


@dataclass(frozen=True, slots=True)
class Curve:
    """A linear-fractional function turned around: what place has a value.

    The place of the value t is (a - b*t)/(c - d*t). Three points determine a, b, c, d, because
    the cross-ratio of four places is that of their values.
    """

    start: Fraction
    first: Fraction
    """The value at the start."""
    terms: Sequence[int] | None
    """a, b, c, d; None for a constant."""

    @classmethod
    def through(cls, places: Sequence[Fraction], values: Sequence[Fraction]) -> Curve:
        x0, x1, x2 = places
        y0, y1, y2 = values
        if y0 == y1:
            return cls(x0, y0, None)
        k = (y0 - y2) * (x0 - x1) / ((y0 - y1) * (x0 - x2))
        return cls(x0, y0, _whole((x1 * y2 - k * y1 * x2, x1 - k * x2, y2 - k * y1, 1 - k)))

    @classmethod
    def of(cls, start: Fraction, first: Fraction, over: Coefficients, under: Coefficients) -> Curve:
        """The quotient of two polynomials of a degree of at most one."""
        (p, q), (r, s) = ((*side, Fraction(0), Fraction(0))[:2] for side in (over, under))
        return cls(start, first, None if p * s == q * r else _whole((p, r, -q, -s)))

    def reaching(self, value: int) -> Fraction | None:
        """The place that has this value, if there is one."""
        if self.first == value:
            return self.start
        if self.terms is None:
            return None
        a, b, c, d = self.terms
        divisor = c - d * value
        return Fraction(a - b * value, divisor) if divisor else None

    def integers(self, step: Fraction | None) -> list[Fraction]:
        """The places of the integers around the first value; for a variable with a step also the
        nearest that are multiples of it."""
        lowest = floor(self.first) - 1
        near = [self.reaching(lowest + offset) for offset in range(NEIGHBOURS)]
        roots = [root for root in near if root is not None]
        if step is None or self.terms is None:
            return roots
        return roots + self._multiples(step, lowest, self.terms)

    def _multiples(self, step: Fraction, lowest: int, terms: Sequence[int]) -> list[Fraction]:
        a, b, c, d = terms
        for value in range(lowest, lowest + _STEPS):
            divisor = (c - d * value) * step.numerator
            if divisor and (a - b * value) * step.denominator % divisor == 0:
                return [Fraction(a - b * value, c - d * value)]
        return []


def whole_places(
    polynomial: Coefficients, start: Fraction, step: Fraction | None
) -> list[Fraction]:
    """Places where a polynomial is an integer: multiples of its denominator; or of one found
    among the residues, where the constant is no integer and the denominator is small."""
    stride = step or Fraction(1)
    scaled = [c * stride**power for power, c in enumerate(polynomial)]
    whole = lcm(*(c.denominator for c in scaled))
    near = ceil(start / stride / whole)
    if scaled[0].denominator == 1:
        return [times * whole * stride for times in (1, near)]
    if whole > _RESIDUES:
        return []
    integers = [int(c * whole) for c in scaled]
    found = next((x for x in range(whole) if not _value(integers, x) % whole), None)
    return [] if found is None else [(found + times * whole) * stride for times in (0, 1, near)]


def _value(integers: Sequence[int], x: int) -> int:
    return reduce(lambda total, c: total * x + c, reversed(integers), 0)
