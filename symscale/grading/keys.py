"""What an answer is held against: the key of an instance, or of a row of a generated file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

from symscale.catalog.instances import Cell, Instance
from symscale.catalog.loader import Catalog, load
from symscale.catalog.tasks import Task
from symscale.errors import CatalogError, SymscaleError
from symscale.expressions.shape import Kind
from symscale.expressions.values import key_of
from symscale.units import UnitSystem

_EXACT = re.compile(r"(-?[0-9]{1,4300})(?:/([1-9][0-9]{0,4299}))?")
_KINDS: dict[str, Kind] = {"number": "number", "label": "label", "truth": "truth"}


@dataclass(frozen=True, slots=True)
class KeyColumn:
    """What the key says about a column: `unit` as text, `exact` if every digit must match."""

    name: str
    kind: Kind
    unit: str
    exact: bool


@dataclass(frozen=True)
class Key:
    """An exact key, and where to look up what more is known about its task."""

    columns: tuple[KeyColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    parameters: Mapping[str, Fraction]
    task_id: str
    given_task: Task | None = field(repr=False)
    catalog: Catalog | None = field(repr=False)

    @property
    def units(self) -> UnitSystem:
        if self.given_task is not None:
            return self.given_task.units
        return (self.catalog or packaged_catalog()).units

    @cached_property
    def task(self) -> Task | None:
        """The task, if the catalog has one by this name that gives this very key."""
        if self.given_task is not None:
            return self.given_task
        tasks = (self.catalog or packaged_catalog()).tasks
        if self.task_id not in tasks:
            return None
        task = tasks[self.task_id]
        try:
            values = task.kernel(self.parameters)
        except (SymscaleError, KeyError):
            return None
        return task if self.rows == (tuple(map(key_of, values)),) else None


@cache
def packaged_catalog() -> Catalog:
    """The catalog that comes with symscale, opened when it is first needed."""
    return load()


def read_key(source: Instance | Mapping[str, Any], catalog: Catalog | None = None) -> Key:
    """The key of an instance or of a row.

    Raises CatalogError, with the place in the row, for a row that does not say what it must.
    """
    return _instance_key(source) if isinstance(source, Instance) else _row_key(source, catalog)


def _instance_key(instance: Instance) -> Key:
    task = instance.task
    columns = tuple(
        KeyColumn(column.name, column.kind, column.unit.text, column.exact)
        for column in task.columns
    )
    return Key(columns, instance.answer.rows, instance.parameters, task.id, task, None)


def _row_key(row: Mapping[str, Any], catalog: Catalog | None) -> Key:
    try:
        columns = tuple(map(_column, row["columns"]))
        rows = tuple(
            tuple(_cell(text, column) for text, column in zip(cells, columns, strict=True))
            for cells in row["exact"]
        )
        parameters = {_text(each["name"]): _number(each["value"]) for each in row["parameters"]}
        if not columns or not rows:
            raise ValueError("it has no cell")
        return Key(columns, rows, parameters, _text(row["task"]), None, catalog)
    except KeyError as error:
        raise CatalogError(f"has no {error.args[0]!r}", where="row") from None
    except (TypeError, ValueError) as error:
        raise CatalogError(f"is not a key: {error}", where="row") from None


def _column(column: Mapping[str, Any]) -> KeyColumn:
    return KeyColumn(
        _text(column["name"]),
        _KINDS[_text(column["kind"])],
        _text(column["unit"]),
        column["exact"] is True,
    )


def _cell(text: Any, column: KeyColumn) -> Cell:
    match column.kind:
        case "number":
            return None if text == "null" else _number(text)
        case "truth":
            return {"true": True, "false": False, "null": None}[_text(text)]
        case _:
            return _text(text)


def _number(text: Any) -> Fraction:
    match = _EXACT.fullmatch(_text(text))
    if match is None:
        raise ValueError(f"{text[:40]!r} is not an exact number p or p/q")
    return Fraction(int(match[1]), int(match[2] or 1))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value
