"""Points at which several boundaries are met at once, or lie closely on either side.

From a point on some boundaries a line leads to the next that stays on them: along a letter that
they do not have, or, where they are linear, in a direction that all of them contain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import lcm

from symscale.algebra.integer_roots import TooFineError, all_roots
from symscale.algebra.quotients import Terms, along
from symscale.algebra.roots import Coefficients, product, trimmed
from symscale.engine.boundaries import Boundary
from symscale.engine.sampling import Point, Region

Direction = tuple[Fraction, ...]
"""How far each letter goes in a step."""

MAX_DIRECTIONS = 2
"""How many directions are tried from a point."""

_NUDGE = Fraction(1, 2**40)


@dataclass(frozen=True)
class Joints:
    """Leads from a point to where the polynomials of boundaries are zero together."""

    region: Region

    def points(self, base: Point, boundaries: Sequence[Boundary]) -> Iterator[Point]:
        """Points where boundaries meet, and points beside these, for every order of them."""
        polynomials = [_zero_of(boundary, base, self.letters) for boundary in boundaries]
        known = [each for each in polynomials if each is not None]
        for order in permutations(known):
            yield from self._met(base, (), order)

    @property
    def letters(self) -> list[str]:
        return list(self.region.variables)

    def _met(
        self, point: Point, held: tuple[Terms, ...], others: tuple[Terms, ...]
    ) -> Iterator[Point]:
        if not others:
            return
        goal, *rest = others
        place = [point[letter] for letter in self.letters]
        for direction in self._directions(goal, held, place):
            for found, on_goal in self._on(point, goal, direction):
                yield found
                yield from self._met(found, (*held, goal) if on_goal else held, tuple(rest))

    def _on(self, point: Point, goal: Terms, direction: Direction) -> Iterator[tuple[Point, bool]]:
        """Points on a polynomial's zeros, in a direction, and beside them."""
        place = [point[letter] for letter in self.letters]
        try:
            roots = all_roots(_in_direction(goal, place, direction))
        except TooFineError:
            return
        step = max(map(abs, place)) * _NUDGE
        if any(move and self._is_counted(i) for i, move in enumerate(direction)):
            step = Fraction(1)
        for root in roots:
            if not isinstance(root, Fraction):
                continue
            for times in (root, root - step, root + step):
                moved = {
                    letter: point[letter] + times * move if move else point[letter]
                    for letter, move in zip(self.letters, direction, strict=True)
                }
                if self.region.admits(moved):
                    yield moved, times == root

    def _is_counted(self, place: int) -> bool:
        return self.region.variables[self.letters[place]].step is not None

    def _directions(
        self, goal: Terms, held: Sequence[Terms], place: Sequence[Fraction]
    ) -> list[Direction]:
        """Directions that lead to the goal and stay on what is held."""
        size = len(place)
        frozen = {i for terms in held for i in _used(terms) if not _is_linear(terms)}
        rows = [_gradient(terms, size) for terms in held if _is_linear(terms)]
        free = [i for i in range(size) if i not in frozen]
        slopes = [along(goal, place, i) for i in range(size)]
        found = [
            direction
            for direction in _kernel_of(rows, free, size)
            if any(move and len(slopes[i]) > 1 for i, move in enumerate(direction))
        ]
        return sorted(found, key=lambda direction: sum(map(bool, direction)))[:MAX_DIRECTIONS]


def _zero_of(boundary: Boundary, base: Point, letters: Sequence[str]) -> Terms | None:
    """The polynomial whose zeros are the boundary, for steps those of the integer near the base."""
    quotient = boundary.quotient
    if quotient is None:
        return None
    if not boundary.steps:
        return quotient.over
    place = [base[letter] for letter in letters]
    over, under = (_value(side, place) for side in (quotient.over, quotient.under))
    nearest = Fraction(round(over / under)) if under else Fraction(0)
    terms = dict(quotient.over)
    for powers, c in quotient.under.items():
        terms[powers] = terms.get(powers, Fraction(0)) - (nearest or 1) * c
    return {powers: c for powers, c in terms.items() if c}


def _value(terms: Terms, place: Sequence[Fraction]) -> Fraction:
    return (
        sum(along(terms, place, 0)[:1], Fraction(0))
        if not place[0]
        else sum(
            (c * place[0] ** power for power, c in enumerate(along(terms, place, 0))), Fraction(0)
        )
    )


def _in_direction(terms: Terms, place: Sequence[Fraction], direction: Direction) -> Coefficients:
    """The polynomial's coefficients in the number of steps from a place."""
    total: list[Fraction] = []
    for powers, c in terms.items():
        term: Coefficients = (c,)
        for start, move, power in zip(place, direction, powers, strict=True):
            for _ in range(power):
                term = product(term, (start, move) if move else (start,))
        total += [Fraction(0)] * (len(term) - len(total))
        for power, coefficient in enumerate(term):
            total[power] += coefficient
    return trimmed(total)


def _used(terms: Terms) -> list[int]:
    return [i for i in range(len(next(iter(terms), ()))) if any(powers[i] for powers in terms)]


def _is_linear(terms: Terms) -> bool:
    return all(sum(powers) < 2 for powers in terms)


def _gradient(terms: Terms, size: int) -> list[Fraction]:
    """The coefficients of the letters of a linear polynomial."""
    row = [Fraction(0)] * size
    for powers, c in terms.items():
        if any(powers):
            row[powers.index(1)] = c
    return row


def _kernel_of(
    rows: Sequence[Sequence[Fraction]], free: Sequence[int], size: int
) -> list[Direction]:
    """Directions in the free letters that are at right angles to all rows, a basis of them, in
    whole steps."""
    solved: dict[int, list[Fraction]] = {}
    for row in rows:
        rest = list(row)
        for i, other in solved.items():
            rest = [a - rest[i] * b for a, b in zip(rest, other, strict=True)]
        pivot = next((i for i in free if rest[i]), None)
        if pivot is None:
            continue
        rest = [a / rest[pivot] for a in rest]
        for i, other in solved.items():
            solved[i] = [a - other[pivot] * b for a, b in zip(other, rest, strict=True)]
        solved[pivot] = rest
    directions = []
    for i in free:
        if i in solved:
            continue
        move = [Fraction(0)] * size
        move[i] = Fraction(1)
        for pivot, row in solved.items():
            move[pivot] = -row[i]
        whole = lcm(*(a.denominator for a in move))
        directions.append(tuple(a * whole for a in move))
    return directions
