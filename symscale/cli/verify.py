"""`symscale verify`: the main job."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

from symscale.cli.output import catalog_of, json_option, print_document, print_json
from symscale.render.document import Block, Document, Paragraph, Table
from symscale.variants.worth import Worth, percent
from symscale.verification import VARIANTS, Report, verify, verify_formulas, verify_keys
from symscale.verification.report import FormulaReport, TaskReport


@click.command("verify")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE.jsonl ...]")
@click.option(
    "--variants",
    default=VARIANTS,
    show_default=True,
    type=click.IntRange(0, 10000),
    help="Random variants of each task to check on both paths.",
)
@click.option("--formulas", is_flag=True, help="Check the formulas alone, and list their proofs.")
@json_option
@click.pass_context
def command(
    ctx: click.Context, files: tuple[Path, ...], variants: int, formulas: bool, as_json: bool
) -> int:
    """Check every formula and task of the catalog and the published keys it carries.

    With files of published keys (one JSON object a line: task_id and expected_output), check
    those instead, cell by cell.
    """
    if formulas and files:
        raise click.UsageError("--formulas takes no files")
    catalog = catalog_of(ctx)
    if formulas:
        reports = [verify_formulas(catalog)]
    elif files:
        reports = [verify_keys(file, catalog) for file in files]
    else:
        reports = [verify(catalog, variants=variants)]
    if as_json:
        print_json([{"passed": report.passed, **asdict(report)} for report in reports])
    else:
        for report in reports:
            print_document(document(report, list_formulas=formulas))
    return 0 if all(report.passed for report in reports) else 1


def document(report: Report, *, list_formulas: bool = False) -> Document:
    """The tables, what was found, what does not hold, and a last line with the counts."""
    blocks: list[Block] = []
    if list_formulas:
        blocks.append(_formulas(report.formulas))
    if report.tasks:
        blocks += [_answers(report.tasks), _variants(report.tasks)]
    findings = tuple((task.task, text) for task in report.tasks for text in task.findings)
    if findings:
        blocks.append(Table("Findings (these do not fail)", ("task", "finding"), findings))
    failures = tuple(_failures(report))
    if failures:
        blocks.append(Table("What does not hold", ("where", "failure"), failures))
    counts = [
        (len(report.formulas), "formulas"),
        (sum(f.published + f.oracle for f in report.formulas), "figures"),
        (len(report.tasks), "tasks"),
        (len(report.keys), "published keys"),
        (report.cells, "cells compared"),
        (len(findings), "findings"),
    ]
    shown = ", ".join(f"{number} {what}" for number, what in counts if number)
    verdict = "everything holds" if report.passed else f"{len(failures)} failures"
    blocks.append(Paragraph(f"{shown}: {verdict}"))
    return Document(tuple(blocks))


def _formulas(reports: tuple[FormulaReport, ...]) -> Table:
    """A line a formula with its proofs by kind."""
    rows = tuple(
        (
            "no" if f.failures else "yes",
            f.area,
            f.formula,
            *(str(n) if n else "" for n in (f.published, f.oracle, f.identities)),
        )
        for f in reports
    )
    return Table("", ("holds", "area", "formula", "published", "oracle", "identity"), rows)


def _answers(reports: tuple[TaskReport, ...]) -> Table:
    """A line a column of each task."""
    rows = []
    for task in reports:
        first = ("no" if task.failures else "yes", task.task)
        cells = list(zip(task.columns, map(_short, task.exact), task.decimal, strict=True))
        for number, (column, exact, decimal) in enumerate(cells or [("", "", "")]):
            start = first if number == 0 else ("", "")
            rows.append((*start, column, exact, "" if decimal == exact else decimal))
    return Table("", ("holds", "task", "column", "exact", "decimal"), tuple(rows))


def _variants(reports: tuple[TaskReport, ...]) -> Table:
    """What the variants of each task are worth."""
    rows = tuple(
        (
            task.task,
            f"{task.worth.space:,}",
            percent(task.worth.valid),
            percent(task.worth.fair),
            percent(task.worth.distinct),
            _balance(task.worth),
        )
        for task in reports
        if task.worth is not None
    )
    header = ("task", "combinations", "valid", "fair", "distinct", "labels")
    return Table("Variants", header, rows)


def _balance(worth: Worth) -> str:
    return ", ".join(
        f"{label} {percent(share)}"
        for shares in worth.labels.values()
        for label, share in shares.items()
    )


def _failures(report: Report) -> Iterator[tuple[str, str]]:
    yield from ((f.formula, text) for f in report.formulas for text in f.failures)
    yield from ((task.task, text) for task in report.tasks for text in task.failures)
    yield from ((f"{k.task} ({k.place})", text) for k in report.keys for text in k.failures)
    yield from (("", text) for text in report.failures)


def _short(exact: str) -> str:
    """Long fractions are for --json; a table shows where they start."""
    return exact if len(exact) <= 28 else exact[:27] + "…"
