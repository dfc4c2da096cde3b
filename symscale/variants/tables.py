"""What the fused generator looks up or calls: parameter values, cells, escaped text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from symscale.catalog.columns import Parameter
from symscale.catalog.instances import MAX_JSON_DIGITS, value_text
from symscale.numbers import exact_text
from symscale.units import convert
from symscale.variants.rows import to_json

MOST_ENTRIES = 16384
"""Entries that a table keeps; those of a longer range are made again when they are asked for."""

_POWER = 10**MAX_JSON_DIGITS


class Entries(dict[int, tuple[Any, ...]]):
    """A parameter's values by digit, in all the forms that a line needs.

    An entry is the numerator, the denominator (unless all values are integers), the exact text, and
    the escaped text as shown: one text, or a tuple with one for each shown unit.
    """

    def __init__(self, parameter: Parameter, values: Sequence[Fraction]) -> None:
        super().__init__()
        self.parameter = parameter
        self.range = values
        self.integer = all(value.denominator == 1 for value in values)

    def __missing__(self, digit: int) -> tuple[Any, ...]:
        value = self.range[digit]
        shown = tuple(
            escaped(value_text(convert(value, self.parameter.unit, unit), unit))
            for unit in self.parameter.shown
        )
        numbers = value.as_integer_ratio()
        entry = (
            *(numbers[:1] if self.integer else numbers),
            exact_text(value),
            shown[0] if len(shown) == 1 else shown,
        )
        if len(self.range) <= MOST_ENTRIES:
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
    if _POWER % under == 0:
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
