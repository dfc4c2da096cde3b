"""The best of a few candidates, the value on which trials agree, and what a curve tends to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

Curve = Callable[[int], Fraction]


def agreed(trials: Iterable[Fraction]) -> Fraction:
    """The value that all trials give, because what they vary does not matter."""
    values = set(trials)
    if len(values) > 1:
        raise ValueError(f"the trials disagree: {sorted(values)}")
    return values.pop()


def best(cost: Curve, candidates: Sequence[int]) -> int:
    """The candidate of least cost, which must be the only one."""
    costs = [cost(candidate) for candidate in candidates]
    if costs.count(min(costs)) > 1:
        raise ValueError("several candidates are best")
    return candidates[costs.index(min(costs))]


def tendency(curve: Curve, sizes: Sequence[int]) -> Fraction:
    """What a curve of the form a + b/size tends to as the size grows.

    The first two sizes say it; the others must lie on the same curve.
    """
    first, second, *others = sizes
    slope = (curve(first) - curve(second)) / (Fraction(1, first) - Fraction(1, second))
    limit = curve(first) - slope / first
    for size in others:
        if curve(size) != limit + slope / size:
            raise ValueError("the curve is not of the form a + b/size")
    return limit
