"""The parts of a task: its parameters, derivation steps, answer columns and known mistakes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from symscale.catalog.quantities import Quantity
from symscale.catalog.ranges import Range
from symscale.expressions.nodes import Label, Node, walk
from symscale.expressions.shape import Kind
from symscale.units import Unit, convert


@dataclass(frozen=True)
class Parameter:
    """A letter of a task, bound to a quantity, with the values it takes in `unit`."""

    name: str
    quantity: Quantity
    unit: Unit
    value: Fraction
    """The published value."""
    range: Range
    """What it varies over, the published value included."""
    shown: tuple[Unit, ...]
    """The units that a prompt may show it in; the first is the usual one."""
    extrapolate: Range | None = None
    """Values outside of `range`, for the split that tests extrapolation."""

    @property
    def positive(self) -> bool:
        return self.quantity.domain.positive

    @property
    def least(self) -> Fraction | None:
        """A number that no value in `unit` is below, if there is one."""
        least = self.quantity.domain.least
        return None if least is None else convert(least, self.quantity.unit, self.unit)


@dataclass(frozen=True)
class Step:
    """A named intermediate result of a derivation."""

    name: str
    unit: Unit
    expression: Node
    """As written, over parameters and earlier steps, formulas called by name."""
    expanded: Node
    """The same over the parameters alone."""


@dataclass(frozen=True)
class Column:
    """A named cell of the answer row."""

    name: str
    kind: Kind
    unit: Unit
    """1 for labels and truth values."""
    expression: Node
    """As written, over parameters and steps."""
    expanded: Node
    """The same over the parameters alone."""
    exact: bool = False
    """Whether an answer must match to the last digit."""

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels that a label column chooses from, sorted so that the order tells nothing."""
        found = {part.text for part in walk(self.expanded) if isinstance(part, Label)}
        return tuple(sorted(found))


@dataclass(frozen=True)
class Mistake:
    """A wrong way to the answer that people really take."""

    name: str
    message: str
    """What went wrong, in words for the one who made it."""
    replace: Mapping[str, Node]
    """The steps or columns that it gets wrong, as written."""
    expanded: Mapping[str, Node]
    """Every column, in order, as the mistake makes it, over the parameters alone."""
