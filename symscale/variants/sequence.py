"""The variants of a task, by index: the plain path, which the fused one is held against."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from symscale.catalog.instances import Instance
from symscale.catalog.tasks import Task
from symscale.variants.order import Order
from symscale.variants.rows import Row, row
from symscale.variants.splits import Region, Split
from symscale.variants.surface import surface_of
from symscale.variants.validity import valid


@dataclass(frozen=True)
class Variants:
    """The variants of a task in one split, in the order of a seed.

    `unfair` lets in those where a known mistake gives the right answer.
    """

    task: Task
    split: Split = "train"
    seed: int = 0
    unfair: bool = False

    @cached_property
    def size(self) -> int:
        """How many there are; it can pass what `len` may return."""
        return self._order.capacity

    def __getitem__(self, index: int) -> Instance:
        """The variant of an index. Raises SymscaleError past the last."""
        return next(self.instances(index, index + 1))

    def instances(self, start: int, stop: int) -> Iterator[Instance]:
        """The variants from `start` up to `stop`; each slot is looked at once."""
        for slot in self._order.items(start, stop):
            yield from slot

    def rows(self, start: int, stop: int) -> Iterator[Row]:
        """Their rows."""
        for index, instance in enumerate(self.instances(start, stop), start):
            yield row(instance, self.split, self.seed, index)

    def make(self, rank: int, _index: int, word: int) -> Instance | None:
        """The instance of a combination in words, None where it is not a variant."""
        surface = surface_of(self.task, word)
        instance = Instance(
            self.task, self.region.space.unrank(rank), surface.phrasing, surface.shown
        )
        return instance if valid(instance) and (self.unfair or instance.fair) else None

    def valid(self, rank: int) -> bool:
        """Whether the combination of a rank is a variant."""
        return self.make(rank, 0, 0) is not None

    @cached_property
    def region(self) -> Region:
        return Region(self.task, self.split)

    @cached_property
    def _order(self) -> Order[Instance]:
        return Order(self.region, self.seed, self.make, self.valid)
