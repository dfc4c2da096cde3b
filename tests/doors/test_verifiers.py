"""verifiers validates the taskset, and an eval against a stand-in server gets symscale's grades."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from symscale.catalog.protocol import SYSTEM_PROMPT
from symscale.grading import REASONS, Grade
from tests.doors.pages import run_page
from tests.doors.standin import standin

BIN = Path(sys.executable).parent
SUBPROCESS = ["--env.agent.harness.id", "null", "--env.agent.runtime.type", "subprocess"]


def command(*words: str, cwd: Path) -> None:
    done = subprocess.run(
        [str(BIN / words[0]), *words[1:]],
        cwd=cwd,
        env={**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]


def traces(directory: Path) -> list[dict[str, Any]]:
    (path,) = directory.glob("outputs/*/traces.jsonl")
    episodes = [json.loads(line) for line in path.read_bytes().splitlines()]
    return [trace for episode in episodes for trace in episode["traces"]]


def summary(directory: Path) -> dict[str, Any]:
    (path,) = directory.glob("outputs/*/summary.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def score(reward: Any) -> float:
    return float(reward["score"] if isinstance(reward, Mapping) else reward)


def test_every_task_validates_and_does_not_pass_untouched(tmp_path: Path) -> None:
    command(
        *("vf-validate", "symscale-scaling", "-n", "70", "--runtime.type", "subprocess"),
        *("--taskset.split", "test", "--rich", "False"),
        cwd=tmp_path,
    )
    found = summary(tmp_path)
    assert found["outcomes"]["valid"] == found["total"] == 70


def test_an_eval_gives_symscales_grades(
    rows: list[dict[str, Any]], texts: dict[str, str], grades: dict[str, Grade], tmp_path: Path
) -> None:
    with standin(texts.__getitem__) as url:
        command(
            *("vf-eval", "symscale-scaling", "-m", "standin", "--client.base-url", url),
            *("--client.api-key-var", "NO_KEY", "--env.taskset.split", "test"),
            *("--env.taskset.size", str(len(rows)), *SUBPROCESS, "--no-push", "--no-rich"),
            *("-c", "8"),
            cwd=tmp_path,
        )
    found = traces(tmp_path)
    assert {trace["task"]["data"]["id"] for trace in found} == {row["id"] for row in rows}
    for trace in found:
        data = trace["task"]["data"]
        expected = grades[data["id"]]
        assert data["system_prompt"] == SYSTEM_PROMPT
        assert score(trace["rewards"]["correct"]) == expected.reward, data["id"]
        metrics = {reason: trace["metrics"][f"reason_{reason}"] for reason in REASONS}
        assert metrics == {reason: float(reason == expected.reason) for reason in REASONS}


def test_the_page(tmp_path: Path) -> None:
    with standin(lambda question: 'It is {"rows": [[1, 2]]}') as url:
        run_page("verifiers", tmp_path, URL=url, MODEL="standin")
    found = traces(tmp_path)
    assert len(found) == 50
    categories = {trace["task"]["data"]["row"]["category"] for trace in found}
    assert categories == {"memory", "sharding"}
    assert {score(trace["rewards"]["correct"]) for trace in found} == {0.0}
