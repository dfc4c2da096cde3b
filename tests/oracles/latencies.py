"""Collectives and messages that wait for every hop, simulated round by round."""

from __future__ import annotations

from fractions import Fraction

from tests.oracles import many_devices
from tests.oracles.butterflies import halving_and_doubling, recursive_doubling
from tests.oracles.clock import crossing, elapsed
from tests.oracles.mesh import all_gather, all_reduce, whole_shard_all_gather


def empty_rounds(n: Fraction, t: Fraction) -> Fraction:
    """A gather of next to nothing: the rounds take their latency alone."""
    traffic = whole_shard_all_gather(Fraction(1), int(n))
    return traffic.seconds_overlapping_latency(Fraction(10**30), t)


def gather_time_with_hop_latency(n: Fraction, t: Fraction, V: Fraction, W_b: Fraction) -> Fraction:
    """Whole shards both ways; each round takes its latency or its transfer, if that is longer.

    Transfers are exact for an even ring, the latency for any.
    """
    return whole_shard_all_gather(V, int(n)).seconds_overlapping_latency(W_b / 2, t)


def farthest_device(sides: tuple[int, ...]) -> int:
    """Hops to the device that a wave from one device of a torus reaches last."""
    start = (0,) * len(sides)
    reached, edge, hops = {start}, {start}, 0
    while True:
        beyond = {
            (*place[:axis], (place[axis] + step) % side, *place[axis + 1 :])
            for place in edge
            for axis, side in enumerate(sides)
            for step in (1, -1)
        }
        edge = beyond - reached
        if not edge:
            return hops
        reached |= edge
        hops += 1


def torus_gather_time_with_hop_latency(
    V: Fraction, k: Fraction, W_b: Fraction, t: Fraction, n1: Fraction, n2: Fraction
) -> Fraction:
    """The last of the two to end: all bytes on the wires, and a wave to the farthest device."""
    wave = farthest_device((int(n1), int(n2))) * t
    return max(wave, many_devices.gather_seconds(V, W_b, int(k)))


def shard_as_long_as_a_hop(t: Fraction, W: Fraction) -> Fraction:
    return crossing(lambda shard: elapsed(shard, W) - t)


def time_of_one_message(a: Fraction, S: Fraction, W: Fraction) -> Fraction:
    """Packets leave one after another; each arrives a latency later."""
    packets, left, arrived = 12, Fraction(0), Fraction(0)
    for _ in range(packets):
        left += S / packets / W
        arrived = left + a
    return arrived


def gather_time_with_message_latency(
    n: Fraction, a: Fraction, V: Fraction, W: Fraction
) -> Fraction:
    return all_gather(V, (int(n),)).seconds(W, a)


def reduce_time_with_message_latency(
    n: Fraction, a: Fraction, V: Fraction, W: Fraction
) -> Fraction:
    return all_reduce(V, (int(n),)).seconds(W, a)


def time_of_recursive_doubling(n: Fraction, a: Fraction, V: Fraction, W: Fraction) -> Fraction:
    return recursive_doubling(V, int(n)).seconds(W, a)


def time_of_halving_and_doubling(n: Fraction, a: Fraction, V: Fraction, W: Fraction) -> Fraction:
    return halving_and_doubling(V, int(n)).seconds(W, a)


def size_where_ring_overtakes_doubling(a: Fraction, W: Fraction, n: Fraction) -> Fraction:
    ring, doubling = all_reduce(Fraction(1), (int(n),)), recursive_doubling(Fraction(1), int(n))
    return crossing(lambda V: doubling.seconds(W / V, a) - ring.seconds(W / V, a))
