"""One document in a terminal, as Markdown and as HTML, whatever characters its words have."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from symscale.render.document import Cell, Document, Heading, Math, Paragraph, Table

SIZES = Table(
    "Sizes",
    ("name", "closed form", "bytes"),
    (
        ("weights", Math("2·N", r"2 \, N"), "1.4e11"),
        ("share", Math("a < b", "a < b"), "1/2"),
    ),
)
PAGE = Document((Heading("sc-000  A page"), Paragraph("How many\nbytes?"), SIZES))

TEXT = """\
sc-000  A page

How many
bytes?

Sizes
  name      closed form   bytes
 ────────────────────────────────
  weights   2·N           1.4e11
  share     a < b         1/2
"""

MARKDOWN = r"""## sc-000  A page

How many
bytes?

**Sizes**

| name | closed form | bytes |
| --- | --- | --- |
| weights | $2 \, N$ | 1.4e11 |
| share | $a < b$ | 1/2 |
"""

HTML = r"""<h3>sc-000  A page</h3>
<p>How many<br>bytes?</p>
<table><caption>Sizes</caption>
<tr><th>name</th><th>closed form</th><th>bytes</th></tr>
<tr><td>weights</td><td>$2 \, N$</td><td>1.4e11</td></tr>
<tr><td>share</td><td>$a &lt; b$</td><td>1/2</td></tr>
</table>"""

# What terminals, Markdown and HTML would each take for their own
HOSTILE = "a|b <i>c</i> & 6*N*D [s] [bold] $2 and $3 `x` \\ &lt;"


def lines(text: str) -> list[str]:
    """The lines that are not blank, without the padding on their right."""
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def table_of(*rows: tuple[Cell, ...], title: str = "", header: tuple[str, ...] = ("",)) -> Document:
    return Document((Table(title, header, rows),))


class TestOnePage:
    def test_text(self) -> None:
        assert lines(PAGE.text) == lines(TEXT)

    def test_markdown(self) -> None:
        assert PAGE.markdown == MARKDOWN

    def test_html(self) -> None:
        assert PAGE.html == HTML

    def test_a_notebook_gets_all_three(self) -> None:
        assert PAGE.mimebundle == {
            "text/plain": PAGE.text,
            "text/markdown": PAGE.markdown,
            "text/html": PAGE.html,
        }

    def test_an_empty_document(self) -> None:
        nothing = Document(())
        assert (nothing.text, nothing.markdown, nothing.html) == ("", "\n", "")


class TestTerminal:
    def test_text_has_no_colour(self) -> None:
        assert "\x1b" not in PAGE.text

    def test_a_terminal_shows_the_same_words_in_colour(self) -> None:
        page = StringIO()
        PAGE.print(Console(file=page, width=100, force_terminal=True, color_system="standard"))
        assert "\x1b[1m" in page.getvalue()
        plain = re.sub(r"\x1b\[[0-9;]*m", "", page.getvalue())
        assert lines(plain) == lines(PAGE.text)

    def test_brackets_are_no_markup(self) -> None:
        document = Document(
            (
                Heading("peak [flop/s]"),
                Paragraph("[bold]not bold[/bold] [s]"),
                Table("sizes [s]", ("time [s]",), (("2 [s]",),)),
            )
        )
        shown = lines(document.text)
        assert shown[:3] == ["peak [flop/s]", "[bold]not bold[/bold] [s]", "sizes [s]"]
        assert [line.strip() for line in (shown[3], shown[-1])] == ["time [s]", "2 [s]"]

    def test_empty_headers_are_not_shown(self) -> None:
        shown = lines(table_of(("key", "value"), header=("", "")).text)
        assert [line.split() for line in shown] == [["key", "value"]]

    def test_short_columns_stay_whole_beside_long_ones(self) -> None:
        shown = table_of(("total_parameters", "word " * 60), header=("name", "meaning")).text
        assert "total_parameters" in shown
        assert max(map(len, shown.splitlines())) <= 100

    def test_long_words_are_folded_not_cut(self) -> None:
        digits = "0123456789" * 30
        shown = table_of(("exact", digits), header=("name", "value")).text
        assert "".join(re.findall(r"[0-9]+", shown)) == digits

    def test_a_table_without_rows(self) -> None:
        name, _rule = lines(table_of(header=("name",)).text)
        assert name.strip() == "name"


def markdown_cells(line: str) -> list[str]:
    """The cells of a row as they are shown: split at bare bars, backslashes gone."""
    cells = line.removeprefix("| ").removesuffix(" |").split(" | ")
    return [re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", cell) for cell in cells]


class TestMarkdown:
    def test_a_bar_in_a_cell_is_escaped(self) -> None:
        *_, row = table_of(("a | b", "c"), header=("x", "y")).markdown.splitlines()
        assert row == r"| a \| b | c |"

    def test_a_bar_in_mathematics_is_spelled_out(self) -> None:
        *_, row = table_of((Math("|x|", r"\left| x \right|"),)).markdown.splitlines()
        assert row == r"| $\left\vert  x \right\vert $ |"

    def test_stars_signs_and_tags_are_shown_as_they_are(self) -> None:
        document = Document((Heading("<b>"), Paragraph("6*N*D & $5"), Table("a*b*c", ("",), ())))
        heading, _, paragraph, _, title, *_ = document.markdown.splitlines()
        assert (heading, paragraph) == (r"## \<b>", r"6\*N\*D \& \$5")
        assert title == r"**a\*b\*c**"

    def test_a_row_is_a_line(self) -> None:
        *_, row = table_of(("first\nsecond",)).markdown.splitlines()
        assert row == "| first second |"

    def test_empty_headers_keep_their_columns(self) -> None:
        shown = table_of(("key", "value"), header=("", "")).markdown
        assert shown.splitlines() == ["|  |  |", "| --- | --- |", "| key | value |"]

    def test_a_table_without_rows(self) -> None:
        assert table_of(header=("x", "y")).markdown == "| x | y |\n| --- | --- |\n"


class Page(HTMLParser):
    """The tags of a page in order, and the text in each that holds any."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not attrs
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self.tags.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append((self.tags[-1], data))


