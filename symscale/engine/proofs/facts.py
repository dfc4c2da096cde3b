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
from math import ceil, comb, floor, gcd, lcm, prod
from typing import TypeAlias, TypeVar

from symscale.algebra.polynomials import TooComplexError
from symscale.algebra.quotients import Powers, Quotient, Terms, put
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

MAX_SHIFTED = 64
"""Terms of a polynomial whose letters are counted from other ends."""

_Counts: TypeAlias = dict[Powers, int]
"""A polynomial in the counts that letters are the multiples of, but for a factor above zero."""

_Shape: TypeAlias = frozenset[tuple[Powers, int]]
"""What varies in a polynomial, with coprime coefficients."""

_End: TypeAlias = tuple[Fraction, bool]
"""A number that a value is never below, and whether it is always above it."""

_Number = TypeVar("_Number", int, Fraction)

_ZERO: _End = (Fraction(0), False)


class TooMuchWorkError(Exception):
    """A budget is spent."""


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

    variables: Sequence[Variable]
    lows: Mapping[_Shape, _End]
    not_zero: frozenset[_Shape] = frozenset()
    """Polynomials that are not zero, whatever their sign."""
    budget: Budget | None = field(default=None, repr=False, compare=False)
    """For what is asked of these facts, and of those that follow from them."""
    _signs: dict[_Shape, Signs] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, variables: Sequence[Variable]) -> Facts:
        """What the domains say."""
        lows: dict[_Shape, _End] = {}
        for place, variable in enumerate(variables):
            domain = variable.domain
            for way, end in zip((1, -1), domain.ends, strict=True):
                if end is not None:
                    unit = tuple(int(place == other) for other in range(len(variables)))
                    lows[frozenset([(unit, way)])] = end * way, end not in domain
        return cls(variables, lows)

    def signs(self, terms: Terms) -> Signs:
        """The signs that a polynomial may have, as far as the facts tell."""
        return self._signs_of(self._counted(terms))

    def given(self, terms: Terms, signs: Signs) -> Facts | None:
        """The facts where a polynomial has one of some signs; None where it never has."""
        return self._given(self._counted(terms), signs)

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
                terms = put(self.in_numbers(_less(shape, end)), place, over, under)
            except TooComplexError:
                continue
            counts = facts._counted(terms)
            counts = _negative(counts) if signs == NEGATIVE and most % 2 else counts
            facts = facts._given(counts, POSITIVE if strict else NOT_NEGATIVE)
        return facts

    def low(self, place: int) -> _End | None:
        """The lower end of the count that a letter is."""
        return self.lows.get(self._letters[place])

    def high(self, place: int) -> _End | None:
        """The upper end, in the same way."""
        low = self._low_of_negative(place)
        return None if low is None else (-low[0], low[1])

    def only(self, place: int) -> Fraction | None:
        """The one number that a letter can stand for."""
        low, high = self.low(place), self.high(place)
        if low is None or high is None or low[0] != high[0]:
            return None
        return low[0] / self.variables[place].scale

    def few(self, place: int, most: int) -> list[Fraction]:
        """The numbers that a letter can stand for, if these are so few."""
        low, high, variable = self.low(place), self.high(place), self.variables[place]
        if low is None or high is None or not variable.domain.integer:
            return []
        first, last = ceil(low[0]), floor(high[0])
        if last - first >= most:
            return []
        return [Fraction(count) / variable.scale for count in range(first, last + 1)]

    def is_whole(self, terms: Terms) -> bool:
        """Whether a polynomial is one of counts with integer coefficients."""
        return self._counts(terms) and all(
            (c / self._scale(powers)).denominator == 1 for powers, c in terms.items()
        )

    def integers(self, quotient: Quotient) -> tuple[_Counts, _Counts] | None:
        """A quotient as one of polynomials of counts, coprime in numbers and in letters above zero,
        the lower one above zero; None where it is no such thing."""
        signs = self.signs(quotient.under)
        if signs not in (POSITIVE, NEGATIVE) or not quotient.over:
            return None
        if not self._counts(quotient.over) or not self._counts(quotient.under):
            return None
        sides = [
            {powers: c / self._scale(powers) for powers, c in side.items()}
            for side in (quotient.over, quotient.under)
        ]
        under = lcm(*(c.denominator for side in sides for c in side.values()))
        over = gcd(*(int(c * under) for side in sides for c in side.values()))
        scale = Fraction(under, over) * (1 if signs == POSITIVE else -1)
        shared = self._shared({**sides[0], **sides[1]})
        first, second = (
            {powers: int(c * scale) for powers, c in _divided(side, shared).items()}
            for side in sides
        )
        return first, second

    def in_numbers(self, counts: _Counts) -> Terms:
        """A polynomial of counts as one of the numbers that letters stand for."""
        return {powers: c * self._scale(powers) for powers, c in counts.items()}

    def _given(self, counts: _Counts, signs: Signs) -> Facts | None:
        signs &= self._signs_of(counts)
        if not signs:
            return None
        counts = _divided(counts, self._shared(counts))
        if signs == NOT_ZERO:
            return replace(self, not_zero=self.not_zero | {_zeros(counts)}, _signs={})
        lows = dict(self.lows)
        for way, side in ((1, counts), (-1, _negative(counts))):
            if -way not in signs:
                shape, end = self._end(side, strict=0 not in signs)
                more = (*self._factors(shape, end), *self._sums(shape, end)) if shape else ()
                for known, low in ((shape, end), *more) if shape else ():
                    lows[known] = max(low, lows.get(known, low))
                    if not _is_possible(lows, known):
                        return None
        return replace(self, lows=lows, _signs={})

    def _factors(self, shape: _Shape, end: _End) -> Iterator[tuple[_Shape, _End]]:
        """The letters of a product above zero, if none is ever below."""
        ((powers, c), *more) = shape
        if not more and c > 0 and end > _ZERO:
            places = [place for place, power in enumerate(powers) if power]
            if len(places) > 1 and all(self._at_least_zero[place] for place in places):
                for place in places:
                    yield self._end(dict(self._letters[place]), strict=True)

    def _sums(self, shape: _Shape, end: _End) -> Iterator[tuple[_Shape, _End]]:
        """What follows for counts from a fact and a known one, without a term that is none."""
        counts = _less(shape, end[0])
        self.spend(len(counts) * len(self._known))
        for known, strict in self._known:
            for powers, c in shape:
                other = known.get(powers, 0)
                if c * other < 0 and not self._counts({powers: c}):
                    total = {p: term * abs(other) for p, term in counts.items()}
                    for p, term in known.items():
                        total[p] = total.get(p, 0) + term * abs(c)
                    total = {p: term for p, term in total.items() if term}
                    if self._counts(total):
                        found = self._end(total, strict=strict or end[1])
                        if found[0]:
                            yield found

    def spend(self, terms: int) -> None:
        """Count work that these facts are part of. Raises TooMuchWorkError."""
        if self.budget is not None:
            self.budget.spend(terms)

    def _signs_of(self, counts: _Counts) -> Signs:
        key = frozenset(counts.items())
        if key not in self._signs:
            if len(self._signs) >= MAX_KEPT:
                self._signs.clear()
            up, down = self._level(counts), self._level(_negative(counts))
            if up == 2 or down == 2:
                signs = frozenset((1 if up == 2 else -1,))
            else:
                signs = frozenset(s for s, level in ((1, down), (0, 0), (-1, up)) if not level)
                reduced = _divided(counts, self._shared(counts))
                signs -= ZERO if self.not_zero and _zeros(reduced) in self.not_zero else frozenset()
            self._signs[key] = signs
        return self._signs[key]

    def _counted(self, terms: Terms) -> _Counts:
        if self._scaled:
            terms = {powers: c / self._scale(powers) for powers, c in terms.items()}
        under = lcm(*(c.denominator for c in terms.values()))
        return {powers: c.numerator * (under // c.denominator) for powers, c in terms.items()}

    def _scale(self, powers: Powers) -> Fraction:
        """What a product of letters is to be multiplied by to be one of counts."""
        return prod((self.variables[i].scale ** powers[i] for i in self._scaled), start=Fraction(1))

    @cached_property
    def _scaled(self) -> list[int]:
        return [i for i, variable in enumerate(self.variables) if variable.scale != 1]

    @cached_property
    def _letters(self) -> list[_Shape]:
        size = range(len(self.variables))
        return [frozenset([(tuple(int(i == j) for j in size), 1)]) for i in size]

    @cached_property
    def _negatives(self) -> list[_Shape]:
        return [frozenset((powers, -c) for powers, c in letter) for letter in self._letters]

    def _low_of_negative(self, place: int) -> _End | None:
        return self.lows.get(self._negatives[place])

    @cached_property
    def _ends(self) -> list[_End | None]:
        """The end that each letter is counted from: its lower one, or else the upper one's
        negative."""
        places = range(len(self.variables))
        return [self.low(place) or self._low_of_negative(place) for place in places]

    @cached_property
    def _at_least_zero(self) -> list[bool]:
        """Whether each letter is never below zero."""
        lows = map(self.low, range(len(self.variables)))
        return [low is not None and low >= _ZERO for low in lows]

    @cached_property
    def _positive(self) -> list[bool]:
        lows = map(self.low, range(len(self.variables)))
        return [low is not None and low > _ZERO for low in lows]

    def _is_at_least_zero(self, powers: Powers) -> bool:
        """Whether a product of letters is never below zero."""
        return not any(
            n % 2 and not sure for n, sure in zip(powers, self._at_least_zero, strict=True)
        )

    def _shared(self, terms: Mapping[Powers, object]) -> Powers:
        """The letters above zero that all terms have."""
        columns = zip(*terms, strict=True)
        return tuple(
            min(column) if sure else 0
            for column, sure in zip(columns, self._positive, strict=False)
        )

    def _end(self, counts: _Counts, *, strict: bool) -> tuple[_Shape, _End]:
        """The lower end of what varies that keeps a polynomial from being below zero."""
        constant = counts.get((0,) * len(self.variables), 0)
        varying = {powers: c for powers, c in counts.items() if any(powers)}
        if not varying:
            return frozenset(), (Fraction(0), strict)
        shared = gcd(*varying.values())
        shape = {powers: c // shared for powers, c in varying.items()}
        end = Fraction(-constant, shared)
        if self._counts(shape):
            end, strict = Fraction(floor(end) + 1 if strict else ceil(end)), False
        return frozenset(shape.items()), (end, strict)

    def _counts(self, terms: Mapping[Powers, object]) -> bool:
        """Whether all letters of a polynomial are counts."""
        return all(
            self.variables[i].domain.integer
            for powers in terms
            for i, power in enumerate(powers)
            if power
        )

    def _level(self, counts: _Counts) -> int:
        """2 for a polynomial above zero, 1 for one that is never below, 0 for another."""
        reduced = _divided(counts, self._shared(counts))
        shape, end = self._end(reduced, strict=True)
        if not shape:
            constant = sum(reduced.values())
            return 2 if constant > 0 else 0 if constant < 0 else 1
        known, level = self.lows.get(shape), 0
        if known is not None:
            level = 2 if known >= end else 1 if known >= self._end(reduced, strict=False)[1] else 0
        if level < 2:
            level = max(level, self._level_by_terms(reduced))
        return level if level == 2 else max(level, self._level_by_facts(counts))

    def _level_by_terms(self, counts: _Counts) -> int:
        """Where no term is below zero, each letter as it is or counted from an end."""
        self.spend(len(counts))
        level = self._level_at_zero(counts, self._positive, self._at_least_zero)
        if level == 2 or max(counts.values()) < 0:
            return level
        places = [place for place in self._moved if any(powers[place] for powers in counts)]
        size = sum(prod(powers[place] + 1 for place in places) for powers in counts)
        if not places or size > MAX_SHIFTED:
            return level
        self.spend(2 * size)
        for place in places:
            end = self._ends[place]
            if self.low(place) is None:
                counts = {p: -c if p[place] % 2 else c for p, c in counts.items()}
            if end is not None and end[0]:
                counts = _shifted(counts, place, end[0])
        return max(level, self._level_at_zero(counts, self._above_end, self._has_end))

    @cached_property
    def _moved(self) -> list[int]:
        """The letters that are not counted from zero up."""
        return [
            place
            for place, end in enumerate(self._ends)
            if end is not None and (end[0] or self.low(place) is None)
        ]

    @cached_property
    def _above_end(self) -> list[bool]:
        return [end is not None and end[1] for end in self._ends]

    @cached_property
    def _has_end(self) -> list[bool]:
        return [end is not None for end in self._ends]

    def _level_at_zero(
        self, counts: _Counts, positive: Sequence[bool], at_least_zero: Sequence[bool]
    ) -> int:
        """By the signs of the terms, where some letters are above zero and some never below."""
        level = 1
        for powers, c in counts.items():
            letters = [i for i, power in enumerate(powers) if power]
            if c < 0 or any(powers[i] % 2 and not at_least_zero[i] for i in letters):
                return 0
            if all(positive[i] for i in letters):
                level = 2
        return level

    def _level_by_facts(self, counts: _Counts) -> int:
        """Where the rest is so after a multiple of something known is taken away."""
        if len(counts) > MAX_COMBINED:
            return 0
        self.spend(len(counts) * len(self._known))
        best = 0
        for known, strict in self._known:
            for rest, is_strict in self._rests(counts, known):
                level = self._level_by_terms(rest) if rest else 1
                if level:
                    best = max(best, 2 if strict and is_strict else level)
                    if best == 2:
                        return best
        return best

    @cached_property
    def _known(self) -> list[tuple[_Counts, bool]]:
        """Polynomials that are never below zero, and whether they are above: those that no lower
        end of a letter alone tells."""
        found = []
        for shape, (end, strict) in self.lows.items():
            if len(shape) == 1 and all(c > 0 and sum(powers) == 1 for powers, c in shape):
                continue
            if len(shape) < MAX_COMBINED:
                found.append((_less(shape, end), strict))
        return found

    def _rests(self, counts: _Counts, known: _Counts) -> Iterator[tuple[_Counts, bool]]:
        """What is left of a polynomial after a multiple of a known one that cancels a term; and
        whether the factor is above zero. It is a number where the term is never below zero."""
        tried: set[tuple[Powers, Fraction]] = set()
        for powers, c in counts.items():
            only_numbers = c > 0 and self._is_at_least_zero(powers)
            for place, other in known.items():
                factor = tuple(map(int.__sub__, powers, place))
                if (c > 0) != (other > 0) or min(factor, default=0) < 0:
                    continue
                letters = [i for i, power in enumerate(factor) if power]
                if letters and only_numbers:
                    continue
                ratio = factor, Fraction(c, other)
                if ratio in tried or not all(self._at_least_zero[i] for i in letters):
                    continue
                tried.add(ratio)
                rest = {p: term * abs(other) for p, term in counts.items()}
                for p, term in known.items():
                    moved = tuple(map(int.__add__, p, factor))
                    rest[moved] = rest.get(moved, 0) - abs(c) * term
                left = {p: term for p, term in rest.items() if term}
                yield left, all(self._positive[i] for i in letters)


def _zeros(counts: _Counts) -> _Shape:
    """The same for the multiples of a polynomial, which are zero at the same places."""
    shared = gcd(*counts.values()) * (1 if not counts or counts[max(counts)] > 0 else -1)
    return frozenset((powers, c // (shared or 1)) for powers, c in counts.items())


def _negative(counts: _Counts) -> _Counts:
    return {powers: -c for powers, c in counts.items()}


def _less(shape: _Shape, end: Fraction) -> _Counts:
    """What varies less a number, but for a factor."""
    counts = {powers: c * end.denominator for powers, c in shape}
    if end:
        counts[(0,) * len(next(iter(counts)))] = -end.numerator
    return counts


def _divided(terms: Mapping[Powers, _Number], by: Powers) -> dict[Powers, _Number]:
    """A polynomial divided by letters that all of its terms have."""
    if not any(by):
        return dict(terms)
    return {tuple(map(int.__sub__, powers, by)): c for powers, c in terms.items()}


def _shifted(counts: _Counts, letter: int, by: Fraction) -> _Counts:
    """The polynomial with `letter + by` in the place of a letter, times a factor above zero."""
    degree = max(powers[letter] for powers in counts)
    total: _Counts = {}
    for powers, c in counts.items():
        most = powers[letter]
        c *= by.denominator ** (degree - most)
        for power in range(most + 1):
            place = (*powers[:letter], power, *powers[letter + 1 :])
            term = c * comb(most, power) * by.numerator ** (most - power) * by.denominator**power
            total[place] = total.get(place, 0) + term
    return {powers: c for powers, c in total.items() if c}


def _is_possible(lows: Mapping[_Shape, _End], shape: _Shape) -> bool:
    """Whether there is a number between both ends of what varies."""
    low, high = lows[shape], lows.get(frozenset((powers, -c) for powers, c in shape))
    if high is None:
        return True
    return low[0] < -high[0] or (low[0] == -high[0] and not low[1] and not high[1])
