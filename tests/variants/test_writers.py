from __future__ import annotations

import errno
import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from symscale.catalog.loader import Catalog
from symscale.errors import CatalogError, SymscaleError
from symscale.variants import writers
from symscale.variants.formats import FORMATS, Format, count_rows, format_of, read_rows
from symscale.variants.fused import Lines
from symscale.variants.sequence import Variants
from symscale.variants.writers import atomic, digest_of, write_lines


def lines(catalog: Catalog, count: int = 300) -> list[list[str]]:
    return list(Lines(Variants(catalog.tasks["sc-025"])).slots(0, count))


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_gives_the_rows_back(
    catalog: Catalog, tmp_path: Path, format: Format, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writers, "BATCH_BYTES", 100_000)
    seen: list[int] = []
    path = tmp_path / f"rows.{format}"
    written = write_lines(path, format, lines(catalog), seen.append)
    assert (written.file, written.rows, sum(seen)) == (path.name, 300, 300)
    assert len(seen) > 2
    assert written.bytes == path.stat().st_size
    assert written.sha256 == digest_of(path)
    assert count_rows(path) == 300
    expected = [json.loads(line) for slot in lines(catalog) for line in slot]
    rows = list(read_rows(path))
    assert rows == expected
    assert [list(row) for row in rows] == [list(row) for row in expected]
    again = write_lines(tmp_path / f"again.{format}", format, lines(catalog))
    assert again.sha256 == written.sha256


def test_gzip_says_neither_name_nor_time(catalog: Catalog, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl.gz"
    write_lines(path, "jsonl.gz", lines(catalog))
    content = path.read_bytes()
    assert content[3:8] == bytes(5)
    assert (
        gzip.decompress(content)
        == "".join(line for slot in lines(catalog) for line in slot).encode()
    )


def test_nothing_is_left_of_a_file_that_fails(catalog: Catalog, tmp_path: Path) -> None:
    def failing() -> Iterator[list[str]]:
        yield from lines(catalog)
        raise KeyboardInterrupt

    path = tmp_path / "rows.jsonl"
    path.write_text("before")
    with pytest.raises(KeyboardInterrupt):
        write_lines(path, "jsonl", failing())
    assert [file.name for file in tmp_path.iterdir()] == ["rows.jsonl"]
    assert path.read_text() == "before"


def test_a_full_disk_is_said_and_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    with (
        pytest.raises(SymscaleError, match=r"rows.jsonl: cannot be written: No space left"),
        atomic(path),
    ):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert list(tmp_path.iterdir()) == []
    with (
        pytest.raises(SymscaleError, match=r"cannot be written: No such file or directory"),
        atomic(tmp_path / "missing" / "rows.jsonl"),
    ):
        pass


def test_formats_go_by_the_name() -> None:
    names = {"a.jsonl": "jsonl", "a.b.jsonl.gz": "jsonl.gz", "a.parquet": "parquet", "a": None}
    assert {name: format_of(Path(name)) for name in names} == names


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"", r"a\.txt: does not end in \.jsonl, \.jsonl\.gz, \.parquet"),
        ("a.jsonl", b'{"schema": 1}\n\n', r"a\.jsonl:2: is not a JSON object"),
        ("a.jsonl.gz", b"plain", r"a\.jsonl\.gz: cannot be read"),
        ("a.jsonl.gz", gzip.compress(b"{" * 99)[:-9], r"a\.jsonl\.gz: cannot be read"),
    ],
)
def test_a_file_that_is_not_rows_is_refused(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CatalogError, match=message):
        list(read_rows(tmp_path / name))
