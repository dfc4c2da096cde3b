"""What an expression evaluates to, and the irrational cases that are exact after all."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import TypeAlias

from symscale.errors import DomainError
from symscale.numbers import decimal_text, round_to_digits

MAX_EXACT_BITS = 4000
"""A power past this size is enclosed instead of being multiplied out."""

KEY_DIGITS = 30
"""Significant digits of an answer key that is not rational."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """Two rationals with the value between them, closer than 1e-30 of it."""

    low: Fraction
    high: Fraction

    @property
    def key(self) -> Fraction:
        """The value to 30 significant digits, as it is written in an answer key."""
        return round_to_digits((self.low + self.high) / 2, KEY_DIGITS)

    def __str__(self) -> str:
        return f"{decimal_text(self.key, KEY_DIGITS)}…"


Value: TypeAlias = Fraction | Enclosure | str | bool


def key_of(value: Value) -> Fraction | str | bool:
    """The value that an answer key states."""
    return value.key if isinstance(value, Enclosure) else value


def exact_power(base: Fraction, exponent: Fraction) -> Fraction | None:
    """base**exponent where it is rational and of modest size, else None.

    Raises DomainError for 0 to a negative power and for a fractional power of a negative number,
    ZeroDivisionError never.
    """
    if not base:
        if exponent < 0:
            raise DomainError("0 to a negative power divides by zero")
        return Fraction(1) if not exponent else base
    if base in (1, -1) and exponent.denominator == 1:
        return base if exponent.numerator % 2 else Fraction(1)
    root: Fraction | None = base
    if exponent.denominator != 1:
        if base < 0:
            raise DomainError(f"a negative number has no real power {exponent}")
        root = _exact_root(base, exponent.denominator)
    if root is None:
        return None
    bits = max(root.numerator.bit_length(), root.denominator.bit_length())
    if bits * abs(exponent.numerator) > MAX_EXACT_BITS and root != 1:
        return None
    return root**exponent.numerator


def exact_log2(value: Fraction) -> Fraction | None:
    """The binary logarithm of an integer power of two, else None."""
    over, under = value.numerator, value.denominator
    if over > 0 and over & (over - 1) == 0 and under & (under - 1) == 0:
        return Fraction(over.bit_length() - under.bit_length())
    return None


def _exact_root(value: Fraction, degree: int) -> Fraction | None:
    over, under = _integer_root(value.numerator, degree), _integer_root(value.denominator, degree)
    return None if over is None or under is None else Fraction(over, under)


def _integer_root(number: int, degree: int) -> int | None:
    if degree == 2:
        root = isqrt(number)
    elif number.bit_length() > MAX_EXACT_BITS:
        return None
    else:
        root = _floor_root(number, degree)
    return root if root**degree == number else None


def _floor_root(number: int, degree: int) -> int:
    """The largest integer whose power is no more, found bit by bit."""
    root = 0
    for bit in range(number.bit_length() // degree, -1, -1):
        larger = root | 1 << bit
        if larger**degree <= number:
            root = larger
    return root
