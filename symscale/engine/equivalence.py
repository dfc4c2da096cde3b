"""Whether two expressions have the same value wherever the first has one.

Decided by exact evaluation of both at points of the constrained domain of their names and of its
extension in the logarithm. Which points is a hash of both sides and of a secret, so that nobody
can write an expression for the points at which it will be tried.

- Rational expressions: a few points with 32 random bits in every number. Two of them that differ
  agree at one such point with a probability of about their degree over 2**32.
- Where max, min, ceil, floor, abs, where or a comparison stands in either: hundreds of points, and
  along lines through the domain every boundary between two rules, its neighbours and the middle
  of every interval between.
- Where a value is irrational, it is enclosed to at least 30 digits; two values are the same if
  their enclosures meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from symscale.engine.boundaries import Boundary, Lines, boundaries
from symscale.engine.ratios import is_rational, rational_value, stays_rational
from symscale.engine.sampling import Draws, Point, Region
from symscale.errors import DomainError, ExpressionError, SymscaleError, TooLargeError
from symscale.expressions.enclosure import evaluate
from symscale.expressions.kernel import compile_kernel
from symscale.expressions.nodes import Call, Compare, Node, names, walk
from symscale.expressions.shape import check_shape, value_bits
from symscale.expressions.text import text
from symscale.expressions.values import Enclosure, Value

RATIONAL_POINTS = 4
SMOOTH_POINTS = 24
PIECEWISE_POINTS = 256
"""Points besides those at boundaries."""

BASES, RATIONAL_BASES = 8, 2
"""Points through which lines are laid."""

MAX_IRRATIONAL = 16
MAX_PIECEWISE_BITS = 8192

_PIECEWISE = frozenset({"max", "min", "ceil", "floor", "abs", "where"})

_Side: TypeAlias = Callable[[Point], Value | None]


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


def equivalence(
    reference: Node, other: Node, region: Region, *, secret: bytes = b""
) -> Equivalence:
    """Compare `other` with `reference` over `region`, both between plain numbers.

    Points at which the reference has no value do not count; where it has one, so must the other.
    Raises ExpressionError for a name that is not in the region, TooLargeError for an expression
    past the bounds that keep this cheap, DomainError where no point of the region is found.
    """
    for name in (*names(reference), *names(other)):
        if name not in region.variables:
            raise ExpressionError(f"{name} is not one of {', '.join(region.variables)}")
    if check_shape(reference) != check_shape(other):
        return Equivalence(False, 0)
    draws = Draws(secret, text(reference).encode(), text(other).encode())
    return _Comparison(reference, other, region, draws).result()


class _Comparison:
    def __init__(self, reference: Node, other: Node, region: Region, draws: Draws) -> None:
        self.region = region
        self.draws = draws
        self.piecewise = any(map(_is_piecewise, (reference, other)))
        self.rational = all(map(is_rational, (reference, other)))
        _check_cost(other, piecewise=self.piecewise)
        self.reference, self.other = self.side(reference), self.side(other)
        self.boundaries = boundaries((reference, other), region.variables)

    def result(self) -> Equivalence:
        compared = 0
        for point in self.points():
            expected = self.reference(point)
            if expected is None:
                continue
            compared += 1
            value = self.other(point)
            if value is None or not _same(expected, value):
                return Equivalence(False, compared, Counterexample(point, expected, value))
        if compared < 2:
            raise DomainError("too few points meet the conditions to compare the expressions at")
        return Equivalence(True, compared)

    def side(self, node: Node) -> _Side:
        """The value of one side at a point, None where it has none."""
        evaluated: _Side
        if self.piecewise:
            kernel = compile_kernel([node], tuple(self.region.variables))
            evaluated = lambda point: kernel(point)[0]  # noqa: E731
        elif self.rational:
            evaluated = partial(rational_value, node)
        else:
            evaluated = partial(evaluate, node)
        return partial(_value_or_none, evaluated)

    def points(self) -> Iterator[Point]:
        yield from self.region.known
        yield from self.drawn(RATIONAL_POINTS, self.region.far)
        if not self.rational:
            yield from self.region.corners(self.draws)
            count = PIECEWISE_POINTS if self.piecewise else SMOOTH_POINTS
            yield from self.drawn(count, self.region.near)
        if self.boundaries:
            yield from self.lines()

    def drawn(self, count: int, draw: Callable[[Draws], Point | None]) -> Iterator[Point]:
        for _ in range(count):
            point = draw(self.draws)
            if point is not None:
                yield point

    def lines(self) -> Iterator[Point]:
        """Lines through some points, and then, where two boundaries may cross, through a point
        of every boundary."""
        lines = Lines.of(self.region, self.boundaries)
        bases = [
            *self.region.known,
            *self.drawn(1, self.region.far),
            *self.drawn(RATIONAL_BASES if self.rational else BASES, self.region.near),
        ]
        crossings: dict[Boundary, Point] = {}
        for base in bases:
            for boundary, point in lines.points(base):
                if boundary is not None:
                    crossings.setdefault(boundary, point)
                yield point
        for base in crossings.values():
            for _, point in lines.points(base):
                yield point


def _is_piecewise(node: Node) -> bool:
    return any(map(_changes_rule, walk(node)))


def _changes_rule(part: Node) -> bool:
    match part:
        case Compare():
            return True
        case Call():
            return part.function in _PIECEWISE
        case _:
            return False


def _check_cost(node: Node, *, piecewise: bool) -> None:
    """Bound the size of what may be evaluated hundreds of times."""
    irrational = sum(not stays_rational(part) and not _changes_rule(part) for part in walk(node))
    if irrational > MAX_IRRATIONAL:
        raise TooLargeError(f"at most {MAX_IRRATIONAL} roots, logarithms and powers are compared")
    if piecewise and value_bits(node) > MAX_PIECEWISE_BITS:
        raise TooLargeError(f"a value of this expression could pass {MAX_PIECEWISE_BITS} bits")


def _value_or_none(evaluated: Callable[[Point], Value], point: Point) -> Value | None:
    try:
        return evaluated(point)
    except (SymscaleError, ZeroDivisionError):
        return None


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
