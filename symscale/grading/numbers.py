"""The numbers of an answer, read exactly and bounded before anything is built.

    number   = [sign] (power | digits times power | decimal ["/" decimal])
    power    = "10" ("^" | "**") [sign] 0-9...    or "10" with superscript digits
    decimal  = digits [("e" | "E") [sign] 0-9...]
    digits   = 0-9... ["." [0-9...]] | "." 0-9... , or with the part before the point in groups of
               three: 58,500
    sign     = "+" | "-" | "−" (U+2212)
    times    = "x" | "×" | "*" | "·"

LaTeX's `\\times` and `\\cdot` are read too, and an exponent in brackets: `10^{9}`, `10^(9)`. Up
to two spaces stand around `times`, `/` and `^`. Only the ASCII digits 0-9 are digits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from symscale.grading.reasons import Refusal
from symscale.numbers import agrees

MAX_DIGITS = 4000
MAX_EXPONENT = 4000
_EXPONENT_DIGITS = len(str(MAX_EXPONENT))

_SIGN = r"[+−-]"
_DIGITS = r"(?:(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![0-9,])|[0-9]++)(?:\.[0-9]*+)?|\.[0-9]++)"
_EXPONENT = rf"{_SIGN}?[0-9]++"
_POWER = rf"10(?:\s{{0,2}}(?:\^|\*\*)\s{{0,2}}({_EXPONENT})|([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]++))"
_NUMBER = re.compile(
    rf"({_SIGN})?(?:{_POWER}|({_DIGITS})(?:\s{{0,2}}[x×*·]\s{{0,2}}{_POWER}"
    rf"|(?:[eE]({_EXPONENT}))?(?:\s{{0,2}}/\s{{0,2}}({_DIGITS})(?:[eE]({_EXPONENT}))?)?))"
)
_LATEX = re.compile(
    rf"(?P<times>\\times(?![a-z])|\\cdot(?![a-z]))|(?<=10)(?P<power>\^|\*\*)"
    rf"(?:\{{({_EXPONENT})\}}|\(({_EXPONENT})\))(?![0-9])"
)
_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻−", "0123456789+--")


@dataclass(frozen=True, slots=True)
class Written:
    """over/under · 10**exponent, with under > 0; the power is not built until it is needed."""

    over: int
    under: int = 1
    exponent: int = 0

    def times(self, factor: Fraction) -> Written:
        return Written(self.over * factor.numerator, self.under * factor.denominator, self.exponent)

    @property
    def value(self) -> Fraction:
        return Fraction(*self._ratio())

    def agrees(self, key: Fraction, *, exact: bool = False) -> bool:
        """Whether this is the key, by the rule of `symscale.numbers.agrees`.

        Numbers of other magnitudes are told apart by their lengths alone.
        """
        return self.near(key) and agrees(*self._ratio(), key, exact=exact)

    def near(self, key: Fraction, bits: int = 4) -> bool:
        """Whether both are zero, or differ by no more than about 2**bits either way."""
        if not self.over or not key:
            return not self.over and not key
        own = self.over.bit_length() - self.under.bit_length() + self.exponent * 3322 // 1000
        return abs(own - key.numerator.bit_length() + key.denominator.bit_length()) <= bits

    def ratio(self, key: Fraction) -> tuple[int, int] | None:
        """This over the key, as two positive integers; None unless that is positive."""
        over, under = self._ratio()
        over, under = over * key.denominator, under * key.numerator
        if under < 0:
            over, under = -over, -under
        return (over, under) if over > 0 and under > 0 else None

    def _ratio(self) -> tuple[int, int]:
        if self.exponent >= 0:
            return self.over * 10**self.exponent, self.under
        return self.over, self.under * 10**-self.exponent


def read_number(text: str) -> tuple[Written, str] | Refusal:
    """The number that a text begins with, and the rest of the text.

    >>> read_number("1.2 × 10⁹ FLOP")
    (Written(over=12, under=1, exponent=8), ' FLOP')
    >>> read_number("about 7").reason
    'malformed'
    """
    if "\\" in text or "{" in text or "(" in text:
        text = _LATEX.sub(_plainer, text)
    match = _NUMBER.match(text)
    if match is None:
        return Refusal("malformed", f"{text[:40]!r} is not a number")
    sign, power, raised, digits, times_power, times_raised, exponent, under, under_exponent = (
        match.groups()
    )
    if digits is None:
        number = _decimal("1", power or raised)
    else:
        number = _decimal(digits, exponent or times_power or times_raised)
        if under is not None and not isinstance(number, Refusal):
            number = _quotient(number, _decimal(under, under_exponent))
    if isinstance(number, Refusal):
        return number
    if sign in ("-", "−"):
        number = Written(-number.over, number.under, number.exponent)
    return number, text[match.end() :]


def _plainer(match: re.Match[str]) -> str:
    return "×" if match["times"] else f"^{match[3] or match[4]}"


def _decimal(digits: str, power: str | None) -> Written | Refusal:
    if len(digits) > MAX_DIGITS:
        return Refusal("too_large", f"a number has at most {MAX_DIGITS} digits")
    exponent = 0
    if power:
        power = power.translate(_PLAIN)
        if len(power.lstrip("+-0")) > _EXPONENT_DIGITS or abs(int(power)) > MAX_EXPONENT:
            return Refusal("too_large", f"a decimal exponent is at most {MAX_EXPONENT}")
        exponent = int(power)
    whole, _, fraction = digits.replace(",", "").partition(".")
    return Written(int(whole + fraction), 1, exponent - len(fraction))


def _quotient(over: Written, under: Written | Refusal) -> Written | Refusal:
    if isinstance(under, Refusal):
        return under
    if not under.over:
        return Refusal("malformed", "a fraction does not divide by zero")
    return Written(over.over, under.over, over.exponent - under.exponent)
