"""Slots: how a region with invalid positions is cut up so that every item is there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt

SAMPLE = 1024
"""Positions that the density is measured at. A region no longer than this is counted out."""

LENGTHS = (64, 256, 1024)
"""Positions in a slot. Short slots are the faster, long ones waste fewer positions."""

FEW = 32
"""Slots of fewer items are lengthened."""

PLENTY = 10**9
"""With so many items, wasted positions do not matter."""

_DEVIATIONS = 7


@dataclass(frozen=True, slots=True)
class Slots:
    """Runs of positions: in each, the first valid ones are its `items` items."""

    bounds: Callable[[int], tuple[int, int]]
    """The first position of a slot, and the one after its last."""
    count: int
    items: int

    @property
    def capacity(self) -> int:
        return self.count * self.items


def fit_slots(size: int, valid: Callable[[int], list[int]]) -> Slots:
    """The slots of a region, from the density of its valid positions.

    `valid(n)` lists them among the first n positions, which are in random order and so a sample. A
    slot promises the number of valid positions that is to be expected, by a low estimate of the
    density, less seven standard deviations. In a small region, each valid position is a slot.
    """
    if size <= SAMPLE:
        positions = valid(size)
        return Slots(lambda slot: (positions[slot], positions[slot] + 1), len(positions), 1)
    found = len(valid(SAMPLE))
    low = max(0, found - 4 * isqrt(found * (SAMPLE - found) // SAMPLE) - 8)
    for length in LENGTHS:
        deviation = isqrt(length * low * (SAMPLE - low) // SAMPLE**2) + 1
        items = max(0, length * low // SAMPLE - _DEVIATIONS * deviation)
        slots = _even_slots(size, size // length, items)
        # Five of the six items that a perfect packing would hold are dense enough.
        dense = 6 * items * SAMPLE >= 5 * length * low
        if items >= FEW and (dense or slots.capacity >= PLENTY):
            break
    return slots


def _even_slots(size: int, count: int, items: int) -> Slots:
    return Slots(lambda slot: (slot * size // count, (slot + 1) * size // count), count, items)
