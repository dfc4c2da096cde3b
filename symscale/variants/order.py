"""The order of a split's variants for a seed: without state, without repetition, without holes.

The positions of a region are cut into slots. The items of a slot are its first valid positions, so
one slot is all that has to be looked at for an item, and no two items share a position. The seed
orders the slots, and the items within each.
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
from symscale.variants.stream import Stream
from symscale.variants.surface import Surfaces

T = TypeVar("T")

_CHUNK = 32


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
        return fit_slots(self.region.size, self._count_valid)

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
        per_slot = self.slots.items
        for number in range(start // per_slot, -(-stop // per_slot)) if stop > start else ():
            first = number * per_slot
            yield self._slot(number)[max(start - first, 0) : stop - first]

    def _slot(self, number: int) -> list[T]:
        """All items of the slot that comes as this number."""
        first, per_slot, make = number * self.slots.items, self.slots.items, self.make
        words = self._surfaces.words(first, first + per_slot)
        chance = self._places.words(first, first + per_slot)
        places = iter(sorted(range(per_slot), key=chance.__getitem__))
        made: list[T | None] = [None] * per_slot
        place = next(places)
        for rank in self._ranks(self._order(number)):
            item = make(rank, first + place, words[place])
            if item is not None:
                made[place] = item
                place = next(places, -1)
                if place < 0:
                    break
        found = [item for item in made if item is not None]
        if len(found) < per_slot:
            raise SymscaleError(
                f"{self.region.task.id} has fewer valid combinations than its sample promised"
            )
        return found

    def _ranks(self, slot: int) -> Iterator[int]:
        """The ranks in a slot, not many more than are asked for."""
        start, stop = self.slots.bounds(slot)
        for first in range(start, stop, _CHUNK):
            yield from self.region.ranks(first, min(first + _CHUNK, stop))

    def _count_valid(self, positions: int) -> int:
        return sum(map(bool, map(self.valid, self.region.ranks(0, positions))))

    @cached_property
    def _order(self) -> Permutation:
        return Permutation(self.slots.count, "slots", *self._key)

    @cached_property
    def _places(self) -> Stream:
        return Stream("places", *self._key)

    @cached_property
    def _surfaces(self) -> Surfaces:
        return Surfaces(self.region.task, self.region.split, self.seed)

    @property
    def _key(self) -> tuple[str | int, ...]:
        return self.region.task.id, self.region.space.digest, self.region.split, self.seed
