"""Whether two expressions have the same value wherever the first has one.

Decided by exact evaluation of both at points of the constrained domain of their names and of its
extension in the logarithm. Which points is a hash of both sides and of a secret, so that nobody
can write an expression for the points at which it will be tried.

- Rational expressions: points with 48 random bits in every number. Two that differ agree at one
  such point with a probability of about their degree over 2**48. Where a number has few values, or
  conditions bind it, dozens of usual points as well.
- Where max, min, ceil, floor, abs, where or a comparison stands in either: hundreds of points, and
  along lines through the domain every boundary between two rules that is found, its neighbours and
  the middle of every interval between.
- Where a value is irrational, it is enclosed to at least 30 digits, at the first points to
  hundreds; two values are the same if their enclosures meet.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from symscale.engine.boundaries import Boundary, boundaries
from symscale.engine.joints import Joints
from symscale.engine.lines import Lines
from symscale.engine.ratios import rational_value, stays_rational
from symscale.engine.sampling import Draws, Point, Region
from symscale.engine.witnesses import Witnesses
from symscale.errors import (
    DomainError,
    ExpressionError,
    SymscaleError,
    TooLargeError,
    UndecidedError,
)
from symscale.expressions.draft import Irrational
from symscale.expressions.enclosure import evaluate
from symscale.expressions.kernel import Kernel, compile_kernel
from symscale.expressions.nodes import (
    Binary,
    Call,
    Compare,
    Label,
    Name,
    Node,
    Number,
    Sign,
    walk,
)
from symscale.expressions.shape import Kind, value_bits
from symscale.expressions.text import text
from symscale.expressions.values import Enclosure, Value

RATIONAL_POINTS = 2
SMOOTH_POINTS = 24
PIECEWISE_POINTS = 256
"""Points besides those at boundaries."""

BASES, RATIONAL_BASES, CURVED_BASES = 3, 1, 2
"""Points of each sort through which lines are laid, and how many of all have lines on which
curved boundaries are looked for as well."""

CLOSE_BITS = 2048, 8192
"""The least and the most bits to which irrational values are compared at the first points."""

MAX_IRRATIONAL, MAX_IRRATIONAL_IN_PIECES = 8, 4
"""Roots, logarithms and powers in the compared side, where the reference has no more."""

MAX_PIECEWISE_BITS = 8192

_SMOOTH = ("+", "-", "*")
_PIECEWISE = frozenset({"max", "min", "ceil", "floor", "abs", "where"})


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
    reference: Node | Side, other: Node | Side, region: Region, *, secret: bytes = b""
) -> Equivalence:
    """Compare `other` with `reference` over `region`, both between plain numbers.

    Points at which the reference has no value do not count; where it has one, so must the other.
    A Side is an expression whose analysis is kept for the next comparison.
    Raises ExpressionError for a name that is not in the region, TooLargeError for an expression
    past the bounds that keep this cheap, DomainError where too few points of the region are found,
    UndecidedError where `other` has rules that `reference` has not and that no point has met.
    """
    sides = [side if isinstance(side, Side) else Side(side) for side in (reference, other)]
    for side in sides:
        for name in side.names:
            if name not in region.variables:
                raise ExpressionError(f"{name} is not one of {', '.join(region.variables)}")
    if sides[0].kind != sides[1].kind:
        return Equivalence(False, 0)
    return _Comparison(sides[0], sides[1], region, secret).result()


@dataclass(frozen=True)
class Side:
    """One side of a comparison, and what is known about it."""

    node: Node
    source: str | None = None
    """The text that it was read from, if it was."""

    @cached_property
    def kind(self) -> Kind:
        node = self.node
        while isinstance(node, Call) and node.function == "where":
            node = node.arguments[1]
        match node:
            case Label():
                return "label"
            case Compare():
                return "truth"
            case _:
                return "number"

    @property
    def names(self) -> list[str]:
        """Each once."""
        return self._contents.names

    @property
    def turns(self) -> list[Node]:
        """The parts that may change their rule, or have no value, somewhere."""
        return self._contents.turns

    @property
    def has_units(self) -> bool:
        """Whether a literal carries a unit."""
        return self._contents.has_units

    @property
    def rational(self) -> bool:
        return not self.piecewise and not self.irrational

    @property
    def irrational(self) -> int:
        """How many parts leave the rational numbers."""
        return self._contents.irrational

    @property
    def piecewise(self) -> bool:
        return self._contents.piecewise

    @cached_property
    def _contents(self) -> _Contents:
        names: dict[str, None] = {}
        turns: list[Node] = []
        irrational, piecewise, has_units = 0, False, False
        for part in walk(self.node):
            match part:
                case Name():
                    names[part.id] = None
                case Number():
                    has_units = has_units or part.unit is not None
                case Sign():
                    pass
                case Binary() if part.op in _SMOOTH:
                    pass
                case _:
                    turns.append(part)
                    if _changes_rule(part):
                        piecewise = True
                    elif not stays_rational(part):
                        irrational += 1
        return _Contents(list(names), turns, irrational, piecewise, has_units)

    @cached_property
    def text(self) -> bytes:
        return (self.source or text(self.node)).encode()

    @cached_property
    def kernel(self) -> Kernel:
        return compile_kernel([self.node], self.names)

    @cached_property
    def raised(self) -> Side:
        """The same with 1 added."""
        return Side(Binary("+", self.node, Number("1")))

    def value(self, point: Point, *, often: bool) -> Value | None:
        """The value at a point, None where there is none; a kernel pays off if asked `often`."""
        try:
            if often:
                return self.kernel(point)[0]
            return (rational_value if self.rational else evaluate)(self.node, point)
        except (SymscaleError, ZeroDivisionError):
            return None


class _Contents(NamedTuple):
    names: list[str]
    turns: list[Node]
    irrational: int
    piecewise: bool
    has_units: bool


def _changes_rule(part: Node) -> bool:
    return isinstance(part, Compare) or (isinstance(part, Call) and part.function in _PIECEWISE)


class _Comparison:
    def __init__(self, reference: Side, other: Side, region: Region, secret: bytes) -> None:
        self.reference, self.other = reference, other
        self.region = region = region.narrowed([*reference.names, *other.names])
        self.rational = reference.rational and other.rational
        self.piecewise = reference.piecewise or other.piecewise
        self.check_cost()
        self.draws = Draws(secret, reference.text, other.text)
        own = boundaries(reference.turns, region.variables)
        theirs = boundaries(other.turns, region.variables)
        self.boundaries = list((theirs | own).values())
        self.witnesses = self.witnesses_of(own, theirs)

    def check_cost(self) -> None:
        """Bound what may be evaluated hundreds of times."""
        most = MAX_IRRATIONAL_IN_PIECES if self.piecewise else MAX_IRRATIONAL
        most = max(most, self.reference.irrational)
        if self.other.irrational > most:
            raise TooLargeError(f"at most {most} roots, logarithms and powers are compared")
        if self.piecewise and value_bits(self.other.node) > MAX_PIECEWISE_BITS:
            raise TooLargeError(f"a value of this expression could pass {MAX_PIECEWISE_BITS} bits")

    def witnesses_of(
        self, own: Mapping[Hashable, Boundary], theirs: Mapping[Hashable, Boundary]
    ) -> Witnesses:
        """What has to be seen of the other side's boundaries; the conditions may hide their own."""
        hidden: Mapping[Hashable, Boundary] = {}
        if theirs and self.region.where:
            parts = [part for condition in self.region.where for part in walk(condition)]
            hidden = boundaries(parts, self.region.variables)
        open_ones = {key: each for key, each in theirs.items() if key not in hidden}
        return Witnesses(
            foreign=[each for key, each in open_ones.items() if key not in own],
            rewritten=[
                each
                for key, each in open_ones.items()
                if key in own and each.part not in self.reference.turns
            ],
            variables=self.region.variables,
        )

    def result(self) -> Equivalence:
        compared = 0
        for point in self.points():
            if self.agree(point):
                compared += 1
                continue
            expected = self.reference.value(point, often=True)
            if expected is None:
                continue
            compared += 1
            value = self.other.value(point, often=self.piecewise)
            if not (self.same_off_zero(point) if value is None else _same(expected, value)):
                return Equivalence(False, compared, Counterexample(point, expected, value))
            if compared <= RATIONAL_POINTS and isinstance(value, Enclosure):
                self.look_closely(point)
        if compared < 2:
            raise DomainError("too few points meet the conditions to compare the expressions at")
        self.witnesses.check()
        return Equivalence(True, compared)

    def agree(self, point: Point) -> bool:
        """Whether both sides are the same rational at a point, if one kernel can tell."""
        if not self.piecewise:
            self.witnesses.see(point)
            return False
        try:
            expected, value, *truths = self.together.cells(point)
        except (Irrational, ZeroDivisionError):
            self.witnesses.see(point)
            return False
        self.witnesses.note(truths)
        return expected == value

    @cached_property
    def together(self) -> Kernel:
        """Both sides, and the tests of what has to be seen."""
        outputs = [self.reference.node, self.other.node, *self.witnesses.tests]
        return compile_kernel(outputs, tuple(self.region.variables))

    def look_closely(self, point: Point) -> None:
        """Compare irrational values to about twice as many digits as the expressions spell out.

        Raises UndecidedError where the difference is too small to be seen before.
        """
        least, most = CLOSE_BITS
        own, theirs = value_bits(self.reference.node), value_bits(self.other.node)
        if theirs > max(own, most // 2):
            raise UndecidedError("a value of the formula is too large to be compared closely")
        bits = min(max(2 * own, 2 * theirs, least), most)
        try:
            expected = evaluate(self.reference.node, point, bits=bits)
        except SymscaleError:
            return
        try:
            value = evaluate(self.other.node, point, bits=bits)
        except SymscaleError as error:
            raise UndecidedError(f"the formula cannot be compared closely: {error.what}") from None
        if not _same(expected, value):
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
        if self.rational and not self.boundaries and self.region.is_free:
            return
        yield from self.region.known
        yield from self.region.corners(self.draws)
        if not self.rational or not self.region.is_free:
            thorough = self.piecewise and not self.witnesses.fault
            count = PIECEWISE_POINTS if thorough else SMOOTH_POINTS
            yield from self.drawn(count, self.region.near)
        if self.boundaries and not self.witnesses.fault:
            yield from self.lines()

    def drawn(self, count: int, draw: Callable[[Draws], Point | None]) -> Iterator[Point]:
        for _ in range(count):
            point = draw(self.draws)
            if point is not None:
                yield point

    def lines(self) -> Iterator[Point]:
        """Lines through some points, and then, where two boundaries may cross, through a point
        of every boundary; then where boundaries of the other side alone meet."""
        lines = Lines.of(self.region, self.boundaries)
        bases = [
            *self.region.known,
            *self.drawn(1, self.region.far),
            *self.drawn(RATIONAL_BASES if self.rational else BASES, self.region.near),
            *self.drawn(RATIONAL_BASES if self.rational else BASES, self.region.whole),
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
        yield from self.joints(bases)

    def joints(self, bases: Sequence[Point]) -> Iterator[Point]:
        foreign = self.witnesses.foreign
        if len(foreign) < 2:
            return
        joints = Joints(self.region)
        for base in bases:
            for point in joints.points(base, foreign):
                yield point
                if self.witnesses.complete:
                    return


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
