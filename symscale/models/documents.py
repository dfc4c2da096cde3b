"""The sheet of a model as a document to show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symscale.catalog.architecture import Architecture
from symscale.catalog.documents import math
from symscale.models.sheet import Line, Sheet
from symscale.numbers import decimal_text, exact_text
from symscale.render.document import Cell, Document, Heading, Paragraph, Table
from symscale.units import UnitSystem, convert, quantity_text

SHORT_UNITS = {
    "param": (("param", "kparam", "Mparam", "Gparam", "Tparam"),),
    "byte": (("byte", "kB", "MB", "GB", "TB"), ("byte", "KiB", "MiB", "GiB", "TiB")),
    "byte/token": (("byte/token", "kB/token", "MB/token"), ("byte/token", "KiB/token")),
    "flop/token": (("flop/token", "Mflop/token", "Gflop/token", "Tflop/token"),),
}
"""For each unit of a line, the scales that people read it in; bytes in both kinds of prefix."""

SHORT_DIGITS = 4


@dataclass(frozen=True)
class ModelReport:
    """A model's sheet, with where it is from and what it leaves out."""

    title: str
    source: str
    architecture: Architecture
    sheet: Sheet
    notes: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    def document(self, units: UnitSystem) -> Document:
        """What it amounts to, then the sizes, the derivation and the closed forms."""
        lines = [line for line in self.sheet if not line.is_part]
        blocks: list[Heading | Paragraph | Table] = [
            Heading(self.title),
            Paragraph(f"{kinds(self.architecture)}\nSource: {self.source}"),
            _results(lines, units),
            _symbols(self.sheet),
            _derivation(self.sheet),
            _closed_forms(lines),
        ]
        if self.notes:
            blocks.append(_listing("Left out", self.notes))
        if self.unknown:
            blocks.append(_listing("Not known, and taken to change nothing", self.unknown))
        return Document(tuple(blocks))

    def data(self) -> dict[str, Any]:
        """What `--json` needs besides the lines."""
        return {
            "title": self.title,
            "source": self.source,
            "kinds": kinds(self.architecture),
            "notes": list(self.notes),
            "unknown": list(self.unknown),
        }


def kinds(a: Architecture) -> str:
    """The kinds of an architecture's parts, in words."""
    said = ["latent attention" if a.is_latent else _heads(a)]
    said.append("experts" if a.is_sparse else f"{a.mlp} MLP")
    if a.is_windowed:
        said.append("sliding windows")
    said.append(
        {"rmsnorm": "RMSNorm", "layernorm": "LayerNorm", "unscaled": "unscaled norms"}[a.norm]
    )
    if a.qk_norm != "none":
        said.append("norms of queries and keys")
    if a.biases:
        said.append(f"biases ({', '.join(sorted(a.biases))})")
    if a.attention_sinks:
        said.append("attention sinks")
    tied = a.sizes["n_embedding_matrices"] == 1
    said.append("tied embeddings" if tied else "untied embeddings")
    return ", ".join(said)


def _heads(a: Architecture) -> str:
    heads, groups = a.sizes["n_heads"], a.sizes["n_kv_heads"]
    if groups == heads:
        return "multi-head attention"
    return "multi-query attention" if groups == 1 else "grouped-query attention"


def in_short(line: Line, units: UnitSystem) -> str:
    """A line's value for reading: rounded, with the prefixes that fit."""
    shown = []
    for scales in SHORT_UNITS.get(line.unit.text, ()):
        unit = units.fitting(line.value, line.unit, scales)
        shown.append(quantity_text(convert(line.value, line.unit, unit), unit, SHORT_DIGITS))
    return ", ".join(dict.fromkeys(shown))


def _results(lines: Iterable[Line], units: UnitSystem) -> Table:
    rows = [
        (line.title, _number(line.value), line.unit.text, in_short(line, units)) for line in lines
    ]
    return Table("What it amounts to", ("what", "value", "unit", "in short"), tuple(rows))


def _derivation(sheet: Sheet) -> Table:
    rows = [
        (line.name, math(line.expression), line.unit.text, _number(line.value)) for line in sheet
    ]
    return Table("Derivation", ("step", "expression", "unit", "value"), tuple(rows))


def _number(value: Fraction) -> str:
    """Counts to their last digit."""
    return exact_text(value) if value.denominator == 1 else decimal_text(value)


def _symbols(sheet: Sheet) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (symbol.letter, symbol.quantity.id, exact_text(symbol.value), symbol.quantity.meaning)
        for symbol in sheet.used
    ]
    return Table("Sizes", ("symbol", "quantity", "value", "meaning"), tuple(rows))


def _closed_forms(lines: Iterable[Line]) -> Table:
    rows = [(line.name, math(line.closed_form), line.unit.text) for line in lines]
    return Table("Closed forms", ("step", "over the sizes", "unit"), tuple(rows))


def _listing(title: str, entries: Iterable[str]) -> Table:
    return Table(title, ("",), tuple((entry,) for entry in entries))
