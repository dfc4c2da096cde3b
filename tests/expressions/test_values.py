"""Powers, roots and logarithms that are rational after all."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symscale.errors import DomainError
from symscale.expressions.values import MAX_EXACT_BITS, Enclosure, exact_log2, exact_power, key_of

positive = st.fractions(min_value=Fraction(1, 200), max_value=200, max_denominator=200)
degrees = st.integers(1, 40)


class TestPowers:
    @given(positive, st.integers(-9, 9), degrees)
    def test_a_perfect_power_gives_its_root_back(
        self, root: Fraction, power: int, degree: int
    ) -> None:
        assert exact_power(root**degree, Fraction(power, degree)) == root**power

    @given(st.integers(2, 10**12), st.integers(2, 9))
    def test_what_is_no_perfect_power_has_no_rational_root(self, number: int, degree: int) -> None:
        root = round(number ** (1 / degree))
        perfect = any(near**degree == number for near in (root - 1, root, root + 1) if near > 0)
        assert (exact_power(Fraction(number), Fraction(1, degree)) is not None) == perfect
        assert (exact_power(Fraction(1, number), Fraction(1, degree)) is not None) == perfect

    @given(st.fractions(max_denominator=50), st.integers(0, 6))
    def test_whole_powers(self, base: Fraction, power: int) -> None:
        assert exact_power(base, Fraction(power)) == base**power

    def test_the_bound_is_on_the_bits_of_the_result(self) -> None:
        two = Fraction(2)
        assert exact_power(two, Fraction(MAX_EXACT_BITS // 2)) == 2 ** (MAX_EXACT_BITS // 2)
        assert exact_power(two, Fraction(MAX_EXACT_BITS)) is None
        assert exact_power(1 / two, Fraction(MAX_EXACT_BITS)) is None
        assert exact_power(Fraction(1), Fraction(10**30)) == 1
        assert exact_power(Fraction(-1), Fraction(10**30 + 1)) == -1

    def test_a_root_other_than_the_square_root_has_a_bound_on_its_radicand(self) -> None:
        root = 2 ** (MAX_EXACT_BITS // 3)
        assert (root**3).bit_length() == MAX_EXACT_BITS
        assert exact_power(Fraction(root**3), Fraction(1, 3)) == root
        assert exact_power(Fraction((2 * root) ** 3), Fraction(1, 3)) is None
        assert exact_power(Fraction(root**4), Fraction(1, 2)) == root**2

    @pytest.mark.parametrize("power", range(-4, 5))
    def test_powers_of_minus_one(self, power: int) -> None:
        assert exact_power(Fraction(-1), Fraction(power)) == (1 if power % 2 == 0 else -1)

    @pytest.mark.parametrize("degree", range(2, 8))
    def test_roots_of_every_degree(self, degree: int) -> None:
        assert exact_power(Fraction(6**degree, 5**degree), Fraction(1, degree)) == Fraction(6, 5)
        assert exact_power(Fraction(6**degree + 1), Fraction(1, degree)) is None

    def test_zero_and_negative_bases(self) -> None:
        assert exact_power(Fraction(0), Fraction(0)) == 1
        assert exact_power(Fraction(0), Fraction(3, 2)) == 0
        with pytest.raises(DomainError, match=r"^0 to a negative power divides by zero$"):
            exact_power(Fraction(0), Fraction(-1))
        with pytest.raises(DomainError, match="a negative number has no real power 1/3"):
            exact_power(Fraction(-8), Fraction(1, 3))


@given(st.integers(-300, 300))
def test_the_logarithm_of_a_power_of_two(power: int) -> None:
    assert exact_log2(Fraction(2) ** power) == power


@given(st.fractions(max_denominator=10**6))
def test_any_other_logarithm_is_not_rational(value: Fraction) -> None:
    power = exact_log2(value)
    assert power is None or Fraction(2) ** power.numerator == value
    is_power = value > 0 and bin(value.numerator * value.denominator).count("1") == 1
    assert (power is not None) == is_power


def test_the_key_of_an_enclosure_has_thirty_digits() -> None:
    third = Enclosure(Fraction("0.3333333333333333333333333333333331"), Fraction(1, 3))
    assert key_of(third) == Fraction("0.333333333333333333333333333333")
    assert key_of("memory") == "memory"


def test_an_enclosure_is_written_to_thirty_digits() -> None:
    low = Fraction(
        "1.414213562373095048801688724209698078569"
    )  # the square root of 2, OEIS A002193
    high = low + Fraction(1, 10**39)
    assert str(Enclosure(low, high)) == "1.41421356237309504880168872421…"
