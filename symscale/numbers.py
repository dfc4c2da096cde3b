"""Exact numbers and their text. No float stands on either side."""

from __future__ import annotations

import re
from fractions import Fraction

from symscale.errors import ExpressionError, TooLargeError

MAX_DIGITS = 60
MAX_EXPONENT = 400

_DECIMAL = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?", re.ASCII)


def read_decimal(text: str) -> Fraction:
    """The exact value of a decimal number.

    Raises ExpressionError for anything else, and TooLargeError, before any power of ten is built,
    past 60 digits or a decimal exponent of 400.

    >>> read_decimal("2.50"), read_decimal("4.0e14")
    (Fraction(5, 2), Fraction(400000000000000, 1))
    """
    if len(text) <= MAX_DIGITS and text.isdecimal() and text.isascii():
        return Fraction(int(text))
    match = _DECIMAL.fullmatch(text)
    if match is None or not (match[2] or match[3]):
        raise ExpressionError(f"{text[:80]!r} is not a decimal number")
    sign, whole, fraction, exponent = match[1], match[2], match[3] or "", match[4] or "0"
    digits = whole + fraction
    if len(digits) > MAX_DIGITS:
        raise TooLargeError(f"a number has at most {MAX_DIGITS} digits, not {len(digits)}")
    size = exponent.lstrip("+-0") or "0"
    if len(size) > len(str(MAX_EXPONENT)) or int(size) > MAX_EXPONENT:
        raise TooLargeError(f"a decimal exponent is at most {MAX_EXPONENT}, not {exponent[:20]}")
    number = int(sign + digits)
    power = (-1 if exponent.startswith("-") else 1) * int(size) - len(fraction)
    return Fraction(number * 10**power) if power >= 0 else Fraction(number, 10**-power)


def read_rational(text: str) -> Fraction:
    """The exact value of a decimal number or of a fraction `p/q` of two of them.

    >>> read_rational("39400/81")
    Fraction(39400, 81)
    """
    numerator, slash, denominator = text.partition("/")
    value = read_decimal(numerator.strip())
    if not slash:
        return value
    divisor = read_decimal(denominator.strip())
    if not divisor:
        raise ExpressionError(f"{text[:80]!r} divides by zero")
    return value / divisor


def exact_text(value: Fraction) -> str:
    """`p` or `p/q`, which reads back as the same value.

    >>> exact_text(Fraction(7, 360))
    '7/360'

    Raises TooLargeError past the digits that Python writes out, 4,300.
    """
    try:
        return str(value)
    except ValueError:
        raise TooLargeError("a value of thousands of digits is not written out") from None


TOLERANCE = 10**9
"""A value agrees with its key when they differ by at most one part in this many."""


def agrees(over: int, under: int, key: Fraction, *, exact: bool = False) -> bool:
    """Whether over/under (under > 0) is the key, decided in integers.

    It is within one part in 10**9 of the key, or the key itself if `exact`; a key of 0 accepts 0
    alone.

    >>> agrees(1000000001, 1, Fraction(10**9)), agrees(1000000002, 1, Fraction(10**9))
    (True, False)
    """
    difference = abs(over * key.denominator - key.numerator * under)
    if exact:
        return not difference
    return difference * TOLERANCE <= abs(key.numerator) * under


def within_tolerance(value: Fraction, key: Fraction) -> bool:
    """Whether a value agrees with a key, decided exactly; a key of 0 accepts 0 alone.

    >>> within_tolerance(Fraction("0.3333333333"), Fraction(1, 3))
    True
    """
    return agrees(value.numerator, value.denominator, key)


def terminates(value: Fraction) -> bool:
    """Whether the value has a finite decimal expansion.

    >>> terminates(Fraction(7, 40)), terminates(Fraction(7, 360))
    (True, False)
    """
    rest = value.denominator
    rest >>= (rest & -rest).bit_length() - 1
    while rest % 5 == 0:
        rest //= 5
    return rest == 1


def round_to_digits(value: Fraction, digits: int) -> Fraction:
    """The value rounded, half to even, to so many significant digits."""
    if not value:
        return value
    scale = Fraction(10) ** (digits - 1 - decimal_exponent(value))
    return Fraction(round(value * scale)) / scale


def decimal_text(value: Fraction, digits: int = 12) -> str:
    """A decimal for people: plain where that is short, with an exponent where it is not.

    Rounded to `digits` significant digits; `exact_text` is the exact one.

    >>> [decimal_text(Fraction(value)) for value in ("7/360", "840e21", "8192")]
    ['0.0194444444444', '8.4e23', '8192']
    """
    rounded = round_to_digits(value, digits)
    if not rounded:
        return "0"
    exponent = decimal_exponent(rounded)
    if -5 <= exponent < 15:
        return plain_decimal(rounded)
    mantissa = plain_decimal(rounded / Fraction(10) ** exponent)
    return f"{mantissa}e{exponent}"


def plain_decimal(value: Fraction) -> str:
    """The digits of a value whose decimal expansion is finite, without an exponent.

    >>> plain_decimal(Fraction(-7, 40))
    '-0.175'
    """
    places = max(_multiplicity(value.denominator, 2), _multiplicity(value.denominator, 5))
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)


def _multiplicity(number: int, prime: int) -> int:
    count = 0
    while number % prime == 0:
        number //= prime
        count += 1
    return count


def decimal_exponent(value: Fraction) -> int:
    """The e of the scientific notation m·10^e, with 1 <= |m| < 10."""
    bits = abs(value.numerator).bit_length() - value.denominator.bit_length()
    exponent = bits * 30103 // 100000  # log10(2), short by at most one or two
    while abs(value) >= Fraction(10) ** (exponent + 1):
        exponent += 1
    while abs(value) < Fraction(10) ** exponent:
        exponent -= 1
    return exponent
