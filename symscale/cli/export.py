"""`symscale export`: data sets in the layouts that people load."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import click

from symscale.cli.output import catalog_of, json_option, print_json
from symscale.cli.progress import rows_progress
from symscale.export.content import SPLITS, Content
from symscale.export.hf import export_hf
from symscale.export.inspect import INSPECT
from symscale.export.layouts import JSONL, export_layout
from symscale.export.verl import VERL
from symscale.variants.selection import select
from symscale.variants.writers import Written

LAYOUTS = {"verl": VERL, "inspect": INSPECT, "jsonl": JSONL}


@click.command("export")
@click.argument("layout", type=click.Choice(["hf", *LAYOUTS]))
@click.argument("directory", type=click.Path(path_type=Path), metavar="OUT_DIR")
@click.argument("tasks", nargs=-1, metavar="[TASK ...]")
@click.option("--category", help="All tasks of a category.")
@click.option("--all", "everything", is_flag=True, help="All tasks.")
@click.option("--difficulty", metavar="LOW..HIGH", help="Of these, only tasks of such levels.")
@click.option(
    "-n",
    "count",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="Training variants of each task.",
)
@click.option("--test", "tests", type=click.IntRange(1), help="Test variants (default: n/10).")
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    default=0,
    show_default=True,
    help="What orders the variants.",
)
@click.option("--unfair", is_flag=True, help="Let in variants where a mistake gives the answer.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    layout: str,
    directory: Path,
    tasks: tuple[str, ...],
    category: str | None,
    everything: bool,
    difficulty: str | None,
    count: int,
    tests: int | None,
    seed: int,
    unfair: bool,
    as_json: bool,
) -> int:
    """Write a data set of variants: training, test, and the published questions.

    hf is for datasets.load_dataset(OUT_DIR), with a config for each category; verl and inspect are
    the files that those libraries read; jsonl is the rows alone. OUT_DIR must be new or empty, and
    appears when all of it is written.
    """
    chosen = select(
        catalog_of(ctx), tasks, category=category, everything=everything, levels=difficulty
    )
    if not chosen:
        raise click.UsageError("name tasks, or give --category or --all")
    content = Content(tuple(chosen), count, tests or -(-count // 10), seed, unfair, ctx.obj)
    started = time.monotonic()
    total = len(chosen) + sum(content.plan(split).rows for split in SPLITS)
    with rows_progress(total) as progress:
        written = _write(layout, content, directory, progress)
    seconds = time.monotonic() - started
    if as_json:
        print_json({"files": [asdict(file) for file in written], "seconds": round(seconds, 3)})
    else:
        size = sum(file.bytes for file in written)
        click.echo(
            f"{total:,} rows of {len(chosen)} tasks in {len(written)} files, "
            f"{size / 1e6:,.1f} MB, {seconds:.1f} s",
            err=True,
        )
    return 0


def _write(
    layout: str, content: Content, directory: Path, progress: Callable[[int], None]
) -> list[Written]:
    if layout == "hf":
        return export_hf(content, directory, progress=progress)
    return export_layout(LAYOUTS[layout], content, directory, progress=progress)
