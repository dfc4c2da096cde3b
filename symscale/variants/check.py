"""Rows derived once more, on the plain path and by SymPy's substitution in the closed forms."""

from __future__ import annotations

from collections.abc import Iterator

from symscale.catalog.instances import Instance
from symscale.catalog.loader import Catalog
from symscale.errors import SymscaleError
from symscale.variants.rows import PUBLISHED, Row, instance_of, row
from symscale.variants.splits import Partition
from symscale.variants.substitution import agrees, substituted


class Checker:
    """Checks rows against a catalog, keeping what it learns of each task."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._partitions: dict[str, Partition] = {}

    def problems(self, found: Row) -> Iterator[str]:
        """What is wrong with a row, in words; nothing if it holds.

        Every key must be as the plain path writes it, the values must be in the split that the row
        says, and the answer must be what SymPy finds.
        """
        try:
            instance = instance_of(found, self._catalog)
            expected = row(instance, found["split"], found["seed"], found["index"])
            if found["split"] != PUBLISHED:
                yield from self._split(instance, found["split"])
        except SymscaleError as error:
            yield error.what
            return
        for key in {**expected, **found}:
            if found.get(key) != expected.get(key):
                yield f"{key} is {found.get(key)!r}, and should be {expected.get(key)!r}"
        for column, value in zip(instance.task.columns, instance.values, strict=True):
            tree = substituted(instance, column.name)
            if not agrees(value, tree):
                yield f"{column.name} is {value}, and {tree} by SymPy"

    def _split(self, instance: Instance, claimed: str) -> Iterator[str]:
        task = instance.task
        partition = self._partitions.setdefault(task.id, Partition(task))
        split = partition.split_of(instance.parameters)
        if split != claimed:
            yield f"the values are of the split {split}, not {claimed}"
