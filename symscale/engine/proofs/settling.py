"""What follows for letters where a polynomial has a sign: intervals, numbers, and quotients of
other letters in their place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from symscale.algebra.integer_roots import roots_in_one_letter
from symscale.algebra.pieces import ends
from symscale.algebra.quotients import Terms, along, tree
from symscale.algebra.roots import Root, value_at
from symscale.engine.proofs.case import Case
from symscale.engine.proofs.facts import (
    NEGATIVE,
    POSITIVE,
    ZERO,
    Facts,
    Signs,
    TooMuchWorkError,
)
from symscale.engine.proofs.readings import Readings
from symscale.errors import TooLargeError
from symscale.expressions.nodes import Binary, Name, expanded_size, names, number
from symscale.expressions.shape import value_bits

MAX_SIZE, MAX_BITS = 1000, 16_384
"""Of an expression in which letters were replaced by what gives them."""


class Settling:
    """Of cases whose expressions `readings` reads."""

    def __init__(self, readings: Readings) -> None:
        self.readings = readings

    def at(self, case: Case, letter: str, value: Fraction) -> Iterator[Case]:
        """The case with a number in the place of a letter."""
        place = self.readings.letters.index(letter)
        facts = case.facts.given(self.readings.letter(place, value), ZERO)
        if facts is not None:
            instead = number(value)
            now = self.bounded(case.put(letter, instead, facts))
            yield now.assuming(ZERO, Name(letter), instead)

    def is_curved(self, terms: Terms) -> bool:
        """Whether it is a polynomial in one letter of a higher degree."""
        return len(self.readings.used(terms)) == 1 and max(map(sum, terms)) > 1

    def under(self, case: Case, terms: Terms, signs: Signs) -> Iterator[Case]:
        """The cases where a polynomial has one of some signs, without the letters that are known
        then."""
        for facts in self.where(case.facts, terms, signs):
            now = replace(case, facts=facts)
            yield from self.at_zero(now, terms) if signs == ZERO else self.bound(now)

    def where(self, facts: Facts, terms: Terms, signs: Signs) -> Iterator[Facts]:
        """The facts where a polynomial has one of some signs: for one in one letter that is not
        linear, those of each interval between its roots."""
        given = facts.given(terms, signs)
        if given is None:
            return
        found = roots_in_one_letter(terms) if 0 not in signs and self.is_curved(terms) else None
        if found is None:
            yield given
            return
        letter, roots = found
        coefficients = along(terms, [Fraction(0)] * len(self.readings.letters), letter)
        for low, high in pairwise([None, *roots, None]):
            inside = _between(low, high)
            if inside is None:
                yield given
            elif (1 if value_at(coefficients, inside) > 0 else -1) in signs:
                within = self.within(given, letter, low, high)
                if within is not None:
                    yield within

    def within(
        self, facts: Facts, letter: int, low: Root | None, high: Root | None
    ) -> Facts | None:
        """The facts where a letter is strictly between two numbers, or at least their enclosures'
        outer ends."""
        within: Facts | None = facts
        if low is not None:
            within = facts.given(self.readings.letter(letter, ends(low)[0]), POSITIVE)
        if high is not None and within is not None:
            within = within.given(self.readings.letter(letter, ends(high)[1]), NEGATIVE)
        return within

    def at_zero(self, case: Case, terms: Terms) -> Iterator[Case]:
        """The case without a letter that others give where a polynomial is zero, if one can be
        solved for; no case where it never is."""
        for place in reversed(self.readings.used(terms)):
            if max(powers[place] for powers in terms) == 1:
                over = {powers: -c for powers, c in terms.items() if not powers[place]}
                under = {
                    (*powers[:place], 0, *powers[place + 1 :]): c
                    for powers, c in terms.items()
                    if powers[place]
                }
                if case.facts.signs(under) in (POSITIVE, NEGATIVE):
                    return self.solved(case, place, over, under)
        found = roots_in_one_letter(terms)
        if found is None:
            return self.bound(replace(case, has_zeros=True))
        place, roots = found
        letter = self.readings.letters[place]
        exact = [root for root in roots if isinstance(root, Fraction)]
        return (each for root in exact for each in self.at(case, letter, root))

    def solved(self, case: Case, place: int, over: Terms, under: Terms) -> Iterator[Case]:
        """The case with a quotient in the place of a letter."""
        facts = case.facts.put(place, over, under)
        if facts is not None:
            letters = self.readings.letters
            node = Binary("/", tree(over, letters), tree(under, letters))
            yield from self.bound(self.bounded(case.put(letters[place], node, facts)))

    def bounded(self, case: Case) -> Case:
        """The same case, if its expressions have not become too large.

        Raises TooMuchWorkError.
        """
        sizes = [expanded_size(node) for node in (case.reference, case.other, *case.own)]
        case.facts.spend(sum(sizes) // 4)
        try:
            if (
                max(sizes) > MAX_SIZE
                or max(map(value_bits, (case.reference, case.other))) > MAX_BITS
            ):
                raise TooMuchWorkError
        except TooLargeError:
            raise TooMuchWorkError from None
        return case

    def bound(self, case: Case) -> Iterator[Case]:
        """The case with numbers for letters that can be only one."""
        for letter in letters_of(case):
            value = case.facts.only(self.readings.letters.index(letter))
            if value is not None:
                for each in self.at(case, letter, value):
                    yield from self.bound(each)
                return
        yield case


def letters_of(case: Case) -> Iterable[str]:
    """Those that stand in one of the sides."""
    return {**names(case.reference), **names(case.other)}


def _between(low: Root | None, high: Root | None) -> Fraction | None:
    """A number between two roots, None if they are too close."""
    below = None if low is None else ends(low)[1]
    above = None if high is None else ends(high)[0]
    if below is None or above is None:
        return (above or Fraction(0)) - 1 if below is None else below + 1
    return (below + above) / 2 if below < above else None
