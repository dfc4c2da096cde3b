"""Cells that are text: a number, and the unit it may carry, against the unit of a column.

The unit follows the number: `3.5 GB`, `1.2e9 FLOPs`, `80 GB/s`, `5 tokens per second`, `12%`,
`7 GPU-hours`, `7 GPU hours`, `3/s`. Dollars may stand in front: `$3.50`, `US$3.50`, `USD 3.50`,
`$2/hour`. A number alone is in the column's unit.
"""

from __future__ import annotations

import re
from fractions import Fraction

from symscale.errors import DimensionError, UnitError
from symscale.grading.numbers import Written, read_number
from symscale.grading.reasons import Refusal
from symscale.units import MAX_UNIT_LENGTH, UnitSystem, convert

_SPACES = " \t\n\r\u00a0\u2009\u202f"
_DOLLARS = re.compile(r"([+−-]?)(?:\$|US\$|USD)\s?(?=[0-9.])")
_NAMED = re.compile(r"[^\W\d_]|[%$]")
_INVERSE = re.compile(r"/|per\s")
_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])|(?:(?<=GPU)|(?<=TPU)|(?<=chip)) (?=hour|second)")


def read_quantity(text: str, unit: str, units: UnitSystem) -> Written | Refusal:
    """The number of `unit` that a text states, converted exactly.

    Refused as malformed is what is not a number with at most a unit behind it, as wrong_unit a
    unit that is unknown or of another dimension.
    """
    text = text.strip(_SPACES)
    dollars = _DOLLARS.match(text)
    read = read_number(text if dollars is None else dollars[1] + text[dollars.end() :])
    if isinstance(read, Refusal):
        return read
    number, rest = read
    named = rest.strip(_SPACES)
    if not named and dollars is None:
        return number
    inverse = _INVERSE.match(named) is not None
    if dollars is not None and (inverse or not named):
        named = f"$ {named}".strip()
    elif inverse:
        named = f"1 {named}"
    elif dollars is not None or not _NAMED.match(named):
        return _not_a_quantity(text)
    return _convert(number, named, unit, units) or _not_a_quantity(text)


def _convert(number: Written, named: str, unit: str, units: UnitSystem) -> Written | Refusal | None:
    """The number in the column's unit; None if what follows the number is no unit at all."""
    if named == unit:
        return number
    if len(named) > MAX_UNIT_LENGTH:
        return None
    try:
        joined = _HYPHEN.sub("*", named) if " " in named or "-" in named else named
        source, target = units.parse(joined), units.parse(unit)
        if source.scale == target.scale and source.dimension == target.dimension:
            return number
        return number.times(convert(Fraction(1), source, target))
    except DimensionError as error:
        return Refusal("wrong_unit", error.what)
    except UnitError as error:
        return Refusal("wrong_unit", error.what) if _is_one_word(named) else None


def _is_one_word(named: str) -> bool:
    """Whether it could be a unit, if an unknown one: `7 bananas`, but not `7 or 8`."""
    return len(named.replace(" per ", "/").removeprefix("$ ").split()) == 1


def _not_a_quantity(text: str) -> Refusal:
    return Refusal("malformed", f"{text[:40]!r} is not a number with at most a unit behind it")
