"""Closed forms: formulas in the task's letters, held against the columns' own.

Each letter means the number in the unit that the question lists, the value the number in the
column's unit. Where a unit stands in brackets, as in `6 [flop/param/token]*N*D`, letters and
value are quantities in those units instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from symscale.catalog.columns import Mistake
from symscale.catalog.tasks import Task
from symscale.engine.equivalence import Counterexample, equivalence
from symscale.engine.sampling import Region
from symscale.errors import SymscaleError, TooLargeError
from symscale.expressions.nodes import FUNCTIONS, Call, Node, Number, names, walk
from symscale.expressions.numeric import in_units
from symscale.expressions.parser import parse
from symscale.expressions.shape import check_shape
from symscale.expressions.values import Enclosure, Value
from symscale.grading.cells import shown
from symscale.grading.grades import CellGrade
from symscale.grading.keys import Key, KeyColumn
from symscale.grading.reasons import Refusal
from symscale.numbers import decimal_text

_SHOWN_DIGITS = 6


def grade_closed_forms(key: Key, forms: Sequence[Any], secret: bytes) -> list[CellGrade]:
    """Grade one formula a column, in the order of the columns."""
    judge = None if key.task is None else _Judge(key.task, secret)
    cells = []
    for form, column, expected in zip(forms, key.columns, key.rows[0], strict=True):
        verdict = _UNKNOWN_TASK if judge is None else judge.verdict(form, column)
        match verdict:
            case None:
                cell = CellGrade(column.name, "ok", expected, shown(form))
            case Mistake(name, message):
                cell = CellGrade(column.name, "mistake", expected, shown(form), message, name)
            case Refusal(reason, message):
                cell = CellGrade(column.name, reason, expected, shown(form), message)
        cells.append(cell)
    return cells


_UNKNOWN_TASK = Refusal(
    "not_equivalent", "the catalog has no task that gives this key, so a formula cannot be decided"
)


@dataclass(frozen=True)
class _Judge:
    task: Task
    secret: bytes

    @cached_property
    def region(self) -> Region:
        return Region.of(self.task)

    def verdict(self, form: Any, column: KeyColumn) -> Refusal | Mistake | None:
        """None for an equivalent formula, a mistake of the task, or another reason."""
        if not isinstance(form, str):
            return Refusal("wrong_type", "a formula is a text in quotes")
        try:
            node = self.read(form, column.name)
            if check_shape(node) != column.kind:
                return Refusal("wrong_type", f"the formula does not give a {column.kind}")
            reference = self.task.numeric[column.name]
            found = equivalence(reference, node, self.region, secret=self.secret)
            if found.counterexample is None:
                return None
            return self.mistake(node, column.name) or _difference(found.counterexample)
        except TooLargeError as error:
            return Refusal("too_large", error.what)
        except SymscaleError as error:
            return Refusal("malformed", error.what)

    def read(self, form: str, column: str) -> Node:
        """The formula between plain numbers."""
        node = parse(form, self.task.units)
        for name in names(node):
            if name not in self.task.parameters:
                letters = ", ".join(self.task.parameters)
                raise SymscaleError(f"{name} is not one of the letters {letters}")
        for part in walk(node):
            if isinstance(part, Call) and part.function not in FUNCTIONS:
                raise SymscaleError(f"{part.function} is not a function of the notation")
        if any(isinstance(part, Number) and part.unit is not None for part in walk(node)):
            return in_units(node, self.task.parameter_units, self.task.column(column).unit)
        return node

    def mistake(self, node: Node, column: str) -> Mistake | None:
        """The first mistake of the task that the formula is equivalent to."""
        for mistake in self.task.mistakes.values():
            wrong = in_units(
                mistake.expanded[column],
                self.task.parameter_units,
                self.task.column(column).unit,
            )
            try:
                if equivalence(wrong, node, self.region, secret=self.secret):
                    return mistake
            except SymscaleError:
                continue
        return None


def _difference(example: Counterexample) -> Refusal:
    values = ", ".join(
        f"{name} = {decimal_text(value, _SHOWN_DIGITS)}" for name, value in example.point.items()
    )
    found = "it has no value" if example.other is None else f"it gives {_shown(example.other)}"
    return Refusal(
        "not_equivalent", f"at {values} {found}, where {_shown(example.reference)} is right"
    )


def _shown(value: Value) -> str:
    match value:
        case Enclosure():
            return decimal_text(value.key, _SHOWN_DIGITS)
        case str():
            return f'"{value}"'
        case bool():
            return "true" if value else "false"
        case _:
            return decimal_text(value, _SHOWN_DIGITS)
