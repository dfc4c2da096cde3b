"""Where an expression changes its rule: found along lines through a domain.

A piecewise expression changes its rule where the sides of a comparison, two arguments of max or
min, or the argument of abs are equal, and where the argument of ceil or floor is an integer; a
quotient has no value where its divisor is zero. Along a line on which one number varies, most such
places are the root of a linear-fractional function, which three values determine exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from math import ceil, floor, lcm

from symscale.engine.sampling import Point, Region, Variable
from symscale.errors import SymscaleError, TooLargeError
from symscale.expressions.kernel import Kernel, compile_kernel
from symscale.expressions.nodes import Binary, Call, Compare, Name, Node, Number, chain
from symscale.expressions.text import text
from symscale.expressions.values import key_of
from symscale.numbers import round_to_digits

MAX_BOUNDARIES = 48

_NUDGE = Fraction(1, 2**40)
_HALVINGS, _ROUND_DIGITS, _PLAIN_DIGITS = 45, 15, 10
MAX_ROOT_BITS = 1024
_NEIGHBOURS = 4
_STEPS = 64
"""How many integers to try for one at which a variable that counts is an integer too."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """The rule changes where `distance` is zero or, if `steps`, where it is an integer."""

    distance: Node
    steps: bool = False


def boundaries(parts: Sequence[Node], variables: Mapping[str, Variable]) -> list[Boundary]:
    """The boundaries at the nodes of expressions, each once.

    Raises TooLargeError for more than 48.
    """
    found: dict[str, Boundary] = {}
    for part in parts:
        for boundary in _of_part(part, variables):
            found.setdefault(f"{boundary.steps}{text(boundary.distance)}", boundary)
            if len(found) > MAX_BOUNDARIES:
                raise TooLargeError(f"more than {MAX_BOUNDARIES} places change the rule")
    return list(found.values())


def _of_part(node: Node, variables: Mapping[str, Variable]) -> Iterator[Boundary]:
    match node:
        case Compare(_, left, right):
            yield Boundary(Binary("-", left, right))
        case Binary("/", _, divisor):
            yield from _zeros(divisor, variables)
        case Binary("**", base, exponent) if not _is_natural(exponent):
            yield from _zeros(base, variables)
        case Call("max" | "min", arguments):
            for left, right in combinations(arguments, 2):
                yield Boundary(Binary("-", left, right))
        case Call("ceil" | "floor", (argument,)):
            yield Boundary(argument, steps=True)
        case Call("abs" | "sqrt" | "log" | "log2", (argument,)):
            yield from _zeros(argument, variables)


def _zeros(node: Node, variables: Mapping[str, Variable]) -> Iterator[Boundary]:
    """Where a value may be zero: where one of its factors is."""
    if is_positive(node, variables):
        return
    match node:
        case Binary("*" | "/"):
            first, rest = chain(node)
            for factor in (first, *(factor for _, factor in rest)):
                yield from _zeros(factor, variables)
        case Binary("**", base, _):
            yield from _zeros(base, variables)
        case _:
            yield Boundary(node)


def is_positive(node: Node, variables: Mapping[str, Variable]) -> bool:
    """Whether the value is above zero wherever the names are in their domains, as far as signs
    alone show it."""
    match node:
        case Number():
            return node.value > 0
        case Name():
            return variables[node.id].domain.positive
        case Binary("**", base, _):
            return is_positive(base, variables)
        case Binary():
            first, rest = chain(node)
            return is_positive(first, variables) and all(
                op != "-" and is_positive(operand, variables) for op, operand in rest
            )
        case Call("max" | "min" | "sqrt" | "count" | "ceil", arguments):
            return all(is_positive(argument, variables) for argument in arguments)
        case _:
            return False


def _is_natural(node: Node) -> bool:
    return isinstance(node, Number) and node.value.denominator == 1


@dataclass(frozen=True)
class Lines:
    """Finds points on and between boundaries, one number varied at a time."""

    region: Region
    found: tuple[tuple[Boundary, Kernel], ...]
    """Each boundary with its own kernel, because one may have no value where another has."""

    @classmethod
    def of(cls, region: Region, found: Sequence[Boundary]) -> Lines:
        names = tuple(region.variables)
        return cls(region, tuple((each, compile_kernel([each.distance], names)) for each in found))

    def points(
        self, base: Point, *, curved: bool = False
    ) -> Iterator[tuple[Boundary | None, Point]]:
        """The points of the region on every line through `base`: each boundary's own, then those
        beside and between them.

        Boundaries that are not linear-fractional along a line are looked for if `curved`, by
        bisection, which costs far more.
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
        variable = self.region.variables[name]
        roots: dict[Fraction, Boundary] = {}
        for boundary, kernel in self.found:
            line = _Line(kernel, base, name)
            curve = line.curve(base[name], variable.step)
            if curve is None:
                continue
            if boundary.steps:
                places = curve.integers(variable.step)
            else:
                root = curve.reaching(0)
                places = [] if root is None else [root]
                if curved and (root is None or line.distance(root) != 0):
                    places += line.crossings(variable.ladder)
            for place in places:
                if _bits(place) <= MAX_ROOT_BITS:
                    roots.setdefault(place, boundary)
        return roots


