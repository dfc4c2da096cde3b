"""Tasks: a question template, its derivation, its answer columns and their closed forms."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from symscale.catalog.columns import Column, Mistake, Parameter, Step
from symscale.catalog.difficulty import Difficulty, difficulty
from symscale.catalog.quantities import read_value
from symscale.errors import UnknownNameError
from symscale.expressions.kernel import Kernel, compile_kernel
from symscale.expressions.nodes import Compare, Node, names
from symscale.expressions.numeric import in_units
from symscale.expressions.tidy import tidy
from symscale.units import UNITLESS, Unit, UnitSystem

if TYPE_CHECKING:
    from symscale.catalog.instances import Instance
    from symscale.engine.invert import Inverse
    from symscale.engine.stepped import SteppedInverse

PLACEHOLDER = re.compile(r"\{(\w*)\}")
"""Where a prompt shows a parameter: its letter in braces."""


@dataclass(frozen=True)
class Task:
    """One question with parameters, from which every variant and its exact key derive."""

    id: str
    category: str
    title: str
    source: str
    prompts: tuple[str, ...]
    """Phrasings of the question, with `{letter}` where a parameter's value and unit stand."""
    parameters: Mapping[str, Parameter]
    where: tuple[Compare, ...]
    """What the values of a variant must meet, besides their domains: the task's own conditions
    and those of the formulas that it calls, over the parameters."""
    steps: Mapping[str, Step]
    columns: tuple[Column, ...]
    mistakes: Mapping[str, Mistake]
    formulas: tuple[str, ...]
    """The ids of the formulas that its steps and columns call."""
    units: UnitSystem = field(repr=False, compare=False)
    digest: str = field(repr=False)
    """SHA-256 of what the task says, formulas included; it changes when any of that does."""

    def column(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise UnknownNameError(f"column of {self.id}", name, [c.name for c in self.columns])

    @cached_property
    def difficulty(self) -> Difficulty:
        return difficulty(self.parameters, self.steps, self.columns, self.formulas)

    @cached_property
    def parameter_units(self) -> dict[str, Unit]:
        return {name: parameter.unit for name, parameter in self.parameters.items()}

    @cached_property
    def numeric(self) -> dict[str, Node]:
        """Each column's closed form: over the numbers in the parameters' units, giving the number
        in the column's unit."""
        return {column.name: self._tidied(column.expanded, column.unit) for column in self.columns}

    def _tidied(self, node: Node, unit: Unit) -> Node:
        positive = {
            name: least
            for name, parameter in self.parameters.items()
            if parameter.positive and (least := parameter.least) is not None
        }
        return tidy(in_units(node, self.parameter_units, unit), positive=positive)

    def closed_form(self, column: str) -> Any:
        """The SymPy tree of a column over the task's own symbols.

        Each symbol stands for the number in its parameter's unit, the value for the number in the
        column's unit. It is built from the expression as written, so that it is independent of
        the kernel, which works on the tidied closed form. Raises UnknownNameError.
        """
        from symscale.expressions.tree import sympy_tree

        named = self.column(column)
        return sympy_tree(in_units(named.expanded, self.parameter_units, named.unit))

    @cached_property
    def kernel(self) -> Kernel:
        """All columns at once, from the parameters in order, in their units."""
        return self.compile(self.numeric)

    @cached_property
    def mistake_kernels(self) -> dict[str, Kernel]:
        """The columns as each mistake gives them."""
        return {
            mistake.name: self.compile(
                {
                    column.name: in_units(
                        mistake.expanded[column.name], self.parameter_units, column.unit
                    )
                    for column in self.columns
                }
            )
            for mistake in self.mistakes.values()
        }

    @cached_property
    def constraint_kernel(self) -> Kernel:
        """The truth of each condition."""
        return self.compile(dict(enumerate(self.conditions)))

    @cached_property
    def conditions(self) -> tuple[Node, ...]:
        """What `where` says of the numbers in the parameters' units, tidied."""
        return tuple(self._tidied(condition, UNITLESS) for condition in self.where)

    def compile(self, outputs: Mapping[Any, Node]) -> Kernel:
        """A kernel over this task's parameters."""
        return compile_kernel(
            list(outputs.values()),
            tuple(self.parameters),
            positive=[name for name, parameter in self.parameters.items() if parameter.positive],
        )

    def instance(self, **values: Any) -> Instance:
        """The task at the published values, or at those given.

        A bare number is in the parameter's unit; `"2 GB"` is converted.
        Raises UnknownNameError for what is not a parameter, DomainError for a value that the
        quantity does not admit or that breaks a constraint of the task.
        """
        from symscale.catalog.instances import Instance

        numbers = {name: parameter.value for name, parameter in self.parameters.items()}
        for name, value in values.items():
            if name not in self.parameters:
                raise UnknownNameError(f"parameter of {self.id}", name, self.parameters)
            parameter = self.parameters[name]
            number = read_value(value, parameter.unit, self.units)
            numbers[name] = parameter.quantity.check(number, parameter.unit)
        instance = Instance(self, numbers)
        if numbers != self.published:
            instance.check_constraints()
        return instance

    @cached_property
    def published(self) -> dict[str, Fraction]:
        """The published values, in the parameters' units."""
        return {name: parameter.value for name, parameter in self.parameters.items()}

    def invert(self, column: str, *, for_: str) -> Inverse | SteppedInverse:
        """A column solved for a parameter, by letter or quantity id: see `symscale.engine`."""
        from symscale.engine.invert import invert_task

        return invert_task(self, column, for_=for_)

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, str]:
        from symscale.catalog.documents import task_document

        return task_document(self).mimebundle


def unused_parameters(task: Task) -> list[str]:
    """The parameters that no answer depends on."""
    used = {name for column in task.columns for name in names(column.expanded)}
    return [name for name in task.parameters if name not in used]
