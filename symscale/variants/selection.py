"""Which tasks a command or a data set is about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from symscale.catalog.loader import Catalog
from symscale.catalog.tasks import Task
from symscale.errors import SymscaleError, UnknownNameError

_LEVELS = re.compile(r"([0-9]{1,3})(?:\.\.([0-9]{1,3}))?", re.ASCII)


def select(
    catalog: Catalog,
    tasks: Sequence[str] = (),
    *,
    category: str | None = None,
    everything: bool = False,
    levels: str | None = None,
) -> list[Task]:
    """The tasks that are named, of a category, or all; of these, those of `levels` (`2..4`).

    In the order of their ids, each once. Raises UnknownNameError for a task or category that is not
    there, SymscaleError for levels that cannot be read or that no task has.
    """
    chosen = {id: catalog.tasks[id] for id in tasks}
    if everything or category is not None:
        every = dict(catalog.tasks)
        categories = {task.category for task in every.values()}
        if category is not None and category not in categories:
            raise UnknownNameError("category", category, categories)
        chosen |= {
            id: task for id, task in every.items() if everything or task.category == category
        }
    found = [chosen[id] for id in sorted(chosen)]
    if levels is None or not found:
        return found
    low, high = _read_levels(levels)
    within = [task for task in found if low <= task.difficulty.level <= high]
    if not within:
        raise SymscaleError(f"none of these tasks is of difficulty {levels}")
    return within


def _read_levels(text: str) -> tuple[int, int]:
    match = _LEVELS.fullmatch(text)
    if match is None:
        raise SymscaleError(f"{text[:20]!r} is not a difficulty, such as 3 or 2..4")
    low = int(match[1])
    return low, int(match[2] or low)
