"""Points on and between boundaries, found along lines through a domain.

Where the distance is a quotient of polynomials, its roots are found exactly, all of them. Where a
root, a logarithm or a power to a letter stands in it, changes of its sign are looked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import ceil, floor

from symscale.algebra.integer_roots import TooFineError, all_roots
from symscale.algebra.pieces import ends
from symscale.algebra.quotients import along
from symscale.algebra.roots import Coefficients, derivative, difference, product, value_at
from symscale.engine.points.boundaries import Boundary, letters_of
from symscale.engine.points.curves import NEIGHBOURS, Curve, whole_places
from symscale.engine.points.traces import Trace
from symscale.engine.sampling import Point, Region
from symscale.errors import TooLargeError
from symscale.expressions.kernel import Kernel, compile_kernel

MAX_ROOT_BITS = 4096

_NUDGE = Fraction(1, 2**40)


@dataclass(frozen=True)
class Lines:
    """Finds points on and between boundaries, one number varied at a time."""

    region: Region
    found: tuple[tuple[Boundary, Kernel | None], ...]
    """Each boundary; where it has no quotient with its own kernel, because one may have no value
    where another has."""
    _alone: dict[tuple[Boundary, bool], list[Fraction]] = field(
        default_factory=dict[tuple[Boundary, bool], list[Fraction]], repr=False
    )
    """Of boundaries in one letter alone, which are met at the same places on every line."""

    @classmethod
    def of(cls, region: Region, found: Sequence[Boundary]) -> Lines:
        names = tuple(region.variables)
        return cls(
            region,
            tuple(
                (each, None if each.quotient else compile_kernel([each.distance], names))
                for each in found
            ),
        )

    def points(
        self, base: Point, *, curved: bool = False
    ) -> Iterator[tuple[Boundary | None, Point]]:
        """The points of the region on every line through `base`: each boundary's own, then those
        beside and between them.

        Boundaries that are not of the first or second degree along a line are looked for if
        `curved`, which costs more.
        """
        for name in self.region.variables:
            roots = self._roots(base, name, curved=curved)
            for root, boundary in roots.items():
                yield from self._admitted(base, name, boundary, [root])
            yield from self._admitted(base, name, None, self._beside(sorted(roots), name))

    def _admitted(
        self, base: Point, name: str, boundary: Boundary | None, values: Sequence[Fraction]
    ) -> Iterator[tuple[Boundary | None, Point]]:
        variable = self.region.variables[name]
        for value in values:
            point = {**base, name: value}
            if variable.admits(value) and self.region.meets(point):
                yield boundary, point

    def _beside(self, roots: list[Fraction], name: str) -> list[Fraction]:
        step = self.region.variables[name].step
        if step is None:
            nudged = [root + way * (abs(root) or 1) * _NUDGE for root in roots for way in (-1, 1)]
            return nudged + [(low + high) / 2 for low, high in pairwise(roots)]
        near = {
            rounded * step
            for root in roots
            for rounded in (ceil(root / step) - 1, floor(root / step) + 1)
        }
        return sorted(near | {(low + high) / 2 // step * step for low, high in pairwise(roots)})

    def _roots(self, base: Point, name: str, *, curved: bool) -> dict[Fraction, Boundary]:
        """The values of one number at which a boundary is met, the others as they are."""
        roots: dict[Fraction, Boundary] = {}
        for boundary, kernel in self.found:
            is_alone = not boundary.steps and self._letters[boundary] == {name}
            key = boundary, curved
            found = self._alone.get(key) if is_alone else None
            if found is None:
                found = self._places(boundary, kernel, base, name, curved=curved)
            if is_alone:
                self._alone[key] = found
            for root in found:
                if _bits(root) <= MAX_ROOT_BITS:
                    roots.setdefault(root, boundary)
        return roots

    @cached_property
    def _letters(self) -> dict[Boundary, frozenset[str]]:
        return {each: letters_of(each, self.region.variables) for each, _ in self.found}

    def _places(
        self, boundary: Boundary, kernel: Kernel | None, base: Point, name: str, *, curved: bool
    ) -> list[Fraction]:
        """Where one boundary is met."""
        if name not in self._letters[boundary]:
            return []
        letters = list(self.region.variables)
        place, letter = [base[other] for other in letters], letters.index(name)
        step = self.region.variables[name].step
        quotient = boundary.quotient
        if quotient is not None:
            over, under = (along(side, place, letter) for side in (quotient.over, quotient.under))
            line = _Line(over=over, under=under, start=base[name], step=step, curved=curved)
            return line.integers() if boundary.steps else line.zeros()
        if kernel is not None:
            return self._traced(Trace(kernel, base, name), steps=boundary.steps, curved=curved)
        return []

    def _traced(self, trace: Trace, *, steps: bool, curved: bool) -> list[Fraction]:
        variable = self.region.variables[trace.name]
        curve = trace.curve(trace.base[trace.name], variable.step)
        if curve is None:
            return []
        if steps:
            return curve.integers(variable.step)
        root = curve.reaching(0)
        places = [] if root is None else [root]
        if curved and (root is None or trace.distance(root) != 0):
            places += trace.crossings(variable.ladder)
        return places


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """One polynomial over another, along a line."""

    over: Coefficients
    under: Coefficients
    start: Fraction
    step: Fraction | None
    curved: bool
    """Whether roots of polynomials past the second degree are looked for."""

    def zeros(self) -> list[Fraction]:
        return self._roots(self.over)

    def integers(self) -> list[Fraction]:
        """Places where the quotient is an integer, or comes close to one."""
        under = value_at(self.under, self.start)
        if not under:
            return []
        first = value_at(self.over, self.start) / under
        if len(self.over) <= 2 and len(self.under) <= 2:
            return Curve.of(self.start, first, self.over, self.under).integers(self.step)
        found: list[Fraction] = []
        if self.curved and len(self.under) == 1:
            found += whole_places(tuple(c / under for c in self.over), self.start, self.step)
        for value in range(floor(first) - 1, floor(first) - 1 + NEIGHBOURS):
            found += self._roots(difference(self.over, product(self.under, (Fraction(value),))))
        return found

    def _roots(self, polynomial: Coefficients) -> list[Fraction]:
        """Where a polynomial is zero or, if nowhere, where it may come closest: from there another
        line may lead to zero. The ends of a close enclosure stand for an irrational root."""
        if len(polynomial) > 3 and not self.curved:
            return []
        try:
            found = all_roots(polynomial) or all_roots(derivative(polynomial))
        except TooFineError:
            raise TooLargeError("the places that change the rule are too close") from None
        return [end for root in found for end in dict.fromkeys(ends(root))]


def _bits(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()
