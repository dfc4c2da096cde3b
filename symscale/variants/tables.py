"""What the fused generator looks up or calls: parameter values, cells, escaped text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from symscale.catalog.columns import Parameter
from symscale.catalog.instances import MAX_JSON_DIGITS, value_text
from symscale.units import convert
from symscale.variants.rows import parameter_entry, to_json

MOST_ENTRIES = 16384
"""Texts of a range that are kept; those of a longer range are made again each time."""

_POWER = 10**MAX_JSON_DIGITS


class Values:
    """A parameter's values by digit, as the kernels take them."""

    def __init__(self, values: Sequence[Fraction]) -> None:
        self.exact = values
        self.integer = all(value.denominator == 1 for value in values)
        """Whether they are numerators alone, or pairs of numerator and denominator."""
        self.numbers: list[int] | list[tuple[int, int]] = (
            [value.numerator for value in values]
            if self.integer
            else [value.as_integer_ratio() for value in values]
        )

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """The least and the greatest."""
        if self.integer:  # fractions compare slowly
            numbers = [value.numerator for value in self.exact]
            return Fraction(min(numbers)), Fraction(max(numbers))
        return min(self.exact), max(self.exact)


class Texts(dict[int, tuple[Any, ...]]):
    """The same values with their texts, made when they are first asked for.

    Each is what the kernels take, then the row's entry of the parameter, and the escaped text as
    the question shows it: a text, or a tuple of them where there are several shown units.
    """

    def __init__(self, parameter: Parameter, values: Values) -> None:
        super().__init__()
        self._parameter = parameter
        self._values = values

    def __missing__(self, digit: int) -> tuple[Any, ...]:
        parameter, value = self._parameter, self._values.exact[digit]
        shown = tuple(
            escaped(value_text(convert(value, parameter.unit, unit), unit))
            for unit in parameter.shown
        )
        taken = (value.numerator,) if self._values.integer else value.as_integer_ratio()
        text = to_json(parameter_entry(parameter, value))
        entry = (*taken, text, shown if len(shown) > 1 else shown[0])
        if len(self._values.exact) <= MOST_ENTRIES:
            self[digit] = entry
        return entry


def escaped(text: str) -> str:
    """A text as it stands inside a JSON string."""
    return to_json(text)[1:-1]


def number_cell(over: int, under: int) -> tuple[str, str]:
    """A canonical number as it stands in the answer, escaped, and its exact text.

    `Answer` says the same in more words and more time.
    """
    if under == 1:
        digits = str(over)
        return digits, digits
    exact = f"{over}/{under}"
    # A denominator that neither 2 nor 5 divides has no finite decimal.
    if not (under & 1 and under % 5) and _POWER % under == 0:
        digits = str(abs(over) * (_POWER // under)).rjust(MAX_JSON_DIGITS + 1, "0")
        places = digits[-MAX_JSON_DIGITS:].rstrip("0")
        decimal = f"{'-' if over < 0 else ''}{digits[:-MAX_JSON_DIGITS]}.{places}"
        if len(decimal) <= MAX_JSON_DIGITS:
            return decimal, exact
    return f'\\"{exact}\\"', exact


def word_cell(word: str | bool) -> tuple[str, str]:
    """A label or truth value as it stands in the answer and in the exact answer, both escaped."""
    exact = word if isinstance(word, str) else json.dumps(word)
    return escaped(json.dumps(word)), escaped(exact)
