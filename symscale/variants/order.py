"""The order of a split's variants for a seed: without state, without repetition, without holes.

The positions of a region are cut into slots. The items of a slot are its first valid positions, so
one slot is all that has to be looked at for an item, and no two items share a position. The seed
orders the slots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from symscale.errors import SymscaleError
from symscale.variants.permutation import Permutation
from symscale.variants.slots import Slots, fit_slots
from symscale.variants.splits import Region
from symscale.variants.surface import Surfaces

T = TypeVar("T")

_CHUNK = 16
"""Ranks that are found together, not many more than are asked for."""


@dataclass(frozen=True)
class Order(Generic[T]):
    """The items of a region in the order of a seed, made when they are asked for."""

    region: Region
    seed: int
    make: Callable[[int, int, int], T | None]
    """Makes an item of a combination's rank, its index and its surface word; None where the
    combination is not valid."""
    valid: Callable[[int], bool]
    """Whether the combination of a rank is valid."""

    @cached_property
    def slots(self) -> Slots:
        return fit_slots(self.region.size, self._valid_positions)

    @property
    def capacity(self) -> int:
        """How many items there are."""
        return self.slots.capacity

    def items(self, start: int, stop: int) -> Iterator[list[T]]:
        """The items with the indices from `start` up to `stop`, a slot's at a time.

        Raises SymscaleError for an index that is not there.
        """
        if not 0 <= start <= stop <= self.capacity:
            raise SymscaleError(
                f"{self.region.task.id} has {self.capacity:,} variants in {self.region.split}, "
                f"so an index runs from 0 to {self.capacity - 1}, not to {stop - 1}"
            )
        while start < stop:
            number, skipped = divmod(start, self.slots.items)
            first = start - skipped
            wanted = min(self.slots.items, stop - first)
            yield self._slot(number, first, wanted)[skipped:]
            start = first + wanted

    def _slot(self, number: int, first: int, wanted: int) -> list[T]:
        """The first items of the slot that comes as this number, with indices from `first` on."""
        words = self._surfaces.words(first, first + wanted)
        start, stop = self.slots.bounds(self._order(number))
        found: list[T] = []
        make, place = self.make, 0
        for position in range(start, stop, _CHUNK):
            for rank in self.region.ranks(position, min(position + _CHUNK, stop)):
                item = make(rank, first + place, words[place])
                if item is not None:
                    found.append(item)
                    place += 1
                    if place == wanted:
                        return found
        raise SymscaleError(
            f"{self.region.task.id} has fewer valid combinations than its sample promised"
        )

    def _valid_positions(self, count: int) -> list[int]:
        ranks = self.region.ranks(0, count)
        return [position for position, rank in enumerate(ranks) if self.valid(rank)]

    @cached_property
    def _order(self) -> Permutation:
        region = self.region
        return Permutation(
            self.slots.count, "slots", region.task.id, region.space.digest, region.split, self.seed
        )

    @cached_property
    def _surfaces(self) -> Surfaces:
        return Surfaces(self.region.task, self.region.split, self.seed)
