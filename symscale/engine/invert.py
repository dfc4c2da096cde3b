"""Inverses: what an input must be for a value, exactly.

An expression that is a power of its input, or a quotient of two linear functions of one, is
solved for it in closed form; roots, powers, exponentials and logarithms around it are undone one
by one. Every inverse is verified: put back into the expression, it gives the value.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from symscale.catalog.formulas import Formula
from symscale.catalog.quantities import Quantity, read_value
from symscale.catalog.tasks import Task
from symscale.engine.inversion import holds_back, solve_for
from symscale.engine.stepped import SteppedInverse
from symscale.errors import DomainError, UnknownNameError
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import Compare, Node, names, number
from symscale.expressions.text import text
from symscale.expressions.values import Value
from symscale.units import Unit, UnitSystem

CHECKS = 3
"""Points at which an inverse is put back into what it inverts."""

_AGREE = Fraction(1, 10**20)


@dataclass(frozen=True)
class Inverse:
    """`of` = `expression` solved for one of its letters: numbers of `units` in and out."""

    of: str
    """What is inverted: a formula or a column of a task."""
    value: str
    """The name that the value has in `expression`."""
    solved_for: str
    quantity: Quantity
    expression: Node
    conditions: tuple[Compare, ...]
    """When the solution is in the domain of its quantity."""
    forward: Node = field(repr=False)
    units: Mapping[str, Unit] = field(repr=False)
    """The units of every name, the value's and the solution's included."""
    system: UnitSystem = field(repr=False, compare=False)

    def __call__(self, **values: Any) -> Value:
        """The exact solution, from a value for every other name.

        Raises UnknownNameError for another name and DomainError where a value is missing, where
        no solution exists, or where it is outside the domain of its quantity.
        """
        needed = names(self.expression)
        for name in values:
            if name not in self.units or name == self.solved_for:
                raise UnknownNameError(f"letter of the inverse of {self.of}", name, needed)
        missing = [name for name in needed if name not in values]
        if missing:
            raise DomainError(f"the inverse of {self.of} needs a value for {', '.join(missing)}")
        numbers = {
            name: read_value(value, self.units[name], self.system) for name, value in values.items()
        }
        solution = evaluate(self.expression, numbers)
        if isinstance(solution, Fraction):
            self.quantity.check(solution, self.units[self.solved_for])
        return solution

    @property
    def data(self) -> dict[str, Any]:
        return {
            "of": self.of,
            "value": self.value,
            "solved_for": self.solved_for,
            "quantity": self.quantity.id,
            "expression": text(self.expression),
            "conditions": [text(condition) for condition in self.conditions],
            "units": {name: unit.text for name, unit in self.units.items()},
        }

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, str]:
        from symscale.engine.documents import inverse_document

        return inverse_document(self).mimebundle


def invert_formula(formula: Formula, for_: str) -> Inverse | SteppedInverse:
    """The formula solved for one of its symbols, by letter or quantity id.

    The value is called by the id of the result. A quantity that counts, where algebra has no
    inverse, is found by exact bisection when the inverse is called. Raises UnknownNameError, and
    DomainError where neither is to be had.

    >>> import symscale
    >>> symscale.load().formulas["ring_all_gather_seconds"].invert("n")(
    ...     all_gather_time="7/360", V="4 GB", W="180 GB/s"
    ... )
    Fraction(8, 1)
    """
    letter = formula.letter_of(for_)
    value = _free_name(formula.result.id, formula.symbols)
    return _inverse(
        of=formula.id,
        node=formula.numeric,
        value=value,
        unit=formula.unit,
        letter=letter,
        quantities=formula.symbols,
        units={name: quantity.unit for name, quantity in formula.symbols.items()},
        guards=formula.numeric_guards,
        system=formula.units,
    )


def invert_task(task: Task, column: str, *, for_: str) -> Inverse | SteppedInverse:
    """A column of a task solved for one of its parameters, by letter or quantity id.

    Raises UnknownNameError, and DomainError where there is no exact inverse.
    """
    node = task.numeric[task.column(column).name]
    quantities = {name: parameter.quantity for name, parameter in task.parameters.items()}
    letters = [name for name, of in quantities.items() if for_ in (name, of.id)]
    if len(letters) != 1:
        known = [*quantities, *(quantity.id for quantity in quantities.values())]
        raise UnknownNameError(f"parameter of {task.id}", for_, known)
    return _inverse(
        of=f"{task.id} {column}",
        node=node,
        value=_free_name(column, quantities),
        unit=task.column(column).unit,
        letter=letters[0],
        quantities=quantities,
        units=task.parameter_units,
        guards=(),
        system=task.units,
    )


def _free_name(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _inverse(
    *,
    of: str,
    node: Node,
    value: str,
    unit: Unit,
    letter: str,
    quantities: Mapping[str, Quantity],
    units: Mapping[str, Unit],
    guards: Iterable[Compare],
    system: UnitSystem,
) -> Inverse | SteppedInverse:
    positive = [name for name, quantity in quantities.items() if quantity.domain.positive]
    solution = solve_for(node, letter, value, positive=[*positive, value])
    if solution is None or not holds_back(
        node, letter, value, solution, quantities, units, guards=guards
    ):
        if not quantities[letter].domain.integer:
            raise DomainError(f"{of} has no exact inverse for {letter} ({quantities[letter].id})")
        return SteppedInverse(
            of=of,
            value=value,
            solved_for=letter,
            quantity=quantities[letter],
            forward=node,
            units={**units, value: unit},
            system=system,
        )
    quantity = quantities[letter]
    return Inverse(
        of=of,
        value=value,
        solved_for=letter,
        quantity=quantity,
        expression=solution,
        conditions=_conditions(solution, quantity, units[letter]),
        forward=node,
        units={**units, value: unit},
        system=system,
    )


def _conditions(solution: Node, quantity: Quantity, unit: Unit) -> tuple[Compare, ...]:
    scale = quantity.unit.scale / unit.scale
    return tuple(
        Compare(op, solution, number(bound * scale)) for op, bound in quantity.domain.bounds
    )
