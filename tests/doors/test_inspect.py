"""Inspect runs the registered task offline and gives symscale's grades."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as run_eval
from inspect_ai.dataset import json_dataset
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from symscale.catalog.loader import load
from symscale.cli import run
from symscale.export.closed_forms import closed_form_answer
from symscale.grading import REASONS, Grade
from tests.doors.pages import run_page

USAGE = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)


def evaluate(texts: dict[str, str], directory: Path, **arguments: Any) -> EvalLog:
    """The log of the task, with a model that has a text for each question."""

    def answer(input: list[Any], *_: Any) -> ModelOutput:
        output = ModelOutput.from_content("mockllm/model", texts[input[-1].text])
        output.usage = USAGE
        return output

    (log,) = run_eval(
        "symscale/scaling",
        model=get_model("mockllm/model", custom_outputs=answer),
        task_args={"n": len(texts), **arguments},
        log_dir=str(directory),
        display="none",
    )
    assert log.status == "success", log.error
    return log


def metrics(log: EvalLog) -> dict[str, float]:
    assert log.results
    return {name: m.value for score in log.results.scores for name, m in score.metrics.items()}


def test_the_grades_are_symscales(
    rows: list[dict[str, Any]], texts: dict[str, str], grades: dict[str, Grade], tmp_path: Path
) -> None:
    log = evaluate(texts, tmp_path)
    assert log.samples
    assert {sample.id for sample in log.samples} == {row["id"] for row in rows}
    for sample in log.samples:
        assert sample.scores
        score, expected = sample.scores["exact"], grades[str(sample.id)]
        assert score.value == ("C" if expected.reward == 1.0 else "I")
        assert score.metadata
        assert score.metadata["reason"] == expected.reason
    found = metrics(log)
    right = sum(grade.correct for grade in grades.values())
    assert found["accuracy"] == pytest.approx(right / len(rows))
    for reason in REASONS:
        share = sum(grade.reason == reason for grade in grades.values()) / len(rows)
        assert found[f"reason_{reason}"] == pytest.approx(share)
    sharding = [grades[row["id"]].reward for row in rows if row["category"] == "sharding"]
    assert found["sharding"] == pytest.approx(sum(sharding) / len(sharding))


def test_formulas_are_asked_for_and_graded(tmp_path: Path) -> None:
    instances = [task.instance() for task in load().tasks.values()]
    texts = {i.closed_form_question: closed_form_answer(i.task) for i in instances}
    texts[instances[3].closed_form_question] = instances[3].answer.json  # right, but no formula
    log = evaluate(texts, tmp_path, closed_form=True, split="published")
    assert log.samples
    scores = {sample.id: (sample.scores or {})["exact"] for sample in log.samples}
    reasons = {id: (score.metadata or {})["reason"] for id, score in scores.items()}
    assert reasons.pop("sc-003/published/0/0") == "wrong_shape"
    assert set(reasons.values()) == {"ok"}
    assert "Answer with formulas" in str(log.samples[0].input)


def test_an_exported_file_is_a_dataset_of_the_same_samples(tmp_path: Path) -> None:
    assert run(["export", "inspect", str(tmp_path / "i"), "--all", "-n", "1", "--test", "2"]) == 0
    found = json_dataset(str(tmp_path / "i" / "test.jsonl"))
    assert len(found) == 70
    assert all('"rows"' in sample.target for sample in found)
    assert found[0].metadata
    assert found[0].metadata["task"] == "sc-000"


def test_the_page(tmp_path: Path) -> None:
    run_page("inspect", tmp_path)
    (path,) = tmp_path.glob("logs/*.eval")
    log = read_eval_log(str(path))
    assert log.status == "success"
    assert log.results
    assert log.results.total_samples == 50
