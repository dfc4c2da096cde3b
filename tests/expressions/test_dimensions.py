"""Dimensions are found on the nodes, before anything can cancel."""

from __future__ import annotations

import pytest

from symscale.errors import DimensionError, ExpressionError
from symscale.expressions.dimensions import Signature, dimension_of
from symscale.expressions.parser import parse
from symscale.units import ONE, Dimension, UnitSystem

FLOP, BYTE, SECOND, TOKEN = (Dimension.of(base) for base in ("flop", "byte", "s", "token"))
SYMBOLS = {
    "C": FLOP,
    "V": BYTE,
    "M": BYTE,
    "W": BYTE / SECOND,
    "t": SECOND,
    "T": TOKEN,
    "N": Dimension.of("param"),
    "n": ONE,
    "a": ONE,
}


def dimension(units: UnitSystem, source: str, expected: Dimension | None = None) -> str:
    return str(dimension_of(parse(source, units), SYMBOLS, expected=expected))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("V/W", "s"),
        ("V*(n - 1)/n/W", "s"),
        ("C/V", "flop/byte"),
        ("6 [flop/param/token]*N*T", "flop"),
        ("sqrt(V*M)", "byte"),
        ("V**(1/2)", "byte**(1/2)"),
        ("V**-2*V**3", "byte"),
        ("max(V, M, 0)", "byte"),
        ("V + 0", "byte"),
        ("0 + V", "byte"),
        ("T + 1", "token"),
        ("1 + T", "token"),
        ("2*3 - T", "token"),
        ("max(T, 1)", "token"),
        ("ceil(T/2)", "token"),
        ("floor(n)", "1"),
        ("count(T)*count(N)", "1"),
        ("count(N*T)", "1"),
        ("log2(n) + exp(a) - log(V/M)", "1"),
        ("abs(V - M)", "byte"),
        ("where(T >= 1, V, 0)", "byte"),
        ('where(V > 1 [GB], "large", "small")', "1"),
        ("V > M", "1"),
        ("2**n", "1"),
        ("n**a", "1"),
        ("0*V + 3", "1"),
        ("V + 0 [s]", "byte"),
        ("V + 0/2", "byte"),
        ("V + (0 - 0)", "byte"),
        ("V + max(0, 0)", "byte"),
        ("min(V, M)", "byte"),
        ("T + 2**3", "token"),
        ("T + sqrt(4)", "token"),
        ("T + (2 + 1)", "token"),
        ("T + max(1, 2)", "token"),
        ("T + 2*3/4", "token"),
    ],
)
def test_of(units: UnitSystem, source: str, expected: str) -> None:
    assert dimension(units, source) == expected


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("V + t", "in V + t, V is in byte and t is in s"),
        ("V - C", "V is in byte and C is in flop"),
        ("T + 2*n", "T is in token and 2*n is in 1"),
        ("T + 2**n", "T is in token and 2**n is in 1"),
        ("T + sqrt(n)", "T is in token and sqrt(n) is in 1"),
        ("T + (2 + n)", "T is in token and 2 + n is in 1"),
        ("T + max(1, n)", "T is in token and max(1, n) is in 1"),
        ("T + n/0", "T is in token and n/0 is in 1"),
        ("V + n/0", "V is in byte and n/0 is in 1"),
        ("max(V, C)", "in max(V, C), V is in byte and C is in flop"),
        ("where(n > 1, V, C)", "in where(n > 1, V, C), V is in byte and C is in flop"),
        ("V + 1", "V is in byte and 1 is in 1"),
        ("n + T", "n is in 1 and T is in token"),
        ("V/V + t", "V/V is in 1 and t is in s"),
        ("(V - V) + t", "in V - V + t, V is in byte and t is in s"),
        ("V < C", "V is in byte and C is in flop"),
        ("max(V, W)", "V is in byte and W is in byte/s"),
        ("where(n > 1, V, t)", "V is in byte and t is in s"),
        ("where(V > t, 1, 2)", "V is in byte and t is in s"),
        ("2**V", "an exponent is dimensionless, and V is in byte"),
        ("2**T", "an exponent is dimensionless, and T is in token"),
        ("V**n", "its exponent must be a number, not n"),
        ("exp(t)", "the argument of exp is dimensionless, and t is in s"),
        ("log2(T)", "the argument of log2 is dimensionless, and T is in token"),
        ("ceil(V)", "ceil takes a pure number or a count of param and token, and V is in byte"),
        ("count(V)", "count takes a pure number or a count"),
        ("1 [GB] + 1 [s]", "1 [GB] is in byte and 1 [s] is in s"),
    ],
)
def test_a_mismatch_names_both_sides(units: UnitSystem, source: str, message: str) -> None:
    with pytest.raises(DimensionError) as error:
        dimension(units, source)
    assert message in str(error.value)


def test_what_is_expected_is_said(units: UnitSystem) -> None:
    with pytest.raises(DimensionError, match="V/W is in s, where byte is needed"):
        dimension(units, "V/W", BYTE)
    assert dimension(units, "T + 12", TOKEN) == "token"
    assert dimension(units, "0", BYTE) == "byte"
    with pytest.raises(DimensionError):
        dimension(units, "12", TOKEN)


def test_a_call_is_checked_against_the_signature(units: UnitSystem) -> None:
    def signatures(name: str) -> Signature:
        assert name == "seconds"
        return Signature((BYTE, BYTE / SECOND), SECOND)

    def found(source: str) -> Dimension:
        return dimension_of(parse(source, units), SYMBOLS, signatures=signatures)

    assert found("seconds(V, W) + t") == SECOND
    assert found("seconds(0, W)") == SECOND
    with pytest.raises(DimensionError, match="t is in s, where byte is needed"):
        found("seconds(t, W)")
    with pytest.raises(ExpressionError, match="seconds takes 2 arguments, not 1"):
        found("seconds(V)")
