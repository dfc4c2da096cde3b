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
from symscale.engine.equivalence import Counterexample, equivalence, first_proved
from symscale.engine.sampling import Region
from symscale.engine.sides import Side
from symscale.errors import ExpressionError, SymscaleError, TooLargeError, UndecidedError
from symscale.expressions.nodes import FUNCTIONS, Call
from symscale.expressions.numeric import in_units
from symscale.expressions.parser import parse
from symscale.grading.cells import shown
from symscale.grading.grades import CellGrade
from symscale.grading.keys import Key, KeyColumn
from symscale.grading.reasons import Refusal


def grade_closed_forms(key: Key, forms: Sequence[Any], secret: bytes) -> list[CellGrade]:
    """Grade one formula a column, in the order of the columns."""
    task = None if key.task is None else _forms_of(key.task)
    cells = []
    for form, column, expected in zip(forms, key.columns, key.rows[0], strict=True):
        verdict = _UNKNOWN_TASK if task is None else task.verdict(form, column, secret)
        match verdict:
            case None:
                cell = CellGrade(column.name, "ok", expected, shown(form))
            case Mistake(name, message):
                cell = CellGrade(column.name, "mistake", expected, shown(form), message, name)
            case Counterexample():
                cell = CellGrade(
                    column.name, "not_equivalent", expected, shown(form), counterexample=verdict
                )
            case Refusal(reason, message):
                cell = CellGrade(column.name, reason, expected, shown(form), message)
        cells.append(cell)
    return cells


_SIGNS = str.maketrans("·×−", "**-")
"""Signs that people write for those of the notation."""

_UNKNOWN_TASK = Refusal(
    "not_equivalent", "the catalog has no task that gives this key, so a formula cannot be decided"
)


@dataclass(frozen=True)
class _Forms:
    """The closed forms of a task, the right ones and those of its mistakes."""

    task: Task

    @cached_property
    def region(self) -> Region:
        return Region.of(self.task)

    @cached_property
    def right(self) -> dict[str, Side]:
        return {name: Side(node) for name, node in self.task.numeric.items()}

    @cached_property
    def mistaken(self) -> dict[str, list[tuple[Mistake, Side]]]:
        """What the mistakes give for each column that they give something else for."""
        units = self.task.parameter_units
        found: dict[str, list[tuple[Mistake, Side]]] = {}
        for column in self.task.columns:
            given = (
                (mistake, mistake.expanded[column.name]) for mistake in self.task.mistakes.values()
            )
            found[column.name] = [
                (mistake, Side(in_units(node, units, column.unit)))
                for mistake, node in given
                if node != column.expanded
            ]
        return found

    def verdict(
        self, form: Any, column: KeyColumn, secret: bytes
    ) -> Refusal | Mistake | Counterexample | None:
        """None for an equivalent formula; or a mistake of the task, what shows the difference,
        or another reason."""
        if not isinstance(form, str):
            return Refusal("wrong_type", "a formula is a text in quotes")
        try:
            side = self.read(form, column.name)
            if side.kind != column.kind:
                return Refusal("wrong_type", f"the formula does not give a {column.kind}")
            found = equivalence(self.right[column.name], side, self.region, secret=secret)
            if found.counterexample is None:
                return None
            return self.mistake(side, column.name, secret) or found.counterexample
        except RecursionError:
            return Refusal("too_large", "the formula is nested too deeply")
        except TooLargeError as error:
            return Refusal("too_large", error.what)
        except UndecidedError as error:
            return Refusal("not_equivalent", error.what)
        except SymscaleError as error:
            return Refusal("malformed", error.what)

    def read(self, form: str, column: str) -> Side:
        """The formula between plain numbers."""
        side = Side(parse(form.translate(_SIGNS), self.task.units), form)
        for name in side.names:
            if name not in self.task.parameters:
                letters = ", ".join(self.task.parameters)
                raise ExpressionError(f"{name} is not one of the letters {letters}")
        for part in side.turns:
            if isinstance(part, Call) and part.function not in FUNCTIONS:
                raise ExpressionError(f"{part.function} is not a function of the notation")
        if not side.has_units:
            return side
        unit = self.task.column(column).unit
        return Side(in_units(side.node, self.task.parameter_units, unit))

    def mistake(self, side: Side, column: str, secret: bytes) -> Mistake | None:
        """The first mistake of the task that the formula is equivalent to."""
        mistaken = self.mistaken[column]
        wrong = [each for _, each in mistaken]
        found = first_proved(wrong, side, self.region, secret=secret)
        return None if found is None else mistaken[found][0]


_MAX_KEPT = 256
_kept: dict[int, _Forms] = {}


def _forms_of(task: Task) -> _Forms:
    """The forms of a task, analysed once. Tasks cannot be hashed, so they are told apart by
    identity, which the kept reference makes safe."""
    forms = _kept.get(id(task))
    if forms is None:
        if len(_kept) >= _MAX_KEPT:
            _kept.clear()
        forms = _kept[id(task)] = _Forms(task)
    return forms
