"""The functions that the task file names. lm_eval loads this file by its path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symscale.catalog.protocol import SYSTEM_PROMPT
from symscale.errors import MissingExtraError
from symscale.export.mixture import rows_of, tasks_of
from symscale.grading import REASONS, grade
from symscale.grading.keys import packaged_catalog
from symscale.variants.rows import Row


def load(**metadata: Any) -> dict[str, Any]:
    """The documents by split, made as the task's metadata says. Raises SymscaleError."""
    try:
        from datasets import Dataset
    except ImportError:
        raise MissingExtraError("lm-eval") from None
    return {"test": Dataset.from_list(documents(**metadata))}


def documents(
    *,
    categories: str | Sequence[str] = (),
    tasks: str | Sequence[str] = (),
    difficulty: str | None = None,
    n: int = 350,
    seed: int = 0,
    split: str = "test",
    **_more: Any,
) -> list[Row]:
    """Rows, the tasks in turn, each with the system prompt that goes before its question."""
    chosen = tasks_of(packaged_catalog(), categories=categories, tasks=tasks, difficulty=difficulty)
    rows = rows_of(chosen, split=split, seed=seed, n=n)
    return [{**row, "system_prompt": SYSTEM_PROMPT} for row in rows]


def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """The reward, and for each reason whether it is the one."""
    verdict = grade(doc, results[0])
    reasons = {f"reason_{name}": float(name == verdict.reason) for name in REASONS}
    return {"reward": verdict.reward, **reasons}
