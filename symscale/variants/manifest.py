"""The manifest of a directory of parts: what was to be written, and what is there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

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

    Raises SymscaleError where the directory holds another generation, and what `read_manifest`
    raises.
    """
    if not (directory / NAME).exists():
        return []
    content, files = read_manifest(directory)
    wanted = json.loads(json.dumps(plan.record()))
    if content != wanted:
        keys = sorted(key for key in wanted if content.get(key) != wanted[key])
        raise SymscaleError(
            f"holds another generation ({', '.join(keys)} differ); choose another directory, or "
            "remove this one first",
            where=str(directory),
        )
    return [part for part in files if _is_whole(directory, part)]


def read_manifest(directory: Path) -> tuple[dict[str, Any], list[Written]]:
    """The plan that a manifest states, and the finished parts. Raises CatalogError."""
    path = directory / NAME
    try:
        content = json.loads(path.read_bytes())
        return content, [Written(**entry) for entry in content.pop("files")]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CatalogError(f"is not a manifest: {error}", where=str(path)) from None


def part_files(directory: Path) -> list[Path]:
    """The finished parts in order. Raises CatalogError."""
    return [directory / part.file for part in read_manifest(directory)[1]]


def missing_parts(directory: Path) -> Iterator[str]:
    """What a directory lacks of what its manifest says, in words."""
    content, files = read_manifest(directory)
    if len(files) != content["parts"]:
        yield f"{len(files)} of {content['parts']} parts are finished"
    for part in files:
        if not _is_whole(directory, part):
            yield f"{part.file} is not the file that the manifest speaks of"


def _is_whole(directory: Path, part: Written) -> bool:
    path = directory / part.file
    return path.is_file() and path.stat().st_size == part.bytes and digest_of(path) == part.sha256
