"""Directories that are whole or not there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from symscale.errors import SymscaleError


@contextmanager
def whole_directory(path: Path) -> Iterator[Path]:
    """A new directory to fill, which takes the name `path` when the block ends well.

    Until then it stands beside it, under a name that begins with a dot, and whatever goes wrong
    it is removed. Raises SymscaleError where `path` holds something or cannot be written.
    """
    path = path.absolute()
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise SymscaleError(
                "is there already; choose another directory, or remove this one", where=str(path)
            )
        temporary.mkdir(parents=True)
        yield temporary
        temporary.replace(path)
    except OSError as error:
        raise SymscaleError(f"cannot be written: {error.strerror}", where=str(path)) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
