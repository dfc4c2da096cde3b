"""One part of a generation, written by whoever has the plan: the unit of all engines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from symscale.catalog.loader import Catalog, load
from symscale.errors import SymscaleError
from symscale.variants.fused import Lines
from symscale.variants.plan import Plan
from symscale.variants.sequence import Variants
from symscale.variants.splits import Split
from symscale.variants.writers import Written, write_lines


@dataclass(frozen=True, slots=True)
class Job:
    """A plan, the catalog directories that it is of, and where its parts go."""

    plan: Plan
    catalogs: tuple[str, ...]
    """Layered over the catalog that comes with symscale, as `load` does it."""
    directory: str


def write_part(job: Job, part: int, progress: Callable[[int], None] = lambda rows: None) -> Written:
    """Write a part under its final name. Doing it again writes the same bytes.

    Raises SymscaleError, also where the catalog is not the one that the plan was made with.
    """
    plan = job.plan
    path = Path(job.directory) / plan.name(part)
    return write_lines(path, plan.format, slots(plan, part, job.catalogs), progress)


def slots(plan: Plan, part: int, catalogs: tuple[str, ...]) -> Iterator[list[str]]:
    """The lines of a part, a slot's at a time, task by task."""
    for portion, start, stop in plan.ranges(part):
        lines = lines_of(catalogs, portion.task, plan.split, plan.seed, plan.unfair)
        if lines.variants.task.digest != portion.hash:
            raise SymscaleError(f"{portion.task} is not the task that the plan was made with")
        yield from lines.slots(start, stop)


@cache
def lines_of(catalogs: tuple[str, ...], task: str, split: Split, seed: int, unfair: bool) -> Lines:
    """The lines of a task; what is compiled for them is kept for the next part."""
    return Lines(Variants(_catalog(catalogs).tasks[task], split, seed, unfair))


@cache
def _catalog(catalogs: tuple[str, ...]) -> Catalog:
    return load(*catalogs)
