"""Numbers with units, against columns with units."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symscale.grading import Reason
from tests.grading.making import one, quoted

RIGHT = [
    # text, key, unit of the column
    ("3.5 GB", "3500000000", "byte"),
    ("3.5GB", "3500000000", "byte"),
    ("3500 MB", "7/2", "GB"),
    ("28 Gb", "7/2", "GB"),
    ("28 Gbit", "7/2", "GB"),
    ("1 GiB", "1073741824", "byte"),
    ("80 GB/s", "80000000000", "byte/s"),
    ("80 GBps", "80000000000", "byte/s"),
    ("640 Gbps", "80", "GB/s"),
    ("80e9 bytes per second", "80", "GB/s"),
    ("312 TFLOPs", "312000000000000", "flop"),
    ("312 TFLOP/s", "312000000000000", "flop/s"),
    ("312 TFLOPS", "312000000000000", "flop/s"),
    ("250 FLOPs/byte", "250", "flop/byte"),
    ("250 FLOPs per byte", "250", "flop/byte"),
    ("250 FLOP/B", "250", "flop/byte"),
    ("5 tokens per second", "5", "token/s"),
    ("5 tok/s", "5", "token/s"),
    ("5 tokens/s/chip", "5", "token/s"),
    ("64 chips", "64", "1"),
    ("64 GPUs", "64", "1"),
    ("$3.50", "7/2", "USD"),
    ("-$3.50", "-7/2", "USD"),
    ("3.50 $", "7/2", "USD"),
    ("3.50 USD", "7/2", "USD"),
    ("350 cents", "7/2", "USD"),
    ("$2/hour", "2", "USD/hour"),
    ("$2 per hour", "2", "USD/hour"),
    ("$2/GPU/hour", "2", "USD/hour"),
    ("US$3.50", "7/2", "USD"),
    ("-US$ 3.50", "-7/2", "USD"),
    ("USD 3.50", "7/2", "USD"),
    ("$ 3.50", "7/2", "USD"),
    ("USD 2 per hour", "2", "USD/hour"),
    ("7 GPU-hours", "7", "hour"),
    ("7 GPU hours", "7", "hour"),
    ("7 hrs", "7", "hour"),
    ("7 Hours", "7", "hour"),
    ("7 secs", "7", "s"),
    ("3.5 GByte", "7/2", "GB"),
    ("7 hours", "25200", "s"),
    ("1/2 hour", "1800", "s"),
    ("2/s", "2", "Hz"),
    ("2 per second", "2", "Hz"),
    ("19.5 ms", "39/2000", "s"),
    ("19.5 µs", "39/2000000", "s"),
    ("19.5 us", "39/2000000", "s"),
    ("12 %", "3/25", "1"),
    ("12 percent", "3/25", "1"),
    ("12", "12", "%"),
    ("12%", "12", "%"),
    ("3 kWh", "10800000", "J"),
    ("5\u00a0GB", "5", "GB"),
    ("1.2 × 10⁹ FLOP", "1200000000", "flop"),
]

WRONG: list[tuple[str, str, str, Reason]] = [
    ("3.5 GiB", "3500000000", "byte", "scale_slip"),
    ("3.5 MB", "3500000000", "byte", "scale_slip"),
    ("3.5", "3500000000", "byte", "scale_slip"),
    ("3500", "3500/1024", "GiB", "scale_slip"),
    ("3.5 Gb", "3500000000", "byte", "wrong_value"),
    ("3.5e9 b", "3500000000", "byte", "wrong_value"),
    ("312 TFLOPS", "312000000000000", "flop", "wrong_unit"),
    ("312 TFLOP/s", "312000000000000", "flop", "wrong_unit"),
    ("312 TFLOPs", "312000000000000", "flop/s", "wrong_unit"),
    ("3.5 s", "7/2", "byte", "wrong_unit"),
    ("3.5 GB/s", "7/2", "GB", "wrong_unit"),
    ("3.5 bananas", "7/2", "byte", "wrong_unit"),
    ("100 tokens", "100", "1", "wrong_unit"),
    ("12%", "12", "byte", "wrong_unit"),
    ("$3.50", "7/2", "byte", "wrong_unit"),
    ("$3.50 USD", "7/2", "USD", "malformed"),
    ("USD 3.50 USD", "7/2", "USD", "malformed"),
    ("US 3.50", "7/2", "USD", "malformed"),
    ("USD 3.50", "7/2", "byte", "wrong_unit"),
    ("$3.50$", "7/2", "USD", "malformed"),
    ("3.5 GB GB", "7/2", "GB", "malformed"),
    ("3.5 GB or 4 GB", "7/2", "GB", "malformed"),
    ("3.5 and GB", "7/2", "GB", "malformed"),
    ("3.5 a/b*c", "7/2", "GB", "wrong_unit"),
    ("3.5 " + "G" * 200, "7/2", "GB", "malformed"),
    ("1 " + "(" * 10 + "kB" + "**12)" * 10, "1", "byte", "malformed"),
    ("1 kB**12**12", "1", "byte", "wrong_unit"),
    ("1 B" + " per B" * 10, "1", "byte", "wrong_unit"),
]


@pytest.mark.parametrize(("text", "key", "unit"), RIGHT)
def test_understood(text: str, key: str, unit: str) -> None:
    grade = one(key, quoted(text), unit)
    assert grade.reward == 1.0, grade.message
    assert grade.cells[0].relative_error == 0


@pytest.mark.parametrize(("text", "key", "unit", "reason"), WRONG)
def test_refused(text: str, key: str, unit: str, reason: Reason) -> None:
    assert one(key, quoted(text), unit).reason == reason


PREFIXES = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "Ki": 2**10, "Gi": 2**30}


@given(
    st.fractions(min_value=1, max_value=10**6),
    st.sampled_from(sorted(PREFIXES)),
    st.sampled_from(sorted(PREFIXES)),
)
def test_conversion_is_exact(key: Fraction, own: str, written: str) -> None:
    value = key * PREFIXES[own] / PREFIXES[written]
    assert one(str(key), quoted(f"{value} {written}B"), f"{own}B").reward == 1.0
    off = value * (1 + Fraction(2, 10**9))
    assert one(str(key), quoted(f"{off} {written}B"), f"{own}B").reason == "wrong_value"


@given(
    st.fractions(min_value=1, max_value=10**6),
    st.integers(1, 8),
    st.sampled_from([1000, 1024, Fraction(1024, 1000)]),
    st.booleans(),
)
def test_a_power_of_1000_or_1024_is_a_slip(
    key: Fraction, power: int, base: Fraction, up: bool
) -> None:
    factor = Fraction(base) ** (power if up else -power)
    assert one(str(key), quoted(str(key * factor))).reason == "scale_slip"
    assert one(str(key), quoted(str(-key * factor))).reason == "wrong_value"
    assert one(str(key), quoted(str(2 * key * factor))).reason in ("wrong_value", "scale_slip")
