"""What the oracles count, time and search with. Nothing here knows a closed form."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from mpmath import mp

DIGITS = 80
"""Decimal digits of the searches, so that a minimum's place is good to about half as many."""
TINY = mp.mpf(10) ** (10 - DIGITS)
"""What counts as nothing in a search."""


def each(number: Fraction) -> range:
    """0, 1, ... up to a number that must be whole."""
    if number.denominator != 1:
        raise ValueError(f"{number} cannot be counted")
    return range(number.numerator)


def shares(total: Fraction, parts: Fraction) -> list[Fraction]:
    """What each of several parts gets of an even split."""
    return [total / parts for _part in each(parts)]


def elapsed(work: Fraction, rate: Fraction) -> Fraction:
    """Seconds on a clock that ticks while work is left; the last tick may be a fraction of one."""
    clock = Fraction(0)
    while work > rate:
        work -= rate
        clock += 1
    return clock + work / rate


def overlapped(*streams: tuple[Fraction, Fraction]) -> Fraction:
    """Seconds until all of several (work, rate) streams that start together have ended."""
    clock = Fraction(0)
    left = list(streams)
    while left:
        step = min(work / rate for work, rate in left)
        clock += step
        left = [(work - rate * step, rate) for work, rate in left if work > rate * step]
    return clock


def crossing(gap: Callable[[Fraction], Fraction]) -> Fraction:
    """The exact positive number where a growing gap is zero, found by comparisons alone.

    Walks the tree of fractions (Stern and Brocot), so it ends only where the number is rational.
    """
    low, high = (0, 1), (1, 0)
    while True:
        low = farthest(low, high, lambda x: gap(x) <= 0)
        if low[0] and not gap(Fraction(*low)):
            return Fraction(*low)
        high = farthest(high, low, lambda x: gap(x) >= 0)
        if high[1] and not gap(Fraction(*high)):
            return Fraction(*high)


def farthest(
    start: tuple[int, int], step: tuple[int, int], holds: Callable[[Fraction], bool]
) -> tuple[int, int]:
    """The last of start, start + step, start + 2 step, ... (as mediants) that still holds."""

    def at(k: int) -> tuple[int, int]:
        return start[0] + k * step[0], start[1] + k * step[1]

    far = 1
    while holds(Fraction(*at(far))):
        far *= 2
        if far.bit_length() > 400:
            raise ValueError("nothing crosses zero")
    near = far // 2
    while far - near > 1:
        middle = (near + far) // 2
        near, far = (middle, far) if holds(Fraction(*at(middle))) else (near, middle)
    return at(near)


def first(holds: Callable[[int], bool], start: int = 0) -> int:
    """The first whole number, from a start on, of which something holds."""
    number = start
    while not holds(number):
        number += 1
    return number


def real(value: Fraction) -> Any:
    """A fraction to so many digits."""
    with mp.workdps(DIGITS):
        return mp.mpf(value.numerator) / value.denominator


def least(cost: Callable[[Any], Any], low: Fraction, high: Fraction) -> Any:
    """Where a cost with one valley is least, by golden-section search between two bounds."""
    with mp.workdps(DIGITS):
        golden = (mp.sqrt(5) - 1) / 2
        a, b = real(low), real(high)
        while b - a > TINY * b:
            left, right = b - golden * (b - a), a + golden * (b - a)
            if cost(left) < cost(right):
                b = right
            else:
                a = left
        return (a + b) / 2


def added(rates: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """The integral of a rate, by quadrature."""
    with mp.workdps(DIGITS // 2):
        return mp.quad(rates, [low, high])