class TestHtml:
    def test_words_are_escaped_everywhere(self) -> None:
        document = Document(
            (Heading(HOSTILE), Paragraph(HOSTILE), Table(HOSTILE, (HOSTILE,), ((HOSTILE,),)))
        )
        page = Page(document.html)
        assert page.texts == [(tag, HOSTILE) for tag in ("h3", "p", "caption", "th", "td")]

    def test_mathematics_is_escaped_between_dollars(self) -> None:
        cases = r"\begin{cases} 1 & a < b \\ 2 & \text{otherwise} \end{cases}"
        shown = table_of((Math("(1 if a < b, else 2)", cases),)).html
        assert r"$\begin{cases} 1 &amp; a &lt; b" in shown
        assert Page(shown).texts == [("td", f"${cases}$")]

    def test_tags_close_in_order(self) -> None:
        open_tags: list[str] = []
        for tag in Page(PAGE.html).tags:
            if tag.startswith("/"):
                assert open_tags.pop() == tag[1:]
            elif tag != "br":
                open_tags.append(tag)
        assert not open_tags

    def test_a_title_is_optional(self) -> None:
        assert table_of(("a",)).html == "<table>\n<tr><th></th></tr>\n<tr><td>a</td></tr>\n</table>"


words = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1)
grids = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.tuples(*[words] * width), min_size=1, max_size=3)
)


@given(grids)
def test_any_words_come_back_from_markdown(grid: list[tuple[str, ...]]) -> None:
    header, *rows = grid
    head, rule, *body = table_of(*rows, header=header).markdown.splitlines()
    assert rule == "| " + " | ".join(["---"] * len(header)) + " |"
    assert [tuple(markdown_cells(line)) for line in [head, *body]] == grid


@given(grids)
def test_any_words_come_back_from_html(grid: list[tuple[str, ...]]) -> None:
    header, *rows = grid
    shown = Page(table_of(*rows, header=header).html).texts
    assert [text for _, text in shown] == [cell for row in grid for cell in row]


@pytest.mark.parametrize("cell", [HOSTILE, "a\\|b", "\\"])
def test_hostile_cells_come_back_from_markdown(cell: str) -> None:
    *_, row = table_of((cell, "next"), header=("x", "y")).markdown.splitlines()
    assert markdown_cells(row) == [cell, "next"]
