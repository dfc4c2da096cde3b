"""Files of published keys, every cell compared with the exact value."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from symscale.catalog.documents import value_exact
from symscale.catalog.loader import Catalog
from symscale.catalog.reading import distinct, exact, no_constant
from symscale.catalog.tasks import Task
from symscale.errors import CatalogError, SymscaleError
from symscale.numbers import decimal_text, within_tolerance
from symscale.verification.report import KeyReport, Report


def verify_keys(path: Path, catalog: Catalog) -> Report:
    """Compare a JSONL file of published keys, every cell, with the exact values.

    A line has a `task_id` and an `expected_output`: an object `{"rows": [[...]]}`, or the same as
    a JSON string. Raises CatalogError, with the line, for a line that is not that.
    """
    keys: list[KeyReport] = []
    cells = 0
    for number, entry in read_keys(path):
        place = f"{path.name}:{number}"
        task = catalog.tasks.get(entry["task_id"])
        if task is None:
            keys.append(KeyReport(place, entry["task_id"], ("no such task",)))
            continue
        rows = entry["rows"]
        cells += sum(len(row) for row in rows)
        keys.append(KeyReport(place, task.id, tuple(_key_errors(task, rows))))
    seen = Counter(key.task for key in keys)
    failures = [f"{path.name}: {task} stands more than once" for task in seen if seen[task] > 1]
    failures += [f"{path.name}: {task} is missing" for task in _expected(seen, catalog)]
    return Report(keys=tuple(keys), cells=cells, failures=tuple(failures))


def _expected(seen: Collection[str], catalog: Catalog) -> Iterator[str]:
    """The tasks that should be there too: those of the same catalog directories."""
    roots = {catalog.root_of(task) for task in seen if task in catalog.tasks}
    for task in catalog.tasks:
        if task not in seen and (not roots or catalog.root_of(task) in roots):
            yield task


def _key_errors(task: Task, rows: Sequence[Sequence[Any]]) -> Iterator[str]:
    instance = task.instance()
    (row,) = instance.answer.rows
    if [len(cells) for cells in rows] != [len(row)]:
        shape = " + ".join(str(len(cells)) for cells in rows) or "none"
        yield f"has cells {shape}, where one row of {len(row)} is right"
        return
    for column, published, key, value in zip(
        task.columns, rows[0], row, instance.values, strict=True
    ):
        if isinstance(key, Fraction) and isinstance(published, Fraction):
            if not within_tolerance(published, key):
                off = decimal_text(abs(published - key) / abs(key), 3) if key else "all"
                yield (
                    f"{column.name}: {decimal_text(published, 17)} is published, the exact value "
                    f"is {value_exact(value)} (relative error {off})"
                )
        elif type(key) is not type(published) or key != published:
            yield f"{column.name}: {published!r} is published, {value_exact(value)} is right"


def read_keys(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines of a file of keys, numbers exact, with their line numbers."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CatalogError(f"cannot be read: {error}", where=str(path)) from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield number, _key(_json(line))
            except SymscaleError as error:
                raise CatalogError(error.what, where=f"{path.name}:{number}") from None


def _key(entry: Any) -> dict[str, Any]:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("task_id"), str):
        raise CatalogError("a key is an object with a task_id")
    expected = entry.get("expected_output")
    if isinstance(expected, str):
        expected = _json(expected)
    rows = expected.get("rows") if isinstance(expected, Mapping) else None
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise CatalogError('expected_output is an object {"rows": [[...]]}')
    return {"task_id": entry["task_id"], "rows": rows}


def _json(text: str) -> Any:
    try:
        return json.loads(
            text,
            parse_float=exact,
            parse_int=exact,
            parse_constant=no_constant,
            object_pairs_hook=distinct,
        )
    except (ValueError, RecursionError) as error:
        raise CatalogError(f"is not JSON: {error}") from None
