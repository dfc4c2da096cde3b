"""What is known of the signs of polynomials in some letters: from the letters' domains, from
conditions, and from the cases that a proof distinguishes.

A fact is a lower end of what varies in a polynomial: `2*D*F - b*I*(D + F) > 0`, `n >= 3`, or
`-n >= -8`. The ends of what counts are integers, so `2*n > 7` is `n >= 4`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import TypeAlias

from symscale.algebra.polynomials import TooComplexError
from symscale.algebra.quotients import Powers, Quotient, Terms, put
from symscale.engine.proofs.counts import (
    ZERO_END,
    Counting,
    Counts,
    End,
    Shape,
    less,
    negative,
    without,
    zeros,
)
from symscale.engine.proofs.ends import Ends
from symscale.engine.variables import Variable

Signs: TypeAlias = frozenset[int]
"""Those of -1, 0 and 1 that a value may have."""

ANY: Signs = frozenset((-1, 0, 1))
POSITIVE: Signs = frozenset((1,))
NEGATIVE: Signs = frozenset((-1,))
ZERO: Signs = frozenset((0,))
NOT_NEGATIVE: Signs = frozenset((0, 1))
NOT_POSITIVE: Signs = frozenset((-1, 0))
NOT_ZERO: Signs = frozenset((-1, 1))

MAX_KEPT = 512
"""Signs that are kept for the next question."""

MAX_COMBINED = 12
"""Terms of polynomials that are taken from each other."""


ENDLESS = 10**12


class TooMuchWorkError(Exception):
    """A budget is spent, or there are more cases or roundings, or larger ones, than are taken."""


class Budget:
    """Bounds the terms of polynomials that may be looked at."""

    def __init__(self, terms: int) -> None:
        self.left = terms

    def spend(self, terms: int) -> None:
        """Raises TooMuchWorkError once nothing is left."""
        self.left -= terms
        if self.left < 0:
            raise TooMuchWorkError


@dataclass(frozen=True)
class Facts:
    """Polynomials are in the numbers that letters stand for, in the order of `variables`."""

    counting: Counting
    lows: Mapping[Shape, End]
    not_zero: frozenset[Shape] = frozenset()
    """Polynomials that are not zero, whatever their sign."""
    budget: Budget = field(default_factory=lambda: Budget(ENDLESS), repr=False, compare=False)
    """For what is asked of these facts, and of those that follow from them."""
    _signs: dict[Shape, tuple[Signs, int]] = field(default_factory=dict, repr=False, compare=False)
    """What was found, and the work that it took: it counts each time that it is asked for, so that
    no verdict depends on what was decided before."""

    @classmethod
    def of(cls, variables: Sequence[Variable]) -> Facts:
        """What the domains say."""
        counting = Counting(variables)
        lows: dict[Shape, End] = {}
        for place, variable in enumerate(variables):
            low, high = variable.domain.ends
            if low is not None:
                lows[counting.letters[place]] = low, low not in variable.domain
            if high is not None:
                lows[counting.negatives[place]] = -high, high not in variable.domain
        return cls(counting, lows)

    @property
    def variables(self) -> Sequence[Variable]:
        return self.counting.variables

    @cached_property
    def ends(self) -> Ends:
        return Ends(self.counting, self.lows, self.spend)

    def spend(self, terms: int) -> None:
        """Count work that these facts are part of. Raises TooMuchWorkError."""
        self.budget.spend(terms)

    def within(self, budget: Budget) -> Facts:
        """The same facts, for work that counts elsewhere."""
        return replace(self, budget=budget)

    def signs(self, terms: Terms) -> Signs:
        """The signs that a polynomial may have, as far as the facts tell."""
        return self._signs_of(self.counting.counted(terms))

    def given(self, terms: Terms, signs: Signs) -> Facts | None:
        """The facts where a polynomial has one of some signs; None where it never has."""
        return self._given(self.counting.counted(terms), signs)

    def put(self, place: int, over: Terms, under: Terms) -> Facts | None:
        """The facts where a letter is a quotient: what is known of it is known of the quotient, if
        the divisor is always above zero or always below. None where it cannot be."""
        signs = self.signs(under)
        if signs not in (POSITIVE, NEGATIVE):
            return self
        facts: Facts | None = self
        for shape, (end, strict) in self.lows.items():
            most = max(powers[place] for powers, _ in shape)
            if not most or facts is None:
                continue
            try:
                terms = put(self.counting.in_numbers(less(shape, end)), place, over, under)
            except TooComplexError:
                continue
            counts = self.counting.counted(terms)
            counts = negative(counts) if signs == NEGATIVE and most % 2 else counts
            facts = facts._given(counts, POSITIVE if strict else NOT_NEGATIVE)
        return facts

    def only(self, place: int) -> Fraction | None:
        """The one number that a letter can stand for."""
        low, high = self.ends.low(place), self.ends.high(place)
        if low is None or high is None or low[0] != high[0]:
            return None
        return low[0] / self.variables[place].scale

    def few(self, place: int, most: int) -> list[Fraction]:
        """The numbers that a letter can stand for, if these are so few."""
        low, high, variable = self.ends.low(place), self.ends.high(place), self.variables[place]
        if low is None or high is None or not variable.domain.integer:
            return []
        first, last = ceil(low[0]), floor(high[0])
        if last - first >= most:
            return []
        return [Fraction(count) / variable.scale for count in range(first, last + 1)]

    def integers(self, quotient: Quotient) -> tuple[Counts, Counts] | None:
        """A quotient as one of polynomials of counts, coprime in numbers and in letters above zero,
        the lower one above zero; None where it is no such thing."""
        over, under = quotient.over, quotient.under
        signs = self.signs(under)
        if signs not in (POSITIVE, NEGATIVE) or not over:
            return None
        if not self.counting.counts(over) or not self.counting.counts(under):
            return None
        top, bottom = self.counting.coprime(over, under)
        shared = self.ends.shared({**top, **bottom})
        top, bottom = without(top, shared), without(bottom, shared)
        return (top, bottom) if signs == POSITIVE else (negative(top), negative(bottom))

    def _given(self, counts: Counts, signs: Signs) -> Facts | None:
        signs &= self._signs_of(counts)
        if not signs:
            return None
        counts = without(counts, self.ends.shared(counts))
        if signs == NOT_ZERO:
            return replace(self, not_zero=self.not_zero | {zeros(counts)}, _signs={})
        lows = dict(self.lows)
        for way, side in ((1, counts), (-1, negative(counts))):
            if -way not in signs:
                shape, end = self.counting.end(side, strict=0 not in signs)
                more = (*self._factors(shape, end), *self._sums(shape, end)) if shape else ()
                for known, low in ((shape, end), *more) if shape else ():
                    lows[known] = max(low, lows.get(known, low))
                    if not _is_possible(lows, known):
                        return None
        return replace(self, lows=lows, _signs={})

    def _factors(self, shape: Shape, end: End) -> Iterator[tuple[Shape, End]]:
        """The letters of a product above zero, if none is ever below."""
        ((powers, c), *more) = shape
        if not more and c > 0 and end > ZERO_END:
            places = [place for place, power in enumerate(powers) if power]
            if len(places) > 1 and all(self.ends.at_least_zero[place] for place in places):
                for place in places:
                    yield self.counting.end(dict(self.counting.letters[place]), strict=True)

    def _sums(self, shape: Shape, end: End) -> Iterator[tuple[Shape, End]]:
        """What follows for counts from a fact and a known one, without a term that is none."""
        counts = less(shape, end[0])
        self.spend(len(counts) * len(self._known))
        for known, strict in self._known:
            for powers, c in shape:
                other = known.get(powers, 0)
                if c * other < 0 and not self.counting.counts({powers: c}):
                    total = {p: term * abs(other) for p, term in counts.items()}
                    for p, term in known.items():
                        total[p] = total.get(p, 0) + term * abs(c)
                    total = {p: term for p, term in total.items() if term}
                    if self.counting.counts(total):
                        found = self.counting.end(total, strict=strict or end[1])
                        if found[0]:
                            yield found

    def _signs_of(self, counts: Counts) -> Signs:
        key = frozenset(counts.items())
        known = self._signs.get(key)
        if known is not None:
            self.spend(known[1])
            return known[0]
        left = self.budget.left
        signs = self._found_signs(counts)
        if len(self._signs) >= MAX_KEPT:
            self._signs.clear()
        self._signs[key] = signs, left - self.budget.left
        return signs

    def _found_signs(self, counts: Counts) -> Signs:
        up, down = self._level(counts), self._level(negative(counts))
        if up == 2 or down == 2:
            return POSITIVE if up == 2 else NEGATIVE
        signs = frozenset(s for s, level in ((1, down), (0, 0), (-1, up)) if not level)
        known = self.not_zero and zeros(without(counts, self.ends.shared(counts))) in self.not_zero
        return signs - ZERO if known else signs

    def _level(self, counts: Counts) -> int:
        """2 for a polynomial above zero, 1 for one that is never below, 0 for another."""
        terms = without(counts, self.ends.shared(counts))
        shape, end = self.counting.end(terms, strict=True)
        if not shape:
            constant = sum(terms.values())
            return 2 if constant > 0 else 0 if constant < 0 else 1
        known, level = self.lows.get(shape), 0
        if known is not None:
            at_least = self.counting.end(terms, strict=False)[1]
            level = 2 if known >= end else 1 if known >= at_least else 0
        if level < 2:
            level = max(level, self.ends.level(terms))
        return level if level == 2 else max(level, self._level_by_facts(counts))

    def _level_by_facts(self, counts: Counts) -> int:
        """By what is left after a multiple of something known is taken away."""
        if len(counts) > MAX_COMBINED:
            return 0
        self.spend(len(counts) * len(self._known))
        best = 0
        for known, strict in self._known:
            for rest, is_strict in self._rests(counts, known):
                level = self.ends.level(rest) if rest else 1
                if level:
                    best = max(best, 2 if strict and is_strict else level)
                    if best == 2:
                        return best
        return best

    @cached_property
    def _known(self) -> list[tuple[Counts, bool]]:
        """Polynomials that are never below zero, and whether they are above: those that no lower
        end of a letter alone tells."""
        letters = frozenset(self.counting.letters)
        return [
            (less(shape, end), strict)
            for shape, (end, strict) in self.lows.items()
            if shape not in letters and len(shape) < MAX_COMBINED
        ]

    def _rests(self, counts: Counts, known: Counts) -> Iterator[tuple[Counts, bool]]:
        """What is left of a polynomial after a multiple of a known one that cancels a term; and
        whether the factor is above zero. It is a number where the term is never below zero."""
        tried: set[tuple[Powers, Fraction]] = set()
        for powers, c in counts.items():
            only_numbers = c > 0 and self.ends.is_at_least_zero(powers)
            for place, other in known.items():
                factor = tuple(map(int.__sub__, powers, place))
                if (c > 0) != (other > 0) or min(factor, default=0) < 0:
                    continue
                letters = [i for i, power in enumerate(factor) if power]
                if letters and only_numbers:
                    continue
                ratio = factor, Fraction(c, other)
                if ratio in tried or not all(self.ends.at_least_zero[i] for i in letters):
                    continue
                tried.add(ratio)
                rest = {p: term * abs(other) for p, term in counts.items()}
                for p, term in known.items():
                    moved = tuple(map(int.__add__, p, factor))
                    rest[moved] = rest.get(moved, 0) - abs(c) * term
                left = {p: term for p, term in rest.items() if term}
                yield left, all(self.ends.positive[i] for i in letters)


def _is_possible(lows: Mapping[Shape, End], shape: Shape) -> bool:
    """Whether there is a number between both ends of what varies."""
    low, high = lows[shape], lows.get(frozenset((powers, -c) for powers, c in shape))
    if high is None:
        return True
    return low[0] < -high[0] or (low[0] == -high[0] and not low[1] and not high[1])
