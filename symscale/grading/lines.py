"""JSON lines of files of any size, each read strictly and with its place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from symscale.errors import CatalogError

MAX_LINE = 64 << 20
"""Bytes of a line; a longer one is refused, so that memory is bounded."""


@dataclass(frozen=True, slots=True)
class Line:
    """One object of a file, and where it stands."""

    values: Mapping[str, Any]
    path: Path
    number: int
    start: int
    """The offset of its first byte."""
    end: int

    def error(self, what: str) -> CatalogError:
        return CatalogError(what, where=f"{self.path}:{self.number}")

    def text(self, key: str) -> str:
        """The text under a key. Raises CatalogError where there is none."""
        value = self.values.get(key)
        if not isinstance(value, str):
            raise self.error(f"has no text under {key!r}")
        return value

    def text_of_one(self, keys: tuple[str, ...]) -> str:
        """The text under the one of several keys that is there."""
        present = [key for key in keys if key in self.values]
        if len(present) != 1:
            raise self.error(f"has one of {', '.join(keys)}, not {len(present)} of them")
        return self.text(present[0])


def open_file(path: Path) -> BinaryIO:
    """Raises CatalogError for a file that cannot be read."""
    try:
        return path.open("rb")
    except OSError as error:
        raise CatalogError(f"cannot be read: {error.strerror}", where=str(path)) from None


def read_lines(file: BinaryIO, path: Path) -> Iterator[Line]:
    """Every line that is not blank. Raises CatalogError with the place."""
    number = start = 0
    while content := file.readline(MAX_LINE + 1):
        number += 1
        if content.strip():
            yield parse_line(content, path, number, start)
        start += len(content)


def parse_line(content: bytes, path: Path, number: int, start: int) -> Line:
    """Raises CatalogError for what is not one JSON object of modest length."""
    where = f"{path}:{number}"
    if len(content) > MAX_LINE:
        raise CatalogError(f"is longer than {MAX_LINE} bytes", where=where)
    try:
        values = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise CatalogError(f"is not JSON: {error}", where=where) from None
    if not isinstance(values, dict):
        raise CatalogError("is not a JSON object", where=where)
    return Line(values, path, number, start, start + len(content))
