"""Pipeline schedules: what the machine refuses, and small ones that can be drawn by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from tests.oracles.schedules import (
    Orders,
    Pass,
    dualpipe,
    gpipe,
    interleaved,
    one_forward_one_backward,
    run,
    zero_bubble_h1,
)


def second(_kind: str) -> Fraction:
    return Fraction(1)


def test_a_backward_waits_for_the_stage_after_it() -> None:
    done = run(gpipe(2, 1), 2, second)
    assert done.starts[Pass("B", 0, 0)] == done.ends[Pass("B", 0, 1)] == 3
    assert done.makespan == 4


def test_a_schedule_that_waits_for_itself_is_refused() -> None:
    backward_first = [[(Pass("B", 0, 0),), (Pass("F", 0, 0),)]]
    with pytest.raises(ValueError, match="waits for itself"):
        run(backward_first, 1, second)


def test_1f1b_holds_fewer_microbatches_than_gpipe() -> None:
    assert run(gpipe(3, 7), 3, second).most_held(0) == 7
    assert run(one_forward_one_backward(3, 7), 3, second).most_held(0) == 3


@pytest.mark.parametrize(
    ("orders", "passes_of_each_device"),
    [
        (gpipe(4, 8), {"F": 8, "B": 8}),
        (one_forward_one_backward(4, 8), {"F": 8, "B": 8}),
        (interleaved(4, 3, 8), {"F": 24, "B": 24}),
        (zero_bubble_h1(4, 8), {"F": 8, "I": 8, "W": 8}),
    ],
)
def test_each_device_runs_every_microbatch(
    orders: Orders, passes_of_each_device: dict[str, int]
) -> None:
    for order in orders:
        passes = [one for slot in order for one in slot]
        assert len(set(passes)) == len(passes)
        assert Counter(one.kind for one in passes) == passes_of_each_device


def test_dualpipe_takes_both_streams_through_every_device() -> None:
    for order in dualpipe(8, 20):
        passes = [one for slot in order for one in slot]
        forwards = Counter(one.stream for one in passes if one.kind == "F")
        backwards = Counter(one.stream for one in passes if one.kind in "BI")
        assert forwards == backwards == {0: 10, 1: 10}
        split = {one[1:] for one in passes if one.kind == "I"}
        assert split == {one[1:] for one in passes if one.kind == "W"}
