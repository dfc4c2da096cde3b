"""A directory is whole or not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from symscale.errors import SymscaleError
from symscale.export.directories import whole_directory


def test_it_appears_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b"
    with whole_directory(path) as inside:
        (inside / "file").write_text("x", encoding="utf-8")
        assert not path.exists()
    assert [found.name for found in path.iterdir()] == ["file"]
    assert [found.name for found in path.parent.iterdir()] == ["b"]


def test_an_empty_directory_is_filled(tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.mkdir()
    with whole_directory(path) as inside:
        (inside / "file").touch()
    assert (path / "file").exists()


@pytest.mark.parametrize("error", [SymscaleError("full"), KeyboardInterrupt(), OSError(28, "full")])
def test_nothing_is_left_of_what_went_wrong(tmp_path: Path, error: BaseException) -> None:
    def fill() -> None:
        with whole_directory(tmp_path / "out") as inside:
            (inside / "half").touch()
            raise error

    with pytest.raises((SymscaleError, KeyboardInterrupt)):
        fill()
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_stays(tmp_path: Path) -> None:
    path = tmp_path / "mine"
    path.mkdir()
    (path / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(SymscaleError, match="is there already"), whole_directory(path):
        pass
    with pytest.raises(SymscaleError, match="is there already"), whole_directory(path / "file"):
        pass
    assert (path / "file").read_text(encoding="utf-8") == "mine"
    assert [found.name for found in tmp_path.iterdir()] == ["mine"]
