"""Conditions, in the notation, that tell where a mistake gives the right answer.

What a mistake gives is held against what is right as a relative error: most of it cancels, and a
mistake that is far off at all numbers that are drawn needs no condition.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from symscale.algebra.factored import ONE, Factored
from symscale.algebra.normal_form import factored
from symscale.algebra.polynomials import TooComplexError
from symscale.catalog.columns import Column, Mistake
from symscale.catalog.quantities import Domain
from symscale.catalog.tasks import Task
from symscale.engine.points.boundaries import has_value
from symscale.engine.variables import Variable
from symscale.errors import SymscaleError
from symscale.expressions.nodes import Binary, Call, Compare, Node, Number, number
from symscale.expressions.numeric import in_units
from symscale.expressions.reach import reach
from symscale.expressions.text import text
from symscale.numbers import TOLERANCE

_ONE = Number("1")


@dataclass(frozen=True, slots=True)
class Coincidence:
    """A column in which a mistake may give the right value."""

    column: int
    node: Node
    """For a number, the condition that its value is accepted; else its value itself."""


@dataclass(frozen=True)
class Luck:
    """Where the mistakes of a task are right, while its parameters are within some ranges."""

    task: Task
    ranges: Mapping[str, tuple[Fraction, Fraction]]

    def coincidences(self, mistake: Mistake) -> list[Coincidence] | None:
        """All must hold for the mistake to be right, the least likely first; None if it never is.

        One for every column that the mistake changes, as far as it may be right or wrong there.
        Names stand for numbers in the parameters' units.
        """
        found: list[Coincidence] = []
        for position, column in enumerate(self.task.columns):
            expanded = mistake.expanded[column.name]
            if expanded == column.expanded:
                continue
            wrong = in_units(expanded, self.task.parameter_units, column.unit)
            happens = self._happens(wrong, self.task.numeric[column.name], column)
            if happens is False:
                return None
            if not isinstance(happens, bool):
                found.append(Coincidence(position, happens))
        # Labels and rounded numbers coincide more often than others.
        return sorted(found, key=lambda c: _likelihood(self.task.columns[c.column]))

    def _happens(self, wrong: Node, right: Node, column: Column) -> Node | bool:
        """The condition that a value is accepted, or whether it always is."""
        if column.kind != "number":
            return wrong
        ratio = self._ratio(wrong, right)
        if ratio is None:
            return _accepted(Binary("-", wrong, right), Call("abs", (right,)), column)
        error = ratio - ONE
        if error.constant is not None:
            size = abs(error.constant)
            return not size if column.exact else size * TOLERANCE <= 1
        reached = reach(error.node(), self.ranges)
        if reached is not None:
            low, high = reached
            if max(low, -high) > (0 if column.exact else Fraction(1, TOLERANCE)):
                return False
        forms = [error.node(), Binary("-", ratio.node(), _ONE)]
        return _accepted(min(forms, key=lambda form: len(text(form))), _ONE, column)

    def _ratio(self, wrong: Node, right: Node) -> Factored | None:
        """The quotient of both, cancelled; None unless both have a value everywhere and the right
        one is never zero, as far as signs show it."""
        ratio = Binary("/", wrong, right)
        try:
            if not has_value(ratio, self._variables):
                return None
            return factored(ratio, positive=self._positive)
        except (TooComplexError, ZeroDivisionError, SymscaleError):
            return None

    @cached_property
    def _positive(self) -> list[str]:
        return [name for name, (low, _) in self.ranges.items() if low > 0]

    @cached_property
    def _variables(self) -> dict[str, Variable]:
        return {
            name: Variable(Domain("a range", bounds=((">=", low), ("<=", high))))
            for name, (low, high) in self.ranges.items()
        }


def _likelihood(column: Column) -> int:
    return 2 if column.kind != "number" else int(column.exact)


def _accepted(difference: Node, size: Node, column: Column) -> Node:
    if column.exact:
        return Compare("==", difference, Number("0"))
    scaled = Binary("*", Call("abs", (difference,)), number(Fraction(TOLERANCE)))
    return Compare("<=", scaled, size)
