"""Data sets of three files, `train`, `test` and `published`, in a layout that a library reads."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symscale.export.content import SPLITS, Content
from symscale.export.directories import whole_directory
from symscale.variants.formats import Format, Schema, row_schema
from symscale.variants.rows import Row, to_json
from symscale.variants.writers import Written, write_lines


@dataclass(frozen=True)
class Layout:
    """How a row becomes a record, and what file the records go to."""

    format: Format
    record: Callable[[Row], Any] | None = None
    """From a row to its record; None where the record is the row."""
    schema: Schema = row_schema
    """The Arrow schema of the records, for Parquet."""

    def lines(self, slots: Iterable[list[str]]) -> Iterator[list[str]]:
        """The records of rows, both as JSON lines."""
        for slot in slots:
            if self.record is None:
                yield slot
            else:
                yield [to_json(self.record(json.loads(line))) + "\n" for line in slot]


JSONL = Layout("jsonl")
"""The rows themselves."""


def export_layout(
    layout: Layout,
    content: Content,
    directory: Path,
    *,
    progress: Callable[[int], None] = lambda rows: None,
) -> list[Written]:
    """Write a data set, which appears when all of it is there.

    Raises SymscaleError where it cannot be written, MissingExtraError for Parquet without pyarrow.
    """

    def write(name: str, slots: Iterable[list[str]]) -> Written:
        path = inside / f"{name}.{layout.format}"
        return write_lines(path, layout.format, layout.lines(slots), progress, layout.schema)

    with whole_directory(directory) as inside:
        written = []
        for split in SPLITS:
            plan = content.plan(split)
            parts = (slot for part in range(plan.parts) for slot in content.lines(plan, part))
            written.append(write(split, parts))
        return [*written, write("published", content.published())]
