"""All real roots of a polynomial, in integers: whatever their size, the rational ones exactly.

Multiplied by a suitable number, the roots are those of a polynomial with integer coefficients and
a leading one: its rational roots are integers, and between neighbouring integers lie the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import gcd, isqrt, lcm
from typing import TypeAlias

from symscale.algebra.quotients import Terms, along
from symscale.algebra.roots import Root
from symscale.expressions.values import Enclosure

Integers: TypeAlias = tuple[int, ...]
"""Coefficients, the constant first, the last one positive."""

EXTRA_BITS = 64
MAX_DEGREE = 8
MAX_BITS = 16_384
"""Of a coefficient of the polynomial whose roots are multiplied."""


class TooFineError(Exception):
    """Roots too close, or coefficients too long, to tell the roots apart cheaply."""


def all_roots(polynomial: Sequence[Fraction]) -> list[Fraction | Enclosure]:
    """The distinct real roots, in order; a constant has none.

    Raises TooFineError.

    >>> all_roots([Fraction(9), Fraction(-6), Fraction(1)])
    [Fraction(3, 1)]
    """
    integers = _simple(_integers(polynomial)) if len(polynomial) > 3 else _integers(polynomial)
    match integers:
        case () | (_,):
            return []
        case (b, a):
            return [Fraction(-b, a)]
        case (c, b, a):
            return _quadratic(c, b, a)
        case _:
            return _higher(integers)


def roots_in_one_letter(terms: Terms) -> tuple[int, list[Root]] | None:
    """The position of the one letter of a polynomial, and its roots; None for other polynomials,
    for a degree past 8, and for roots too close to tell apart cheaply."""
    degrees = [max(column) for column in zip(*terms, strict=True)]
    used = [place for place, degree in enumerate(degrees) if degree]
    if len(used) != 1 or degrees[used[0]] > MAX_DEGREE:
        return None
    try:
        return used[0], all_roots(along(terms, [Fraction(0)] * len(degrees), used[0]))
    except TooFineError:
        return None


def _integers(polynomial: Iterable[Fraction]) -> Integers:
    kept = list(polynomial)
    scale = lcm(*(c.denominator for c in kept))
    return _primitive([c.numerator * (scale // c.denominator) for c in kept])


def _primitive(integers: Sequence[int]) -> Integers:
    """Without common factors, zeros at the end left out, and the leading one positive."""
    size = max((power for power, c in enumerate(integers, 1) if c), default=0)
    if not size:
        return ()
    divisor = gcd(*integers) * (1 if integers[size - 1] > 0 else -1)
    return tuple(c // divisor for c in integers[:size])


def _quadratic(c: int, b: int, a: int) -> list[Fraction | Enclosure]:
    square = b * b - 4 * a * c
    if square < 0:
        return []
    root = isqrt(square)
    if root * root == square:
        return [Fraction(-b + way * root, 2 * a) for way in ((-1, 1) if root else (1,))]
    shift = EXTRA_BITS + b.bit_length()
    low = isqrt(square << 2 * shift)
    scale, b = 2 * a << shift, b << shift
    return [
        Enclosure(Fraction(-b - low - 1, scale), Fraction(-b - low, scale)),
        Enclosure(Fraction(-b + low, scale), Fraction(-b + low + 1, scale)),
    ]


def _higher(integers: Integers) -> list[Fraction | Enclosure]:
    """The roots of a polynomial that has no double ones."""
    scale = integers[-1] << EXTRA_BITS
    monic = _multiplied(integers, scale)
    if max(map(int.bit_length, monic)) > MAX_BITS:
        raise TooFineError
    chain = _sturm(monic)
    degree = len(monic) - 1
    bits = max(c.bit_length() // (degree - power) for power, c in enumerate(monic[:-1]))
    bound = 4 << bits
    found: list[Fraction | Enclosure] = []
    pending = [(-bound, bound)]
    while pending:
        low, high = pending.pop()
        roots = _changes(chain, low) - _changes(chain, high)
        if roots == 1:
            low, high = _narrowed(monic, low, high)
            exact = not _value(monic, high)
            found.append(
                Fraction(high, scale)
                if exact
                else Enclosure(Fraction(low, scale), Fraction(high, scale))
            )
        elif roots > 1:
            if high - low < 2:
                raise TooFineError
            middle = (low + high) // 2
            pending += [(middle, high), (low, middle)]
    return found


def _multiplied(integers: Integers, scale: int) -> Integers:
    """The polynomial with leading coefficient 1 whose roots are `scale` times as large; the
    leading coefficient divides the scale."""
    degree = len(integers) - 1
    lower = [c * scale ** (degree - power) // integers[-1] for power, c in enumerate(integers[:-1])]
    return (*lower, 1)


def _narrowed(monic: Integers, low: int, high: int) -> tuple[int, int]:
    """Neighbouring integers around the one root in (low, high], by Newton's steps where these
    stay inside and by bisection where not."""
    slope = _derivative(monic)
    rising = (_value(monic, high) or _value(slope, high)) > 0
    place = (low + high) // 2
    halve = True
    while high - low > 1:
        value = _value(monic, place)
        if not value:
            return place - 1, place
        if (value > 0) == rising:
            high = place
        else:
            low = place
        halve = not halve
        steep = _value(slope, place)
        near = place - value // steep if steep and not halve else low
        place = near if low < near < high else (low + high) // 2
    return low, high


def _derivative(integers: Integers) -> Integers:
    return tuple(c * power for power, c in enumerate(integers))[1:]


def _simple(integers: Integers) -> Integers:
    """The same roots, each once."""
    if len(integers) < 2:
        return integers
    divisor = _primitive(_sturm(integers)[-1])
    if len(divisor) == 1:
        return integers
    rest, quotient = [Fraction(c) for c in integers], [Fraction(0)] * len(integers)
    while len(rest) >= len(divisor):
        shift = len(rest) - len(divisor)
        quotient[shift] = rest[-1] / divisor[-1]
        for power, c in enumerate(divisor):
            rest[shift + power] -= quotient[shift] * c
        rest.pop()
    return _integers(quotient)


def _sturm(integers: Integers) -> list[Integers]:
    """Sturm's chain, each but for a positive factor; its last is the greatest common divisor of
    the polynomial and its derivative."""
    chain = [integers, _derivative(integers)]
    while rest := _remainder(chain[-2], chain[-1]):
        divisor = gcd(*rest)
        chain.append(tuple(-c // divisor for c in rest))
    return chain


def _remainder(over: Integers, under: Integers) -> Integers:
    """A positive multiple of the remainder."""
    rest = list(over)
    lead, sign = abs(under[-1]), 1 if under[-1] > 0 else -1
    while len(rest) >= len(under):
        shift, factor = len(rest) - len(under), rest[-1] * sign
        rest = [c * lead for c in rest]
        for power, c in enumerate(under):
            rest[shift + power] -= factor * c
        while rest and not rest[-1]:
            rest.pop()
    return tuple(rest)


def _changes(chain: Sequence[Integers], x: int) -> int:
    signs = [value > 0 for value in (_value(integers, x) for integers in chain) if value]
    return sum(a != b for a, b in pairwise(signs))


def _value(integers: Integers, x: int) -> int:
    return reduce(lambda total, c: total * x + c, reversed(integers), 0)
