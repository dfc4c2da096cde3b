"""`symscale show`."""

from __future__ import annotations

from pathlib import Path

import click

from symscale.catalog.documents import (
    formula_document,
    hardware_document,
    instance_document,
    quantity_document,
)
from symscale.catalog.formulas import Formula
from symscale.catalog.hardware import Hardware
from symscale.catalog.instances import Instance
from symscale.catalog.loader import Catalog
from symscale.catalog.quantities import Quantity
from symscale.cli.data import Shown, as_data, formulas_of
from symscale.cli.output import catalog_of, json_option, print_document, print_json
from symscale.errors import CatalogError, UnknownNameError
from symscale.render.document import Document
from symscale.render.latex import latex, latex_name


@click.command("show")
@click.argument("name", metavar="[ID]", required=False)
@click.option("--row", metavar="FILE:LINE", help="Show a generated row, back to its derivation.")
@click.option("--latex", "as_latex", is_flag=True, help="Print the closed forms in LaTeX.")
@json_option
@click.pass_context
def command(
    ctx: click.Context, name: str | None, row: str | None, as_latex: bool, as_json: bool
) -> None:
    """Show a task at its published values, a formula (by id or reference), a quantity, a device or
    a model; or, with --row, a row of a generated file."""
    if (name is None) == (row is None):
        raise click.UsageError("say an ID, or --row FILE:LINE")
    catalog = catalog_of(ctx)
    if name is not None and name in catalog.models:
        from symscale.cli.model import command as show_model

        ctx.invoke(show_model, what=name, context=None, as_json=as_json)
        return
    thing: Shown = row_at(row, catalog) if row is not None else find(catalog, name or "")
    if as_json:
        print_json(as_data(thing, catalog))
    elif as_latex:
        click.echo("\n".join(_latex_lines(thing)))
    else:
        print_document(document(thing, catalog))


def find(catalog: Catalog, name: str) -> Shown:
    """What the catalog has under this name."""
    if name in catalog.tasks:
        return catalog.tasks[name].instance()
    for things in (catalog.formulas, catalog.quantities, catalog.hardware):
        if name in things:
            return things[name]
    if name in catalog.refs:
        return catalog.formula(name)
    known = [
        *catalog.tasks,
        *catalog.formulas,
        *catalog.quantities,
        *catalog.hardware,
        *catalog.models,
    ]
    raise UnknownNameError("task, formula, quantity, device or model", name, known)


def row_at(place: str, catalog: Catalog) -> Instance:
    """The instance of a row, from `FILE:LINE` with lines counted from 1."""
    from symscale.variants.formats import read_rows
    from symscale.variants.rows import instance_of

    path, _, line = place.rpartition(":")
    if not path or not line.isdecimal() or int(line) < 1:
        raise CatalogError("a row is FILE:LINE, with lines counted from 1", where=place)
    for number, row in enumerate(read_rows(Path(path)), 1):
        if number == int(line):
            return instance_of(row, catalog)
    raise CatalogError(f"{path} has no line {line}", where=place)


def document(thing: Shown, catalog: Catalog) -> Document:
    """The page that shows it."""
    match thing:
        case Instance():
            return instance_document(thing)
        case Formula():
            return formula_document(
                thing,
                used_by=catalog.used_by(thing.id),
                figures=catalog.figures.get(thing.id, ()),
                identities=catalog.identities_of(thing.id),
            )
        case Hardware():
            return hardware_document(thing)
        case Quantity():
            given_by, used_by = formulas_of(thing, catalog)
            return quantity_document(thing, given_by, used_by)


def _latex_lines(thing: Shown) -> list[str]:
    match thing:
        case Instance():
            forms = thing.task.numeric.items()
            return [f"{latex_name(name)} = {latex(form)}" for name, form in forms]
        case Formula():
            return [f"{thing.result.latex} = {latex(thing.numeric)}"]
        case Hardware():
            raise click.UsageError(f"{thing.id} has no closed form")
        case Quantity():
            return [thing.latex]
