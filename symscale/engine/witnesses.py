"""Whether the points of a comparison have seen every rule that one side alone brings in.

Two expressions that agree at hundreds of points can still differ where a rule of one of them holds
that no point met: `where(V**2 + W**2 == 25e18, 0, V)` is V nearly everywhere. So the rules that
only the compared side has must be few, their boundaries must be of a form whose points can be
found, and every way in which they can hold together must have been seen; what was not seen is
not taken on trust.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, reduce
from math import prod

from symscale.algebra.quotients import Terms, primitive
from symscale.engine.boundaries import Boundary, curvature, is_never_zero, letters_of
from symscale.engine.sampling import Point, Variable
from symscale.errors import SymscaleError, UndecidedError
from symscale.expressions.kernel import Kernel, compile_kernel
from symscale.expressions.nodes import Binary, Call, Compare, Name, Node, Number, number
from symscale.expressions.text import text

MAX_FOREIGN = 3
"""How many boundaries the reference may not have."""

MAX_CURVATURE = 8

Outcome = tuple[bool, ...]
"""On the boundary or not; beyond it or not, where that is not all."""


@dataclass(frozen=True)
class Witnesses:
    """What points have shown of the boundaries of one side."""

    foreign: Sequence[Boundary]
    """Those that the reference does not have."""
    rewritten: Sequence[Boundary]
    """Those that the reference has at a part of another form; on them the forms may differ."""
    variables: Mapping[str, Variable]
    seen: set[tuple[Outcome, ...]] = field(default_factory=set)

    def see(self, point: Point) -> None:
        """Take a point into account."""
        if self.boundaries:
            with suppress(SymscaleError):
                self.note(self._kernel(point))

    def note(self, truths: Iterable[object]) -> None:
        """Take what the tests give at a point into account."""
        found = iter(truths)
        self.seen.add(tuple(tuple(next(found) is True for _ in tests) for tests in self._tests))

    @cached_property
    def tests(self) -> list[Node]:
        """The comparisons that tell on which sides of the boundaries a point is."""
        return [test for tests in self._tests for test in tests]

    @cached_property
    def boundaries(self) -> list[Boundary]:
        return [*self.foreign, *self.rewritten]

    @cached_property
    def fault(self) -> str:
        """Why the foreign boundaries cannot be searched, in words; empty if they can."""
        if len(self.foreign) > MAX_FOREIGN:
            return f"in {len(self.foreign)} places, of which at most {MAX_FOREIGN} are searched"
        for boundary in self.foreign:
            if not self._can_be_found(boundary):
                return f"in a place that cannot be searched: {place_text(boundary)}"
        if sum(map(curvature, self.foreign)) > MAX_CURVATURE:
            return "in places of too high a degree"
        return ""

    @property
    def complete(self) -> bool:
        """Whether every foreign boundary was met, and the outcomes of those in different letters
        were seen together in all combinations."""
        places = range(len(self.foreign))
        if not places:
            return True
        return all(self._met(place) for place in places) and (
            len(self._seen_of(places)) == prod(len(self._seen_of(group)) for group in self._groups)
        )

    def check(self) -> None:
        """Raises UndecidedError where a rule may hold that no point has met."""
        fault = self.fault
        unmet = [each for place, each in enumerate(self.boundaries) if not self._met(place)]
        if not fault and unmet:
            fault = f"in a place that was not found: {place_text(unmet[0])}"
        if not fault and not self.complete:
            places = " and ".join(map(place_text, self.foreign))
            fault = f"in places that were not found together: {places}"
        if fault:
            raise UndecidedError(f"the formula has rules that the right one has not, {fault}")

    def _met(self, place: int) -> bool:
        """Whether a point on a boundary was seen, or all of its points are known to be none."""
        boundary = self.boundaries[place]
        if any(outcomes[place][0] for outcomes in self.seen):
            return True
        return boundary.quotient is not None and len(self._letters[place]) == 1

    def _can_be_found(self, boundary: Boundary) -> bool:
        """Whether what was seen of a boundary is what it is like everywhere: it has one letter, or
        is solved for one by a division by something that is never zero."""
        if len(letters_of(boundary, self.variables)) < 2:
            return True
        if boundary.quotient is None:
            return False
        over, under = primitive(boundary.quotient.over), boundary.quotient.under
        if boundary.steps:
            return any(
                self._is_solved(over, letter) and self._is_solved(under, letter)
                for letter in range(len(self.variables))
            )
        return all(sum(powers) < 2 for powers in over) or any(
            self._is_solved(over, letter, in_integers=variable.domain.integer)
            for letter, variable in enumerate(self.variables.values())
            if any(powers[letter] for powers in over)
        )

    def _is_solved(self, terms: Terms, letter: int, *, in_integers: bool = False) -> bool:
        """Whether a polynomial has a letter in the first degree, with a factor that is never zero
        (for a root in integers: 1), or not at all."""
        factor = {
            (*powers[:letter], powers[letter] - 1, *powers[letter + 1 :]): c
            for powers, c in terms.items()
            if powers[letter]
        }
        if any(powers[letter] for powers in factor):
            return False
        if in_integers:
            return [abs(c) for powers, c in factor.items()] == [1] and not any(*factor)
        return not factor or is_never_zero(factor, list(self.variables.values()))

    @cached_property
    def _letters(self) -> list[frozenset[str]]:
        return [letters_of(boundary, self.variables) for boundary in self.boundaries]

    @cached_property
    def _groups(self) -> list[list[int]]:
        """The boundaries, those in one and the same letter together: a line has shown these."""
        groups: dict[frozenset[str] | int, list[int]] = {}
        for place, letters in enumerate(self._letters[: len(self.foreign)]):
            groups.setdefault(letters if len(letters) == 1 else place, []).append(place)
        return list(groups.values())

    def _seen_of(self, group: Iterable[int]) -> set[tuple[Outcome, ...]]:
        places = list(group)
        return {tuple(outcomes[place] for place in places) for outcomes in self.seen}

    @cached_property
    def _tests(self) -> list[list[Node]]:
        return [_tests(boundary, list(self.variables)) for boundary in self.boundaries]

    @cached_property
    def _kernel(self) -> Kernel:
        return compile_kernel(self.tests, tuple(self.variables))


def _tests(boundary: Boundary, letters: Sequence[str]) -> list[Node]:
    """Comparisons that tell on which side of a boundary a point is."""
    distance = boundary.distance
    if boundary.steps:
        return [Compare("==", Call("floor", (distance,)), distance)]
    if boundary.quotient is not None:
        distance = _polynomial(boundary.quotient.over, letters)
    return [Compare(op, distance, Number("0")) for op in ("==", ">")]


def _polynomial(terms: Terms, letters: Sequence[str]) -> Node:
    return reduce(
        lambda total, term: Binary("+", total, term),
        (_term(powers, c, letters) for powers, c in terms.items()),
    )


def _term(powers: Sequence[int], c: Fraction, letters: Sequence[str]) -> Node:
    factors = [
        Binary("**", Name(letter), Number(str(power)))
        for letter, power in zip(letters, powers, strict=True)
        if power
    ]
    return reduce(lambda product, factor: Binary("*", product, factor), factors, number(c))


def place_text(boundary: Boundary) -> str:
    """Where a boundary is, in words."""
    return f"{text(boundary.distance)} {'is an integer' if boundary.steps else 'is zero'}"
