"""Where to look first for a mistake that gives the right answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fractions import Fraction

from symscale.catalog.columns import Column
from symscale.catalog.tasks import Task
from symscale.expressions.nodes import Binary, Call, Compare, Node, number
from symscale.expressions.numeric import in_units
from symscale.numbers import TOLERANCE


@dataclass(frozen=True, slots=True)
class Witness:
    """The column that most likely tells a mistake from the right answer."""

    column: int
    node: Node
    """For a number, whether the mistake's value is accepted; else the mistake's value itself."""
    alone: bool
    """Whether the mistake changes no other column."""


def witnesses(task: Task) -> Iterator[Witness]:
    """A witness for each mistake of a task, over numbers in the parameters' units.

    """
    for mistake in task.mistakes.values():
        changed = [
            number
            for number, column in enumerate(task.columns)
            if mistake.expanded[column.name] != column.expanded
        ]
        # Labels and rounded numbers coincide more often than others.
        best = min(changed, key=lambda number: _coincidence(task.columns[number]), default=0)
        column = task.columns[best]
        wrong = in_units(mistake.expanded[column.name], task.parameter_units, column.unit)
        node = _accepted(wrong, task.numeric[column.name], column)
        yield Witness(best, node, alone=len(changed) <= 1)


def _coincidence(column: Column) -> int:
    return 2 if column.kind != "number" else int(column.exact)


def _accepted(wrong: Node, right: Node, column: Column) -> Node:
    if column.kind != "number":
        return wrong
    if column.exact:
        return Compare("==", wrong, right)
    difference = Call("abs", (Binary("-", wrong, right),))
    return Compare(
        "<=", Binary("*", difference, number(Fraction(TOLERANCE))), Call("abs", (right,))
    )
