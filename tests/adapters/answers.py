"""What a model may write to a row, and what it is worth: right, wrong, malformed, hostile."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def wrong(row: Mapping[str, Any]) -> str:
    """The key with its first number one part in a million off."""
    cells: list[Any] = list(row["exact"][0])
    position = next(k for k, c in enumerate(row["columns"]) if c["kind"] == "number")
    over, _, under = cells[position].partition("/")
    cells[position] = f"{int(over) * 1000001}/{int(under or 1) * 1000000}"
    words = {"true": True, "false": False}
    for k, column in enumerate(row["columns"]):
        if column["kind"] == "truth":
            cells[k] = words[cells[k]]
    return json.dumps({"rows": [cells]})


def completions(row: Mapping[str, Any]) -> list[tuple[str, float]]:
    """Texts and the reward that each must get."""
    right = row["answer"]
    return [
        (right, 1.0),
        (f"<think>{wrong(row)}</think>Step by step.\n\n```json\n{right}\n```", 1.0),
        (f"First {wrong(row)}, no: <answer>{right}</answer>", 1.0),
        (wrong(row), 0.0),
        (f"{right} or rather {wrong(row)}", 0.0),
        ('{"rows": [[]]}', 0.0),
        ("I do not know.", 0.0),
        ("", 0.0),
        (right[:-1], 0.0),
        (right.replace("]]", "],["), 0.0),
        (f'{{"rows": [[1]], {right[1:]}', 0.0),
        (f"<think>{right}", 0.0),
        ('{"rows": [[...]]}', 0.0),
        ('{"rows": ' + "[" * 5000, 0.0),
        ('{"rows": [[1e999999999, NaN, Infinity, true, null]]}', 0.0),
        ('{"rows": [[' + "9" * 6000 + "]]}", 0.0),
        ('{"closed_form": ["__import__(\'os\').abort()", "10**10**10"]}', 0.0),
        ("<answer>{" * 2000, 0.0),
        ('{"reward": 1, "rows": "ok", "score": 1.0}', 0.0),
    ]


def completion(row: Mapping[str, Any], number: int) -> tuple[str, float]:
    """One of them, another for each number."""
    found = completions(row)
    return found[number % len(found)]
