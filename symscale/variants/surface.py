"""How a variant is put into words: which phrasing, and which units its values are shown in."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from symscale.catalog.tasks import Task
from symscale.units import Unit
from symscale.variants.stream import Stream


@dataclass(frozen=True)
class Surface:
    """A phrasing of the task and a shown unit for each parameter. No part of the combination."""

    phrasing: int = 0
    shown: dict[str, Unit] = field(default_factory=dict)


@dataclass(frozen=True)
class Surfaces:
    """The surfaces of a task's variants in one split and seed, chosen by hash of the index."""

    task: Task
    split: str
    seed: int

    @cached_property
    def _stream(self) -> Stream:
        return Stream("surface", self.task.id, self.split, self.seed)

    def words(self, start: int, stop: int) -> list[int]:
        """The words that choose for the indices from `start` up to `stop`."""
        return self._stream.words(start, stop)

    def __getitem__(self, index: int) -> Surface:
        return surface_of(self.task, self._stream[index])


def surface_of(task: Task, word: int) -> Surface:
    """The surface that a word chooses, in a mixed radix: the phrasing, then each unit."""
    word, phrasing = divmod(word, len(task.prompts))
    shown = {}
    for name, parameter in task.parameters.items():
        word, choice = divmod(word, len(parameter.shown))
        shown[name] = parameter.shown[choice]
    return Surface(phrasing, shown)
