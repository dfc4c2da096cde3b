"""Rows: the one schema of generated data, to JSON and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from symscale.catalog.columns import Parameter
from symscale.catalog.instances import Instance
from symscale.catalog.loader import Catalog
from symscale.catalog.tasks import Task
from symscale.errors import CatalogError, SymscaleError
from symscale.numbers import exact_text, read_rational
from symscale.units import convert
from symscale.variants.surface import Surface, Surfaces

SCHEMA = 1
PUBLISHED = "published"
"""The split of the published instances; their seed and index are 0."""

NOT_CONTENT = ("id", "index", "hash")
"""The keys that the content hash leaves out."""

Row: TypeAlias = dict[str, Any]

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def row(instance: Instance, split: str, seed: int, index: int) -> Row:
    """The row of an instance, its keys in the schema's order. Raises what evaluation raises."""
    task = instance.task
    cells: Row = {
        "schema": SCHEMA,
        "id": f"{task.id}/{split}/{seed}/{index}",
        "task": task.id,
        "category": task.category,
        "task_hash": task.digest,
        "split": split,
        "seed": seed,
        "index": index,
        "question": instance.question,
        "answer": instance.answer.json,
        "exact": instance.answer.exact,
        "columns": columns(task),
        "parameters": [
            parameter_entry(parameter, instance.parameters[name])
            for name, parameter in task.parameters.items()
        ],
        "difficulty": task.difficulty.level,
    }
    cells["hash"] = content_hash(cells)
    return cells


def published_row(task: Task) -> Row:
    """The row of a task at its published values."""
    return row(task.instance(), PUBLISHED, 0, 0)


def columns(task: Task) -> list[dict[str, Any]]:
    """How the cells of `exact` are to be read."""
    return [
        {"name": c.name, "kind": c.kind, "unit": c.unit.text, "exact": c.exact}
        for c in task.columns
    ]


def parameter_entry(parameter: Parameter, value: Fraction) -> dict[str, str]:
    """A parameter with its value, in its unit."""
    return {"name": parameter.name, "value": exact_text(value), "unit": parameter.unit.text}


def content_hash(row: Mapping[str, Any]) -> str:
    """SHA-256, in hexadecimal, of the row's JSON without `id`, `index` and `hash`."""
    content = {key: value for key, value in row.items() if key not in NOT_CONTENT}
    return hashlib.sha256(to_json(content).encode()).hexdigest()


def to_json(value: Any) -> str:
    """Compact JSON, keys in the order they have, text beyond ASCII as it is."""
    return _ENCODER.encode(value)


def read_row(line: str | bytes) -> Row:
    """The row of a line. Raises CatalogError for anything else."""
    try:
        cells = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise CatalogError(f"is not a JSON object: {error}") from None
    if not isinstance(cells, dict) or cells.get("schema") != SCHEMA:
        raise CatalogError(f"is not a row of schema {SCHEMA}")
    return cells


def instance_of(row: Mapping[str, Any], catalog: Catalog) -> Instance:
    """The instance that a row was written from, question and units included.

    Raises CatalogError for a row that does not fit the schema, and for one of a task that has
    changed since or is not in the catalog.
    """
    try:
        task = catalog.tasks[row["task"]]
        if row["task_hash"] != task.digest:
            raise CatalogError(f"{task.id} has changed since the row was written")
        entries = {entry["name"]: entry for entry in row["parameters"]}
        parameters = {
            name: convert(
                read_rational(entries[name]["value"]), task.units.parse(entries[name]["unit"]), unit
            )
            for name, unit in task.parameter_units.items()
        }
        surface = _surface(task, row)
    except (KeyError, TypeError, AttributeError) as error:
        raise CatalogError(f"is not a row of schema {SCHEMA}: {error!r}") from None
    except CatalogError:
        raise
    except SymscaleError as error:
        raise CatalogError(error.what) from None
    return Instance(task, parameters, surface.phrasing, surface.shown)


def _surface(task: Task, row: Mapping[str, Any]) -> Surface:
    split, seed, index = row["split"], row["seed"], row["index"]
    for number in (seed, index):
        if type(number) is not int or not 0 <= number < 2**63:
            raise TypeError(f"{number!r} is no seed or index")
    return Surface() if split == PUBLISHED else Surfaces(task, str(split), seed)[index]
