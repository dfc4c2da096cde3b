"""The variants of several tasks as one sequence of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from symscale.catalog.loader import Catalog
from symscale.catalog.tasks import Task
from symscale.errors import SymscaleError
from symscale.variants.rows import PUBLISHED, Row, published_row
from symscale.variants.selection import select
from symscale.variants.sequence import Variants
from symscale.variants.splits import as_split

CHUNK = 32
"""Neighbouring variants are made together, since they lie in the same slot."""

MOST_CHUNKS = 256


@dataclass(frozen=True)
class Mixture:
    """Tasks in turn, in one split and seed: of k tasks, row i is variant i // k of task i % k."""

    variants: tuple[Variants, ...]

    @classmethod
    def of(cls, tasks: Sequence[Task], split: str = "train", seed: int = 0) -> Mixture:
        """Raises SymscaleError without tasks, and for a split that is not one of variants."""
        if not tasks:
            raise SymscaleError("a mixture is of one task or more")
        return cls(tuple(Variants(task, as_split(split), seed) for task in tasks))

    def __getitem__(self, index: int) -> Row:
        """Raises SymscaleError past the last variant of a task."""
        position, turn = divmod(index, len(self.variants))
        return self.row(turn, position)

    def row(self, turn: int, position: int) -> Row:
        """The row of a task, by its turn, at a position among its variants."""
        chunk, place = divmod(position, CHUNK)
        rows = self._chunk(turn, chunk)
        if place >= len(rows):
            task, size = self.variants[turn].task, self.variants[turn].size
            raise SymscaleError(f"{task.id} has {size:,} variants here, so no number {position:,}")
        return rows[place]

    @cached_property
    def _chunk(self) -> Callable[[int, int], list[Row]]:
        @lru_cache(MOST_CHUNKS)
        def chunk(turn: int, number: int) -> list[Row]:
            variants = self.variants[turn]
            start = min(number * CHUNK, variants.size)
            return list(variants.rows(start, min(start + CHUNK, variants.size)))

        return chunk


def tasks_of(
    catalog: Catalog,
    *,
    categories: str | Sequence[str] = (),
    tasks: str | Sequence[str] = (),
    difficulty: str | None = None,
) -> list[Task]:
    """The tasks of some categories and those that are named, or all; of these, those of some
    levels (`3` or `2..4`).

    A text names one, or several with commas. Raises UnknownNameError for what is not there.
    """
    named = {task.id: task for task in select(catalog, _names(tasks))}
    for category in _names(categories):
        named |= {task.id: task for task in select(catalog, category=category)}
    return select(catalog, [*named], everything=not named, levels=difficulty)


def rows_of(tasks: Sequence[Task], *, split: str = "train", seed: int = 0, n: int) -> list[Row]:
    """The first `n` rows of the tasks in turn; of the split `published`, each task has one row.

    Raises SymscaleError where a task has too few variants.
    """
    if split == PUBLISHED:
        return [published_row(task) for task in tasks[:n]]
    mixture = Mixture.of(tasks, split, seed)
    return [mixture[index] for index in range(n)]


def _names(given: str | Sequence[str]) -> list[str]:
    parts = given.split(",") if isinstance(given, str) else given
    return [part.strip() for part in parts if part.strip()]
