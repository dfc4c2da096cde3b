"""`symscale verify`: the main job."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from symscale.catalog.loader import Catalog
from symscale.cli.output import catalog_of, json_option, print_document, print_json
from symscale.render.document import Document, Paragraph, Table
from symscale.verification import VARIANTS, Report, verify, verify_formulas, verify_keys
from symscale.verification.formulas import FormulasReport


@click.command("verify")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE.jsonl ...]")
@click.option(
    "--variants",
    default=VARIANTS,
    show_default=True,
    type=click.IntRange(0, 10000),
    help="Random variants of each task to check on both paths.",
)
@click.option("--formulas", is_flag=True, help="Check every formula against its proofs instead.")
@json_option
@click.pass_context
def command(
    ctx: click.Context, files: tuple[Path, ...], variants: int, formulas: bool, as_json: bool
) -> int:
    """Check every task of the catalog and the published keys it carries.

    With files of published keys (one JSON object a line: task_id and expected_output), check
    those instead, cell by cell.
    """
    catalog = catalog_of(ctx)
    if formulas:
        if files:
            raise click.UsageError("--formulas takes no files")
        return _verify_formulas(catalog, as_json)
    if files:
        reports = [verify_keys(file, catalog) for file in files]
    else:
        reports = [verify(catalog, variants=variants)]
    if as_json:
        print_json([{"passed": report.passed, **asdict(report)} for report in reports])
    else:
        for report in reports:
            print_document(document(report))
    return 0 if all(report.passed for report in reports) else 1


def _verify_formulas(catalog: Catalog, as_json: bool) -> int:
    report = verify_formulas(catalog)
    if as_json:
        print_json({"passed": report.passed, **asdict(report)})
    else:
        print_document(formulas_document(report))
    return 0 if report.passed else 1


def formulas_document(report: FormulasReport) -> Document:
    """A line a formula with its proofs by kind, what fails, and the counts."""
    blocks: list[Table | Paragraph] = []
    proofs = [(f, (f.published, f.oracle, f.identities)) for f in report.formulas]
    rows = tuple(
        ("no" if f.failures else "yes", f.area, f.formula, *(str(n) if n else "" for n in counts))
        for f, counts in proofs
    )
    header = ("holds", "area", "formula", "published", "oracle", "identity")
    blocks.append(Table("", header, rows))
    failures = tuple((f.formula, text) for f in report.formulas for text in f.failures)
    if failures:
        blocks.append(Table("What does not hold", ("formula", "failure"), failures))
    published, oracle, identities = (sum(counts[k] for _, counts in proofs) for k in range(3))
    verdict = "everything holds" if report.passed else "not everything holds"
    blocks.append(
        Paragraph(
            f"{len(report.formulas)} formulas, {published} published figures, {oracle} oracle "
            f"figures, {identities} places in identities, {len(failures)} failures: {verdict}"
        )
    )
    return Document(tuple(blocks))


def document(report: Report) -> Document:
    """The table of tasks, what fails, what was found, and a last line with the counts."""
    blocks: list[Table | Paragraph] = []
    if report.tasks:
        rows = tuple(
            (
                "no" if task.failures else "yes",
                task.task,
                task.title,
                "\n".join(task.columns),
                "\n".join(map(_short, task.exact)),
                "\n".join(task.decimal),
            )
            for task in report.tasks
        )
        header = ("holds", "task", "title", "column", "exact", "decimal")
        blocks.append(Table("", header, rows))
    findings = tuple((task.task, text) for task in report.tasks for text in task.findings)
    if findings:
        blocks.append(Table("Findings (these do not fail)", ("task", "finding"), findings))
    failures = [(task.task, text) for task in report.tasks for text in task.failures]
    failures += [
        (f"{key.task} ({key.place})", text) for key in report.keys for text in key.failures
    ]
    failures += [("", text) for text in report.failures]
    if failures:
        blocks.append(Table("What does not hold", ("task", "failure"), tuple(failures)))
    counts = [
        (len(report.tasks), "tasks"),
        (len(report.keys), "published keys"),
        (report.cells, "cells compared"),
        (len(findings), "findings"),
        (len(failures), "failures"),
    ]
    shown = ", ".join(f"{number} {what}" for number, what in counts)
    verdict = "everything holds" if report.passed else "not everything holds"
    blocks.append(Paragraph(f"{shown}: {verdict}"))
    return Document(tuple(blocks))


def _short(exact: str) -> str:
    """Long fractions are for --json; a table shows where they start."""
    return exact if len(exact) <= 28 else exact[:27] + "…"
