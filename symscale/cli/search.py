"""`symscale search`."""

from __future__ import annotations

import re

import click

from symscale.catalog.loader import Catalog
from symscale.cli.output import catalog_of, json_option, print_document, print_json
from symscale.render.document import Document, Table


@click.command("search")
@click.argument("words", nargs=-1, required=True)
@json_option
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...], as_json: bool) -> int:
    """Find tasks, formulas, models, hardware and quantities that speak of all the words."""
    found = search(catalog_of(ctx), " ".join(words))
    if as_json:
        print_json(found)
    elif found:
        header = ("kind", "id", "title")
        print_document(Document((Table("", header, tuple(tuple(row.values()) for row in found)),)))
    else:
        click.echo("nothing speaks of that", err=True)
    return 0 if found else 1


def search(catalog: Catalog, query: str) -> list[dict[str, str]]:
    """The entries whose id, title or description has every word, ids that match first."""
    words = re.findall(r"\w+", query.lower())
    if not words:
        raise click.UsageError("say at least one word")
    found = []
    for kind, id, title, description in _entries(catalog):
        heading = f"{id.replace('_', ' ')} {title}".lower()
        if all(word in heading or word in description.lower() for word in words):
            rank = sum(word not in heading for word in words)
            found.append((rank, {"kind": kind, "id": id, "title": title}))
    return [entry for _, entry in sorted(found, key=lambda item: item[0])]


def _entries(catalog: Catalog) -> list[tuple[str, str, str, str]]:
    entries = [("task", t.id, t.title, t.category) for t in catalog.tasks.values()]
    entries += [
        ("formula", f.id, f.title, " ".join((f.area, *f.refs, *f.assumptions)))
        for f in catalog.formulas.values()
    ]
    entries += [("model", m.id, m.title, m.source) for m in catalog.models.values()]
    entries += [("hardware", h.id, h.title, " ".join(h.peaks)) for h in catalog.hardware.values()]
    entries += [("quantity", q.id, q.meaning, q.latex) for q in catalog.quantities.values()]
    return entries
