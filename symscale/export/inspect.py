"""The layout of Inspect: JSON lines with `input`, `target`, `id` and `metadata`."""

from __future__ import annotations

from typing import Any

from symscale.export.chat import messages
from symscale.export.layouts import Layout
from symscale.variants.rows import Row


def record(row: Row) -> dict[str, Any]:
    """A row as Inspect's `json_dataset` loads it; the rest of the row is metadata."""
    rest = {key: row[key] for key in row if key not in ("id", "question", "answer")}
    return {
        "input": messages(row["question"]),
        "target": row["answer"],
        "id": row["id"],
        "metadata": rest,
    }


INSPECT = Layout("jsonl", record)
