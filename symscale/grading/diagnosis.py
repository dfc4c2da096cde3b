"""Which of the task's known mistakes a wrong answer made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from symscale.catalog.columns import Mistake
from symscale.catalog.instances import Cell
from symscale.errors import SymscaleError
from symscale.expressions.values import key_of
from symscale.grading.grades import CellGrade
from symscale.grading.keys import Key

_DIAGNOSED = ("wrong_value", "scale_slip", "wrong_label")


def name_mistakes(cells: Sequence[CellGrade], key: Key) -> list[CellGrade]:
    """The cells of one row, with `mistake` for those that a mistake of the task explains.

    A wrong number is explained by a mistake that gives it; a wrong label only by one that gives a
    wrong number of the same row too, because there are few labels. Where several mistakes
    explain a cell, the one that explains the most cells of the row is named.
    """
    if not any(cell.number is not None and cell.reason in _DIAGNOSED for cell in cells):
        return list(cells)
    explanations = [
        (mistake, explained)
        for mistake, values in _consequences(key)
        if (explained := _explained(cells, key, values))
    ]
    explanations.sort(key=lambda pair: -len(pair[1]))
    named = list(cells)
    for mistake, explained in reversed(explanations):
        for position in explained:
            named[position] = replace(
                cells[position], reason="mistake", mistake=mistake.name, note=mistake.message
            )
    return named


def _consequences(key: Key) -> list[tuple[Mistake, tuple[Cell, ...]]]:
    """Every mistake of the task with the row that it leads to, where it leads to one."""
    task = key.task
    if task is None:
        return []
    rows: list[tuple[Mistake, tuple[Cell, ...]]] = []
    for name, kernel in task.mistake_kernels.items():
        try:
            values = kernel(key.parameters)
        except SymscaleError:
            continue
        rows.append((task.mistakes[name], tuple(map(key_of, values))))
    return rows


def _explained(cells: Sequence[CellGrade], key: Key, values: Sequence[Cell]) -> list[int]:
    """The positions of the wrong cells that hold what a mistake gives."""
    numbers, labels = [], []
    for position, (cell, column, value) in enumerate(zip(cells, key.columns, values, strict=True)):
        if cell.reason not in _DIAGNOSED:
            continue
        if isinstance(value, Fraction):
            if cell.number is not None and cell.number.agrees(value, exact=column.exact):
                numbers.append(position)
        elif cell.submitted == value:
            labels.append(position)
    return numbers + labels if numbers else []
