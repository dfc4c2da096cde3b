"""A generation from its plan to a directory of parts, resumed where it was left."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from symscale.errors import SymscaleError
from symscale.variants.engines import Engine, Progress, in_pool, in_process, in_ray
from symscale.variants.manifest import finished_parts, write_manifest
from symscale.variants.parts import Job, slots
from symscale.variants.plan import Plan
from symscale.variants.writers import Written, write_lines

MANIFEST_SECONDS = 2
"""The manifest is written at most so often while parts are finished, and at the end."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What stands on the disk after a generation."""

    files: tuple[Written, ...]
    kept: int
    """How many of the files were there already."""


def generate_file(
    plan: Plan, path: Path, *, catalogs: Sequence[str] = (), progress: Progress = lambda rows: None
) -> Outcome:
    """Write a plan of one part to a file. Raises SymscaleError."""
    lines = slots(plan, 0, tuple(catalogs))
    return Outcome((write_lines(path, plan.format, lines, progress),), 0)


def generate_parts(
    plan: Plan,
    directory: Path,
    *,
    catalogs: Sequence[str] = (),
    workers: int = 1,
    engine: Engine = "process",
    address: str | None = None,
    progress: Progress = lambda rows: None,
) -> Outcome:
    """Write a plan's parts and their manifest to a directory; whole parts in it are kept.

    Raises SymscaleError where the directory holds another generation or cannot be written.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for leftover in directory.glob(".*.tmp"):
            leftover.unlink()
    except OSError as error:
        raise SymscaleError(f"cannot be written: {error.strerror}", where=str(directory)) from None
    files = finished_parts(directory, plan)
    kept = len(files)
    progress(sum(part.rows for part in files))
    names = {part.file for part in files}
    missing = [part for part in range(plan.parts) if plan.name(part) not in names]
    job = Job(plan, tuple(catalogs), str(directory.resolve()))
    write_manifest(directory, plan, files)
    recorded = time.monotonic()
    try:
        for written in _run(job, missing, workers, engine, address, progress):
            files.append(written)
            if time.monotonic() - recorded > MANIFEST_SECONDS:
                write_manifest(directory, plan, files)
                recorded = time.monotonic()
    finally:
        write_manifest(directory, plan, files)
    return Outcome(tuple(sorted(files, key=lambda part: part.file)), kept)


def _run(
    job: Job,
    parts: Sequence[int],
    workers: int,
    engine: Engine,
    address: str | None,
    progress: Progress,
) -> Iterator[Written]:
    if engine == "ray":
        return in_ray(job, parts, workers, address, progress)
    if workers > 1:
        return in_pool(job, parts, workers, progress)
    return in_process(job, parts, progress)
