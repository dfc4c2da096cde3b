"""Tasks: a question template, its derivation, its answer columns and their closed forms."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from symscale.catalog.columns import Column, Mistake, Parameter, Step
from symscale.catalog.difficulty import Difficulty, difficulty
from symscale.catalog.formulas import (
    FormulaLookup,
    calls,
    check_names,
    comparison,
    expand,
    guards_of,
)
from symscale.catalog.quantities import Quantity, read_value, take_quantity
from symscale.catalog.ranges import Range
from symscale.catalog.reading import Table, exact
from symscale.errors import ExpressionError, UnknownNameError
from symscale.expressions.dimensions import dimension_of
from symscale.expressions.kernel import Kernel, compile_kernel
from symscale.expressions.nodes import Compare, Node, names, substitute
from symscale.expressions.numeric import in_units
from symscale.expressions.parser import parse
from symscale.expressions.shape import check_shape
from symscale.expressions.text import text
from symscale.expressions.tidy import tidy
from symscale.units import UNITLESS, Dimension, Unit, UnitSystem

if TYPE_CHECKING:
    from symscale.catalog.instances import Instance
    from symscale.engine.invert import Inverse
    from symscale.engine.stepped import SteppedInverse

_PLACEHOLDER = re.compile(r"\{(\w*)\}")


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

    @classmethod
    def from_table(
        cls,
        table: Table,
        *,
        category: str,
        units: UnitSystem,
        quantities: Mapping[str, Quantity],
        formulas: FormulaLookup,
    ) -> Task:
        """Read and check one file. Raises CatalogError with its key."""
        content = repr(table.values)
        reader = _Reader(table, units, quantities, formulas)
        parameters = reader.parameters()
        prompts = reader.prompts(parameters)
        where = reader.constraints(table.texts("where", ()))
        steps = reader.steps()
        columns = reader.columns()
        where = tuple(dict.fromkeys([*where, *reader.guards]))
        mistakes = reader.mistakes(steps, columns)
        used = tuple(dict.fromkeys(reader.called))
        says = repr([content, *(text(formulas(name).expanded) for name in used)])
        task = cls(
            id=table.text("id"),
            category=category,
            title=table.text("title"),
            source=table.text("source"),
            prompts=prompts,
            parameters=parameters,
            where=where,
            steps=steps,
            columns=columns,
            mistakes=mistakes,
            formulas=used,
            units=units,
            digest=hashlib.sha256(says.encode()).hexdigest(),
        )
        table.finish()
        return task


class _Reader:
    """Reads a task's table while its names come into scope: parameters, then step by step."""

    def __init__(
        self,
        table: Table,
        units: UnitSystem,
        quantities: Mapping[str, Quantity],
        formulas: FormulaLookup,
    ) -> None:
        self.table = table
        self.units = units
        self.quantities = quantities
        self.formulas = formulas
        self.dimensions: dict[str, Dimension] = {}
        self.expansions: dict[str, Node] = {}
        self.called: list[str] = []
        self.guards: list[Compare] = []

    def parameters(self) -> dict[str, Parameter]:
        parameters = {}
        for name, entry in self.table.table("parameters").tables():
            quantity = take_quantity(entry, "quantity", self.quantities)
            unit = entry.convert("unit", self.units.parse, entry.text("unit", quantity.unit.text))
            shown = [
                entry.convert("shown", self.units.parse, spelling)
                for spelling in entry.texts("shown", (unit.text,))
            ]
            if not shown:
                raise entry.error("shown", "has no unit")
            for key, other in [("unit", unit), *(("shown", each) for each in shown)]:
                if other.dimension != quantity.unit.dimension:
                    what = f"{other} does not measure {quantity.id} ({quantity.unit})"
                    raise entry.error(key, what)
            value = entry.convert("value", exact, entry.take("value"))
            parameter = Parameter(
                name=name,
                quantity=quantity,
                unit=unit,
                value=value,
                range=Range.from_table(entry.table("range")).including(value),
                shown=tuple(shown),
                extrapolate=self.extrapolate(entry),
            )
            for varied in parameter.range.values:
                if varied != value:
                    entry.convert("range", partial(quantity.check, unit=unit), varied)
            for varied in parameter.extrapolate.values if parameter.extrapolate else ():
                entry.convert("extrapolate", partial(quantity.check, unit=unit), varied)
                if varied in parameter.range.values:
                    raise entry.error("extrapolate", f"{varied} is also a value of range")
            entry.finish()
            parameters[name] = parameter
            self.dimensions[name] = unit.dimension
        return parameters

    def extrapolate(self, entry: Table) -> Range | None:
        if "extrapolate" not in entry.values:
            return None
        return Range.from_table(entry.table("extrapolate"))

    def prompts(self, parameters: Mapping[str, Parameter]) -> tuple[str, ...]:
        prompts = self.table.texts("prompt")
        if not prompts:
            raise self.table.error("prompt", "has no phrasing")
        for prompt in prompts:
            found = _PLACEHOLDER.findall(prompt)
            for name in found:
                if name not in parameters:
                    raise self.table.error("prompt", f"{{{name}}} is not a parameter")
            for name in parameters:
                if name not in found:
                    raise self.table.error("prompt", f"does not say {{{name}}}")
        return tuple(prompt.strip() for prompt in prompts)

    def constraints(self, written: tuple[str, ...]) -> tuple[Compare, ...]:
        return tuple(self.table.convert("where", self.condition, line) for line in written)

    def condition(self, written: str) -> Compare:
        comparison(parse(written, self.units))
        _, condition = self.expression(written)
        return comparison(condition)

    def steps(self) -> dict[str, Step]:
        steps = {}
        for name, entry in self.table.table("steps", {}).tables():
            if name in self.dimensions:
                raise entry.error("", "is already the name of a parameter")
            unit = entry.convert("unit", self.units.parse, entry.text("unit"))
            node, expanded = entry.convert(
                "expression",
                partial(self.expression, unit=unit),
                entry.text("expression"),
            )
            steps[name] = Step(name, unit, node, expanded)
            self.dimensions[name] = unit.dimension
            self.expansions[name] = expanded
            entry.finish()
        return steps

    def columns(self) -> tuple[Column, ...]:
        columns = []
        for name, entry in self.table.table("answer").tables():
            unit = UNITLESS
            if "unit" in entry.values:
                unit = entry.convert("unit", self.units.parse, entry.text("unit"))
            node, expanded = entry.convert(
                "expression", partial(self.expression, unit=unit), entry.text("expression")
            )
            kind = check_shape(node)
            exact = entry.flag("exact")
            if kind != "number" and (unit is not UNITLESS or exact):
                raise entry.error("unit", f"a {kind} has no unit and is not marked exact")
            columns.append(Column(name, kind, unit, node, expanded, exact))
            entry.finish()
        if not columns:
            raise self.table.error("answer", "has no column")
        return tuple(columns)

    def mistakes(
        self, steps: Mapping[str, Step], columns: tuple[Column, ...]
    ) -> dict[str, Mistake]:
        mistakes = {}
        parts: dict[str, Step | Column] = {**steps, **{c.name: c for c in columns}}
        for name, entry in self.table.table("mistakes", {}).tables():
            replacements = entry.table("replace")
            replace = {}
            for key in list(replacements.values):
                if key not in parts:
                    raise replacements.error(key, "is not a step or a column of this task")
                replace[key] = replacements.convert(
                    key, partial(self.wrong, part=parts[key]), replacements.text(key)
                )
            if not replace:
                raise entry.error("replace", "replaces nothing")
            expanded = self.consequences(steps, columns, replace)
            mistakes[name] = Mistake(name, entry.text("message"), replace, expanded)
            entry.finish()
        return mistakes

    def wrong(self, written: str, part: Step | Column) -> Node:
        """A mistake may be wrong in its dimension, but not in its notation or its kind."""
        node = parse(written, self.units)
        check_names(node, self.dimensions)
        self.called += calls(node)
        if check_shape(node) != check_shape(part.expression):
            raise ExpressionError(f"{written!r} is not of the kind that it replaces")
        return node

    def consequences(
        self,
        steps: Mapping[str, Step],
        columns: tuple[Column, ...],
        replace: Mapping[str, Node],
    ) -> dict[str, Node]:
        expansions: dict[str, Node] = {}
        for name, step in steps.items():
            node = expand(replace.get(name, step.expression), self.formulas)
            expansions[name] = substitute(node, expansions)
        return {
            column.name: substitute(
                expand(replace.get(column.name, column.expression), self.formulas), expansions
            )
            for column in columns
        }

    def expression(self, written: str, unit: Unit = UNITLESS) -> tuple[Node, Node]:
        """An expression as written, checked, and over the parameters alone."""
        node = parse(written, self.units)
        check_names(node, self.dimensions)
        dimension_of(
            node,
            self.dimensions,
            signatures=lambda name: self.formulas(name).signature,
            expected=unit.dimension,
        )
        self.called += calls(node)
        for guard in guards_of(node, self.formulas):
            self.guards.append(comparison(substitute(guard, self.expansions)))
        expanded = substitute(expand(node, self.formulas), self.expansions)
        check_shape(expanded)
        return node, expanded


def unused_parameters(task: Task) -> list[str]:
    """The parameters that no answer depends on."""
    used = {name for column in task.columns for name in names(column.expanded)}
    return [name for name in task.parameters if name not in used]
