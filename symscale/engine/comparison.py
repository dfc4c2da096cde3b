"""Two expressions compared at points, by exact evaluation.

Which points is a hash of both sides and of a secret, so that nobody can write an expression for the
points at which it will be tried.

- Rational sides without rules: points with 48 random bits in every number, conditions left aside.
  Two that differ agree at one such point with a probability of about their degree over 2**48.
- Where the reference changes its rule: hundreds of points of the constrained domain and of its
  extension in the logarithm, and along lines through it every boundary that is found, its
  neighbours and the middle of every interval between.
- Where a value is irrational, it is enclosed to at least 30 digits, at the first points to
  hundreds; two values are the same if their enclosures meet.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from symscale.engine.boundaries import Boundary
from symscale.engine.lines import Lines
from symscale.engine.roundings import rounded_alike
from symscale.engine.rules import Part, Rules, check_functions, check_powers, is_cut, resolved
from symscale.engine.sampling import Point, Region
from symscale.engine.sides import Side
from symscale.engine.variables import Draws
from symscale.errors import DomainError, SymscaleError, TooLargeError, UndecidedError
from symscale.expressions.draft import Irrational
from symscale.expressions.enclosure import evaluate
from symscale.expressions.kernel import Kernel, compile_kernel
from symscale.expressions.nodes import Compare, Node
from symscale.expressions.shape import value_bits
from symscale.expressions.values import Enclosure, Value

RATIONAL_POINTS = 2
SMOOTH_POINTS = 24
PIECEWISE_POINTS = 256
"""Points besides those at boundaries."""

BASES, RATIONAL_BASES, CURVED_BASES = 2, 1, 2
"""Points of each sort through which lines are laid, and how many of all have lines on which
curved boundaries are looked for as well."""

LOOKS = 16
"""Where there are rules, one point in so many is looked at closely."""

CLOSE_BITS = 2048, 8192
"""The least and the most bits to which irrational values are compared at the first points."""

MAX_IRRATIONAL, MAX_IRRATIONAL_IN_PIECES = 8, 4
"""Roots, logarithms and powers in the compared side, where the reference has no more."""

MAX_PIECEWISE_BITS = 8192


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A point at which two expressions differ; None stands for no value there."""

    point: Point
    reference: Value
    other: Value | None


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Whether two expressions are equivalent, and what shows that they are not."""

    equivalent: bool
    points: int
    """At how many points both were evaluated."""
    counterexample: Counterexample | None = None

    def __bool__(self) -> bool:
        return self.equivalent

    def at(self, part: Part) -> Equivalence:
        """The same, in the letters that there were before a part was cut out."""
        example = self.counterexample
        if example is None or part.value is None:
            return self
        point = {**example.point, part.letter: part.value}
        return replace(self, counterexample=replace(example, point=point))


class Comparison:
    """The two sides at points of a region, and what points cannot tell.

    The region is one in the letters of both and of its conditions alone.
    """

    def __init__(
        self,
        reference: Side,
        other: Side,
        region: Region,
        secret: bytes,
        *,
        settled: Collection[Hashable] = (),
        trusted: bool = False,
    ) -> None:
        self.reference, self.other, self.trusted = reference, other, trusted
        self.region = region
        self.rational = reference.rational and other.rational
        self.piecewise = reference.piecewise or other.piecewise
        self.check_cost()
        self.draws = Draws(secret, reference.text, other.text)
        self.rules = Rules.of(reference, other, region, settled)
        self.unmet = [each for each in self.rules.rewritten if not is_cut(each)]

    def check_cost(self) -> None:
        """Bound what may be evaluated hundreds of times."""
        most = MAX_IRRATIONAL_IN_PIECES if self.piecewise else MAX_IRRATIONAL
        most = max(most, self.reference.irrational)
        if self.other.irrational > most:
            raise TooLargeError(f"at most {most} roots, logarithms and powers are compared")
        if self.piecewise and value_bits(self.other.node) > MAX_PIECEWISE_BITS:
            raise TooLargeError(f"a value of this expression could pass {MAX_PIECEWISE_BITS} bits")

    def result(self) -> Equivalence:
        smooth = not self.rules.own and not self.rules.foreign
        if smooth and self.rational:
            found = self.identity(self.reference, self.other)
            if found or (found is not None and self.region.freed is self.region):
                return found
        compared = missing = 0
        first: Point | None = None
        for point in self.points():
            if self.agree(point):
                compared, first = compared + 1, first or point
                continue
            expected = self.reference.value(point, often=True)
            if expected is None:
                missing += 1
                if missing > SMOOTH_POINTS and not compared:
                    break
                continue
            compared, first = compared + 1, first or point
            value = self.other.value(point, often=self.piecewise)
            if not (self.same_off_zero(point) if value is None else _same(expected, value)):
                return Equivalence(False, compared, Counterexample(point, expected, value))
            if isinstance(value, Enclosure) and not self.trusted:
                self.look_closely(point, compared, expected)
        if first is None or compared < 2:
            raise DomainError("too few points meet the conditions to compare the expressions at")
        if self.trusted:
            return Equivalence(True, compared)
        check_powers(self.reference, self.other, self.region)
        check_functions(self.reference, self.other)
        if self.unmet and self.rules.lines_help:
            raise UndecidedError("the formula may differ from the right one where its rule changes")
        if smooth and not self.is_irrational:
            self.check_identity(first)
        return Equivalence(True, compared)

    @property
    def is_irrational(self) -> bool:
        return bool(self.reference.irrational or self.other.irrational)

    def check_identity(self, point: Point) -> None:
        """Raises UndecidedError for rational sides without rules that are not the same everywhere
        they have values, whatever the conditions."""
        if any(_is_equality(condition) for condition in self.region.where):
            return  # a curve, on which other expressions may agree
        nodes = (resolved(side.node, point) for side in (self.reference, self.other))
        sides = [Side(rounded_alike(node, self.region.variables)) for node in nodes]
        if not all(side.rational for side in sides) or not self.identity(*sides):
            raise UndecidedError("the formula is the right one only at the points that were tried")

    def identity(self, reference: Side, other: Side) -> Equivalence | None:
        """Whether rational sides agree at points with random digits, conditions left aside; None
        where the reference has no value there."""
        for number in range(1, 1 + RATIONAL_POINTS):
            point = self.region.freed.far(self.draws) or {}
            expected = reference.value(point, often=True)
            if expected is None:
                return None
            value = other.value(point, often=False)
            if value != expected:
                return Equivalence(False, number, Counterexample(point, expected, value))
        return Equivalence(True, RATIONAL_POINTS)

    def agree(self, point: Point) -> bool:
        """Whether both sides are the same rational at a point, if one kernel can tell."""
        if not self.piecewise:
            return False
        try:
            expected, value = self.together.cells(point)
        except (Irrational, ZeroDivisionError):
            return False
        return expected == value

    @cached_property
    def together(self) -> Kernel:
        return compile_kernel([self.reference.node, self.other.node], tuple(self.region.variables))

    def look_closely(self, point: Point, number: int, expected: Value) -> None:
        """Compare irrational values to about twice as many digits as the expressions spell out, at
        the first points and at some later ones.

        Raises UndecidedError where the difference is too small to be seen before.
        """
        if not isinstance(expected, Enclosure) and not self.reference.irrational:
            raise UndecidedError("the formula has irrational values where the right one has not")
        if number > RATIONAL_POINTS and (not self.piecewise or number % LOOKS):
            return
        least, most = CLOSE_BITS
        own, theirs = value_bits(self.reference.node), value_bits(self.other.node)
        if theirs > max(own, most // 2):
            raise UndecidedError("a value of the formula is too large to be compared closely")
        bits = min(max(2 * own, 2 * theirs, least), most)
        try:
            close = evaluate(self.reference.node, point, bits=bits)
        except SymscaleError:
            return
        try:
            value = evaluate(self.other.node, point, bits=bits)
        except SymscaleError as error:
            raise UndecidedError(f"the formula cannot be compared closely: {error.what}") from None
        if not _same(close, value):
            raise UndecidedError("the formula differs from the right one, by less than 1e-30")

    def same_off_zero(self, point: Point) -> bool:
        """Whether the sides are the same with 1 added: an irrational value that cannot be told
        from zero has no enclosure of its own."""
        if self.rational or self.other.kind != "number":
            return False
        expected = self.reference.raised.value(point, often=False)
        value = self.other.raised.value(point, often=False)
        return expected is not None and value is not None and _same(expected, value)

    def points(self) -> Iterator[Point]:
        yield from self.drawn(RATIONAL_POINTS, self.region.far)
        yield from self.region.known
        yield from self.region.corners(self.draws)
        yield from self.drawn(
            PIECEWISE_POINTS
            if self.piecewise and (self.rules.own or self.trusted)
            else SMOOTH_POINTS,
            self.region.near,
        )
        if self.rules.lines_help or (self.trusted and self.rules.searched):
            yield from self.lines()

    def drawn(self, count: int, draw: Callable[[Draws], Point | None]) -> Iterator[Point]:
        for _ in range(count):
            point = draw(self.draws)
            if point is not None:
                yield point

    def lines(self) -> Iterator[Point]:
        """Lines through some points, and then, where two boundaries may cross, through a point
        of every boundary."""
        lines = Lines.of(self.region, self.rules.searched)
        bases = [
            *self.drawn(1, self.region.far),
            *self.drawn(RATIONAL_BASES if self.rational else BASES, self.region.near),
            *self.drawn(RATIONAL_BASES if self.rational else BASES, self.region.whole),
            *self.region.known,
        ]
        crossings: dict[Boundary, Point] = {}
        for position, base in enumerate(bases):
            for boundary, point in lines.points(base, curved=position < CURVED_BASES):
                if boundary is not None:
                    crossings.setdefault(boundary, point)
                    if boundary in self.unmet and _is_on(boundary, point):
                        self.unmet.remove(boundary)
                yield point
        for base in crossings.values():
            for _, point in lines.points(base):
                yield point


def _is_on(boundary: Boundary, point: Point) -> bool:
    """Whether a point is on a boundary, exactly."""
    try:
        distance = evaluate(boundary.distance, point)
    except SymscaleError:
        return False
    if not isinstance(distance, Fraction):
        return False
    return distance.denominator == 1 if boundary.steps else not distance


def _is_equality(condition: Node) -> bool:
    return isinstance(condition, Compare) and condition.op == "=="


def _same(a: Value, b: Value) -> bool:
    if isinstance(a, Enclosure) or isinstance(b, Enclosure):
        (low, high), (other_low, other_high) = _ends(a), _ends(b)
        return low <= other_high and other_low <= high
    return a == b


def _ends(value: Value) -> tuple[Fraction, Fraction]:
    match value:
        case Enclosure():
            return value.low, value.high
        case Fraction():
            return value, value
        case _:
            raise TypeError(f"{value!r} is not a number")
