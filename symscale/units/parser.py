"""The text of a unit, such as `flop/s/device`, to its scale and dimension."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from symscale.errors import UnitError
from symscale.units.dimension import ONE, Dimension
from symscale.units.unit import Unit

MAX_UNIT_LENGTH = 100
MAX_UNIT_EXPONENT = 12
MAX_SCALE_BITS = 4096

WORD = re.compile(r"[^\W\d_]*[%$]|[^\W\d_]+")
"""A spelling of a unit."""

_UNIT_TOKEN = re.compile(rf"\s*(?:(\*\*|\^)|([*/()·-])|([0-9]+)|({WORD.pattern}))")
_PER = re.compile(r"\s+per\s+")


class UnitParser:
    """unit := product ("/" factor)*;  product := factor ("*" factor)*."""

    def __init__(self, names: Mapping[str, Unit], text: str) -> None:
        if len(text) > MAX_UNIT_LENGTH:
            raise UnitError(f"a unit has at most {MAX_UNIT_LENGTH} characters, not {len(text)}")
        self.names = names
        self.text = text
        self.tokens = self._tokens(_PER.sub("/", text).strip())
        self.depth = 0

    def _tokens(self, text: str) -> list[str]:
        tokens: list[str] = []
        position = 0
        while position < len(text):
            match = _UNIT_TOKEN.match(text, position)
            if match is None:
                raise self._error(f"{text[position]!r} cannot stand in a unit")
            tokens.append("**" if match[1] else "*" if match[2] == "·" else match[0].strip())
            position = match.end()
        tokens.append("")
        return tokens[::-1]

    def _error(self, what: str) -> UnitError:
        return UnitError(f"unit {self.text[:MAX_UNIT_LENGTH]!r}: {what}")

    def parse(self) -> Unit:
        scale, dimension = self._quotient()
        if self.tokens[-1]:
            raise self._error(f"{self.tokens[-1]!r} is not expected here")
        return Unit(self.text.strip(), scale, dimension)

    def _quotient(self) -> tuple[Fraction, Dimension]:
        scale, dimension = self._factor()
        divided = False
        while self.tokens[-1] in ("*", "/"):
            if self.tokens.pop() == "/":
                divided = True
                factor, base = self._factor()
                scale, dimension = self._bounded(scale / factor), dimension / base
            elif divided:
                raise self._error("a*b after a / reads two ways; write a*c/b or a/(b*c)")
            else:
                factor, base = self._factor()
                scale, dimension = self._bounded(scale * factor), dimension * base
        return scale, dimension

    def _bounded(self, scale: Fraction) -> Fraction:
        if max(abs(part).bit_length() for part in scale.as_integer_ratio()) > MAX_SCALE_BITS:
            raise self._error("the scale is too large")
        return scale

    def _factor(self) -> tuple[Fraction, Dimension]:
        token = self.tokens.pop()
        if token == "(":
            self.depth += 1
            if self.depth > 10:
                raise self._error("parentheses are nested too deeply")
            scale, dimension = self._quotient()
            if self.tokens.pop() != ")":
                raise self._error("a ) is missing")
            self.depth -= 1
        elif token == "1":
            scale, dimension = Fraction(1), ONE
        elif token in self.names:
            unit = self.names[token]
            scale, dimension = unit.scale, unit.dimension
        else:
            raise self._error(f"{token!r} is not a known unit" if token else "a unit is missing")
        if self.tokens[-1] == "**":
            self.tokens.pop()
            power = self._power()
            if power.denominator != 1 and scale != 1:
                raise self._error("a fractional power needs a unit of scale 1")
            bits = scale.numerator.bit_length() + scale.denominator.bit_length()
            if bits * abs(power) > MAX_SCALE_BITS:
                raise self._error("a power of a power is too large")
            scale = scale**power.numerator if power.denominator == 1 else scale
            dimension = dimension**power
        return scale, dimension

    def _power(self) -> Fraction:
        if self.tokens[-1] == "(":
            self.tokens.pop()
            power = self._integer()
            if self.tokens[-1] == "/":
                self.tokens.pop()
                divisor = self._integer()
                if not divisor:
                    raise self._error("an exponent divides by zero")
                power /= divisor
            if self.tokens.pop() != ")":
                raise self._error("a ) is missing after the exponent")
        else:
            power = self._integer()
        return power

    def _integer(self) -> Fraction:
        negative = self.tokens[-1] == "-"
        if negative:
            self.tokens.pop()
        token = self.tokens.pop()
        if not token.isdecimal() or len(token) > 3 or int(token) > MAX_UNIT_EXPONENT:
            raise self._error(f"an exponent is an integer up to {MAX_UNIT_EXPONENT}")
        return Fraction(-int(token) if negative else int(token))
