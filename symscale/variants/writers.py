"""Files that are whole or not there."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from symscale.errors import SymscaleError
from symscale.variants.formats import Format, Schema, open_sink, row_schema

BATCH_BYTES = 1 << 22
"""About as much text is gathered before it is written, or becomes a row group."""


@dataclass(frozen=True, slots=True)
class Written:
    """A finished file."""

    file: str
    rows: int
    bytes: int
    sha256: str


def write_lines(
    path: Path,
    format: Format,
    slots: Iterable[list[str]],
    progress: Callable[[int], None] = lambda rows: None,
    schema: Schema = row_schema,
) -> Written:
    """Write lines, given in lists, to a file; `progress` hears how many rows each batch brings.

    Raises SymscaleError where the file cannot be written, and what `open_sink` raises.
    """
    rows = 0
    with atomic(path) as file:
        digesting = _Digesting(file)
        with open_sink(format, digesting, schema) as sink:
            for batch in _batches(slots):
                sink.write("".join(batch).encode())
                rows += len(batch)
                progress(len(batch))
    return Written(path.name, rows, digesting.size, digesting.sha256.hexdigest())


def _batches(slots: Iterable[list[str]]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for slot in slots:
        batch += slot
        size += sum(map(len, slot))
        if size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


@contextmanager
def atomic(path: Path) -> Iterator[IO[bytes]]:
    """An open file that takes its name when it is complete and on the disk.

    Until then it stands beside it, under a name that begins with a dot: after a full disk, an
    interrupt or a kill, nothing incomplete has the final name.
    Raises SymscaleError where it cannot be written.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        try:
            with temporary.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise SymscaleError(f"cannot be written: {error.strerror}", where=str(path)) from error


def digest_of(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class _Digesting:
    """Passes bytes on to a file, and keeps their count and digest."""

    closed = False

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.size = 0
        self.sha256 = hashlib.sha256()

    def write(self, data: Any, /) -> int:
        self.sha256.update(data)
        written = self.file.write(data)
        self.size += written
        return written

    def flush(self) -> None:
        self.file.flush()

    def tell(self) -> int:
        return self.size
