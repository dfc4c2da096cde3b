"""One cell against its key, exactly."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from symscale.catalog.instances import Cell
from symscale.grading.grades import CellGrade
from symscale.grading.keys import Key, KeyColumn
from symscale.grading.numbers import Written, read_number
from symscale.grading.quantities import read_quantity
from symscale.grading.reasons import Refusal
from symscale.grading.submission import NumberText
from symscale.grading.words import MAX_RATIO_BITS
from symscale.numbers import agrees

MAX_SHOWN = 200

_SLIPS = [
    (name.format(power), Fraction(over, under) ** power, (over**power // under**power).bit_length())
    for power in range(1, 9)
    for name, over, under in (
        ("1000^{}", 1000, 1),
        ("1024^{}", 1024, 1),
        ("1024^{0}/1000^{0}", 1024, 1000),
    )
]


def grade_cell(submitted: Any, expected: Cell, column: KeyColumn, key: Key) -> CellGrade:
    """Hold one submitted JSON value against what is expected."""
    number: Written | None = None
    verdict: Refusal | None
    if isinstance(expected, Fraction):
        read = _read(submitted, column, key)
        if isinstance(read, Written):
            number = read
            verdict = _judge(number, expected, exact=column.exact)
        else:
            verdict = read
    else:
        verdict = _compare(submitted, expected)
    if verdict is None:
        return CellGrade(column.name, "ok", expected, shown(submitted), number=number)
    return CellGrade(
        column.name, verdict.reason, expected, shown(submitted), verdict.message, number=number
    )


def shown(submitted: Any) -> str:
    """What was submitted, as it was written, up to 200 characters."""
    match submitted:
        case NumberText():
            text = submitted.text
        case str():
            text = submitted
        case _:
            text = json.dumps(submitted, default=lambda number: number.text)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def _read(submitted: Any, column: KeyColumn, key: Key) -> Written | Refusal:
    match submitted:
        case NumberText():
            read = read_number(submitted.text)
            return read if isinstance(read, Refusal) else read[0]
        case str():
            return read_quantity(submitted, column.unit, key.units)
        case _:
            return Refusal("wrong_type", f"a number is needed, not {_type_name(submitted)}")


def _judge(number: Written, expected: Fraction, *, exact: bool) -> Refusal | None:
    if number.agrees(expected, exact=exact):
        return None
    if expected and number.near(expected, MAX_RATIO_BITS):
        slip = _slip(number, expected)
        if slip is not None:
            return Refusal("scale_slip", f"the value is off by a factor {slip}: see the units")
    if exact and number.agrees(expected):
        return Refusal("wrong_value", "the value must match to the last digit")
    return Refusal("wrong_value", "")


def _slip(number: Written, expected: Fraction) -> str | None:
    """The power of 1000 or 1024, or of their ratio, that the number is off by."""
    ratio = number.ratio(expected)
    if ratio is None:
        return None
    over, under = ratio
    if over < under:
        over, under = under, over
    size = (over // under).bit_length()
    for name, factor, bits in _SLIPS:
        if abs(size - bits) < 2 and agrees(over, under, factor):
            return name
    return None


def _compare(submitted: Any, expected: str | bool | None) -> Refusal | None:
    """Labels, truth values and null match exactly, and by type."""
    if type(submitted) is not type(expected):
        wanted, found = _type_name(expected), _type_name(submitted)
        return Refusal("wrong_type", f"{wanted} is needed, not {found}")
    if submitted == expected:
        return None
    if isinstance(expected, str):
        return Refusal("wrong_label", "this is not the right label")
    return Refusal("wrong_value", "this is not the right truth value")


def _type_name(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case str():
            return "a label in quotes"
        case NumberText():
            return "a number"
        case list():
            return "an array"
        case _:
            return "an object"
