"""Real roots of polynomials in one letter, isolated exactly by Sturm's theorem.

A polynomial is its coefficients, the constant first. Every root comes as an exact rational or as
a pair of rationals around it, as close as an enclosure needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import count, pairwise
from math import floor
from typing import TypeAlias

from symscale.expressions.enclosure import WIDTH
from symscale.expressions.values import Enclosure

Coefficients: TypeAlias = tuple[Fraction, ...]
Root: TypeAlias = Fraction | Enclosure

MAX_DEGREE = 24


def trimmed(coefficients: Iterable[Fraction]) -> Coefficients:
    kept = list(coefficients)
    while kept and not kept[-1]:
        kept.pop()
    return tuple(kept)


def value_at(polynomial: Coefficients, x: Fraction) -> Fraction:
    return reduce(lambda total, c: total * x + c, reversed(polynomial), Fraction(0))


def derivative(polynomial: Coefficients) -> Coefficients:
    return tuple(c * power for power, c in enumerate(polynomial))[1:]


def product(a: Coefficients, b: Coefficients) -> Coefficients:
    if not a or not b:
        return ()
    total = [Fraction(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            total[i + j] += x * y
    return trimmed(total)


def difference(a: Coefficients, b: Coefficients) -> Coefficients:
    size = max(len(a), len(b))
    padded = [(*side, *([Fraction(0)] * (size - len(side)))) for side in (a, b)]
    return trimmed(x - y for x, y in zip(*padded, strict=True))


def _remainder(a: Coefficients, b: Coefficients) -> Coefficients:
    return _divide(a, b)[1]


def _divide(a: Coefficients, b: Coefficients) -> tuple[Coefficients, Coefficients]:
    rest = list(a)
    quotient = [Fraction(0)] * max(len(a) - len(b) + 1, 0)
    while len(rest) >= len(b):
        scale = rest[-1] / b[-1]
        shift = len(rest) - len(b)
        quotient[shift] = scale
        for position, c in enumerate(b):
            rest[shift + position] -= scale * c
        rest.pop()
        while rest and not rest[-1]:
            rest.pop()
    return trimmed(quotient), tuple(rest)


def _simple(polynomial: Coefficients) -> Coefficients:
    """The same roots, each once."""
    a, b = polynomial, derivative(polynomial)
    while b:
        a, b = b, _remainder(a, b)
    return _divide(polynomial, a)[0]


def real_roots(
    polynomial: Iterable[Fraction], low: Fraction | None = None, high: Fraction | None = None
) -> list[Root]:
    """The distinct real roots between two bounds, these included, in order.

    Raises ValueError for the zero polynomial and past a degree of 24.
    """
    whole = trimmed(polynomial)
    if not whole or len(whole) > MAX_DEGREE + 1:
        raise ValueError("not a polynomial whose roots are looked for")
    if len(whole) == 1:
        return []
    simple = _simple(whole)
    bound = 1 + max(abs(c / simple[-1]) for c in simple)
    start = -bound if low is None else max(low, -bound)
    stop = bound if high is None else min(high, bound)
    if start > stop:
        return []
    roots: list[Root] = [start] if not value_at(simple, start) else []
    chain = _sturm(simple)
    pending = [(start, stop)]
    while pending:
        left, right = pending.pop()
        count = _changes(chain, left) - _changes(chain, right)
        if count == 1:
            roots.append(_refined(simple, left, right))
        elif count > 1:
            middle = (left + right) / 2
            pending += [(middle, right), (left, middle)]
    return sorted(roots, key=lambda root: root.low if isinstance(root, Enclosure) else root)


def _sturm(polynomial: Coefficients) -> list[Coefficients]:
    chain = [polynomial, derivative(polynomial)]
    while len(chain[-1]) > 1:
        rest = _remainder(chain[-2], chain[-1])
        if not rest:
            break
        chain.append(tuple(-c for c in rest))
    return chain


def _changes(chain: Sequence[Coefficients], x: Fraction) -> int:
    signs = [value > 0 for value in (value_at(p, x) for p in chain) if value]
    return sum(a != b for a, b in pairwise(signs))


def _refined(polynomial: Coefficients, left: Fraction, right: Fraction) -> Root:
    """The one root in (left, right]: exact if it is a rational of modest size, else enclosed."""
    if len(polynomial) == 2:
        return -polynomial[0] / polynomial[1]
    if not value_at(polynomial, right):
        return right
    if left < 0 < right and not polynomial[0]:
        return Fraction(0)
    rising = value_at(polynomial, right) > 0
    for step in count():
        if step % 8 == 0:
            simple = _simplest(left, right)
            if left < simple and not value_at(polynomial, simple):
                return simple
        if left * right > 0 and right - left < WIDTH / 4 * min(abs(left), abs(right)):
            break
        middle = (left + right) / 2
        value = value_at(polynomial, middle)
        if not value:
            return middle
        left, right = (left, middle) if (value > 0) == rising else (middle, right)
    return Enclosure(left, right)


def _simplest(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of the smallest denominator between two others."""
    whole = floor(low)
    if whole + 1 <= high or low == whole:
        return Fraction(whole if low == whole else whole + 1)
    return whole + 1 / _simplest(1 / (high - whole), 1 / (low - whole))
