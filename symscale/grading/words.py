"""How far off an answer is, in plain words."""

from __future__ import annotations

from fractions import Fraction

from symscale.engine.equivalence import Counterexample
from symscale.expressions.values import Enclosure, Value
from symscale.grading.numbers import Written
from symscale.numbers import decimal_text

MAX_RATIO_BITS = 90
"""Numbers further apart than 2**90 are not compared any closer; the largest slip is 2**80."""

_DIGITS = 6
MOST_DIGITS = 30
"""Of two values that differ in none of the digits before."""


def distance(number: Written, key: Fraction) -> str:
    """How far a number is from its key."""
    if not key:
        return "the value is zero"
    if not number.near(key, MAX_RATIO_BITS):
        return "the value is of quite another magnitude"
    ratio = number.value / key
    if ratio < 0:
        return "the value has the wrong sign"
    error = abs(ratio - 1)
    if error >= Fraction(1, 1000):
        return f"the value is {decimal_text(ratio, 4)} times the right one"
    parts = decimal_text(1 / error, 2)
    return f"the value is off by one part in {parts}; it must hold to one part in 10^9"


def difference(example: Counterexample) -> str:
    """Where a formula differs from the right one, and how."""
    values = ", ".join(
        f"{name} = {decimal_text(value, _DIGITS)}" for name, value in example.point.items()
    )
    if example.other is None:
        return f"at {values} it has no value, where {_shown(example.reference)} is right"
    for digits in (_DIGITS, 2 * _DIGITS, MOST_DIGITS):
        found, right = (_shown(value, digits) for value in (example.other, example.reference))
        if found != right:
            break
    return f"at {values} it gives {found}, where {right} is right"


def _shown(value: Value, digits: int = _DIGITS) -> str:
    match value:
        case Enclosure():
            return decimal_text(value.key, digits)
        case str():
            return f'"{value}"'
        case bool():
            return "true" if value else "false"
        case _:
            return decimal_text(value, digits)
