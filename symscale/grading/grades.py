"""The verdict: a reward, and a reason for every cell."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from symscale.catalog.instances import Cell
from symscale.engine.equivalence import Counterexample
from symscale.grading.numbers import Written
from symscale.grading.reasons import Reason
from symscale.grading.words import difference, distance
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
    note: str = field(default="", repr=False)
    """What is wrong, where the values do not say it all."""
    mistake: str = ""
    """The name of the task's mistake that gives what was submitted, where the reason is one."""
    number: Written | None = field(default=None, repr=False)
    """The number submitted, in the column's unit, where it is one."""

    counterexample: Counterexample | None = None
    """Values of the letters at which a formula differs from the right one, where that is why."""

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
        if self.counterexample is not None:
            return difference(self.counterexample)
        if self.number is not None and isinstance(self.key, Fraction):
            return distance(self.number, self.key)
        return "this is not the right value"

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
