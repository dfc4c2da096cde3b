"""`symscale generate`: variants of tasks as rows, and rows checked."""

from __future__ import annotations

import sys
import time
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import click

from symscale.cli.output import catalog_of, json_option, print_json
from symscale.cli.progress import rows_progress
from symscale.variants.formats import FORMATS, Format, count_rows, format_of, read_rows
from symscale.variants.generate import Outcome, generate_file, generate_parts
from symscale.variants.manifest import missing_parts, part_files
from symscale.variants.parts import lines_of, slots
from symscale.variants.plan import Plan, make_plan
from symscale.variants.selection import select
from symscale.variants.splits import SPLITS, Split

MAX_SHOWN = 20


@click.command("generate")
@click.argument("tasks", nargs=-1, metavar="[TASK ...]")
@click.option("--category", help="All tasks of a category.")
@click.option("--all", "everything", is_flag=True, help="All tasks.")
@click.option("--difficulty", metavar="LOW..HIGH", help="Of these, only tasks of such levels.")
@click.option("-n", "count", type=click.IntRange(1), help="Variants of each task (default: 1).")
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    default=0,
    show_default=True,
    help="What orders the variants.",
)
@click.option("--split", type=click.Choice(SPLITS), default="train", show_default=True)
@click.option("--unfair", is_flag=True, help="Let in variants where a mistake gives the answer.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="A file (.jsonl, .jsonl.gz, .parquet) or a directory of parts. Default: stdout.",
)
@click.option("--format", type=click.Choice(FORMATS), help="Of the parts (default: jsonl).")
@click.option("--shards", type=click.IntRange(1), help="Parts (default: one per 100,000 rows).")
@click.option("--workers", type=click.IntRange(1), default=1, help="Processes that write parts.")
@click.option("--engine", type=click.Choice(["process", "ray"]), default="process")
@click.option("--address", help="A running Ray cluster (default: a local one).")
@click.option(
    "--check",
    type=click.Path(path_type=Path, exists=True),
    metavar="PATH",
    help="Derive the rows of a file or directory again by SymPy (-n: so many of them).",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    tasks: tuple[str, ...],
    category: str | None,
    everything: bool,
    difficulty: str | None,
    count: int | None,
    seed: int,
    split: Split,
    unfair: bool,
    out: Path | None,
    format: Format | None,
    shards: int | None,
    workers: int,
    engine: Any,
    address: str | None,
    check: Path | None,
    as_json: bool,
) -> int:
    """Write variants of tasks, each with its exact answer key.

    A split and a seed fix the order of a task's variants; the first -n of each task are written,
    or all that a task has. In a directory, parts that are finished are kept, so a run that was
    stopped goes on.
    """
    if check is not None:
        return _check(ctx, check, count, as_json)
    catalog = catalog_of(ctx)
    chosen = select(catalog, tasks, category=category, everything=everything, levels=difficulty)
    if not chosen:
        raise click.UsageError("name tasks, or give --category or --all")
    lines = [lines_of(ctx.obj, task.id, split, seed, unfair) for task in chosen]
    named = format_of(out) if out is not None else None
    if named is not None and (shards or format or workers > 1 or engine == "ray"):
        raise click.UsageError(
            "--shards, --format, --workers and --engine are for a directory of parts"
        )
    form = named or format or "jsonl"
    whole = named is not None or out is None
    plan = make_plan(lines, count or 1, format=form, parts=1 if whole else shards)
    if out is None:
        if as_json:
            raise click.UsageError("rows on stdout are JSON already; --json is for --out")
        return _print(plan, ctx.obj)
    started = time.monotonic()
    with rows_progress(plan.rows) as progress:
        if named is not None:
            outcome = generate_file(plan, out, catalogs=ctx.obj, progress=progress)
        else:
            outcome = generate_parts(
                plan,
                out,
                catalogs=ctx.obj,
                workers=workers,
                engine=engine,
                address=address,
                progress=progress,
            )
    _report(plan, outcome, count or 1, time.monotonic() - started, as_json)
    return 0


def _print(plan: Plan, catalogs: tuple[str, ...]) -> int:
    for slot in slots(plan, 0, catalogs):
        sys.stdout.buffer.write("".join(slot).encode())
    sys.stdout.buffer.flush()
    return 0


def _report(plan: Plan, outcome: Outcome, count: int, seconds: float, as_json: bool) -> None:
    short = {p.task: p.count for p in plan.portions if p.count < count}
    if as_json:
        print_json(
            {
                **plan.record(),
                "files": [asdict(file) for file in outcome.files],
                "kept": outcome.kept,
                "seconds": round(seconds, 3),
            }
        )
        return
    written = sum(file.bytes for file in outcome.files)
    kept = f", {outcome.kept} of them kept" if outcome.kept else ""
    click.echo(
        f"{plan.rows:,} rows of {len(plan.portions)} tasks in {len(outcome.files)} files{kept}, "
        f"{written / 1e6:,.1f} MB, {seconds:.1f} s",
        err=True,
    )
    for task, held in short.items():
        click.echo(f"{task} has only {held:,} {plan.split} variants", err=True)


def _check(ctx: click.Context, path: Path, count: int | None, as_json: bool) -> int:
    from symscale.variants.check import Checker

    problems = []
    files = [path]
    if path.is_dir():
        problems = [{"place": str(path), "what": what} for what in missing_parts(path)]
        files = part_files(path)
    total = sum(map(count_rows, files))
    step = max(1, -(-total // count)) if count else 1
    checker = Checker(catalog_of(ctx))
    checked = 0
    rows = (
        (f"{file}:{number}", row) for file in files for number, row in enumerate(read_rows(file), 1)
    )
    with rows_progress(-(-total // step)) as progress:
        # Rows are in random order, so evenly spaced ones are a sample.
        for place, row in islice(rows, 0, None, step):
            problems += [{"place": place, "what": what} for what in checker.problems(row)]
            checked += 1
            progress(1)
    if as_json:
        print_json({"rows": total, "checked": checked, "problems": problems})
    else:
        for problem in problems[:MAX_SHOWN]:
            click.echo(f"{problem['place']}: {problem['what']}")
        held = f"{len(problems):,} problems" if problems else "everything holds"
        click.echo(f"{checked:,} of {total:,} rows derived again: {held}")
    return 1 if problems else 0
