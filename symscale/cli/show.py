"""`symscale show`."""

from __future__ import annotations

from typing import Any

import click

from symscale.catalog.documents import (
    formula_document,
    instance_document,
    quantity_document,
    value_decimal,
    value_exact,
)
from symscale.catalog.formulas import Formula
from symscale.catalog.instances import Instance
from symscale.catalog.loader import Catalog
from symscale.catalog.quantities import Quantity
from symscale.cli.output import catalog_of, json_option, print_document, print_json
from symscale.errors import UnknownNameError
from symscale.expressions.text import text
from symscale.numbers import exact_text
from symscale.render.latex import latex, latex_name


@click.command("show")
@click.argument("name", metavar="ID")
@click.option("--latex", "as_latex", is_flag=True, help="Print the closed forms in LaTeX.")
@json_option
@click.pass_context
def command(ctx: click.Context, name: str, as_latex: bool, as_json: bool) -> None:
    """Show a task at its published values, a formula (by id or reference) or a quantity."""
    catalog = catalog_of(ctx)
    thing = find(catalog, name)
    if as_json:
        print_json(as_data(thing, catalog))
    elif as_latex:
        click.echo("\n".join(_latex_lines(thing)))
    elif isinstance(thing, Instance):
        print_document(instance_document(thing))
    elif isinstance(thing, Formula):
        print_document(formula_document(thing, catalog.used_by(thing.id)))
    else:
        given_by, used_by = _formulas_of(thing, catalog)
        print_document(quantity_document(thing, given_by, used_by))


def find(catalog: Catalog, name: str) -> Instance | Formula | Quantity:
    """What the catalog has under this name: a task, a formula or a quantity."""
    if name in catalog.tasks:
        return catalog.tasks[name].instance()
    if name in catalog.formulas:
        return catalog.formulas[name]
    if name in catalog.quantities:
        return catalog.quantities[name]
    if name in catalog.refs:
        return catalog.formula(name)
    known = [*catalog.tasks, *catalog.formulas, *catalog.quantities]
    raise UnknownNameError("task, formula or quantity", name, known)


def as_data(thing: Instance | Formula | Quantity, catalog: Catalog) -> dict[str, Any]:
    """The same as JSON: exact values as `p/q`, closed forms in the notation."""
    match thing:
        case Instance():
            return _instance_data(thing)
        case Formula():
            return {
                "id": thing.id,
                "area": thing.area,
                "title": thing.title,
                "refs": list(thing.refs),
                "result": thing.result.id,
                "unit": thing.unit.text,
                "expression": text(thing.expression),
                "closed_form": text(thing.numeric),
                "latex": latex(thing.numeric),
                "symbols": [
                    {"symbol": letter, **_quantity_data(quantity)}
                    for letter, quantity in thing.symbols.items()
                ],
                "conditions": [text(condition) for condition in thing.conditions],
                "assumptions": list(thing.assumptions),
                "source": thing.source,
                "uses": list(thing.uses),
                "used_by": catalog.used_by(thing.id),
            }
        case Quantity():
            given_by, used_by = _formulas_of(thing, catalog)
            return {**_quantity_data(thing), "given_by": given_by, "used_by": used_by}


def _quantity_data(quantity: Quantity) -> dict[str, str]:
    return {
        "quantity": quantity.id,
        "latex": quantity.latex,
        "unit": quantity.unit.text,
        "domain": str(quantity.domain),
        "meaning": quantity.meaning,
    }


def _instance_data(instance: Instance) -> dict[str, Any]:
    task = instance.task
    return {
        "id": task.id,
        "category": task.category,
        "title": task.title,
        "question": instance.question,
        "parameters": [
            {
                "name": name,
                "quantity": parameter.quantity.id,
                "value": exact_text(instance.parameters[name]),
                "unit": parameter.unit.text,
            }
            for name, parameter in task.parameters.items()
        ],
        "steps": [
            {"name": step.name, "expression": text(step.expression), "unit": step.unit.text}
            for step in task.steps.values()
        ],
        "columns": [
            {
                "name": column.name,
                "kind": column.kind,
                "unit": column.unit.text,
                "closed_form": text(task.numeric[column.name]),
                "latex": latex(task.numeric[column.name]),
                "exact": value_exact(value),
                "decimal": value_decimal(value),
            }
            for column, value in zip(task.columns, instance.values, strict=True)
        ],
    }


def _latex_lines(thing: Instance | Formula | Quantity) -> list[str]:
    match thing:
        case Instance():
            forms = thing.task.numeric.items()
            return [f"{latex_name(name)} = {latex(form)}" for name, form in forms]
        case Formula():
            return [f"{thing.result.latex} = {latex(thing.numeric)}"]
        case Quantity():
            return [thing.latex]


def _formulas_of(quantity: Quantity, catalog: Catalog) -> tuple[list[str], list[str]]:
    """The formulas that give a quantity, and those that take it."""
    formulas = list(catalog.formulas.values())
    given_by = [formula.id for formula in formulas if formula.result.id == quantity.id]
    used_by = [
        formula.id
        for formula in formulas
        if any(other.id == quantity.id for other in formula.symbols.values())
    ]
    return given_by, used_by
