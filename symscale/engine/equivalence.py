"""Whether two expressions have the same value wherever the first has one.

- Rational sides without rules: one point with 64 random bits in every number, the domains left
  aside. Two that differ agree there with a probability of about their degree over 2**64.
- Where there are rules, a proof by cases (`cases`), each of which ends in such a point. Points of
  the domain only show that two sides differ; what is neither proved nor shown is undecided.
- Where a value is irrational, the sides of a case are compared at points (`comparison`).
- Two sides that nobody wrote to deceive are compared at points alone, hundreds where there are
  rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain, islice

from symscale.algebra.polynomials import TooComplexError
from symscale.engine.points.comparison import FAR_POINTS, SMOOTH_POINTS, TOO_FEW, Comparison
from symscale.engine.points.comparison import Counterexample as Counterexample
from symscale.engine.points.comparison import Equivalence as Equivalence
from symscale.engine.points.witnesses import narrowed, witnesses
from symscale.engine.proofs.case import Case
from symscale.engine.proofs.cases import Cases
from symscale.engine.proofs.facts import Budget, TooMuchWorkError
from symscale.engine.proofs.irrational import IrrationalParts, varies_fast
from symscale.engine.proofs.needs import needs
from symscale.engine.ratios import rational_value, stays_rational
from symscale.engine.sampling import Point, Region
from symscale.engine.sides import Side
from symscale.engine.variables import Draws
from symscale.errors import DomainError, ExpressionError, SymscaleError, UndecidedError
from symscale.expressions.nodes import (
    Call,
    Label,
    Name,
    Node,
    Number,
    is_rounding,
    names,
    substitute,
    walk,
)
from symscale.expressions.text import text

MAX_SHOWN = 3
"""Comparisons of a case that an error names."""

POINT_BITS = 64

MAX_WORK = 20_000
"""Terms of polynomials that a proof may look at."""

LETTERS, MAX_LETTERS = 4, 12
"""For what is rounded, so many at a time and at most: the cases of a reference depend on them."""

MAX_FAILURES = 8
"""Cases that could not be proved in which a difference is looked for."""


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
    UndecidedError where `other` is neither proved to be the same nor shown to differ.
    """
    decision = _Decision.of(reference, other, region, secret)
    if decision.reference.kind != decision.other.kind:
        return Equivalence(False, 0)
    if decision.is_same_smooth:
        return Equivalence(True, 1)
    return decision.at_points() if trusted else decision.result()


