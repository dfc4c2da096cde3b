"""Roots against the factors that a polynomial was made of."""

from __future__ import annotations

from fractions import Fraction as F
from functools import reduce
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symscale.algebra.roots import Coefficients, derivative, product, real_roots, trimmed, value_at
from symscale.expressions.values import Enclosure

rationals = st.fractions(min_value=-50, max_value=50, max_denominator=30)


@given(roots=st.lists(rationals, min_size=1, max_size=5), scale=rationals.filter(bool))
def test_rational_roots_come_back_exactly(roots: list[F], scale: F) -> None:
    start: Coefficients = (scale,)
    polynomial = reduce(product, [(-root, F(1)) for root in roots], start)
    assert real_roots(polynomial) == sorted(set(roots))


@given(a=st.integers(2, 400), b=st.integers(2, 400))
def test_irrational_roots_are_enclosed(a: int, b: int) -> None:
    polynomial = product((F(-a), F(0), F(1)), (F(-b), F(1)))
    for root in real_roots(polynomial):
        if isinstance(root, Enclosure):
            assert min(root.low**2, root.high**2) <= a <= max(root.low**2, root.high**2)
            assert abs(root.high - root.low) < F(1, 10**29) * abs(root.low)
        else:
            assert root == b or root**2 == a


@given(
    coefficients=st.lists(rationals, min_size=2, max_size=6).map(trimmed),
    low=rationals,
    width=st.integers(1, 60),
)
def test_no_change_of_sign_is_missed(coefficients: tuple[F, ...], low: F, width: int) -> None:
    if len(coefficients) < 2:
        return
    high = low + width
    found = real_roots(coefficients, low, high)
    steps = [low + F(k, 40) * width for k in range(41)]
    values = [value_at(coefficients, x) for x in steps]
    changes = sum(a * b < 0 for a, b in pairwise(values))
    assert len(found) >= changes
    for root in found:
        middle = (root.low + root.high) / 2 if isinstance(root, Enclosure) else root
        assert low <= middle <= high


def test_a_double_root_counts_once() -> None:
    assert real_roots((F(9), F(-6), F(1))) == [3]
    assert real_roots((F(1), F(0), F(1))) == []


def test_the_derivative() -> None:
    assert derivative((F(5), F(3), F(2))) == (F(3), F(4))


def test_what_is_no_polynomial() -> None:
    with pytest.raises(ValueError, match="polynomial"):
        real_roots((F(0),))
