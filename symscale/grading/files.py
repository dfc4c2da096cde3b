"""Files of keys and answers, matched by id and graded line by line in constant memory.

A key file holds one generated row a line. An answer file holds one JSON object a line: its `id`,
and what the model wrote, as a text, under one of `answer`, `completion` and `text`. The ids of
the keys and where they stand are kept in a temporary SQLite file on disk, so that neither file
has to fit in memory and their orders need not agree. The first key and the first answer of an id
count.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from symscale.catalog.loader import Catalog
from symscale.errors import CatalogError
from symscale.grading.grader import grade
from symscale.grading.grades import Grade
from symscale.grading.lines import MAX_LINE, Line, open_file, parse_line, read_lines

ANSWER_KEYS = ("answer", "completion", "text")
MAX_NAMED = 20


@dataclass(frozen=True, slots=True)
class Graded:
    """One answer with its grade."""

    id: str
    task: str
    grade: Grade

    def to_json(self) -> dict[str, Any]:
        """Plain values for a JSON line."""
        return {"id": self.id, "task": self.task, **self.grade.to_json()}


@dataclass(slots=True)
class Unmatched:
    """Ids that were not graded: how many, and the first twenty."""

    count: int = 0
    named: list[str] = field(default_factory=list)

    def add(self, id: str) -> None:
        self.count += 1
        if len(self.named) < MAX_NAMED:
            self.named.append(id)


@dataclass(slots=True)
class Summary:
    """What came of it all; filled in while the answers are read."""

    tasks: Counter[str] = field(default_factory=Counter)
    """Answers graded, by task."""
    correct: Counter[str] = field(default_factory=Counter)
    """Those of them that are right, by task."""
    reasons: Counter[str] = field(default_factory=Counter)
    answers_without_key: Unmatched = field(default_factory=Unmatched)
    keys_without_answer: Unmatched = field(default_factory=Unmatched)
    repeated_answers: Unmatched = field(default_factory=Unmatched)
    repeated_keys: Unmatched = field(default_factory=Unmatched)

    @property
    def unmatched(self) -> dict[str, Unmatched]:
        """What was not graded, by why."""
        return {
            "answers without a key": self.answers_without_key,
            "keys without an answer": self.keys_without_answer,
            "repeated answers": self.repeated_answers,
            "repeated keys": self.repeated_keys,
        }

    @property
    def complete(self) -> bool:
        """Whether every key had one answer and every answer one key."""
        return not any(unmatched.count for unmatched in self.unmatched.values())

    def add(self, graded: Graded) -> None:
        self.tasks[graded.task] += 1
        self.correct[graded.task] += graded.grade.correct
        self.reasons[graded.grade.reason] += 1


def grade_files(
    keys: Path,
    answers: Path,
    summary: Summary,
    *,
    reasoning_prefilled: bool = False,
    catalog: Catalog | None = None,
    secret: bytes = b"",
    progress: Callable[[int], object] | None = None,
) -> Iterator[Graded]:
    """Grade the answers in the order of their file, and fill in `summary` on the way.

    `progress` is told how many bytes of the answers have been read. Raises CatalogError with file
    and line for a line that is not what it must be.
    """
    with open_file(keys) as rows, open_file(answers) as file, closing(sqlite3.connect("")) as disk:
        index = _Index(disk, rows, keys)
        for id in index.fill():
            summary.repeated_keys.add(id)
        for line in read_lines(file, answers):
            if progress is not None:
                progress(line.end)
            id, text = line.text("id"), line.text_of_one(ANSWER_KEYS)
            entry = index.find(id, line)
            if entry is None:
                summary.answers_without_key.add(id)
                continue
            if entry.answered:
                summary.repeated_answers.add(id)
                continue
            row = index.take(id, entry)
            try:
                verdict = grade(
                    row.values,
                    text,
                    reasoning_prefilled=reasoning_prefilled,
                    catalog=catalog,
                    secret=secret,
                )
            except CatalogError as error:
                raise row.error(str(error)) from None
            graded = Graded(id, row.text("task"), verdict)
            summary.add(graded)
            yield graded
        for id in index.unanswered():
            summary.keys_without_answer.add(id)


class _Entry(NamedTuple):
    start: int
    number: int
    answered: int


class _Index:
    """Where each key stands, by id, in a temporary database on disk."""

    def __init__(self, disk: sqlite3.Connection, rows: BinaryIO, path: Path) -> None:
        self.disk, self.rows, self.path = disk, rows, path
        disk.execute("PRAGMA journal_mode = OFF")
        disk.execute(
            "CREATE TABLE keys (id TEXT PRIMARY KEY, start INT, number INT, answered INT)"
            " WITHOUT ROWID"
        )

    def fill(self) -> Iterator[str]:
        """Note every key; the ids that stand a second time."""
        insert = "INSERT OR IGNORE INTO keys VALUES (?, ?, ?, 0)"
        for line in read_lines(self.rows, self.path):
            id = line.text("id")
            if not self._execute(insert, (id, line.start, line.number), line).rowcount:
                yield id

    def find(self, id: str, line: Line) -> _Entry | None:
        select = "SELECT start, number, answered FROM keys WHERE id = ?"
        found = self._execute(select, (id,), line).fetchone()
        return None if found is None else _Entry(*found)

    def take(self, id: str, entry: _Entry) -> Line:
        """The row of a key, which is answered now."""
        self.disk.execute("UPDATE keys SET answered = 1 WHERE id = ?", (id,))
        self.rows.seek(entry.start)
        return parse_line(self.rows.readline(MAX_LINE), self.path, entry.number, entry.start)

    def unanswered(self) -> Iterator[str]:
        for (id,) in self.disk.execute("SELECT id FROM keys WHERE answered = 0 ORDER BY start"):
            yield id

    def _execute(self, statement: str, values: tuple[Any, ...], line: Line) -> sqlite3.Cursor:
        try:
            return self.disk.execute(statement, values)
        except UnicodeEncodeError:
            raise line.error("has an id that is not Unicode text") from None
