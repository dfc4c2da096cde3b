"""What the commands share: the catalog, JSON and tables on stdout."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from symscale.catalog.loader import Catalog, load
from symscale.render.document import Document

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def catalog_of(ctx: click.Context) -> Catalog:
    """The catalog, with the directories of --catalog layered over it."""
    return load(*ctx.obj)


def print_json(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def print_document(document: Document) -> None:
    from rich.console import Console

    width = None if sys.stdout.isatty() else 120
    document.print(Console(width=width, highlight=False))


def show_result(
    data: dict[str, Any], document: Document, *, as_json: bool, markdown: bool = False
) -> None:
    """A result as JSON, as Markdown or for the terminal."""
    if as_json:
        print_json(data)
    elif markdown:
        click.echo(document.markdown, nl=False)
    else:
        print_document(document)
