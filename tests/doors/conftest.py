"""What the doors share: rows, answers to them, and a world without a network."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import pytest

from symscale.catalog.loader import load
from symscale.export.mixture import rows_of, tasks_of
from symscale.grading import Grade, grade
from tests.adapters.answers import completion

os.environ |= {
    "HF_HUB_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HOME": tempfile.mkdtemp(prefix="doors-"),
    "WANDB_MODE": "disabled",
}

N = 70


@pytest.fixture(scope="session")
def rows() -> list[dict[str, Any]]:
    """Two test rows of every task."""
    return rows_of(tasks_of(load()), split="test", seed=0, n=N)


@pytest.fixture(scope="session")
def texts(rows: list[dict[str, Any]]) -> dict[str, str]:
    """What the model answers, by question: right, wrong, malformed, hostile in turn."""
    return {row["question"]: completion(row, number)[0] for number, row in enumerate(rows)}


@pytest.fixture(scope="session")
def grades(rows: list[dict[str, Any]], texts: dict[str, str]) -> dict[str, Grade]:
    """What symscale gives for it, by id; some right, most wrong, as the answers were made."""
    found = {row["id"]: grade(row, texts[row["question"]]) for row in rows}
    for number, row in enumerate(rows):
        assert found[row["id"]].reward == completion(row, number)[1]
    return found
