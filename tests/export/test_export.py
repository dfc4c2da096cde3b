"""Data sets on disk: what the libraries will find there, looked at with pyarrow and json alone."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from symscale.catalog.loader import Catalog
from symscale.catalog.protocol import SYSTEM_PROMPT
from symscale.cli import run
from symscale.export.keys import read_key_text
from symscale.grading import grade
from symscale.variants.rows import published_row
from symscale.variants.sequence import Variants

TASKS = ["sc-000", "sc-003", "sc-007", "sc-021", "sc-025"]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A data set in each layout: 12 training and 2 test variants of five tasks, in seed 3."""
    home = tmp_path_factory.mktemp("exported")
    paths = {layout: home / layout for layout in ("hf", "verl", "inspect", "jsonl")}
    for layout, path in paths.items():
        options = ["-n", "12", "--seed", "3"]
        assert run(["export", layout, str(path), *TASKS, *options]) == 0
    return paths


def read(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        rows: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
        return rows
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def expected(catalog: Catalog, split: str) -> list[dict[str, Any]]:
    if split == "published":
        return [published_row(catalog.tasks[id]) for id in TASKS]
    count = 12 if split == "train" else 2
    return [
        row
        for id in TASKS
        for row in Variants(catalog.tasks[id], "train" if count == 12 else "test", 3).rows(0, count)
    ]


@pytest.mark.parametrize("split", ["train", "test", "published"])
class TestFiles:
    def test_jsonl_holds_the_rows(
        self, exported: dict[str, Path], catalog: Catalog, split: str
    ) -> None:
        assert read(exported["jsonl"] / f"{split}.jsonl") == expected(catalog, split)

    def test_verl(self, exported: dict[str, Path], catalog: Catalog, split: str) -> None:
        records = read(exported["verl"] / f"{split}.parquet")
        for record, row in zip(records, expected(catalog, split), strict=True):
            assert list(record) == [
                "data_source",
                "prompt",
                "ability",
                "reward_model",
                "extra_info",
            ]
            assert record["prompt"] == [
                {"role": "system", "content": SYSTEM_PROMPT},
                {"role": "user", "content": row["question"]},
            ]
            assert record["reward_model"]["style"] == "rule"
            key = read_key_text(record["reward_model"]["ground_truth"])
            assert {name: row[name] for name in key} == key
            assert grade(key, row["answer"]).reward == 1.0
            assert record["extra_info"]["id"] == row["id"]
            assert record["extra_info"]["answer"] == row["answer"]

    def test_inspect(self, exported: dict[str, Path], catalog: Catalog, split: str) -> None:
        records = read(exported["inspect"] / f"{split}.jsonl")
        for record, row in zip(records, expected(catalog, split), strict=True):
            assert list(record) == ["input", "target", "id", "metadata"]
            assert record["input"][1]["content"] == row["question"]
            assert (record["target"], record["id"]) == (row["answer"], row["id"])
            assert grade(record["metadata"], record["target"]).reward == 1.0


class TestHuggingFace:
    def rows(self, directory: Path, pattern: str) -> Iterator[dict[str, Any]]:
        for path in sorted(directory.glob(pattern)):
            yield from read(path)

    @pytest.mark.parametrize("split", ["train", "test"])
    def test_rows_come_back_exactly(
        self, exported: dict[str, Path], catalog: Catalog, split: str
    ) -> None:
        found = {row["id"]: row for row in self.rows(exported["hf"], f"data/{split}-*.parquet")}
        wanted = {row["id"]: row for row in expected(catalog, split)}
        assert found == wanted
        assert any(len(row["exact"][0][0].partition("/")[0]) > 19 for row in found.values())

    def test_files_are_by_category(self, exported: dict[str, Path]) -> None:
        for category in ("roofline", "flops", "sharding"):
            rows = list(self.rows(exported["hf"], f"data/train-{category}-?????-of-?????.parquet"))
            assert {row["category"] for row in rows} == {category}

    def test_the_published_rows_are_apart(self, exported: dict[str, Path]) -> None:
        rows = list(self.rows(exported["hf"], "published/test-*.parquet"))
        assert [row["id"] for row in rows] == [f"{id}/published/0/0" for id in TASKS]

    def test_the_front_matter(self, exported: dict[str, Path]) -> None:
        text = (exported["hf"] / "README.md").read_text(encoding="utf-8")
        _, front, rest = text.split("---\n", 2)
        lines = front.splitlines()
        assert "license: apache-2.0" in lines
        assert "size_categories: ['n<1K']" in lines
        names = [json.loads(line[15:]) for line in lines if line.startswith("- config_name: ")]
        assert names == ["all", "flops", "roofline", "sharding", "published"] * 2
        assert lines.count("  default: true") == 1
        patterns = [json.loads(line[10:]) for line in lines if line.startswith("    path: ")]
        assert len(patterns) == 9
        for pattern in patterns:
            assert list(exported["hf"].glob(pattern)), pattern
        sizes = [int(line[18:]) for line in lines if line.startswith("    num_examples: ")]
        assert sizes == [60, 10, 12, 2, 24, 4, 24, 4, 5]
        for said in ("## How the keys were verified", "## How to grade", "`V*(n - 1)/n`"):
            assert said in rest

    def test_parts(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("symscale.variants.plan.ROWS_PER_PART", 5)
        assert run(["export", "hf", str(tmp_path / "hf"), "sc-021", "sc-022", "-n", "8"]) == 0
        names = sorted(path.name for path in tmp_path.glob("hf/data/train-*"))
        assert names == [f"train-sharding-0000{k}-of-00004.parquet" for k in range(4)]
        rows = list(self.rows(tmp_path / "hf", "data/train-*"))
        assert len({row["id"] for row in rows}) == len(rows) == 16


class TestCommand:
    def test_a_directory_that_is_not_empty(
        self, exported: dict[str, Path], capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(["export", "jsonl", str(exported["jsonl"]), "sc-021"]) == 2
        err = capsys.readouterr().err
        assert err.count("\n") == 1
        assert "is there already" in err

    def test_without_tasks(self, tmp_path: Path) -> None:
        assert run(["export", "jsonl", str(tmp_path / "x")]) == 2
        assert list(tmp_path.iterdir()) == []

    def test_json(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["export", "jsonl", str(tmp_path / "x"), "sc-021", "-n", "3", "--json"]) == 0
        files = json.loads(capsys.readouterr().out)["files"]
        assert [(file["file"], file["rows"]) for file in files] == [
            ("train.jsonl", 3),
            ("test.jsonl", 1),
            ("published.jsonl", 1),
        ]

    @pytest.mark.parametrize("layout", ["hf", "verl"])
    def test_without_pyarrow(
        self,
        layout: str,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        assert run(["export", layout, str(tmp_path / "x"), "sc-021", "-n", "3"]) == 2
        assert capsys.readouterr().err == (
            "symscale: this needs an optional library: pip install 'symscale[parquet]'\n"
        )
        assert list(tmp_path.iterdir()) == []
