"""`symscale list`."""

from __future__ import annotations

import click

from symscale.catalog.loader import Catalog
from symscale.cli.output import catalog_of, json_option, print_document, print_json
from symscale.errors import UnknownNameError
from symscale.expressions.text import text
from symscale.render.document import Document, Table


@click.command("list")
@click.option("--formulas", "what", flag_value="formulas", help="List formulas.")
@click.option("--quantities", "what", flag_value="quantities", help="List quantities.")
@click.option("--models", "what", flag_value="models", help="List public models.")
@click.option("--hardware", "what", flag_value="hardware", help="List accelerators.")
@click.option("--tasks", "what", flag_value="tasks", default=True, help="List tasks (the default).")
@click.option("--area", help="Only the formulas of an area.")
@click.option("--category", help="Only the tasks of a category.")
@json_option
@click.pass_context
def command(
    ctx: click.Context, what: str, area: str | None, category: str | None, as_json: bool
) -> None:
    """List tasks, formulas, quantities, models or hardware."""
    if area is not None and category is not None:
        raise click.UsageError("--area is of formulas, --category of tasks")
    if category is not None and what != "tasks":
        raise click.UsageError("--category is of tasks")
    if area is not None and what not in ("tasks", "formulas"):
        raise click.UsageError("--area is of formulas")
    catalog = catalog_of(ctx)
    if area is not None or what == "formulas":
        rows = _formulas(catalog, area)
    elif what == "quantities":
        rows = _quantities(catalog)
    elif what == "models":
        rows = [{"id": model.id, "title": model.title} for model in catalog.models.values()]
    elif what == "hardware":
        rows = [
            {"id": device.id, "title": device.title, "peaks": ", ".join(device.peaks)}
            for device in catalog.hardware.values()
        ]
    else:
        rows = _tasks(catalog, category)
    if as_json:
        print_json(rows)
    elif rows:
        print_document(
            Document((Table("", tuple(rows[0]), tuple(tuple(row.values()) for row in rows)),))
        )


def _tasks(catalog: Catalog, category: str | None) -> list[dict[str, str]]:
    tasks = list(catalog.tasks.values())
    _check("category", category, {task.category for task in tasks})
    return [
        {
            "id": task.id,
            "category": task.category,
            "title": task.title,
            "answer": ", ".join(column.name for column in task.columns),
        }
        for task in tasks
        if category in (None, task.category)
    ]


def _formulas(catalog: Catalog, area: str | None) -> list[dict[str, str]]:
    _check("area", area, catalog.areas)
    return [
        {
            "id": formula.id,
            "area": formula.area,
            "expression": text(formula.expression),
            "unit": formula.unit.text,
            "title": formula.title,
        }
        for formula in catalog.formulas.values()
        if area in (None, formula.area)
    ]


def _quantities(catalog: Catalog) -> list[dict[str, str]]:
    return [
        {
            "id": quantity.id,
            "unit": quantity.unit.text,
            "domain": str(quantity.domain),
            "meaning": quantity.meaning,
        }
        for quantity in catalog.quantities.values()
    ]


def _check(kind: str, name: str | None, known: set[str]) -> None:
    if name is not None and name not in known:
        raise UnknownNameError(kind, name, known)
