"""The manifest of a directory of parts: what was to be written, and what is there."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from symscale.errors import CatalogError, SymscaleError
from symscale.variants.plan import Plan
from symscale.variants.writers import Written, atomic, digest_of

NAME = "manifest.json"


def write_manifest(directory: Path, plan: Plan, parts: Iterable[Written]) -> None:
    """Write the plan and the parts that are finished. Raises SymscaleError."""
    ordered = sorted(parts, key=lambda part: part.file)
    content = {**plan.record(), "files": [asdict(part) for part in ordered]}
    with atomic(directory / NAME) as file:
        file.write(json.dumps(content, indent=2).encode() + b"\n")


def finished_parts(directory: Path, plan: Plan) -> list[Written]:
    """The parts of a plan that are in a directory, whole and unchanged.

    Raises SymscaleError where the directory holds parts of another plan, and CatalogError where its
    manifest cannot be read.
    """
    path = directory / NAME
    if not path.exists():
        return []
    try:
        content = json.loads(path.read_bytes())
        files = [Written(**entry) for entry in content.pop("files")]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CatalogError(f"cannot be read: {error!r}", where=str(path)) from None
    wanted = json.loads(json.dumps(plan.record()))
    if content != wanted:
        keys = sorted(key for key in wanted if content.get(key) != wanted[key])
        raise SymscaleError(
            f"holds another generation ({', '.join(keys)} differ); choose another directory, or "
            "remove this one first",
            where=str(directory),
        )
    return [part for part in files if _is_whole(directory, part)]


def _is_whole(directory: Path, part: Written) -> bool:
    path = directory / part.file
    return path.is_file() and path.stat().st_size == part.bytes and digest_of(path) == part.sha256