def first_proved(
    references: Iterable[Node | Side], other: Node | Side, region: Region, *, secret: bytes = b""
) -> int | None:
    """The position of the first expression that `other` can be proved to be equivalent to, with
    less work for all of them than `equivalence` may take for one.

    Raises ExpressionError for a name that is not in the region.
    """
    budget = Budget(MAX_WORK // 3)
    for position, reference in enumerate(references):
        decision = replace(_Decision.of(reference, other, region, secret), budget=budget)
        if decision.is_proved:
            return position
    return None


@dataclass(frozen=True)
class _Decision:
    """Of two sides over a region in the letters of both and of its conditions alone."""

    reference: Side
    other: Side
    region: Region
    draws: Draws
    budget: Budget = field(default_factory=lambda: Budget(MAX_WORK))

    @classmethod
    def of(
        cls, reference: Node | Side, other: Node | Side, region: Region, secret: bytes
    ) -> _Decision:
        sides = [side if isinstance(side, Side) else Side(side) for side in (reference, other)]
        for name in (name for side in sides for name in side.names):
            if name not in region.variables:
                raise ExpressionError(f"{name} is not one of {', '.join(region.variables)}")
        ours, theirs = sides
        draws = Draws(secret, ours.text, theirs.text)
        return cls(ours, theirs, region.narrowed([*ours.names, *theirs.names]), draws)

    @property
    def is_same_smooth(self) -> bool:
        """Whether the sides are the same rational function, the other one surely with a value."""
        reference, other = self.reference, self.other
        if not reference.rational or not other.rational or reference.kind != "number":
            return False
        if other.turns and not self.is_sure:
            return False
        expected = reference.value(self.point, often=True)
        return expected is not None and other.value(self.point, often=False) == expected

    @property
    def is_sure(self) -> bool:
        """Whether the other side has a value wherever the reference has one, as is seen at once."""
        unsure = {n for n in needs(self.other.node) if not self.is_above_zero(n.part)}
        return not unsure or unsure <= set(needs(self.reference.node))

    def is_above_zero(self, part: Node) -> bool:
        match part:
            case Name(id):
                return self.region.variables[id].is_positive
            case Number():
                return part.value > 0
            case _:
                return False

    def at_points(self) -> Equivalence:
        comparison = Comparison(self.reference, self.other, self.region, self.draws, trusted=True)
        comparison.check_cost()
        return comparison.result()

    @cached_property
    def comparison(self) -> Comparison:
        """At points that only show that the sides differ."""
        return Comparison(self.reference, self.other, self.region, self.draws)

    @property
    def is_proved(self) -> bool:
        """Whether the sides are proved to be the same, with no search for a difference if not."""
        if self.reference.kind != self.other.kind:
            return False
        if self.is_same_smooth:
            return True
        try:
            return self.soon_found is None and next(self.failures(), None) is None
        except (TooMuchWorkError, TooComplexError, SymscaleError):
            return False

    @property
    def soon_found(self) -> Counterexample | None:
        """A difference at one of a few points. Raises TooLargeError."""
        self.comparison.check_cost()
        return self.difference(self.first_points())

    def result(self) -> Equivalence:
        """Prove or refute it. Raises UndecidedError where neither is done."""
        found = self.soon_found
        if found is not None:
            return Equivalence(False, 1, found)
        failed: Case | None = None
        try:
            for failed in islice(self.failures(), MAX_FAILURES):
                letters = self.cases.variables
                found = self.difference(witnesses(failed, letters, self.region, self.draws))
                if found is not None:
                    return Equivalence(False, 1, found)
            if failed is None:
                if not self.cases.compared:
                    raise DomainError(TOO_FEW)
                return Equivalence(True, self.cases.compared)
            why = f"the formula could not be shown to be the right one{_where(failed)}"
        except TooMuchWorkError:
            why = "the formula has too many rules to be compared"
        except TooComplexError:
            why = "the rules of the formula are too complex to be compared"
        found = self.difference(self.more_points())
        if found is not None:
            return Equivalence(False, 1, found)
        raise UndecidedError(why)

    def failures(self) -> Iterator[Case]:
        opened = self.reference.opened(self.cases, self.region)
        if not opened:
            raise DomainError(TOO_FEW)
        for case in opened:
            now = replace(case, facts=case.facts.within(self.budget))
            yield from self.cases.failures(now, self.other.node)

    @cached_property
    def cases(self) -> Cases:
        """With letters for the roundings of each side, and of the conditions."""
        parts = [*self.reference.turns, *self.other.turns, *chain(*map(walk, self.region.where))]
        rounded = set(filter(is_rounding, parts))
        letters = min(-(-len(rounded) // LETTERS) * LETTERS, MAX_LETTERS)
        return Cases(self.region.variables, letters, self.is_same)

    def first_points(self) -> Iterator[Point]:
        yield from self.comparison.drawn(FAR_POINTS, self.region.far)
        yield from self.region.known

    def more_points(self) -> Iterator[Point]:
        yield from self.region.corners(self.draws)
        yield from self.comparison.drawn(SMOOTH_POINTS, self.region.near)
        yield from self.comparison.drawn(SMOOTH_POINTS, self.region.whole)

    def difference(self, points: Iterable[Point]) -> Counterexample | None:
        """The first point at which the sides differ."""
        for point in points:
            expected = self.reference.value(point, often=True)
            if expected is not None:
                found = self.comparison.difference(point, expected)
                if found is not None:
                    return found
        return None

    def is_same(self, case: Case) -> bool | None:
        """Whether two sides without choices are equal, where both have a value; None where the
        reference never has one."""
        reference, other = case.reference, case.other
        if isinstance(reference, Label) or isinstance(other, Label):
            return reference == other
        if all(map(stays_rational, (*walk(reference), *walk(other)))):
            return _agree(reference, other, {**self.point, **self.spare})
        found = reference == other or self.is_same_irrational(reference, other)
        if found is not None:
            return found
        used = {*names(reference), *names(other)}
        known = (case.now(each) for each in (*self.region.where, *case.assumed))
        where = tuple(each for each in known if used.issuperset(names(each)))
        variables = {
            letter: narrowed(variable, case.facts, place)
            for place, (letter, variable) in enumerate(self.cases.variables.items())
            if letter in used
        }
        is_whole = not (case.assumed or case.solved or case.roundings)
        region = self.region if is_whole else Region(variables, where)
        try:
            return bool(Comparison(Side(reference), Side(other), region, self.draws).result())
        except DomainError:
            return False

    def is_same_irrational(self, reference: Node, other: Node) -> bool | None:
        """Whether the sides are the same function of their irrational parts, of which the other one
        may have roots and logarithms of its own: of products alone, since sqrt(x*x) and log(x*x)
        change their rule where x does. None where points are to tell."""
        irrational = IrrationalParts(self.cases.readings)
        ours = irrational.named(reference)
        known = len(irrational.parts)
        theirs = irrational.named(other)
        added = irrational.parts[known:]
        if not known or not all(map(irrational.is_tame, added)):
            return False
        parts = {f"@{place}": self.digits() for place in range(len(irrational.parts))}
        if _agree(ours, theirs, {**self.point, **self.spare, **parts}):
            return True
        return False if any(map(varies_fast, walk(other))) else None

    @cached_property
    def point(self) -> Point:
        """Random digits for every letter."""
        return {letter: self.digits() for letter in self.region.variables}

    @cached_property
    def spare(self) -> Point:
        return {letter: self.digits() for letter in self.cases.spare}

    def digits(self) -> Fraction:
        return Fraction(1 + self.draws.below(1 << POINT_BITS))


def _agree(reference: Node, other: Node, point: Point) -> bool | None:
    """Whether two rational functions agree at a point; None where the first has no value."""
    try:
        expected = rational_value(reference, point)
    except ZeroDivisionError:
        return None
    try:
        return rational_value(other, point) == expected
    except ZeroDivisionError:
        return False


def _where(case: Case) -> str:
    """What a case assumes, for people."""
    rounded = {each.letter: Call(each.function, (each.argument,)) for each in case.roundings}
    shown: list[Node] = [*case.assumed[-MAX_SHOWN:]]
    for _ in rounded:
        shown = [substitute(each, rounded) for each in shown]
    return " where " + " and ".join(map(text, shown)) if shown else ""
