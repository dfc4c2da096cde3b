"""A small document, written once and shown in a terminal, as Markdown and as HTML."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from rich.console import Console


SHORT = 24
"""Columns of names and numbers up to this width are not broken over lines."""

_MARKDOWN_ESCAPES = str.maketrans({c: f"\\{c}" for c in "\\*`<&$|"})


@dataclass(frozen=True, slots=True)
class Math:
    """An expression: in readable Unicode where there is no typesetting, in LaTeX where there is."""

    text: str
    latex: str


Cell: TypeAlias = str | Math


@dataclass(frozen=True, slots=True)
class Heading:
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


Block: TypeAlias = Heading | Paragraph | Table


@dataclass(frozen=True, slots=True)
class Document:
    """Headings, paragraphs and tables, in order."""

    blocks: tuple[Block, ...]

    def print(self, console: Console) -> None:
        """Show it in a terminal."""
        from rich.text import Text

        for block in self.blocks:
            match block:
                case Heading():
                    console.print(Text(block.text, style="bold"))
                case Paragraph():
                    console.print(Text(block.text))
                case Table():
                    _print_table(console, block)
            console.print()

    @property
    def markdown(self) -> str:
        pieces = []
        for block in self.blocks:
            match block:
                case Heading():
                    pieces.append(f"## {_escaped(block.text)}")
                case Paragraph():
                    pieces.append(_escaped(block.text))
                case Table():
                    pieces.append(_markdown_table(block))
        return "\n\n".join(pieces) + "\n"

    @property
    def html(self) -> str:
        """HTML with LaTeX between `$` signs, as notebooks typeset it."""
        pieces = []
        for block in self.blocks:
            match block:
                case Heading():
                    pieces.append(f"<h3>{html.escape(block.text)}</h3>")
                case Paragraph():
                    lines = html.escape(block.text).replace("\n", "<br>")
                    pieces.append(f"<p>{lines}</p>")
                case Table():
                    pieces.append(_html_table(block))
        return "\n".join(pieces)

    @property
    def mimebundle(self) -> dict[str, str]:
        """What a notebook's display protocol asks for."""
        return {"text/plain": self.text, "text/markdown": self.markdown, "text/html": self.html}

    @property
    def text(self) -> str:
        """What `print` shows, without colour, 100 columns wide."""
        from io import StringIO

        from rich.console import Console

        page = StringIO()
        self.print(Console(file=page, width=100, color_system=None))
        return page.getvalue()


def _plain(cell: Cell) -> str:
    return cell if isinstance(cell, str) else cell.text


def _print_table(console: Console, table: Table) -> None:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    shown = RichTable(
        title=Text(table.title) if table.title else None,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        show_header=any(table.header),
    )
    for position, name in enumerate(table.header):
        widest = max((len(_plain(row[position])) for row in table.rows), default=0)
        shown.add_column(Text(name), overflow="fold", no_wrap=widest <= SHORT)
    for row in table.rows:
        shown.add_row(*(Text(_plain(cell)) for cell in row))
    console.print(shown)


def _markdown_table(table: Table) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    def cell_text(cell: Cell) -> str:
        if isinstance(cell, Math):  # a bar would end the cell, and an escaped one is a norm's
            return "$" + cell.latex.replace("|", r"\vert ") + "$"
        return _escaped(" ".join(cell.splitlines()))

    title = [f"**{_escaped(table.title)}**", ""] if table.title else []
    lines = [table.header, *table.rows]
    head, *rows = (line([cell_text(cell) for cell in cells]) for cells in lines)
    return "\n".join([*title, head, line(["---"] * len(table.header)), *rows])


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return text.translate(_MARKDOWN_ESCAPES)


def _html_table(table: Table) -> str:
    def line(tag: str, cells: Sequence[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>"

    def cell_html(cell: Cell) -> str:
        return f"${html.escape(cell.latex)}$" if isinstance(cell, Math) else html.escape(cell)

    caption = f"<caption>{html.escape(table.title)}</caption>" if table.title else ""
    head = line("th", [html.escape(name) for name in table.header])
    rows = [line("td", [cell_html(cell) for cell in row]) for row in table.rows]
    return "\n".join([f"<table>{caption}", head, *rows, "</table>"])
