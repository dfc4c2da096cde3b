"""Files of keys and answers, matched by id."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest

from symscale.cli import run
from symscale.errors import CatalogError
from symscale.grading.files import MAX_NAMED, Summary, grade_files
from tests.grading.making import row


def key(id: str, value: str = "7", task: str = "made") -> str:
    return json.dumps({**row(value), "id": id, "task": task})


def answer(id: str, value: str = "7", under: str = "answer") -> str:
    return json.dumps({"id": id, under: f'{{"rows": [[{value}]]}}'})


class Files:
    def __init__(self, folder: Path) -> None:
        self.keys, self.answers = folder / "keys.jsonl", folder / "answers.jsonl"

    def write(self, keys: list[str], answers: list[str]) -> None:
        self.keys.write_text("".join(f"{line}\n" for line in keys), encoding="utf-8")
        self.answers.write_text("".join(f"{line}\n" for line in answers), encoding="utf-8")

    def grade(self) -> tuple[list[tuple[str, float]], Summary]:
        summary = Summary()
        graded = grade_files(self.keys, self.answers, summary)
        return [(each.id, each.grade.reward) for each in graded], summary

    def run(self, *options: str) -> int:
        return run(["grade", str(self.keys), str(self.answers), *options])


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def test_matched_by_id_in_the_order_of_the_answers(files: Files) -> None:
    files.write(
        [key("a", "1"), key("b", "2"), "", key("c", "3", task="other")],
        [answer("c", "3", "completion"), answer("a", "1", "text"), "  ", answer("b", "1")],
    )
    graded, summary = files.grade()
    assert graded == [("c", 1.0), ("a", 1.0), ("b", 0.0)]
    assert summary.complete
    assert summary.tasks == {"made": 2, "other": 1}
    assert summary.correct == {"made": 1, "other": 1}
    assert summary.reasons == {"ok": 2, "wrong_value": 1}


def test_what_does_not_match_is_counted_and_named(files: Files) -> None:
    files.write(
        [key("a", "1"), key("b"), key("a", "2"), key("c")],
        [answer("a", "1"), answer("x"), answer("a", "2"), answer("y")],
    )
    graded, summary = files.grade()
    assert graded == [("a", 1.0)]
    assert not summary.complete
    assert {why: ids.named for why, ids in summary.unmatched.items()} == {
        "answers without a key": ["x", "y"],
        "keys without an answer": ["b", "c"],
        "repeated answers": ["a"],
        "repeated keys": ["a"],
    }


@pytest.mark.parametrize(
    ("keys", "answers", "message"),
    [
        ([key("a"), "{"], [], r"keys\.jsonl:2: is not JSON"),
        (["[]"], [], r"keys\.jsonl:1: is not a JSON object"),
        (["{}"], [], r"keys\.jsonl:1: has no text under 'id'"),
        (['{"id": 7}'], [], r"keys\.jsonl:1: has no text under 'id'"),
        (['{"id": "\\ud800"}'], [], r"keys\.jsonl:1: has an id that is not Unicode text"),
        (['{"id": "a"}'], [answer("a")], r"keys\.jsonl:1: row: has no 'columns'"),
        ([key("a")], ["", "7"], r"answers\.jsonl:2: is not a JSON object"),
        ([key("a")], ['{"id": "a"}'], r"answers\.jsonl:1: has one of answer, completion, text"),
        (
            [key("a")],
            ['{"id": "a", "answer": {}}'],
            r"answers\.jsonl:1: has no text under 'answer'",
        ),
        ([key("a")], ['{"id": "a", "answer": "", "text": ""}'], "not 2 of them"),
        ([key("a")], ["[" * 100_000], r"answers\.jsonl:1: is not JSON"),
        ([key("a")], ["9" * 5000], r"answers\.jsonl:1: is not"),
    ],
)
def test_bad_lines(files: Files, keys: list[str], answers: list[str], message: str) -> None:
    files.write(keys, answers)
    with pytest.raises(CatalogError, match=message):
        files.grade()
    assert files.run() == 3


def test_bad_files(files: Files) -> None:
    with pytest.raises(CatalogError, match=r"keys\.jsonl: cannot be read: No such file"):
        files.grade()
    files.write([key("a")], [])
    files.answers.write_bytes(b'{"id": "\xff"}\n')
    with pytest.raises(CatalogError, match=r"answers\.jsonl:1: is not JSON"):
        files.grade()


def test_constant_memory(files: Files) -> None:
    peaks = []
    for count in (300, 3000):
        ids = [f"task/train/0/{number}" for number in range(count)]
        files.write([key(id) for id in ids], [answer(id) for id in reversed(ids)])
        tracemalloc.start()
        summary = Summary()
        assert sum(1 for _ in grade_files(files.keys, files.answers, summary)) == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert summary.complete
    assert peaks[1] < peaks[0] + 300_000


def test_few_are_named(files: Files) -> None:
    files.write([key(str(number)) for number in range(100)], [])
    missing = files.grade()[1].keys_without_answer
    assert (missing.count, len(missing.named)) == (100, MAX_NAMED)


def test_command_line(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    files.write([key("a", "1"), key("b", "2")], [answer("b", "2"), answer("a", "2")])
    assert files.run() == 0
    out, err = capsys.readouterr()
    assert "2 answers graded, 1 right (50.0%)" in out
    assert "wrong_value" in out
    assert not err


def test_json_lines(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    files.write([key("a", "1"), key("b", "2")], [answer("b", "2"), answer("c", "2")])
    assert files.run("--json") == 3
    out, err = capsys.readouterr()
    lines = [json.loads(line) for line in out.splitlines()]
    assert [(line["id"], line["task"], line["reward"], line["reason"]) for line in lines] == [
        ("b", "made", 1.0, "ok")
    ]
    assert lines[0]["cells"][0]["expected"] == "2"
    assert "keys without an answer" in err
    assert '"c"' in err


def test_reasoning_prefilled(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    text = '{"rows": [[8]]} </think> {"rows": [[7]]} <think>'
    files.write([key("a")], [json.dumps({"id": "a", "text": '{"rows": [[7]]} ' + text[:15]})])
    assert files.run("--reasoning-prefilled") == 0
    assert "no_answer" in capsys.readouterr().out
    files.write([key("a")], [json.dumps({"id": "a", "text": text})])
    assert files.run("--reasoning-prefilled") == 0
    assert "1 right" in capsys.readouterr().out
