"""Rows and instances to grade against."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from symscale.catalog.loader import Catalog, load
from symscale.grading import Grade, grade


def column(name: str = "x", unit: str = "1", kind: str = "number", exact: bool = False) -> Any:
    return {"name": name, "kind": kind, "unit": unit, "exact": exact}


def row(*cells: str, columns: list[Any] | None = None) -> dict[str, Any]:
    """A row of one task that no catalog has; without columns, each cell is a pure number."""
    columns = columns or [column(f"x{position}") for position in range(len(cells))]
    return {
        "id": "made/test/0/0",
        "task": "made",
        "exact": [list(cells)],
        "columns": columns,
        "parameters": [],
    }


def rows(*cells: str) -> str:
    """The answer object with these JSON texts as the cells of its one row."""
    return f'{{"rows": [[{", ".join(cells)}]]}}'


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def one(key: str, cell: str, unit: str = "1", *, exact: bool = False) -> Grade:
    """Grade one cell, given as JSON text, against a number of a unit."""
    return grade(row(key, columns=[column(unit=unit, exact=exact)]), rows(cell))


TASK = """
id = "made-ring"
title = "A ring all-gather, made for tests"
source = "made up"
prompt = ["{n} devices gather {V} over links of {W}."]

[parameters]
n = { quantity = "ring_size", value = 8, range = { powers_of_two = [2, 4096] } }

[parameters.V]
quantity = "gathered_bytes"
value = "4e9"
range = { decimals = ["1e6", "1e12"], digits = 2 }

[parameters.W]
quantity = "link_bandwidth_one_way"
value = "1.8e11"
range = { decimals = ["1e10", "1e12"], digits = 2 }

[steps]
sent = { unit = "byte", expression = "V*(n - 1)/n" }

[answer]
sent_gb = { unit = "GB", expression = "sent" }
seconds = { unit = "s", expression = "sent/W" }
bound = { expression = 'where(sent > 1 [GB], "large", "small")' }

[mistakes.every_shard]
message = "you sent every shard, but a device keeps its own: a factor (n - 1)/n is missing"
replace = { sent = "V" }

[mistakes.one_shard]
message = "you sent one shard, but n - 1 of them pass each link"
replace = { sent = "V/n" }
"""


def made_catalog(directory: Path) -> Catalog:
    """The catalog with the task above."""
    folder = directory / "made"
    folder.mkdir(exist_ok=True)
    (folder / "ring.toml").write_text(TASK, encoding="utf-8")
    return load(directory)
