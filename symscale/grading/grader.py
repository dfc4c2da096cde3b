"""A model's text to a grade."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symscale.catalog.instances import Instance
from symscale.catalog.loader import Catalog
from symscale.grading.cells import grade_cell, shown
from symscale.grading.closed_forms import grade_closed_forms
from symscale.grading.diagnosis import name_mistakes
from symscale.grading.extraction import extract
from symscale.grading.grades import CellGrade, Grade
from symscale.grading.keys import Key, read_key
from symscale.grading.reasons import Refusal
from symscale.grading.submission import Form, Submission, read_submission


def grade(
    instance_or_row: Instance | Mapping[str, Any],
    text: str,
    *,
    reasoning_prefilled: bool = False,
    catalog: Catalog | None = None,
    secret: bytes = b"",
    form: Form | None = None,
) -> Grade:
    """Grade what a model wrote in answer to an instance or to a row of a generated file.

    Any text at all gets a grade, at a cost linear in its length. `reasoning_prefilled` is for
    models whose opening mark of reasoning is in the prompt. A row alone decides on numbers and
    labels; mistakes and closed forms are looked up in `catalog`, or the one that comes with
    symscale. `secret` goes into the choice of the points that decide on closed forms. `form` is
    for questions that only numbers (`rows`) or only formulas (`closed_form`) answer.
    Raises CatalogError for a row that holds no key.

    >>> row = {
    ...     "task": "doc", "parameters": [], "exact": [["16000000000"]],
    ...     "columns": [{"name": "size", "kind": "number", "unit": "byte", "exact": False}],
    ... }
    >>> grade(row, 'The buffer is {"rows": [["16 GB"]]}.').reward
    1.0
    >>> grade(row, '{"rows": [["16 GiB"]]}').reason
    'scale_slip'
    """
    key = read_key(instance_or_row, catalog)
    names = [column.name for column in key.columns]
    candidate = extract(text, reasoning_prefilled=reasoning_prefilled, names=names)
    if candidate is None:
        return _refused(key, Refusal("no_answer", "no JSON object with the answer was found"))
    submission = read_submission(candidate)
    if isinstance(submission, Refusal):
        return _refused(key, submission)
    if form is not None and submission.form != form:
        fault = f'"{form}" is asked for, not "{submission.form}"'
        return _refused(key, Refusal("wrong_shape", fault), shown(submission.content))
    if submission.form == "closed_form":
        return _grade_closed_forms(key, submission.content, secret)
    return _grade_rows(key, submission)


def _grade_rows(key: Key, submission: Submission) -> Grade:
    rows = submission.content
    fault = _shape_fault(rows, key)
    if fault:
        return _refused(key, Refusal("wrong_shape", fault), shown(rows))
    cells: list[CellGrade] = []
    for row, expected in zip(rows, key.rows, strict=True):
        graded = [
            grade_cell(submitted, cell, column, key)
            for submitted, cell, column in zip(row, expected, key.columns, strict=True)
        ]
        cells += name_mistakes(graded, key)
    return Grade.of(cells)


def _shape_fault(rows: Any, key: Key) -> str:
    """What is wrong with the number of rows and cells, in words; empty if nothing is."""
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        return '"rows" is an array of arrays'
    if len(rows) != len(key.rows):
        return f"there must be {_count(len(key.rows), 'row')}, not {len(rows)}"
    for row in rows:
        if len(row) != len(key.columns):
            names = ", ".join(column.name for column in key.columns)
            return f"a row holds {_count(len(key.columns), 'value')} ({names}), not {len(row)}"
    return ""


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _grade_closed_forms(key: Key, forms: Any, secret: bytes) -> Grade:
    if not isinstance(forms, list) or len(forms) != len(key.columns):
        fault = f'"closed_form" is an array of {_count(len(key.columns), "formula")}, one a column'
        return _refused(key, Refusal("wrong_shape", fault), shown(forms))
    return Grade.of(grade_closed_forms(key, forms, secret))


def _refused(key: Key, refusal: Refusal, submitted: str = "") -> Grade:
    """Every cell of an answer that cannot be graded cell by cell has the same reason."""
    cells = tuple(
        CellGrade(column.name, refusal.reason, cell, submitted, refusal.message)
        for row in key.rows
        for column, cell in zip(key.columns, row, strict=True)
    )
    return Grade(0.0, refusal.reason, cells, refusal.message)
