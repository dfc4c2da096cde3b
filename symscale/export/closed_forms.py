"""Rows that ask for formulas instead of numbers."""

from __future__ import annotations

import json

from symscale.catalog.loader import Catalog
from symscale.catalog.tasks import Task
from symscale.expressions.text import text
from symscale.variants.rows import Row, instance_of


def closed_form_row(row: Row, catalog: Catalog) -> Row:
    """The row with a question for formulas, and the formulas as its answer; the key stays.

    Raises CatalogError for a row whose task has changed or is not in the catalog.
    """
    instance = instance_of(row, catalog)
    return {
        **row,
        "question": instance.closed_form_question,
        "answer": closed_form_answer(instance.task),
    }


def closed_form_answer(task: Task) -> str:
    """The JSON object with a formula for each column, which the grader accepts."""
    return json.dumps({"closed_form": [text(node) for node in task.numeric.values()]})
