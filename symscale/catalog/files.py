"""The files of one or more catalog directories: which are there, and which entry is in which."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from symscale.catalog.reading import Table, read_toml
from symscale.errors import CatalogError, UnknownNameError

T = TypeVar("T")

TOP_FILES = ("units.toml", "quantities.toml", "identities.toml", "mistakes.toml")
OTHER_FOLDERS = ("formulas", "hardware", "models", "proofs", "published")
"""The folders that are no categories of tasks."""

_ID_LINE = re.compile(r"""^id\s*=\s*["']([^"']+)["']\s*(?:#.*)?$""", re.MULTILINE)
_TABLE_LINE = re.compile(r"^\[\s*([A-Za-z0-9_-]+)\s*\]", re.MULTILINE)
_READING = threading.RLock()
"""One thread reads entries at a time, since an entry may lead to others."""


@dataclass(frozen=True)
class Files:
    """The directories of a catalog, later ones over earlier."""

    roots: tuple[Path, ...]
    _tables: dict[Path, Table] = field(default_factory=dict, repr=False, compare=False)

    def find(self, pattern: str) -> list[Path]:
        return [path for root in self.roots for path in sorted(root.glob(pattern))]

    def root(self, path: Path) -> Path:
        return next(root for root in reversed(self.roots) if path.is_relative_to(root))

    def place(self, path: Path) -> str:
        """How errors name a file: from its directory on."""
        root = self.root(path)
        return f"{root.name}/{path.relative_to(root).as_posix()}"

    def text(self, path: Path) -> str:
        try:
            return path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CatalogError(f"cannot be read: {error}", where=self.place(path)) from None

    def toml(self, path: Path) -> Table:
        """The table of a file, parsed once."""
        if path not in self._tables:
            self._tables[path] = read_toml(path, self.place(path))
        return self._tables[path]

    def by_id(self, pattern: str) -> dict[str, Path]:
        """The files that have an `id` of their own, in the order of their ids.

        The ids are found without parsing. Raises CatalogError for a file without one, and for two
        files of one directory with the same.
        """
        places: dict[str, Path] = {}
        for path in self.find(pattern):
            if pattern == "*/*.toml" and path.parent.name in OTHER_FOLDERS:
                continue
            match = _ID_LINE.search(self.text(path))
            if match is None:
                read_toml(path, self.place(path))
                raise CatalogError(
                    'is missing, or not written id = "..." at the start of a line',
                    where=f"{self.place(path)}: id",
                )
            self._claim(places, match[1], path, "id")
        return dict(sorted(places.items()))

    def by_table(self, pattern: str) -> dict[str, Path]:
        """The tables of the files by name, found without parsing them.

        Raises CatalogError for two tables of one directory with the same name.
        """
        places: dict[str, Path] = {}
        for path in self.find(pattern):
            for id in _TABLE_LINE.findall(self.text(path)):
                self._claim(places, id, path, id)
        return places

    def table(self, path: Path, id: str) -> Table:
        """A table of a file with many. Raises CatalogError where the headers are not what finding
        them without parsing relies on."""
        parsed = self.toml(path)
        found = set(_TABLE_LINE.findall(self.text(path)))
        for name in found.symmetric_difference(parsed.values):
            raise CatalogError(
                "write the header of an entry [id], at the start of a line",
                where=f"{self.place(path)}: {name}",
            )
        return Table(parsed.values[id], self.place(path), f"{id}.")

    def _claim(self, places: dict[str, Path], id: str, path: Path, key: str) -> None:
        taken = places.get(id)
        if taken is not None and self.root(taken) == self.root(path):
            raise CatalogError(
                f"{id!r} also stands in {self.place(taken)}", where=f"{self.place(path)}: {key}"
            )
        places[id] = path

    def check_layout(self) -> None:
        """Raise CatalogError for a TOML file where nothing reads it."""
        for path in self.find("**/*.toml"):
            parts = path.relative_to(self.root(path)).parts
            known = len(parts) == 2 and parts[0] not in ("proofs", "published")
            if not known and parts not in [(name,) for name in TOP_FILES]:
                raise CatalogError(
                    "nothing reads a file here; tasks stand in a folder each category",
                    where=self.place(path),
                )


class Lazy(Mapping[str, T], Generic[T]):
    """A mapping whose values are read when they are first asked for."""

    def __init__(self, kind: str, places: Mapping[str, Path], read: Callable[[str], T]) -> None:
        self._kind = kind
        self._places = places
        self._read = read
        self._values: dict[str, T] = {}

    def __getitem__(self, key: str) -> T:
        value = self._values.get(key)
        if value is None:
            if key not in self._places:
                raise _Missing(self._kind, key, self._places)
            with _READING:
                if key not in self._values:
                    self._values[key] = self._read(key)
                value = self._values[key]
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, key: object) -> bool:
        return key in self._places


class _Missing(UnknownNameError, KeyError):
    """Raised by a mapping, so that it is a KeyError as well."""

    __str__ = UnknownNameError.__str__
