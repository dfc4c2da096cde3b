"""The verdict: a reward, and a reason for every cell."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from symscale.catalog.instances import Cell
from symscale.grading.numbers import Written
from symscale.grading.reasons import Reason
from symscale.numbers import decimal_text, exact_text

MAX_RATIO_BITS = 90
"""Numbers further apart than 2**90 are not compared any closer; the largest slip is 2**80."""


@dataclass(frozen=True, slots=True)
class CellGrade:
    """Why one cell of the answer is right or wrong."""

    column: str
    reason: Reason
    key: Cell = field(repr=False)
    """What is right: an exact number of the column's unit, a label, a truth value or None."""
    submitted: str
    """What was submitted, as it was written; shortened past 200 characters, empty for nothing."""
    note: str = field(default="", repr=False)
    """What is wrong, where the values do not say it all."""
    mistake: str = ""
    """The name of the task's mistake that gives what was submitted, where the reason is one."""
    number: Written | None = field(default=None, repr=False)
    """The number submitted, in the column's unit, where it is one."""

    @property
    def expected(self) -> str:
        """The key as a text: `p` or `p/q`, a label, `true`, `false` or `null`."""
        if isinstance(self.key, Fraction):
            return exact_text(self.key)
        return self.key if isinstance(self.key, str) else json.dumps(self.key)

    @property
    def relative_error(self) -> Fraction | None:
        """(submitted - key)/|key|, exactly; None where one is no number or the key is zero."""
        if self.number is None or not isinstance(self.key, Fraction) or not self.key:
            return None
        return (self.number.value - self.key) / abs(self.key)

    @property
    def message(self) -> str:
        """What is wrong, in plain words; empty for what is right."""
        if self.note or self.reason == "ok":
            return self.note
        if self.number is None or not isinstance(self.key, Fraction):
            return "this is not the right value"
        return distance(self.number, self.key)

    def to_json(self) -> dict[str, Any]:
        """Plain values for a JSON line; the relative error rounded to three digits, as a text."""
        error = self.relative_error
        return {
            "column": self.column,
            "reason": self.reason,
            "expected": self.expected,
            "submitted": self.submitted,
            "relative_error": None if error is None else decimal_text(error, 3),
            "mistake": self.mistake or None,
            "message": self.message,
        }


@dataclass(frozen=True, slots=True)
class Grade:
    """The verdict on one submitted text."""

    reward: float
    """1.0 if every cell is right, else 0.0."""
    reason: Reason
    """ok, or the reason of the first cell that is wrong."""
    cells: tuple[CellGrade, ...]
    """Row by row, column by column."""
    note: str = field(default="", repr=False)
    """What is wrong with the answer as a whole, where it could not be graded cell by cell."""

    @classmethod
    def of(cls, cells: Sequence[CellGrade]) -> Grade:
        """The verdict that follows from the cells."""
        for cell in cells:
            if cell.reason != "ok":
                return cls(0.0, cell.reason, tuple(cells))
        return cls(1.0, "ok", tuple(cells))

    @property
    def correct(self) -> bool:
        return self.reason == "ok"

    @property
    def message(self) -> str:
        """What is wrong, in plain words; empty for a right answer."""
        if self.note:
            return self.note
        wrong = [cell for cell in self.cells if cell.reason != "ok"]
        return "; ".join(f"{cell.column}: {cell.message}" for cell in wrong)

    def to_json(self) -> dict[str, Any]:
        """Plain values for a JSON line."""
        return {
            "reward": self.reward,
            "reason": self.reason,
            "message": self.message,
            "cells": [cell.to_json() for cell in self.cells],
        }


def distance(number: Written, key: Fraction) -> str:
    """How far a number is from its key, in words."""
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
