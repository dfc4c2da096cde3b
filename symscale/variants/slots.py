"""Slots: how a region with invalid positions is cut up so that every item is there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt

SAMPLE = 1024
"""Positions that the density is measured at. A region no longer than this is counted exactly."""

LENGTHS = (64, 256, 1024)
"""Positions in a slot. Short slots are the faster, long ones waste fewer positions."""

PLENTY = 10**9
"""With so many items, wasted positions do not matter."""

_DEVIATIONS = 7


@dataclass(frozen=True, slots=True)
class Slots:
    """`size` positions cut into `count` runs of about equal length, each with `items` items."""

    size: int
    count: int
    items: int

    @property
    def capacity(self) -> int:
        return self.count * self.items

    def bounds(self, slot: int) -> tuple[int, int]:
        """The first position of a slot, and the one after its last."""
        return slot * self.size // self.count, (slot + 1) * self.size // self.count


def fit_slots(size: int, count_valid: Callable[[int], int]) -> Slots:
    """The slots of a region, from the density of its valid positions.

    `count_valid(n)` counts them among the first n positions, which are in random order and so a
    sample. A slot promises the number of valid positions that is to be expected, by a low estimate
    of the density, less seven standard deviations.
    """
    if size <= SAMPLE:
        return Slots(size, 1, count_valid(size))
    found = count_valid(SAMPLE)
    low = max(0, found - 4 * isqrt(found * (SAMPLE - found) // SAMPLE) - 8)
    for length in LENGTHS:
        deviation = isqrt(length * low * (SAMPLE - low) // SAMPLE**2) + 1
        items = max(0, length * low // SAMPLE - _DEVIATIONS * deviation)
        slots = Slots(size, size // length, items)
        # Five of the six items that a perfect packing would hold are dense enough.
        if slots.capacity >= PLENTY or 6 * items * SAMPLE >= 5 * length * low:
            break
    return slots
