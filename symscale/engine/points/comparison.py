"""Two expressions compared at points, by exact evaluation.

Which points is a hash of both sides and of a secret, so that nobody can write an expression for the
points at which it will be tried.

- Where there are rules: hundreds of points of the constrained domain and of its extension in the
  logarithm, and along lines through it every boundary that is found, its neighbours and the middle
  of every interval between.
- Where a value is irrational, it is enclosed to at least 30 digits, at the first points to
  hundreds; two values are the same if their enclosures meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from symscale.engine.points.boundaries import Boundary, boundaries
from symscale.engine.points.functions import check_functions
from symscale.engine.points.lines import Lines
from symscale.engine.sampling import Point, Region
from symscale.engine.sides import Side
from symscale.engine.variables import Draws
from symscale.errors import DomainError, SymscaleError, TooLargeError, UndecidedError
from symscale.expressions.draft import Irrational
from symscale.expressions.enclosure import evaluate
from symscale.expressions.kernel import Kernel, compile_kernel
from symscale.expressions.nodes import Node
from symscale.expressions.shape import value_bits
from symscale.expressions.values import Enclosure, Value

FAR_POINTS = 2
SMOOTH_POINTS = 24
PIECEWISE_POINTS = 256
"""Points besides those at boundaries."""

BASES, RATIONAL_BASES, CURVED_BASES = 2, 1, 2
"""Points of each sort through which lines are laid, and how many of all have lines on which
curved boundaries are looked for as well."""

TOO_FEW = "too few points meet the conditions to compare the expressions at"

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


class Comparison:
    """The two sides at points of a region, and what points cannot tell.

    The region is one in the letters of both and of its conditions alone. Rules of a `trusted`
    side, which nobody wrote to deceive, are left to points.
    """

    def __init__(
        self, reference: Side, other: Side, region: Region, draws: Draws, *, trusted: bool = False
    ) -> None:
        self.reference, self.other, self.trusted = reference, other, trusted
        self.region, self.draws = region, draws
        self.piecewise = reference.piecewise or other.piecewise

    def check_cost(self) -> None:
        """Bound what may be evaluated hundreds of times."""
        most = MAX_IRRATIONAL_IN_PIECES if self.piecewise else MAX_IRRATIONAL
        most = max(most, self.reference.irrational)
        if self.other.irrational > most:
            raise TooLargeError(f"at most {most} roots, logarithms and powers are compared")
        if self.piecewise and value_bits(self.other.node) > MAX_PIECEWISE_BITS:
            raise TooLargeError(f"a value of this expression could pass {MAX_PIECEWISE_BITS} bits")

    def result(self) -> Equivalence:
        """Raises DomainError where too few points are found, UndecidedError for what they do not
        tell."""
        compared = missing = 0
        for point in self.points():
            if self.agree(point):
                compared += 1
                continue
            expected = self.reference.value(point, often=True)
            if expected is None:
                missing += 1
                if missing > SMOOTH_POINTS and not compared:
                    break
                continue
            value = self.other.value(point, often=self.piecewise)
            found = self.against(point, expected, value)
            if found is not None:
                return Equivalence(False, compared + 1, found)
            if not self.trusted and value is None:
                continue  # it is hard to compute there, which shows nothing
            compared += 1
            if not self.trusted and isinstance(value, Enclosure):
                self.look_closely(point, expected, often=compared <= FAR_POINTS)
        if compared < 2:
            raise DomainError(TOO_FEW)
        if not self.trusted:
            check_functions(self.reference, self.other)
        return Equivalence(True, compared)

    def difference(self, point: Point, expected: Value) -> Counterexample | None:
        """Whether the other side has another value than is expected, or none."""
        return self.against(point, expected, self.other.value(point, often=self.piecewise))

    def against(self, point: Point, expected: Value, value: Value | None) -> Counterexample | None:
        if value is None:
            unclear = self.same_off_zero(point) or not _has_no_value(self.other.node, point)
            return None if unclear else Counterexample(point, expected, None)
        return None if _same(expected, value) else Counterexample(point, expected, value)

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

    @property
    def is_irrational(self) -> bool:
        return bool(self.reference.irrational or self.other.irrational)

    def look_closely(self, point: Point, expected: Value, *, often: bool) -> None:
        """Compare irrational values to about twice as many digits as the expressions spell out.

        Raises UndecidedError where the difference is too small to be seen before.
        """
        if not isinstance(expected, Enclosure) and not self.reference.irrational:
            raise UndecidedError("the formula has irrational values where the right one has not")
        if not often:
            return
        least, most = CLOSE_BITS
        own, theirs = value_bits(self.reference.node), value_bits(self.other.node)
        if theirs > max(own, most // 2):
            raise UndecidedError("a value of the formula is too large to be compared closely")
        bits = min(max(2 * own, 2 * theirs, least), most)
        try:
            close = evaluate(self.reference.node, point, bits=bits)
            value = evaluate(self.other.node, point, bits=bits)
        except SymscaleError as error:
            raise UndecidedError(f"the formula cannot be compared closely: {error.what}") from None
        if not _same(close, value):
            raise UndecidedError("the formula differs from the right one, by less than 1e-30")

    def same_off_zero(self, point: Point) -> bool:
        """Whether the sides are the same with 1 added: an irrational value that cannot be told
        from zero has no enclosure of its own."""
        if not self.is_irrational or self.other.kind != "number":
            return False
        expected = self.reference.raised.value(point, often=False)
        value = self.other.raised.value(point, often=False)
        return expected is not None and value is not None and _same(expected, value)

    def points(self) -> Iterator[Point]:
        yield from self.drawn(FAR_POINTS, self.region.far)
        yield from self.region.known
        yield from self.region.corners(self.draws)
        many = self.trusted and self.piecewise
        yield from self.drawn(PIECEWISE_POINTS if many else SMOOTH_POINTS, self.region.near)
        if self.trusted:
            yield from self.lines()

    def drawn(self, count: int, draw: Callable[[Draws], Point | None]) -> Iterator[Point]:
        for _ in range(count):
            point = draw(self.draws)
            if point is not None:
                yield point

    def lines(self) -> Iterator[Point]:
        """Lines through some points, and then, where two boundaries may cross, through a point
        of every boundary."""
        parts = [*self.reference.turns, *self.other.turns]
        found = list(boundaries(parts, self.region.variables).values())
        if not found:
            return
        lines = Lines.of(self.region, found)
        rational = not self.reference.irrational and not self.other.irrational
        bases = [
            *self.drawn(1, self.region.far),
            *self.drawn(RATIONAL_BASES if rational else BASES, self.region.near),
            *self.drawn(RATIONAL_BASES if rational else BASES, self.region.whole),
            *self.region.known,
        ]
        crossings: dict[Boundary, Point] = {}
        for position, base in enumerate(bases):
            for boundary, point in lines.points(base, curved=position < CURVED_BASES):
                if boundary is not None:
                    crossings.setdefault(boundary, point)
                yield point
        for base in crossings.values():
            for _, point in lines.points(base):
                yield point


def _has_no_value(node: Node, point: Point) -> bool:
    """Whether an expression has no value at a point, and not one that is hard to compute."""
    try:
        evaluate(node, point)
    except (DomainError, ZeroDivisionError):
        return True
    except SymscaleError:
        return False
    return False


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
