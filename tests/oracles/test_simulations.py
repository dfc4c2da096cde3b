"""The simulations themselves: what they refuse, and small cases that can be told by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.oracles.latencies import farthest_device
from tests.oracles.mesh import BOTH_WAYS, all_gather, all_reduce, hierarchical_all_reduce, rotations
from tests.oracles.network import fat_tree
from tests.oracles.routing import (
    in_network_all_reduce_slots,
    line_all_to_all_slots,
    pipeline_slots,
    ring_all_to_all_slots,
    slots_to_deliver,
    switch_all_to_all,
)
from tests.oracles.search import agreed, best, tendency
from tests.oracles.wires import Network, Send

ONE = Fraction(1)


def test_a_part_is_not_added_twice() -> None:
    network = Network({"a": {"sum": frozenset("ab")}, "b": {"sum": frozenset("bc")}}, ONE)
    with pytest.raises(AssertionError, match="added twice"):
        network.run(iter([[Send("a", "b", "up", "sum")]]))


def test_a_device_sends_only_what_it_holds() -> None:
    network = Network({"a": {}, "b": {}}, ONE)
    with pytest.raises(KeyError):
        network.run(iter([[Send("a", "b", "up", "shard")]]))


def test_a_round_uses_what_was_held_before_it() -> None:
    held = {"a": {"x": frozenset("a")}, "b": {}, "c": {}}
    forward = [Send("a", "b", "up", "x"), Send("b", "c", "up", "x")]
    with pytest.raises(KeyError):
        Network(held, ONE).run(iter([forward]))


def test_algorithms_side_by_side_share_links() -> None:
    held = {"a": {"x": frozenset("a"), "y": frozenset("a")}, "b": {}}
    one, two = iter([[Send("a", "b", "up", "x")]]), iter([[Send("a", "b", "up", "y")]])
    traffic = Network(held, ONE).run(one, two)
    assert traffic.on_links() == {("a", "up"): 2}
    assert traffic.seconds(Fraction(4)) == Fraction(1, 2)


def test_two_devices_swap_halves() -> None:
    (load,) = all_gather(Fraction(10), (2,)).rounds
    assert set(load) == {((0,), "0+1"), ((1,), "0+1")}
    assert set(load.values()) == {Fraction(5)}


def test_every_link_of_a_torus_is_equally_busy() -> None:
    traffic = all_reduce(ONE, (3, 3), ways=BOTH_WAYS, orders=rotations(2))
    loads = traffic.on_links()
    assert len(loads) == 9 * 4
    assert len(set(loads.values())) == 1


def test_rails_carry_one_share_of_the_array_each() -> None:
    down, rails, up = hierarchical_all_reduce(Fraction(12), nodes=2, per_node=3)
    assert down.sent_by_each() == up.sent_by_each() == 8
    assert rails.sent_by_each() == 4


def test_packets_queue_for_a_link() -> None:
    assert slots_to_deliver([["a", "b"], ["a"]]) == 2
    assert slots_to_deliver([["a"], ["a"], ["a"]]) == 3
    assert slots_to_deliver([[]]) == 0


@pytest.mark.parametrize(
    ("slots", "expected"),
    [
        (pipeline_slots(3, 5), 7),
        (line_all_to_all_slots(2), 1),
        (line_all_to_all_slots(4), 4),
        (ring_all_to_all_slots(2, both_ways=False), 2),
        (ring_all_to_all_slots(3, both_ways=True), 2),
        (in_network_all_reduce_slots(4, 6), 7),
    ],
)
def test_slots_of_small_networks(slots: int, expected: int) -> None:
    assert slots == expected


def test_a_switch_delivers_every_block_to_its_device() -> None:
    traffic = switch_all_to_all(Fraction(9), 3)
    assert len(traffic.rounds) == 2
    assert traffic.sent_by_each() == 2


def test_waves_reach_the_opposite_corner() -> None:
    assert farthest_device((4, 4)) == 4
    assert farthest_device((1, 5)) == 2


def test_the_smallest_fat_tree() -> None:
    hosts, switches = fat_tree(4)
    assert (len(hosts), len(switches)) == (16, 20)


def test_a_tendency_needs_a_curve_of_its_form() -> None:
    assert tendency(lambda n: 3 + Fraction(5, n), (2, 3, 7)) == 3
    with pytest.raises(ValueError, match="not of the form"):
        tendency(lambda n: Fraction(n * n), (2, 3, 7))


def test_a_tie_is_not_a_best() -> None:
    assert best(lambda n: Fraction((n - 4) ** 2), range(9)) == 4
    with pytest.raises(ValueError, match="several"):
        best(lambda n: Fraction(0), (1, 2))


def test_trials_that_disagree_have_no_value() -> None:
    assert agreed([ONE, ONE]) == 1
    with pytest.raises(ValueError, match="disagree"):
        agreed([ONE, Fraction(2)])
