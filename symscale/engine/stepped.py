"""Inverses of expressions with steps: the whole numbers for which they have a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from symscale.catalog.quantities import Quantity, read_value
from symscale.engine.signs import first_integer, last_integer, signs
from symscale.errors import DomainError, UnknownNameError
from symscale.expressions.nodes import Binary, Node, names, number, substitute
from symscale.units import Unit, UnitSystem


@dataclass(frozen=True, slots=True)
class Bracket:
    """The least and the greatest whole number that give a value; None stands for no end."""

    low: Fraction | None
    high: Fraction | None


@dataclass(frozen=True)
class SteppedInverse:
    """`of` inverted for a quantity that counts, where no closed form does it."""

    of: str
    value: str
    """The name under which the value is given."""
    solved_for: str
    quantity: Quantity
    forward: Node = field(repr=False)
    units: Mapping[str, Unit] = field(repr=False)
    system: UnitSystem = field(repr=False, compare=False)

    def __call__(self, **values: Any) -> Bracket | None:
        """All whole numbers for which the expression has the value, None if there are none.

        Takes a value for every other name. Raises UnknownNameError and DomainError; also where
        the numbers that give the value are no unbroken run, or cannot be told.
        """
        wanted = {*names(self.forward), self.value} - {self.solved_for}
        for name in values:
            if name not in wanted:
                raise UnknownNameError(f"letter of the inverse of {self.of}", name, wanted)
        missing = sorted(wanted - values.keys())
        if missing:
            raise DomainError(f"the inverse of {self.of} needs a value for {', '.join(missing)}")
        numbers = {
            name: number(read_value(value, self.units[name], self.system))
            for name, value in values.items()
        }
        target = numbers.pop(self.value)
        difference = Binary("-", substitute(self.forward, numbers), target)
        found = signs(difference, self.solved_for, self.quantity.domain, integer=True)
        if found.tried is not None:
            raise DomainError(f"{self.of} is not known to be monotone in {self.solved_for}")
        runs = []
        for segment in found.segments:
            if segment.sign == 0:
                low, high = first_integer(segment), last_integer(segment)
                if low is not None or high is not None:
                    runs.append(Bracket(low, high))
        if len(runs) > 1:
            raise DomainError(f"{self.of} has the value for several runs of {self.solved_for}")
        return runs[0] if runs else None

    @property
    def data(self) -> dict[str, Any]:
        return {
            "of": self.of,
            "value": self.value,
            "solved_for": self.solved_for,
            "quantity": self.quantity.id,
            "expression": None,
            "units": {name: unit.text for name, unit in self.units.items()},
        }
