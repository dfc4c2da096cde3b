"""The file formats of rows, both ways: JSON lines, JSON lines in gzip, and Parquet."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias, get_args

from symscale.errors import CatalogError, MissingExtraError, SymscaleError
from symscale.variants.rows import Row, read_row

Format: TypeAlias = Literal["jsonl", "jsonl.gz", "parquet"]
FORMATS: tuple[Format, ...] = get_args(Format)

Schema: TypeAlias = Callable[[Any], Any]
"""Makes an Arrow schema, given pyarrow."""

GZIP_LEVEL = 3


class Sink(Protocol):
    """Takes whole lines of JSON, a batch at a time."""

    def write(self, lines: bytes, /) -> Any: ...


class Output(Protocol):
    """An open binary file, or what passes bytes on to one."""

    closed: bool

    def write(self, data: Any, /) -> int: ...

    def flush(self) -> None: ...

    def tell(self) -> int: ...


def format_of(path: Path) -> Format | None:
    """The format that a file's name says; None for the name of a directory."""
    found = [format for format in FORMATS if path.name.endswith(f".{format}")]
    return found[0] if found else None


def row_schema(pyarrow: Any) -> Any:
    """The Arrow schema of rows."""
    string, list_, struct = pyarrow.string(), pyarrow.list_, pyarrow.struct
    return pyarrow.schema(
        {
            "schema": pyarrow.int64(),
            "id": string,
            "task": string,
            "category": string,
            "task_hash": string,
            "split": string,
            "seed": pyarrow.int64(),
            "index": pyarrow.int64(),
            "question": string,
            "answer": string,
            "exact": list_(list_(string)),
            "columns": list_(
                struct({"name": string, "kind": string, "unit": string, "exact": pyarrow.bool_()})
            ),
            "parameters": list_(struct({"name": string, "value": string, "unit": string})),
            "difficulty": pyarrow.int64(),
            "hash": string,
        }
    )


def open_sink(
    format: Format, file: Output, schema: Schema = row_schema
) -> AbstractContextManager[Sink]:
    """What writes rows in a format to an open file; Parquet takes records of other schemas too.

    The bytes depend on the lines and their batches alone, and on the version of zlib or pyarrow.
    Raises MissingExtraError for Parquet without pyarrow.
    """
    match format:
        case "jsonl":
            return nullcontext(file)
        case "jsonl.gz":
            return _gzip_sink(file)
        case "parquet":
            return _parquet_sink(file, schema)


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a file, in order.

    Raises CatalogError with file and line for what is not a row, and for a file that cannot be
    read; MissingExtraError for Parquet without pyarrow.
    """
    format = format_of(path)
    if format is None:
        raise CatalogError(f"does not end in .{', .'.join(FORMATS)}", where=str(path))
    try:
        lines = _parquet_lines(path) if format == "parquet" else _lines(path)
        for number, line in enumerate(lines, 1):
            try:
                yield read_row(line)
            except SymscaleError as error:
                raise error.at(f"{path}:{number}") from None
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise CatalogError(f"cannot be read: {error}", where=str(path)) from None


def count_rows(path: Path) -> int:
    """How many rows a file has. Raises what `read_rows` raises."""
    if format_of(path) == "parquet":
        with _pyarrow().parquet.ParquetFile(path) as file:
            rows: int = file.metadata.num_rows
            return rows
    return sum(1 for _ in _lines(path))


def _lines(path: Path) -> Iterator[str | bytes]:
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        yield from file


@contextmanager
def _gzip_sink(file: Output) -> Iterator[Sink]:
    # Name and time in the header would make the same rows different bytes.
    with gzip.GzipFile(
        filename="", mode="wb", compresslevel=GZIP_LEVEL, fileobj=file, mtime=0
    ) as compressed:
        yield compressed


@contextmanager
def _parquet_sink(file: Output, schema: Schema) -> Iterator[Sink]:
    pyarrow = _pyarrow()
    made = schema(pyarrow)
    with pyarrow.parquet.ParquetWriter(file, made, compression="zstd") as writer:
        yield _ParquetSink(pyarrow, made, writer)


class _ParquetSink:
    """Each batch of lines becomes a row group."""

    def __init__(self, pyarrow: Any, schema: Any, writer: Any) -> None:
        self.pyarrow = pyarrow
        self.schema = schema
        self.writer = writer

    def write(self, lines: bytes, /) -> None:
        json_ = self.pyarrow.json
        table = json_.read_json(
            self.pyarrow.BufferReader(lines),
            read_options=json_.ReadOptions(use_threads=False, block_size=len(lines)),
            parse_options=json_.ParseOptions(
                explicit_schema=self.schema, unexpected_field_behavior="error"
            ),
        )
        self.writer.write_table(table)


def _parquet_lines(path: Path) -> Iterator[str | bytes]:
    with _pyarrow().parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=1000):
            yield from map(json.dumps, batch.to_pylist())


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.json
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("parquet") from None
    return pyarrow
