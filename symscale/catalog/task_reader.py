"""A task's file read: names come into scope one after the other, parameters, steps, columns."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import partial

from symscale.catalog.columns import Column, Mistake, Parameter, Step
from symscale.catalog.quantities import Quantity, take_quantity
from symscale.catalog.ranges import Range
from symscale.catalog.reading import Table, exact
from symscale.catalog.scope import (
    FormulaLookup,
    Scope,
    calls,
    check_names,
    comparison,
    expand,
    guards_of,
)
from symscale.catalog.tasks import PLACEHOLDER, Task
from symscale.errors import ExpressionError
from symscale.expressions.nodes import Compare, Node, substitute
from symscale.expressions.parser import parse
from symscale.expressions.shape import check_shape
from symscale.expressions.text import text
from symscale.units import UNITLESS, Dimension, Unit, UnitSystem


def read_task(
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
    task = Task(
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
        self.quantities = quantities
        self.dimensions: dict[str, Dimension] = {}
        self.scope = Scope(self.dimensions, units, formulas)
        self.expansions: dict[str, Node] = {}
        self.called: list[str] = []
        self.guards: list[Compare] = []

    def parameters(self) -> dict[str, Parameter]:
        parameters = {}
        for name, entry in self.table.table("parameters").tables():
            quantity = take_quantity(entry, "quantity", self.quantities)
            unit = entry.convert(
                "unit", self.scope.units.parse, entry.text("unit", quantity.unit.text)
            )
            shown = [
                entry.convert("shown", self.scope.units.parse, spelling)
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
            usual = set(parameter.range.values)
            for varied in parameter.extrapolate.values if parameter.extrapolate else ():
                entry.convert("extrapolate", partial(quantity.check, unit=unit), varied)
                if varied in usual:
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
            found = PLACEHOLDER.findall(prompt)
            for name in found:
                if name not in parameters:
                    raise self.table.error("prompt", f"{{{name}}} is not a parameter")
            for name in parameters:
                if name not in found:
                    raise self.table.error("prompt", f"does not say {{{name}}}")
        return tuple(prompt.strip() for prompt in prompts)

    def constraints(self, written: tuple[str, ...]) -> tuple[Compare, ...]:
        return tuple(self.table.convert("where", self.condition, line) for line in written)

    def steps(self) -> dict[str, Step]:
        steps = {}
        for name, entry in self.table.table("steps", {}).tables():
            if name in self.dimensions:
                raise entry.error("", "is already the name of a parameter")
            unit = entry.convert("unit", self.scope.units.parse, entry.text("unit"))
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
                unit = entry.convert("unit", self.scope.units.parse, entry.text("unit"))
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
        node = parse(written, self.scope.units)
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
            node = expand(replace.get(name, step.expression), self.scope.formulas)
            expansions[name] = substitute(node, expansions)
        return {
            column.name: substitute(
                expand(replace.get(column.name, column.expression), self.scope.formulas), expansions
            )
            for column in columns
        }

    def expression(self, written: str, unit: Unit = UNITLESS) -> tuple[Node, Node]:
        """An expression as written, checked, and over the parameters alone."""
        node, expanded = self.scope.read(written, expected=unit.dimension)
        self.note(node)
        return node, self.over_parameters(expanded)

    def condition(self, written: str) -> Compare:
        node, expanded = self.scope.read_condition(written)
        self.note(node)
        return comparison(self.over_parameters(expanded))

    def note(self, node: Node) -> None:
        """Remember the formulas that are called, and what they demand."""
        self.called += calls(node)
        for guard in guards_of(node, self.scope.formulas):
            self.guards.append(comparison(substitute(guard, self.expansions)))

    def over_parameters(self, node: Node) -> Node:
        expanded = substitute(node, self.expansions)
        check_shape(expanded)
        return expanded