def _bits(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()


@dataclass(frozen=True, slots=True)
class _Line:
    """The distance from a boundary as a function of one number."""

    kernel: Kernel
    base: Point
    name: str

    def distance(self, place: Fraction) -> Fraction | None:
        """An irrational one to 30 digits; None where it has no value."""
        try:
            value = key_of(self.kernel({**self.base, self.name: place})[0])
        except SymscaleError:
            return None
        return value if isinstance(value, Fraction) else None

    def curve(self, start: Fraction, step: Fraction | None) -> _Curve | None:
        stride = step or (abs(start) or 1) * _NUDGE
        places = (start, start + stride, start + 2 * stride)
        distances = [self.distance(place) for place in places]
        values = [distance for distance in distances if distance is not None]
        return _Curve(places, values) if len(values) == len(places) else None

    def crossings(self, ladder: Sequence[Fraction]) -> list[Fraction]:
        """Places close to where the distance changes its sign, between the rungs of a ladder."""
        known = [(place, self.distance(place)) for place in ladder]
        return [
            self._bisected(low, high, below > 0)
            for (low, below), (high, above) in pairwise(known)
            if below is not None and above is not None and (below > 0) != (above > 0)
        ]

    def _bisected(self, low: Fraction, high: Fraction, falling: bool) -> Fraction:
        for _ in range(_HALVINGS):
            middle = round_to_digits((low + high) / 2, _ROUND_DIGITS)
            distance = self.distance(middle)
            if distance is None or not low < middle < high:
                break
            if (distance > 0) == falling:
                low = middle
            else:
                high = middle
        plain = round_to_digits(high, _PLAIN_DIGITS)
        return plain if self.distance(plain) == 0 else high


class _Curve:
    """The linear-fractional function through three points, turned around: what place has a value.

    The cross-ratio of four places is that of their values, so the place of the value t is
    (a - b*t)/(c - d*t) with a, b, c, d from the three points alone.
    """

    def __init__(self, places: Sequence[Fraction], values: Sequence[Fraction]) -> None:
        self.start, self.first = places[0], values[0]
        x0, x1, x2 = places
        y0, y1, y2 = values
        self.constant = y0 == y1
        if not self.constant:
            k = (y0 - y2) * (x0 - x1) / ((y0 - y1) * (x0 - x2))
            terms = (x1 * y2 - k * y1 * x2, x1 - k * x2, y2 - k * y1, 1 - k)
            common = lcm(*(term.denominator for term in terms))
            self.terms = [int(term * common) for term in terms]

    def reaching(self, value: int) -> Fraction | None:
        """The place that has this value, if there is one."""
        if self.first == value:
            return self.start
        if self.constant:
            return None
        a, b, c, d = self.terms
        divisor = c - d * value
        return Fraction(a - b * value, divisor) if divisor else None

    def integers(self, step: Fraction | None) -> list[Fraction]:
        """The places of the integers around the first value; for a variable with a step also the
        nearest that are multiples of it."""
        lowest = floor(self.first) - 1
        near = [self.reaching(lowest + offset) for offset in range(_NEIGHBOURS)]
        roots = [root for root in near if root is not None]
        if step is None or self.constant:
            return roots
        return roots + self._multiples(step, lowest)

    def _multiples(self, step: Fraction, lowest: int) -> list[Fraction]:
        a, b, c, d = self.terms
        for value in range(lowest, lowest + _STEPS):
            divisor = (c - d * value) * step.numerator
            if divisor and (a - b * value) * step.denominator % divisor == 0:
                return [Fraction(a - b * value, c - d * value)]
        return []
