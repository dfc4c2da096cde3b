"""The sign of an expression in one letter over the whole of a domain, in exact segments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, zip_longest
from math import ceil, floor

from symscale.algebra.monotone import Monotone
from symscale.algebra.pieces import between, critical_points, ends
from symscale.algebra.roots import Root
from symscale.catalog.quantities import Domain
from symscale.errors import DomainError, SymscaleError
from symscale.expressions.enclosure import WIDTH
from symscale.expressions.kernel import compile_kernel
from symscale.expressions.nodes import Node
from symscale.expressions.text import text
from symscale.expressions.values import Enclosure
from symscale.numbers import exact_text

SCAN = 20_000
"""Integers that are tried one by one where no shape is proved."""

FARTHEST = 2**80
"""As far as a bisection looks."""

MAX_JUMP = 10**6
"""The largest denominator of a place where a rounding is expected to step."""


@dataclass(frozen=True, slots=True)
class Segment:
    """An open interval, or a single point (`low` and `high` alike), with one sign all over it.

    None stands for no end, and as a sign for no value.
    """

    low: Root | None
    high: Root | None
    sign: int | None

    @property
    def is_point(self) -> bool:
        return self.low is not None and self.low == self.high


@dataclass(frozen=True, slots=True)
class Signs:
    """Segments in order, and how they were found."""

    segments: tuple[Segment, ...]
    method: str
    tried: Fraction | None = None
    """Where the last segment ends only because nothing was tried beyond."""


def signs(node: Node, letter: str, domain: Domain, *, integer: bool) -> Signs:
    """Where an expression in one letter is positive, zero and negative.

    Rational expressions, with max, min, abs and where, are exact everywhere. Of others, one that
    only rises or only falls is found by bisection: for integers exactly, else within an
    enclosure. Any other is tried integer by integer. Raises DomainError where none of this helps.
    """
    low, high = domain.ends
    points = critical_points([node], letter, low, high)
    if points is not None:
        return Signs(_exact(node, letter, domain, points), "exact: roots of polynomials")
    direction = Monotone(letter, low, high).direction(node)
    sign = _sign_at(node, letter)
    if direction is not None and low is not None:
        how = "rises" if direction >= 0 else "falls"
        method = f"exact bisection: the difference of the two sides only {how}"
        if integer:
            return Signs(_integer_bisection(sign, low, high, direction), method)
        return Signs(_real_bisection(sign, domain, low, high, direction), method)
    if integer and low is not None:
        return _scanned(sign, ceil(low), high)
    raise DomainError(f"the sign of {text(node)} over all {letter} cannot be told exactly")


def _sign_at(node: Node, letter: str) -> Callable[[Fraction], int | None]:
    kernel = compile_kernel([node], (letter,))

    def sign(x: Fraction) -> int | None:
        try:
            (value,) = kernel({letter: x})
        except SymscaleError:
            return None
        low = value.low if isinstance(value, Enclosure) else value
        return (low > 0) - (low < 0) if isinstance(low, Fraction) else None

    return sign


def _exact(node: Node, letter: str, domain: Domain, points: Sequence[Root]) -> tuple[Segment, ...]:
    low, high = domain.ends
    inner = [point for point in points if point not in (low, high)]
    sign = _sign_at(node, letter)
    samples = list(between(inner, low, high))
    edges: list[Root | None] = [low, *inner, high]
    open_ = [Segment(edges[i], edges[i + 1], sign(sample)) for i, sample in enumerate(samples)]
    at = []
    for i, point in enumerate(inner):
        before, after = open_[i].sign, open_[i + 1].sign
        known = sign(point) if isinstance(point, Fraction) else 0 if before != after else before
        at.append(Segment(point, point, known))
    found = [s for pair in zip_longest(open_, at) for s in pair if s is not None]
    first = [Segment(low, low, sign(low))] if low is not None and low in domain else []
    last = [Segment(high, high, sign(high))] if high is not None and high in domain else []
    return tuple(chain(first, found, last if high != low else []))


def _integer_bisection(
    sign: Callable[[Fraction], int | None], low: Fraction, high: Fraction | None, direction: int
) -> tuple[Segment, ...]:
    """Segments over integers: each begins and ends with the integers just outside of it."""
    start = Fraction(ceil(low))
    stop = Fraction(floor(high)) if high is not None else None

    def first(wanted: Callable[[int], bool]) -> Fraction | None:
        """The least integer from which the sign, times the direction, is as wanted."""

        def holds(x: Fraction) -> bool:
            found = sign(x)
            return found is not None and wanted(found * (direction or 1))

        if holds(start):
            return start
        step, left = Fraction(1), start
        while True:
            right = left + step if stop is None else min(left + step, stop)
            if holds(right):
                break
            if right == stop or right > FARTHEST:
                return None
            left, step = right, step * 2
        while right - left > 1:
            middle = Fraction(floor((left + right) / 2))
            left, right = (left, middle) if holds(middle) else (middle, right)
        return right

    zero, above = first(lambda s: s >= 0), first(lambda s: s > 0)
    way = direction or 1
    found: list[Segment] = []
    if zero != start:
        found.append(Segment(start - 1, zero, -way))
    if zero is not None and zero != above:
        found.append(Segment(zero - 1, above, 0))
    if above is not None:
        found.append(Segment(above - 1, None if stop is None else stop + 1, way))
    return tuple(found)


def _real_bisection(
    sign: Callable[[Fraction], int | None],
    domain: Domain,
    low: Fraction,
    high: Fraction | None,
    direction: int,
) -> tuple[Segment, ...]:
    left = low if low in domain else low + Fraction(1, 10**12)
    right = high if high is not None else max(left, Fraction(1)) * 2
    way = direction or 1
    while high is None and (sign(right) or 0) * way < 0 and right < FARTHEST:
        right *= 2
    start, stop = sign(left), sign(right)
    if start is None or stop is None or start * way > 0 or stop * way < 0:
        return (Segment(low, high, start if start is not None else stop),)
    while right - left > WIDTH / 4 * max(abs(left), abs(right)):
        middle = (left + right) / 2
        here = sign(middle)
        if here is None:
            raise DomainError(f"there is no value at {exact_text(middle)}")
        if here == 0:
            return (
                Segment(low, middle, -way),
                Segment(middle, middle, 0),
                Segment(middle, high, way),
            )
        left, right = (middle, right) if here * way < 0 else (left, middle)
    simple = ((left + right) / 2).limit_denominator(MAX_JUMP)
    if left <= simple <= right:
        return (
            Segment(low, simple, -way),
            Segment(simple, simple, sign(simple)),
            Segment(simple, high, way),
        )
    root = Enclosure(left, right)
    return Segment(low, root, -way), Segment(root, root, 0), Segment(root, high, way)


def _scanned(sign: Callable[[Fraction], int | None], start: int, high: Fraction | None) -> Signs:
    stop = start + SCAN if high is None else min(floor(high), start + SCAN)
    found: list[Segment] = []
    for k in range(start, stop + 1):
        here = sign(Fraction(k))
        low = found.pop().low if found and found[-1].sign == here else Fraction(k - 1)
        found.append(Segment(low, Fraction(k + 1), here))
    tried = None if high is not None and stop == floor(high) else Fraction(stop)
    return Signs(tuple(found), f"every integer from {start} to {stop}", tried)


def first_integer(segment: Segment) -> Fraction | None:
    """The least integer of a segment, None where it has none or no least."""
    if segment.low is None:
        return None
    low = ends(segment.low)[1]
    k = Fraction(ceil(low)) if segment.is_point else Fraction(floor(low) + 1)
    return k if _inside(k, segment) else None


def last_integer(segment: Segment) -> Fraction | None:
    """The greatest integer of a segment, None where it has none or no greatest."""
    if segment.high is None:
        return None
    high = ends(segment.high)[0]
    k = Fraction(floor(high)) if segment.is_point else Fraction(ceil(high) - 1)
    return k if _inside(k, segment) else None


def _inside(k: Fraction, segment: Segment) -> bool:
    if segment.is_point:
        return k == segment.low
    low, high = segment.low, segment.high
    return (low is None or ends(low)[1] < k) and (high is None or k < ends(high)[0])
