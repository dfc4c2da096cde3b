"""Collectives, simulated: who sends what to whom in each round, and how long the rounds take."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import permutations

from tests.oracles import many_devices
from tests.oracles.clock import crossing
from tests.oracles.mesh import (
    BOTH_WAYS,
    all_gather,
    all_reduce,
    hierarchical_all_reduce,
    reduce_scatter,
    whole_shard_all_gather,
)
from tests.oracles.routing import (
    line_all_to_all_slots,
    ring_all_to_all_slots,
    switch_all_to_all,
)
from tests.oracles.search import agreed
from tests.oracles.wires import Traffic

# Bytes on rings


def gather_on_ring(V: Fraction, n: Fraction) -> Fraction:
    return all_gather(V, (int(n),)).sent_by_each()


def scatter_on_ring(V: Fraction, n: Fraction) -> Fraction:
    return reduce_scatter(V, (int(n),)).sent_by_each()


def reduce_on_ring(V: Fraction, n: Fraction) -> Fraction:
    return all_reduce(V, (int(n),)).sent_by_each()


def fewest_messages_to_tell_all(V: Fraction, n: Fraction) -> Fraction:
    """Each device starts with one part of a sum and must end with all parts.

    A message may carry everything its sender knows. The fewest messages, found by trying all,
    dealt over the devices: what an element of the array costs each of them, whatever the plan.
    """
    devices = int(n)
    everything = 2**devices - 1
    known = {tuple(1 << device for device in range(devices))}

    def told(states: set[tuple[int, ...]]) -> set[tuple[int, ...]]:
        after = set()
        for state in states:
            for teller, listener in permutations(range(devices), 2):
                heard = state[listener] | state[teller]
                after.add(tuple(sorted((*state[:listener], heard, *state[listener + 1 :]))))
        return after

    messages = 0
    while (everything,) * devices not in known:
        known = told(known)
        messages += 1
    return V * messages / devices


# Time on rings and tori


def gather_time_on_ring(V: Fraction, n: Fraction, W: Fraction) -> Fraction:
    return all_gather(V, (int(n),)).seconds(W)


def scatter_time_on_ring(V: Fraction, n: Fraction, W: Fraction) -> Fraction:
    return reduce_scatter(V, (int(n),)).seconds(W)


def reduce_time_on_ring(V: Fraction, n: Fraction, W: Fraction) -> Fraction:
    return all_reduce(V, (int(n),)).seconds(W)


def gather_time_halves_both_ways(V: Fraction, n: Fraction, W: Fraction) -> Fraction:
    return all_gather(V, (int(n),), ways=BOTH_WAYS).seconds(W)


def gather_time_whole_shards(V: Fraction, n: Fraction, W: Fraction) -> Fraction:
    return whole_shard_all_gather(V, int(n)).seconds(W)


def rounds_both_ways(n: Fraction) -> Fraction:
    return Fraction(len(whole_shard_all_gather(Fraction(1), int(n)).rounds))


def gather_time_many_devices(V: Fraction, W_b: Fraction) -> Fraction:
    return many_devices.gather_seconds(V, W_b)


def scatter_time_many_devices(V: Fraction, W_b: Fraction) -> Fraction:
    return many_devices.scatter_seconds(V, W_b)


def reduce_time_many_devices(V: Fraction, W_b: Fraction) -> Fraction:
    return many_devices.reduce_seconds(V, W_b)


def reduce_time_of_columns(V: Fraction, y: Fraction, W_b: Fraction) -> Fraction:
    """The columns of a mesh at once, each with its share of the array."""
    return max(many_devices.reduce_seconds(share, W_b) for share in [V / y] * int(y))


def gather_time_on_torus(V: Fraction, k: Fraction, W_b: Fraction) -> Fraction:
    return many_devices.gather_seconds(V, W_b, int(k))


def reduce_time_on_torus(V: Fraction, k: Fraction, W_b: Fraction) -> Fraction:
    return many_devices.reduce_seconds(V, W_b, int(k))


def gather_time_axis_after_axis(V: Fraction, x: Fraction, y: Fraction, W: Fraction) -> Fraction:
    return all_gather(V, (int(x), int(y)), orders=[(0, 1)]).seconds(W)


# All-to-all


def blocks_through_switch(V: Fraction, n: Fraction) -> Fraction:
    return switch_all_to_all(V, int(n)).sent_by_each()


def time_through_switch(V: Fraction, n: Fraction, W: Fraction) -> Fraction:
    return switch_all_to_all(V, int(n)).seconds(W)


def time_through_switch_from_rank_buffers(S: Fraction, n: Fraction, W: Fraction) -> Fraction:
    everything = sum((S for _rank in range(int(n))), start=Fraction(0))
    return switch_all_to_all(everything, int(n)).seconds(W)


def blocks_round_ring(V: Fraction, n: Fraction, W: Fraction) -> Fraction:
    half_block = V / n**2 / 2
    return ring_all_to_all_slots(int(n), both_ways=False) * half_block / W


def blocks_both_ways_round_ring(V: Fraction, n: Fraction, W: Fraction) -> Fraction:
    half_block = V / n**2 / 2
    return ring_all_to_all_slots(int(n), both_ways=True) * half_block / W


def blocks_both_ways_round_even_rings(V: Fraction, W: Fraction) -> Fraction:
    return agreed(blocks_both_ways_round_ring(V, Fraction(n), W) for n in (4, 6, 8, 10))


def blocks_along_even_lines(V: Fraction, W: Fraction) -> Fraction:
    return agreed(line_all_to_all_slots(n) * V / n**2 / W for n in (2, 4, 6, 8))


# Switches, nodes and trees


def pieces_down_a_chain(S: Fraction, W: Fraction) -> Fraction:
    return agreed(many_devices.chain_seconds(S, W, links) for links in (2, 5))


def reduce_in_nodes_and_across(
    V: Fraction, g: Fraction, W1: Fraction, m: Fraction, W2: Fraction
) -> Fraction:
    down, rails, up = hierarchical_all_reduce(V, int(m), int(g))
    return down.seconds(W1) + rails.seconds(W2) + up.seconds(W1)


def reduce_in_switch(V: Fraction, W: Fraction) -> Fraction:
    return many_devices.in_network_reduce_seconds(V, W)


def ring_over_switch(n: Fraction) -> Fraction:
    one = Fraction(1)
    return all_reduce(one, (int(n),)).seconds(one) / many_devices.in_network_reduce_seconds(
        one, one
    )


def gathered_bytes_a_second_among_children(d: Fraction, w: Fraction) -> Fraction:
    one = Fraction(1)
    return one / all_gather(one, (int(d),)).seconds(w)


def busiest_level_of_a_tree(
    V: Fraction, d1: Fraction, w1: Fraction, d2: Fraction, w2: Fraction
) -> Fraction:
    """Gather across nodes, rail by rail, then in each node; count what each cable carries.

    A device has a cable to the switch of its node, a node has one to the switch above.
    """
    of_node: dict[int, Fraction] = defaultdict(Fraction)
    of_device: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    traffic = all_gather(V, (int(d2), int(d1)), orders=[(0, 1)])
    for (device, port), size in traffic.on_links().items():
        if port.startswith("0"):
            of_node[device[0]] += size
        else:
            of_device[device] += size
    return max(max(of_node.values()) / w2, max(of_device.values()) / w1)


# Bandwidth as benchmarks report it


def rate_that_moves_a_buffer(S: Fraction, t: Fraction) -> Fraction:
    return crossing(lambda rate: t - S / rate)


def link_rate_of_an_all_reduce(S: Fraction, t: Fraction, n: Fraction) -> Fraction:
    return _rate_that_takes(t, all_reduce(S, (int(n),)))


def link_rate_of_a_gather(S: Fraction, t: Fraction, n: Fraction) -> Fraction:
    """The same for a gather, a reduce-scatter, and an all-to-all of rank buffers."""
    size = int(n)
    moves = (all_gather(S, (size,)), reduce_scatter(S, (size,)), switch_all_to_all(S * n, size))
    return agreed(_rate_that_takes(t, move) for move in moves)


def _rate_that_takes(seconds: Fraction, traffic: Traffic) -> Fraction:
    return crossing(lambda rate: seconds - traffic.seconds(rate))


def collective_on_slowed_links(
    l: Fraction,
    c: Fraction,
    S: Fraction,
    o: Fraction,
    n: Fraction,
    e: Fraction,
    W: Fraction,
) -> Fraction:
    """The ring that the scale and the offset stand for, at a part of the bandwidth."""
    ring = {(2, -2): all_reduce, (1, -1): all_gather}[int(c), int(o)](S, (int(n),))
    return l + crossing(lambda seconds: seconds * e * W - ring.sent_by_each())
