"""The fields of a configuration, taken one by one, with errors that name them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symscale.catalog.reading import Table

MAX_SIZE = 10**9


class Fields:
    """A configuration's table; `null` stands for a field that is not there, but is remembered.

    `names` gives the family's own names by Llama's, `defaults` what an absent field means.
    """

    def __init__(
        self, table: Table, *, names: Mapping[str, str] = {}, defaults: Mapping[str, int] = {}
    ) -> None:
        self.table = table
        self.names = names
        self.defaults = defaults
        self.nulls = {key for key, value in table.values.items() if value is None}
        for key in self.nulls:
            table.take(key)

    def has(self, key: str) -> bool:
        return self.names.get(key, key) in self.table.values

    def size(self, *keys: str, least: int = 1) -> int:
        """The positive integer under the first of the names that is there."""
        named = [self.names.get(key, key) for key in keys]
        key = next((name for name in named if name in self.table.values), named[0])
        if key not in self.table.values and key not in self.nulls and keys[0] in self.defaults:
            return self.defaults[keys[0]]
        value = self.table.integer(key)
        if not least <= value <= MAX_SIZE:
            raise self.table.error(key, f"is an integer from {least} to {MAX_SIZE:,}, not {value}")
        return value

    def optional_size(self, key: str, *, least: int = 1) -> int | None:
        """None where the field says `null`, and where it is absent and has no default."""
        if self.has(key) or (key in self.defaults and self.names.get(key, key) not in self.nulls):
            return self.size(key, least=least)
        return None

    def flag(self, key: str, default: bool = False) -> bool:
        value = self.table.take(self.names.get(key, key), default)
        if not isinstance(value, bool):
            raise self.table.error(key, f"is true or false, not {value!r}")
        return value

    def choices(self, key: str, known: tuple[Any, ...], length: int) -> list[Any] | None:
        """A list with one of the known values for each layer, or None."""
        if not self.has(key):
            return None
        values = self.table.take(key)
        if not isinstance(values, list) or len(values) != length:
            raise self.table.error(key, f"is a list of {length} entries, one a layer")
        for value in values:
            if value not in known:
                what = f"{value!r} is not known; known are {' and '.join(map(repr, known))}"
                raise self.table.error(key, what)
        return values

    def layer_numbers(self, key: str, n_layers: int) -> set[int]:
        """A list of layers, counted from 0; empty where it is absent."""
        values = self.table.take(key, [])
        if not isinstance(values, list) or not all(
            type(value) is int and 0 <= value < n_layers for value in values
        ):
            raise self.table.error(key, f"is a list of layers from 0 to {n_layers - 1}")
        return set(values)
