"""Hugging Face datasets load what `symscale export hf` writes, and every answer comes back."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import datasets
import pytest

import symscale
from symscale.cli import run
from symscale.grading import Grade, grade
from tests.adapters.answers import completion
from tests.doors.pages import run_page

CATEGORIES = ("flops", "inference", "memory", "roofline", "sharding")


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hf") / "data set"
    assert run(["export", "hf", str(path), "--all", "-n", "10", "--test", "2"]) == 0
    return path


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("jsonl") / "rows"
    assert run(["export", "jsonl", str(path), "--all", "-n", "10", "--test", "2"]) == 0
    return path


def test_the_configs(directory: Path) -> None:
    names = datasets.get_dataset_config_names(str(directory))
    assert set(names) == {"all", *CATEGORIES, "published"}
    assert datasets.get_dataset_default_config_name(str(directory)) == "all"
    sizes = {name: datasets.load_dataset(str(directory), name).num_rows for name in names}
    assert sizes.pop("all") == {"train": 350, "test": 70}
    assert sizes.pop("published") == {"test": 35}
    assert sum(size["train"] for size in sizes.values()) == 350


@pytest.mark.parametrize("split", ["train", "test"])
def test_every_row_comes_back_exactly(directory: Path, lines: Path, split: str) -> None:
    loaded = {row["id"]: row for row in datasets.load_dataset(str(directory))[split]}
    written = [json.loads(line) for line in (lines / f"{split}.jsonl").read_bytes().splitlines()]
    assert len(loaded) == len(written)
    assert all(loaded[row["id"]] == row for row in written)


def test_the_published_rows(directory: Path, lines: Path) -> None:
    loaded = datasets.load_dataset(str(directory), "published", split="test")
    written = [json.loads(line) for line in (lines / "published.jsonl").read_bytes().splitlines()]
    assert list(loaded) == written
    assert any(
        int(row["exact"][0][0].partition("/")[0]) > 2**63
        for row in written
        if row["columns"][0]["kind"] == "number"
    )


def test_loaded_rows_are_graded_as_made_ones(
    directory: Path, rows: list[dict[str, Any]], grades: dict[str, Grade]
) -> None:
    loaded = {row["id"]: row for row in datasets.load_dataset(str(directory))["test"]}
    for number, row in enumerate(rows):
        assert grade(loaded[row["id"]], completion(row, number)[0]) == grades[row["id"]]


def test_a_missing_file_is_noticed(directory: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(directory, copy)
    next(copy.glob("data/train-roofline-*.parquet")).unlink()
    with pytest.raises(Exception, match=r"(?i)split"):
        datasets.load_dataset(str(copy))


def test_the_page(tmp_path: Path) -> None:
    found = run_page("hf", tmp_path)
    assert found["grade"].reward == 1.0
    assert isinstance(found["grade"], symscale.Grade)
