"""`symscale generate`, as it is called."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from symscale.catalog.loader import Catalog
from symscale.cli import run
from symscale.variants.formats import read_rows
from symscale.variants.rows import to_json
from symscale.variants.sequence import Variants
from tests.variants.catalogs import ring


def printed(capfdbinary: pytest.CaptureFixture[bytes], *arguments: str) -> list[str]:
    assert run(["generate", *arguments]) == 0
    return capfdbinary.readouterr().out.decode().splitlines()


def test_rows_are_printed(catalog: Catalog, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    lines = printed(capfdbinary, "sc-021", "sc-000", "-n", "3", "--seed", "5", "--split", "test")
    expected = [
        to_json(row)
        for id in ("sc-000", "sc-021")
        for row in Variants(catalog.tasks[id], "test", 5).rows(0, 3)
    ]
    assert lines == expected


def test_tasks_are_chosen_by_category_and_difficulty(
    catalog: Catalog, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    rows = [json.loads(line) for line in printed(capfdbinary, "--category", "memory")]
    every = [task for task in catalog.tasks.values() if task.category == "memory"]
    assert [row["task"] for row in rows] == [task.id for task in every]
    lines = printed(capfdbinary, "--all", "--difficulty", "2..3")
    levels = {json.loads(line)["difficulty"] for line in lines}
    assert levels == {2, 3}
    assert len(lines) == sum(t.difficulty.level in (2, 3) for t in catalog.tasks.values())
    assert len(printed(capfdbinary, "--all", "--difficulty", "4")) > 0


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz"])
def test_a_file_is_written_and_checked(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / name
    assert run(["generate", "sc-021", "-n", "20", "--out", str(out), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert (summary["rows"], summary["kept"], summary["files"][0]["file"]) == (20, 0, name)
    assert len(list(read_rows(out))) == 20
    assert run(["generate", "--check", str(out)]) == 0
    assert "20 of 20 rows derived again: everything holds" in capsys.readouterr().out
    assert run(["generate", "--check", str(out), "-n", "5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"rows": 20, "checked": 5, "problems": []}


def test_a_directory_is_written_resumed_and_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "rows"
    command = ["generate", "sc-021", "sc-031", "-n", "100", "--out", str(out), "--shards", "3"]
    assert run(command) == 0
    assert "200 rows of 2 tasks in 3 files, " in capsys.readouterr().err
    assert run(command) == 0
    assert "3 of them kept" in capsys.readouterr().err
    assert run(["generate", "--check", str(out), "-n", "7"]) == 0
    assert "7 of 200 rows" in capsys.readouterr().out
    part = out / "part-00001.jsonl"
    part.write_text(part.read_text().replace('"exact":[["', '"exact":[["9', 1))
    assert run(["generate", "--check", str(out)]) == 1
    said = capsys.readouterr().out
    assert "part-00001.jsonl is not the file that the manifest speaks of" in said
    assert "part-00001.jsonl:1: exact is" in said


def test_fewer_variants_than_asked_for_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "rows.jsonl")
    assert run(["generate", "sc-031", "-n", "99999", "--split", "test", "--out", out]) == 0
    assert "sc-031 has only " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ([], 2, "name tasks, or give --category or --all"),
        (["sc-999"], 2, "no task is called 'sc-999'"),
        (["--category", "memroy"], 2, "did you mean memory?"),
        (["--all", "--difficulty", "hard"], 2, "'hard' is not a difficulty, such as 3 or 2..4"),
        (["--all", "--difficulty", "77"], 2, "none of these tasks is of difficulty 77"),
        (["sc-021", "--json"], 2, "--json is for --out"),
        (["sc-021", "--out", "a.jsonl", "--shards", "2"], 2, "are for a directory of parts"),
        (["--check", "pyproject.toml"], 3, "does not end in .jsonl"),
    ],
)
def test_what_cannot_be_done_is_said(
    arguments: list[str], status: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["generate", *arguments]) == status
    assert message in capsys.readouterr().err


def test_a_task_without_values_to_extrapolate_to_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ring(tmp_path)
    arguments = ["generate", "ring", "--split", "extrapolate"]
    assert run(["--catalog", str(tmp_path), *arguments]) == 2
    assert "gives no parameter values to extrapolate to" in capsys.readouterr().err


@pytest.mark.parametrize("task", ["sc-010", "sc-021"])
def test_values_to_extrapolate_to(
    catalog: Catalog, task: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    lines = printed(capfdbinary, task, "-n", "5", "--split", "extrapolate")
    rows = [json.loads(line) for line in lines]
    usual = {name: p.range.values for name, p in catalog.tasks[task].parameters.items()}
    for row in rows:
        values = {entry["name"]: Fraction(entry["value"]) for entry in row["parameters"]}
        assert any(value not in usual[name] for name, value in values.items())


def test_generating_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys; from symscale.cli import run; "
        f"status = run(['generate', 'sc-021', '--out', {str(tmp_path / 'rows.jsonl')!r}]); "
        "heavy = {'sympy', 'mpmath', 'numpy', 'pyarrow', 'rich', 'ray'} & set(sys.modules); "
        "sys.exit(str(heavy) if heavy else status)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
