"""Numbers in every spelling, held against decisions taken with Fraction."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from symscale.grading.numbers import MAX_DIGITS, MAX_EXPONENT, Written, read_number
from symscale.grading.reasons import Refusal
from tests.grading.making import one, quoted

TOLERANCE = Fraction(1, 10**9)

integers = st.integers(-(10**40), 10**40)
fractions = st.builds(Fraction, integers, st.integers(1, 10**30))
decimals = st.builds(lambda m, e: (m, e), integers, st.integers(-60, 60))


def within(value: Fraction, key: Fraction, exact: bool = False) -> bool:
    return value == key if exact else abs(value - key) <= TOLERANCE * abs(key)


def grouped(digits: str) -> str:
    head = len(digits) % 3 or 3
    return ",".join([digits[:head], *(digits[i : i + 3] for i in range(head, len(digits), 3))])


SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def spellings(mantissa: int, exponent: int) -> list[str]:
    """Ways to write mantissa * 10**exponent in a string."""
    sign, digits = ("−" if mantissa < 0 else ""), str(abs(mantissa))
    signed = f"{mantissa}"
    ways = [
        f"{signed}e{exponent}",
        f"{signed}E{exponent:+}",
        f"{sign}{digits}e{exponent}",
        f"{signed} x 10^{exponent}",
        f"{signed} × 10^{exponent}",
        f"{signed}*10**{exponent}",
        f"{signed} · 10{str(exponent).translate(SUPERSCRIPT)}",
        f"{signed[:-1] or '0'}{signed[-1]}.000e{exponent}",
        f"{sign}{digits[0]}.{digits[1:]}e{exponent + len(digits) - 1}",
        f"+{digits}e{exponent}" if mantissa >= 0 else f"{signed}e{exponent}",
        format(Decimal(f"{mantissa}e{exponent}"), "f"),
    ]
    if mantissa:
        ways.append(f"{sign}{grouped(digits)}e{exponent}")
    if exponent >= 0:
        ways += [f"{signed}{'0' * exponent}", f"{signed}{'0' * exponent}."]
    else:
        ways.append(f"{signed}/{10**-exponent}")
    return ways


@given(decimals)
def test_every_spelling_is_the_number(number: tuple[int, int]) -> None:
    mantissa, exponent = number
    value = Fraction(mantissa) * Fraction(10) ** exponent
    for way in spellings(mantissa, exponent):
        read = read_number(way)
        assert not isinstance(read, Refusal), way
        assert (read[0].value, read[1]) == (value, ""), way


@given(decimals, st.integers(-3, 3), st.booleans(), st.data())
def test_the_decision_is_the_one_of_fractions(
    number: tuple[int, int], off: int, exact: bool, data: st.DataObject
) -> None:
    mantissa, exponent = number
    value = Fraction(mantissa) * Fraction(10) ** exponent
    key = data.draw(
        st.one_of(
            fractions,
            st.just(value),
            st.just(value * (1 + TOLERANCE * off / 2)),
            st.just(value / (1 + TOLERANCE * off) if value else Fraction(0)),
            st.just(value * Fraction(1000) ** off),
        )
    )
    way = data.draw(st.sampled_from(spellings(mantissa, exponent)))
    grade = one(str(key), quoted(way), exact=exact)
    assert grade.reward == float(within(value, key, exact)), way
    assert grade.cells[0].relative_error == ((value - key) / abs(key) if key else None)


@given(fractions, fractions)
def test_a_fraction_is_read_exactly(value: Fraction, key: Fraction) -> None:
    assert one(str(value), quoted(f"{value.numerator}/{value.denominator}")).reward == 1.0
    assert one(str(key), quoted(str(value))).reward == float(within(value, key))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e3/2e5", "1/200"),
        ("1.5/0.25", "6"),
        ("7 / 2", "7/2"),
        ("-7/2e-3", "-3500"),
        ("1,000/3", "1000/3"),
        ("10/4", "5/2"),
        ("10^3", "1000"),
        ("-10^-3", "-1/1000"),
        ("10⁻³", "1/1000"),
        ("7  /  2", "7/2"),
        ("7  ×  10^2", "700"),
        (r"7 \times 10^{0}", "7"),
        (r"1.5\cdot10^{-2}", "3/200"),
        ("10^{2}", "100"),
        ("10^(-2)", "1/100"),
        ("10**(2)", "100"),
    ],
)
def test_fractions_and_powers(text: str, value: str) -> None:
    read = read_number(text)
    assert not isinstance(read, Refusal)
    assert (read[0].value, read[1]) == (Fraction(value), "")


@given(fractions, st.integers(1, 10**6))
def test_the_edge_of_the_tolerance(key: Fraction, step: int) -> None:
    assume(key)
    edge = key * (1 + TOLERANCE)
    beyond = edge + abs(key) / 10**40 / step * (1 if key > 0 else -1)
    inside = key * (1 - TOLERANCE)
    assert one(str(key), quoted(str(edge))).reward == 1.0
    assert one(str(key), quoted(str(inside))).reward == 1.0
    assert one(str(key), quoted(str(beyond))).reason == "wrong_value"


@given(st.text(max_size=20))
def test_a_number_in_other_words_is_no_number(text: str) -> None:
    """Whatever is accepted for 7 has the value 7 in ASCII digits alone."""
    grade = one("7", quoted(text))
    if grade.reward:
        number = grade.cells[0].number
        assert number is not None
        assert number.value == 7
        assert text.isascii() or set(text) & set("−×·⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻\u00a0\u2009\u202f")


@pytest.mark.parametrize(
    "text",
    [
        "٧", "７", "𝟕", "७", "²", "½", "Ⅶ", "1_000", "0x7", "7f", "7L", "7j", "7+0", "1e", "e7",
        "--7", "+-7", "- 7", "7-", "7..", "7.0.0", ".", "-", "", " ", "1 000", "1'000", "1.000,5",
        "1,00", "7e7.5", "7e--1", "10^", "10^^9", "2^30", "7/", "/7", "7//1", "7/0", "7/0.0",
        "7/-1", "1/2/3", "~7", "≈7", "=7", "7?", "7!", "(7)", "[7]", "{7}", "<7>", "7,", "7;8",
        "7 8", "7 or 8", "not 7", "7 not", "7 or so", "about 7", "seven", "inf", "-inf", "infinity",
        "nan", "NaN", "None", "null", "true", "7\x00", "\x007", "7\ud800", "7\u200b", "\ufeff7",
        "10⁹⁻", "7 × 10⁺⁻9", "7 × 10⁻", "10⁻", "7x", "7 x 10",
        "10^{2", "10^(2}", "10^{2}0", "2^{3}", "7 × × 10^0", r"7 \timesx 10^0",
        "x" * 1000, "7 1", "7 1/s", "7 (s)", "7 * s", "7 ^2", "7 -1", "\u202e7",
    ],
)  # fmt: skip
def test_what_is_not_a_number(text: str) -> None:
    assert one("7", quoted(text)).reason in ("malformed", "wrong_unit")
    assert one("7", quoted(text)).reward == 0.0


def test_bounds_come_before_anything_is_built() -> None:
    for text in (
        "9" * (MAX_DIGITS + 1),
        f"1e{MAX_EXPONENT + 1}",
        "0." + "0" * MAX_DIGITS + "1",
        f"1e{'9' * 40_000}",
        f"1/{'3' * (MAX_DIGITS + 1)}",
        f"10^{MAX_EXPONENT + 1}",
    ):
        read = read_number(text)
        assert isinstance(read, Refusal)
        assert read.reason == "too_large"
    assert read_number(f"1e{MAX_EXPONENT}") == (Written(1, 1, MAX_EXPONENT), "")
    assert read_number(f"1e-000{MAX_EXPONENT}") == (Written(1, 1, -MAX_EXPONENT), "")


@given(decimals, decimals)
def test_magnitudes_tell_only_different_numbers_apart(
    a: tuple[int, int], b: tuple[int, int]
) -> None:
    key = Fraction(b[0]) * Fraction(10) ** b[1]
    written = Written(a[0], 1, a[1])
    if not written.near(key):
        assert not within(written.value, key)
    assert Written(b[0], 1, b[1]).near(key)
