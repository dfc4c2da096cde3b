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


@dataclass(frozen=True, slots=True)
class CellGrade:
    """Why one cell of the answer is right or wrong."""

    column: str
    reason: Reason
    key: Cell = field(repr=False)
    """What is right: an exact number of the column's unit, a label, a truth value or None."""
    submitted: str
    """What was submitted, as it was written; shortened past 200 characters, empty for nothing."""
    message: str = ""
    """What is wrong, in plain words; empty for what is right."""
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
    message: str = ""
    """What is wrong, in plain words; empty for a right answer."""

    @classmethod
    def of(cls, cells: Sequence[CellGrade]) -> Grade:
        """The verdict that follows from the cells."""
        wrong = [cell for cell in cells if cell.reason != "ok"]
        if not wrong:
            return cls(1.0, "ok", tuple(cells))
        message = "; ".join(f"{cell.column}: {cell.message}" for cell in wrong)
        return cls(0.0, wrong[0].reason, tuple(cells), message)

    @property
    def correct(self) -> bool:
        return self.reason == "ok"

    def to_json(self) -> dict[str, Any]:
        """Plain values for a JSON line."""
        return {
            "reward": self.reward,
            "reason": self.reason,
            "message": self.message,
            "cells": [cell.to_json() for cell in self.cells],
        }
