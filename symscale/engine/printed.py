"""Figures as they are printed: a number to so many digits, with a unit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from symscale.errors import UnitError
from symscale.numbers import decimal_exponent, round_to_digits, terminates
from symscale.units import UNITLESS, Unit, UnitSystem

_NUMBER = re.compile(r"\s*[+-]?([0-9][0-9,]*\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
_MAX_POWER = 5


@dataclass(frozen=True, slots=True)
class Printed:
    """A figure, with the number of digits it was printed to."""

    text: str
    value: Fraction
    """The number of `unit`."""
    unit: Unit
    digits: int

    @classmethod
    def read(cls, text: str, units: UnitSystem, default: Unit = UNITLESS) -> Printed:
        """Read `9.12e11 byte`, `1,510 TFLOP` or `92160`. Raises SymscaleError.

        Zeros at the end of an integer are taken to be digits: `92160` has five.
        """
        match = _NUMBER.match(text)
        if match is None:
            raise UnitError(f"{text[:80]!r} is not a number with a unit, such as '2 GB'")
        plain = text.replace(",", "") if "," in match[0] else text
        value, unit = units.read(plain, default)
        significant = match[1].replace(",", "").replace(".", "").lstrip("0")
        return cls(text.strip(), value, unit, max(len(significant), 1))

    def matches(self, value: Fraction) -> bool:
        """Whether a number of the unit prints as the figure, rounded or cut to its digits."""
        if value == self.value or round_to_digits(value, self.digits) == self.value:
            return True
        return bool(value) and _cut_to_digits(value, self.digits) == self.value

    def misread(self, value: Fraction) -> str:
        """What power of 1024 was taken for one of 1000, if that makes a number the figure.

        The power is that of the figure's unit, or of its magnitude where the unit has no prefix.
        """
        size = abs(self.value) * self.unit.scale
        power = max((p for p in range(1, _MAX_POWER + 1) if size >= 1000**p), default=0)
        for prefix in range(1, _MAX_POWER + 1):
            if self.unit.scale in (1000**prefix, 1024**prefix):
                power = prefix
        factor = Fraction(1024**power, 1000**power)
        if power and self.matches(value / factor):
            return f"a binary unit (1024^{power}) printed as a decimal one"
        if power and self.matches(value * factor):
            return f"a decimal unit (1000^{power}) printed as a binary one"
        return ""


def _cut_to_digits(value: Fraction, digits: int) -> Fraction:
    """The value without the digits after the first so many."""
    rounded = round_to_digits(value, digits)
    if abs(rounded) <= abs(value):
        return rounded
    place = Fraction(10) ** (decimal_exponent(value) - digits + 1)
    return rounded - place if value > 0 else rounded + place


def printed_range(value: Fraction) -> tuple[Fraction, Fraction] | None:
    """The numbers that a decimal of two digits or more may have been rounded from.

    None for an integer without trailing zeros to spare, for one digit, and for what is no
    decimal: these are taken to be exact.
    """
    if not value or not terminates(value):
        return None
    digits = _significant(value)
    if digits < 2 or (value.denominator == 1 and value % 10 and abs(value) < 10**6):
        return None
    step = _last_place(value)
    return value - step / 2, value + step / 2


def _significant(value: Fraction) -> int:
    scaled = value / _last_place(value)
    return len(str(abs(scaled.numerator)))


def _last_place(value: Fraction) -> Fraction:
    """The power of ten of the last digit that is not zero."""
    place = Fraction(1)
    while (value / place).denominator != 1:
        place /= 10
    while (value / (place * 10)).denominator == 1:
        place *= 10
    return place
