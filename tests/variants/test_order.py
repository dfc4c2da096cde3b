from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symscale.errors import SymscaleError
from symscale.variants.order import Order
from symscale.variants.slots import SAMPLE, fit_slots
from symscale.variants.splits import Region
from symscale.variants.stream import Stream
from tests.variants.catalogs import ring


@given(st.integers(0, SAMPLE), st.integers(0, 100))
def test_a_small_region_is_counted_out(size: int, percent: int) -> None:
    chance = Stream("small", size, percent).words(0, size)
    valid = [position for position, word in enumerate(chance) if word % 100 < percent]
    slots = fit_slots(size, lambda count: valid)
    assert slots.capacity == len(valid)
    assert [slots.bounds(slot)[0] for slot in range(slots.count)] == valid


@pytest.mark.parametrize("percent", [5, 20, 50, 80, 95, 99, 100])
@pytest.mark.parametrize("size", [1025, 5000, 200_000])
def test_every_slot_keeps_its_promise(size: int, percent: int) -> None:
    chance = Stream("slots", size, percent).words(0, size)
    valid = [word % 100 < percent for word in chance]
    slots = fit_slots(size, lambda count: [p for p in range(count) if valid[p]])
    end = 0
    for slot in range(slots.count):
        start, stop = slots.bounds(slot)
        assert start == end
        assert sum(valid[start:stop]) >= slots.items
        end = stop
    assert end == size
    if percent >= 50:
        assert slots.capacity >= sum(valid) * 2 // 5
    if percent >= 95:
        assert slots.capacity >= sum(valid) * 7 // 10


def test_items_are_all_different_and_the_same_for_every_cut(tmp_path: Path) -> None:
    task = ring(tmp_path, n="{ integers = [2, 2000] }")
    region = Region(task, "train")
    order = Order(region, 5, lambda rank, index, word: (rank, index, word), lambda rank: True)
    whole = [item for slot in order.items(0, order.capacity) for item in slot]
    assert len({rank for rank, _, _ in whole}) == order.capacity > region.size * 4 // 5
    assert [index for _, index, _ in whole] == list(range(order.capacity))
    for start, stop in ((0, 1), (55, 57), (100, 1000), (order.capacity - 3, order.capacity)):
        assert [i for slot in order.items(start, stop) for i in slot] == whole[start:stop]


def test_there_is_no_item_past_the_last(tmp_path: Path) -> None:
    task = ring(tmp_path)
    order = Order(Region(task, "test"), 0, lambda rank, index, word: rank, lambda rank: True)
    assert list(order.items(3, 3)) == []
    with pytest.raises(SymscaleError, match=r"ring has 28 variants in test.* 0 to 27, not to 28"):
        list(order.items(28, 29))
