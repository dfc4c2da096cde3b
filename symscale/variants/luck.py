"""Conditions, in the notation, that tell where a mistake gives the right answer."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from symscale.catalog.columns import Column, Mistake
from symscale.catalog.tasks import Task
from symscale.expressions.nodes import Binary, Call, Compare, Node, number
from symscale.expressions.numeric import in_units
from symscale.numbers import TOLERANCE


@dataclass(frozen=True, slots=True)
class Coincidence:
    """A column in which a mistake may give the right value."""

    column: int
    node: Node
    """For a number, the condition that its value is accepted; else its value itself."""


def coincidences(task: Task, mistake: Mistake) -> list[Coincidence]:
    """All must hold for the mistake to be right, the least likely first.

    One for every column that the mistake changes (for the last, if it changes none).
    Names stand for numbers in the parameters' units.
    """
    found: list[Coincidence] = []
    for position, column in enumerate(task.columns):
        expanded = mistake.expanded[column.name]
        if expanded != column.expanded or (not found and column is task.columns[-1]):
            wrong = in_units(expanded, task.parameter_units, column.unit)
            node = _accepted(wrong, task.numeric[column.name], column)
            found.append(Coincidence(position, node))
    # Labels and rounded numbers coincide more often than others.
    return sorted(found, key=lambda c: _likelihood(task.columns[c.column]))


def _likelihood(column: Column) -> int:
    return 2 if column.kind != "number" else int(column.exact)


def _accepted(wrong: Node, right: Node, column: Column) -> Node:
    if column.kind != "number":
        return wrong
    if column.exact:
        return Compare("==", wrong, right)
    difference = Call("abs", (Binary("-", wrong, right),))
    scaled = Binary("*", difference, number(Fraction(TOLERANCE)))
    return Compare("<=", scaled, Call("abs", (right,)))
