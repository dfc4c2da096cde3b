"""lm_eval loads the task file, and its dummy model gets symscale's grades."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import lm_eval
import pytest
from lm_eval.models.dummy import DummyLM
from lm_eval.tasks import TaskManager

from symscale.adapters import lm_eval as adapter
from symscale.catalog.protocol import SYSTEM_PROMPT
from symscale.grading import REASONS, Grade
from tests.doors.pages import run_page

TASK = "symscale_scaling"


class Standin(DummyLM):
    """The dummy model, with something to say to each question."""

    def __init__(self, texts: dict[str, str]) -> None:
        super().__init__()
        self.texts = texts
        self.prompts: list[str] = []

    def generate_until(self, requests: list[Any], disable_tqdm: bool = False) -> list[str]:
        self.prompts = [request.args[0] for request in requests]
        return [self.texts[request.doc["question"]] for request in requests]


def test_the_grades_are_symscales(
    rows: list[dict[str, Any]], texts: dict[str, str], grades: dict[str, Grade]
) -> None:
    manager = TaskManager(
        include_path=str(Path(adapter.__file__).parent), metadata={"n": len(rows)}
    )
    model = Standin(texts)
    results = lm_eval.simple_evaluate(
        model, tasks=[TASK], task_manager=manager, log_samples=True, bootstrap_iters=0
    )
    samples = results["samples"][TASK]
    assert [sample["doc"]["id"] for sample in samples] == [row["id"] for row in rows]
    for sample in samples:
        expected = grades[sample["doc"]["id"]]
        assert sample["reward"] == expected.reward
        assert sample[f"reason_{expected.reason}"] == 1.0
        assert sum(sample[f"reason_{reason}"] for reason in REASONS) == 1.0
    right = sum(grade.correct for grade in grades.values())
    assert results["results"][TASK]["reward,none"] == pytest.approx(right / len(rows))
    for prompt, row in zip(model.prompts, rows, strict=True):
        assert prompt == f"{SYSTEM_PROMPT}\n\n{row['question']}"


def test_the_page(tmp_path: Path) -> None:
    run_page("lm-eval", tmp_path)
    (found,) = tmp_path.glob("results/**/results_*.json")
    result = json.loads(found.read_text(encoding="utf-8"))
    assert result["n-samples"][TASK]["effective"] == 50
    assert result["results"][TASK]["reason_no_answer,none"] == 1.0
