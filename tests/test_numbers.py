"""Decimal text and exact rationals, both ways."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symscale.errors import ExpressionError, SymscaleError, TooLargeError
from symscale.numbers import (
    decimal_text,
    plain_decimal,
    read_decimal,
    read_rational,
    round_to_digits,
    terminates,
    within_tolerance,
)

decimals = st.builds(
    "{}{}.{}e{}".format,
    st.sampled_from(["", "-", "+"]),
    st.integers(0, 10**20),
    st.integers(0, 10**20),
    st.integers(-300, 300),
)
rationals = st.fractions(max_denominator=10**9)


@given(decimals)
def test_a_decimal_is_read_as_python_reads_it(text: str) -> None:
    assert read_decimal(text) == Fraction(text)


@given(rationals)
def test_a_fraction_reads_back(value: Fraction) -> None:
    assert read_rational(str(value)) == value


@pytest.mark.parametrize(
    "text", ["", ".", "-", "e5", "1e", "1_000", "0x10", "١", "nan", "inf", " 1", "1,000", "1/2"]
)
def test_what_is_not_a_decimal(text: str) -> None:
    with pytest.raises(ExpressionError, match="is not a decimal number"):
        read_decimal(text)


@pytest.mark.parametrize(
    "text", ["1" * 61, "0." + "0" * 60 + "1", "1e401", "1e-401", "1e" + "9" * 99]
)
def test_what_is_too_large(text: str) -> None:
    with pytest.raises(TooLargeError):
        read_decimal(text)


def test_leading_zeros_of_an_exponent_do_not_count() -> None:
    assert read_decimal("1e0000000005") == 100000


@pytest.mark.parametrize("text", ["1/0", "1/2/3", "/2", "1/", "a/b"])
def test_what_is_not_a_fraction(text: str) -> None:
    with pytest.raises(SymscaleError):
        read_rational(text)


@given(rationals)
def test_terminating_is_what_decimal_division_says(value: Fraction) -> None:
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    assert terminates(value) == (rest == 1)


@given(st.integers(-(10**30), 10**30), st.integers(0, 40))
def test_plain_decimal_is_exact(digits: int, places: int) -> None:
    value = Fraction(digits, 10**places)
    assert Fraction(plain_decimal(value)) == value


@given(st.fractions(), st.integers(1, 30))
def test_rounding_to_digits_is_what_decimal_does(value: Fraction, digits: int) -> None:
    with localcontext() as context:
        context.prec = digits
        expected = Fraction(Decimal(value.numerator) / Decimal(value.denominator))
    assert round_to_digits(value, digits) == expected


@given(st.fractions())
def test_decimal_text_is_within_its_digits(value: Fraction) -> None:
    assert abs(Fraction(decimal_text(value)) - value) * 10**12 <= 5 * abs(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("0", "0"),
        ("8.4e23", "8.4e23"),
        ("123456789012345", "123456789012000"),
        ("1e15", "1e15"),
        ("0.00001", "0.00001"),
        ("0.000001", "1e-6"),
        ("-2/3", "-0.666666666667"),
        ("999999999999.9", "1000000000000"),
    ],
)
def test_decimal_text(value: str, text: str) -> None:
    assert decimal_text(Fraction(value)) == text


def test_numbers_beyond_the_digit_limit_of_python_are_shown() -> None:
    assert decimal_text(Fraction(10) ** 6000) == "1e6000"
    assert decimal_text(1 / Fraction(7) ** 9000).endswith("e-7606")


@given(rationals, rationals)
def test_the_tolerance_is_one_part_in_a_billion(value: Fraction, key: Fraction) -> None:
    assert within_tolerance(value, key) == (
        value == key or (key != 0 and abs(value / key - 1) <= Fraction(1, 10**9))
    )


@given(rationals.filter(bool))
def test_the_edge_of_the_tolerance(key: Fraction) -> None:
    edge = key * (1 + Fraction(1, 10**9))
    assert within_tolerance(edge, key)
    assert not within_tolerance(edge + key / 10**30, key)
    assert within_tolerance(Fraction(0), Fraction(0))
    assert not within_tolerance(key / 10**40, Fraction(0))
