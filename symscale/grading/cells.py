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
from symscale.numbers import TOLERANCE, decimal_text

MAX_SHOWN = 200

_SLIPS = [
    (name.format(power), Fraction(over, under) ** power)
    for power in range(1, 9)
    for name, over, under in (
        ("1000^{}", 1000, 1),
        ("1024^{}", 1024, 1),
        ("1024^{0}/1000^{0}", 1024, 1000),
    )
]
_SLIP_BITS = 90
"""The largest slip is 2**80."""


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
    if number.near(expected, _SLIP_BITS):
        for name, factor in _SLIPS:
            if number.agrees(expected * factor) or number.agrees(expected / factor):
                return Refusal("scale_slip", f"the value is off by a factor {name}: see the units")
    return Refusal("wrong_value", _distance(number, expected, exact))


def _distance(number: Written, expected: Fraction, exact: bool) -> str:
    if not expected:
        return "the value is zero"
    if not number.near(expected, _SLIP_BITS):
        return "the value is of quite another magnitude"
    ratio = number.value / expected
    error = abs(ratio - 1)
    if exact and error * TOLERANCE <= 1:
        return "the value must match to the last digit"
    if error < Fraction(1, 1000):
        return (
            f"the value is off by one part in {decimal_text(1 / error, 2)}; "
            "it must hold to one part in 10^9"
        )
    if ratio < 0:
        return "the value has the wrong sign"
    return f"the value is {decimal_text(ratio, 4)} times the right one"


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
