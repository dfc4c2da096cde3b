"""`symscale grade`: a file of answers against a file of keys."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from symscale.cli.output import catalog_of, print_document
from symscale.grading.files import Summary, grade_files
from symscale.render.document import Document, Paragraph, Table


@click.command("grade")
@click.argument("keys", type=click.Path(path_type=Path), metavar="KEYS.jsonl")
@click.argument("answers", type=click.Path(path_type=Path), metavar="ANSWERS.jsonl")
@click.option(
    "--reasoning-prefilled",
    is_flag=True,
    help="The opening mark of reasoning stands in the prompt, so each answer begins inside.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON line an answer.")
@click.pass_context
def command(
    ctx: click.Context, keys: Path, answers: Path, reasoning_prefilled: bool, as_json: bool
) -> int:
    """Grade answers, each matched with its key by id.

    KEYS.jsonl holds the rows that `symscale generate` writes. A line of ANSWERS.jsonl is an object
    with the id of a row and the model's text under "answer", "completion" or "text":
    {"id": "sc-021/train/0/17", "completion": "... {\\"rows\\": [[1]]}"}. Files may be of any size.
    The first answer to an id counts. The summary goes to stdout, or to stderr beside --json.

    The exit status is 0 if every key has one answer and every answer a key, and else 3.
    """
    summary = Summary()
    with _progress(answers) as progress:
        for graded in grade_files(
            keys,
            answers,
            summary,
            reasoning_prefilled=reasoning_prefilled,
            catalog=catalog_of(ctx),
            progress=progress,
        ):
            if as_json:
                click.echo(json.dumps(graded.to_json()))
    if as_json:
        click.echo(document(summary).text, err=True)
    else:
        print_document(document(summary))
    return 0 if summary.complete else 3


def document(summary: Summary) -> Document:
    """What was graded by task and by reason, and what was not."""
    tasks = tuple(
        (task, str(count), str(summary.correct[task]), _percent(summary.correct[task], count))
        for task, count in sorted(summary.tasks.items())
    )
    reasons = tuple((reason, str(count)) for reason, count in summary.reasons.most_common())
    blocks: list[Table | Paragraph] = [
        Table("", ("task", "graded", "right", "share"), tasks),
        Table("", ("reason", "answers"), reasons),
    ]
    unmatched = tuple(
        (why, str(ids.count), ", ".join(map(json.dumps, ids.named)))
        for why, ids in summary.unmatched.items()
        if ids.count
    )
    if unmatched:
        blocks.append(Table("Not graded", ("what", "count", "the first of them"), unmatched))
    count, right = summary.tasks.total(), summary.correct.total()
    blocks.append(Paragraph(f"{count} answers graded, {right} right ({_percent(right, count)})"))
    return Document(tuple(blocks))


def _percent(part: int, whole: int) -> str:
    if not whole:
        return "-"
    tenths = (1000 * part + whole // 2) // whole
    return f"{tenths // 10}.{tenths % 10}%"


@contextmanager
def _progress(file: Path) -> Iterator[Callable[[int], object] | None]:
    """A bar over the bytes of a file, on a terminal's stderr."""
    if not sys.stderr.isatty() or not file.is_file():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("grading", total=file.stat().st_size)
        yield lambda read: bar.update(task, completed=read)
