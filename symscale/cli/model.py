"""`symscale model`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from symscale.catalog.loader import Catalog
from symscale.cli.output import catalog_of, json_option, print_document, print_json
from symscale.expressions.text import text
from symscale.models.configurations import read_configuration
from symscale.models.counting import count
from symscale.models.documents import ModelReport
from symscale.numbers import decimal_text, exact_text
from symscale.render.latex import latex


@click.command("model")
@click.argument("what", metavar="CONFIG.json|MODEL_ID")
@click.option(
    "--context",
    type=click.IntRange(1),
    metavar="TOKENS",
    help="Take attention and the KV cache at this many tokens (usually 4,096).",
)
@json_option
@click.pass_context
def command(ctx: click.Context, what: str, context: int | None, as_json: bool) -> None:
    """Count parameters, bytes and FLOPs of a model, from its Hugging Face config.json or by the id
    of a model in the catalog, each with its closed form."""
    catalog = catalog_of(ctx)
    report = report_on(what, catalog, context)
    if as_json:
        print_json(as_data(report))
    else:
        print_document(report.document(catalog.units))


def report_on(what: str, catalog: Catalog, context: int | None) -> ModelReport:
    """The report on a file, a folder with a config.json, or a model of the catalog."""
    path = Path(what)
    if what in catalog.models and not path.is_file():
        model = catalog.models[what]
        sheet = count(model.architecture, catalog, context=context)
        return ModelReport(model.title, model.source, model.architecture, sheet)
    if not path.exists() and path.suffix != ".json":
        catalog.models[what]  # which says the nearest ids
    path = path / "config.json" if path.is_dir() else path
    read = read_configuration(path)
    return ModelReport(
        title=f"{path.name}: {read.model_type}",
        source=str(path),
        architecture=read.architecture,
        sheet=count(read.architecture, catalog, context=context),
        notes=read.notes,
        unknown=read.unknown,
    )


def as_data(report: ModelReport) -> dict[str, Any]:
    """The same as JSON: exact values as `p/q`, closed forms in the notation."""
    return {
        **report.data(),
        "sizes": [
            {
                "symbol": symbol.letter,
                "quantity": symbol.quantity.id,
                "value": exact_text(symbol.value),
                "unit": symbol.quantity.unit.text,
            }
            for symbol in report.sheet.used
        ],
        "lines": [
            {
                "name": line.name,
                "title": line.title,
                "unit": line.unit.text,
                "expression": text(line.expression),
                "formulas": list(line.formulas),
                "closed_form": text(line.closed_form),
                "latex": latex(line.closed_form),
                "exact": exact_text(line.value),
                "decimal": decimal_text(line.value),
            }
            for line in report.sheet
        ],
    }
