"""Roots in integers, held against roots that polynomials were made from."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symscale.algebra.integer_roots import all_roots
from symscale.algebra.roots import Coefficients, product, real_roots
from symscale.expressions.values import Enclosure

rationals = st.fractions(min_value=-(10**9), max_value=10**9, max_denominator=10**9)
IRRATIONAL = tuple(map(Fraction, (-2, 0, 1)))
NONE = tuple(map(Fraction, (2, 1, 1)))


def made_of(*roots: Fraction) -> Coefficients:
    polynomial: Coefficients = (Fraction(1),)
    for root in roots:
        polynomial = product(polynomial, (-root, Fraction(1)))
    return polynomial


@given(st.lists(rationals, max_size=5), st.integers(1, 3), rationals)
def test_rational_roots_are_exact(roots: list[Fraction], times: int, scale: Fraction) -> None:
    scaled = tuple(c * (scale or 1) for c in made_of(*roots * times))
    assert all_roots(scaled) == sorted(set(roots))
    assert all_roots(product(scaled, NONE)) == sorted(set(roots))


@given(st.lists(rationals, max_size=3))
def test_irrational_roots_are_enclosed(roots: list[Fraction]) -> None:
    found = all_roots(product(made_of(*roots), IRRATIONAL))
    assert [root for root in found if isinstance(root, Fraction)] == sorted(set(roots))
    low, high = (root for root in found if isinstance(root, Enclosure))
    assert low.high**2 <= 2 <= low.low**2
    assert high.low**2 <= 2 <= high.high**2
    assert high.high - high.low < Fraction(1, 2**60)


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=6))
def test_as_many_as_by_fractions(coefficients: list[int]) -> None:
    polynomial = tuple(map(Fraction, coefficients))
    if any(polynomial):
        assert len(all_roots(polynomial)) == len(real_roots(polynomial))
    else:
        assert all_roots(polynomial) == []


@pytest.mark.parametrize("power", [2, 3, 4, 24])
def test_close_and_long_roots(power: int) -> None:
    near, far = Fraction(10**30 + 1, 10**30), Fraction(2**90 - 33, 3**60)
    assert all_roots(made_of(Fraction(1), near, far)) == sorted([Fraction(1), near, far])
    assert all_roots(made_of(*[near] * power)) == [near]
