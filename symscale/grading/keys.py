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

    @cached_property
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
    if isinstance(source, Instance):
        return _instance_key(source)
    try:
        columns = tuple(_column(column) for column in source["columns"])
        rows = tuple(
            tuple(_cell(text, column) for text, column in zip(row, columns, strict=True))
            for row in source["exact"]
        )
        parameters = {
            parameter["name"]: _number(parameter["value"]) for parameter in source["parameters"]
        }
        return Key(columns, rows, parameters, source["task"], None, catalog)
    except KeyError as error:
        raise CatalogError(f"has no {error.args[0]!r}", where="row") from None
    except (TypeError, ValueError) as error:
        raise CatalogError(f"is not a key: {error}", where="row") from None


def _instance_key(instance: Instance) -> Key:
    columns = tuple(
        KeyColumn(column.name, column.kind, column.unit.text, column.exact)
        for column in instance.task.columns
    )
    return Key(
        columns,
        instance.answer.rows,
        instance.parameters,
        instance.task.id,
        instance.task,
        None,
    )


def _column(column: Mapping[str, Any]) -> KeyColumn:
    return KeyColumn(column["name"], _KINDS[column["kind"]], column["unit"], column["exact"])


def _cell(text: str, column: KeyColumn) -> Cell:
    if column.kind == "label":
        return str(text)
    if text == "null":
        return None
    return _number(text) if column.kind == "number" else {"true": True, "false": False}[text]


def _number(text: str) -> Fraction:
    match = _EXACT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text[:40]!r} is not an exact number p or p/q")
    return Fraction(int(match[1]), int(match[2] or 1))
