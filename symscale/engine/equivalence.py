"""Whether two expressions have the same value wherever the first has one.

They are compared at points (`comparison`). A rule that only the other side has is not left to
points: where it depends on one letter, the domain is cut, and each part compared by itself; any
other is refused (`rules`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace

from symscale.engine.comparison import Comparison
from symscale.engine.comparison import Counterexample as Counterexample
from symscale.engine.comparison import Equivalence as Equivalence
from symscale.engine.rules import Part, cut, few_values, letter_of, letter_to_cut
from symscale.engine.sampling import Region
from symscale.engine.sides import Side
from symscale.errors import DomainError, ExpressionError, UndecidedError
from symscale.expressions.nodes import Node

MAX_DEPTH = 2
"""In how many letters a region is cut."""


def equivalence(
    reference: Node | Side,
    other: Node | Side,
    region: Region,
    *,
    secret: bytes = b"",
    trusted: bool = False,
) -> Equivalence:
    """Compare `other` with `reference` over `region`, both between plain numbers.

    Points at which the reference has no value do not count; where it has one, so must the other.
    A Side is an expression whose analysis is kept for the next comparison. Rules of a `trusted`
    side, which nobody wrote to deceive, are left to points.
    Raises ExpressionError for a name that is not in the region, TooLargeError for an expression
    past the bounds that keep this cheap, DomainError where too few points of the region are found,
    UndecidedError where `other` has a rule that `reference` has not and that cannot be taken apart.
    """
    sides = [side if isinstance(side, Side) else Side(side) for side in (reference, other)]
    for side in sides:
        for name in side.names:
            if name not in region.variables:
                raise ExpressionError(f"{name} is not one of {', '.join(region.variables)}")
    if sides[0].kind != sides[1].kind:
        return Equivalence(False, 0)
    ours, theirs = (side.rounded_alike(region.variables) for side in sides)
    if trusted:
        narrowed = region.narrowed([*ours.names, *theirs.names])
        return Comparison(ours, theirs, narrowed, secret, trusted=True).result()
    return _Decision(secret).decide(ours, theirs, region)


@dataclass(frozen=True)
class _Decision:
    """The comparison of two sides, in a part of their domain that some cuts have left."""

    secret: bytes
    depth: int = MAX_DEPTH
    """In how many more letters a region may be cut."""
    settled: frozenset[Hashable] = frozenset()
    """The boundaries that the part is on one side of."""

    def decide(self, reference: Side, other: Side, region: Region) -> Equivalence:
        """Compare at points; then, where the other side has rules of its own, part by part."""
        region = region.narrowed([*reference.names, *other.names])
        parts = list(few_values(region))
        if parts:
            return self.in_parts(reference, other, parts)
        comparison = Comparison(reference, other, region, self.secret, settled=self.settled)
        found = comparison.result()
        foreign = comparison.rules.foreign
        if not found or not foreign:
            return found
        if not self.depth:
            raise UndecidedError("the formula has too many rules that the right one has not")
        letter = letter_to_cut(foreign.values())
        now = {key: each for key, each in foreign.items() if letter_of(each) == letter}
        deeper = replace(self, depth=self.depth - 1, settled=self.settled.union(now))
        return deeper.in_parts(reference, other, cut(region, letter, now.values()))

    def in_parts(self, reference: Side, other: Side, parts: Iterable[Part]) -> Equivalence:
        points = 0
        for part in parts:
            found = self.in_part(reference, other, part)
            points += found.points
            if not found:
                return replace(found, points=points)
        return Equivalence(True, points)

    def in_part(self, reference: Side, other: Side, part: Part) -> Equivalence:
        if part.value is not None:
            reference, other = (side.at(part.letter, part.value) for side in (reference, other))
        for region in (part.region, Region(part.region.variables)):
            try:
                found = self.decide(reference, other, region)
            except DomainError:
                continue
            if found or region is part.region:
                return found.at(part)
            raise UndecidedError("a rule of the formula holds where no point was found")
        return Equivalence(True, 0)  # the reference has no value there
