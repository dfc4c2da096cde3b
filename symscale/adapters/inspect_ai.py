"""Inspect: the task `symscale/scaling` and its scorer, registered by an entry point."""

from __future__ import annotations

from collections import Counter
from typing import Any

from symscale.errors import MissingExtraError
from symscale.export.closed_forms import closed_form_row
from symscale.export.inspect import record
from symscale.export.mixture import rows_of, tasks_of
from symscale.grading import REASONS, grade
from symscale.grading.keys import packaged_catalog
from symscale.grading.submission import Form
from symscale.variants.rows import SCHEMA, Row

try:
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser
    from inspect_ai.scorer import (
        CORRECT,
        INCORRECT,
        Metric,
        SampleScore,
        Score,
        Scorer,
        Target,
        accuracy,
        grouped,
        metric,
        scorer,
        stderr,
    )
    from inspect_ai.solver import TaskState, generate
except ImportError:
    raise MissingExtraError("inspect") from None

_MESSAGES = {"system": ChatMessageSystem, "user": ChatMessageUser}


@task
def scaling(
    categories: str | list[str] = "",
    tasks: str | list[str] = "",
    difficulty: str | None = None,
    n: int = 350,
    seed: int = 0,
    split: str = "test",
    closed_form: bool = False,
    reasoning_prefilled: bool = False,
) -> Task:
    """The arithmetic of scaling machine-learning models, graded exactly.

    `n` questions in all, the tasks in turn, of all categories or some. The split is train, test,
    extrapolate or published. With `closed_form` formulas are asked for instead of numbers.
    """
    catalog = packaged_catalog()
    chosen = tasks_of(catalog, categories=categories, tasks=tasks, difficulty=_text(difficulty))
    rows = rows_of(chosen, split=split, seed=seed, n=n)
    if closed_form:
        rows = [closed_form_row(row, catalog) for row in rows]
    return Task(
        dataset=MemoryDataset([sample(row) for row in rows], name="symscale/scaling"),
        solver=generate(),
        scorer=exact(
            form="closed_form" if closed_form else None, reasoning_prefilled=reasoning_prefilled
        ),
        version=SCHEMA,
        metadata={"split": split, "seed": seed},
    )


def _text(difficulty: Any) -> str | None:
    """A level from the command line comes as a number."""
    return None if difficulty is None else str(difficulty)


def sample(row: Row) -> Sample:
    """A row as a sample: the chat, the key, and the row as metadata."""
    fields = record(row)
    chat = [_MESSAGES[message["role"]](content=message["content"]) for message in fields["input"]]
    return Sample(**{**fields, "input": chat})


@metric
def reasons() -> Metric:
    """For each reason of the grader, its share of the samples."""

    def share(scores: list[SampleScore]) -> dict[str, float]:
        found = Counter((each.score.metadata or {}).get("reason") for each in scores)
        return {f"reason_{name}": found[name] / max(len(scores), 1) for name in REASONS}

    return share


@scorer(metrics=[accuracy(), stderr(), grouped(accuracy(), "category", all=False), reasons()])
def exact(form: Form | None = None, reasoning_prefilled: bool = False) -> Scorer:
    """Grade against the row in the sample's metadata; `form` is for questions that only numbers
    (`rows`) or only formulas (`closed_form`) answer."""

    async def score(state: TaskState, target: Target) -> Score:
        verdict = grade(
            state.metadata,
            state.output.completion,
            reasoning_prefilled=reasoning_prefilled,
            form=form,
        )
        return Score(
            value=CORRECT if verdict.correct else INCORRECT,
            answer=", ".join(cell.submitted for cell in verdict.cells),
            explanation=verdict.message or "right",
            metadata={"reason": verdict.reason, "cells": verdict.to_json()["cells"]},
        )

    return score
