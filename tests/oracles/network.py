"""Networks, built link by link and counted; messages, reductions and writes, timed."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from tests.oracles.clock import crossing, each, elapsed, shares
from tests.oracles.latencies import farthest_device, time_of_one_message
from tests.oracles.layer_costs import flops_of_a_weight
from tests.oracles.many_devices import chain_seconds, one_way_reduce_seconds
from tests.oracles.mesh import all_reduce
from tests.oracles.search import agreed

BITS_IN_A_BYTE = 8

# Tori


def links_across_the_middle(W: Fraction, n: Fraction, m: Fraction) -> Fraction:
    """Links from one half of a torus to the other, in one direction, cut across its long axis."""
    length, section = int(m), range(int(n / m))
    left = {(place, row) for place, row in product(range(length // 2), section)}
    crossing_links = [
        (place, row, step)
        for place, row in left
        for step in (1, -1)
        if ((place + step) % length, row) not in left
    ]
    return sum((W for _ in crossing_links), start=Fraction(0))


def hops_of_a_wave(x: Fraction, y: Fraction, z: Fraction) -> Fraction:
    return Fraction(farthest_device((int(x), int(y), int(z))))


def stream_over_links(h: Fraction, t: Fraction, V: Fraction, k: Fraction, W: Fraction) -> Fraction:
    """Equal parts leave over the links at once; the last piece still has its hops to wait for."""
    parts = [chain_seconds(part, W, int(h)) for part in shares(V, k)]
    return max(parts) + sum(t for _hop in each(h))


# Messages


def size_at_half_the_bandwidth(a: Fraction, W: Fraction) -> Fraction:
    return crossing(lambda S: S / time_of_one_message(a, S, W) - W / 2)


def bytes_a_second_of_one_message(S: Fraction, a: Fraction, W: Fraction) -> Fraction:
    return S / time_of_one_message(a, S, W)


# Switched networks


def fat_tree(ports: int) -> tuple[set[tuple[str, int, int]], set[tuple[str, int, int]]]:
    """Hosts and switches of three levels, cabled so that every port of a switch is in use."""
    half = ports // 2
    cables: list[tuple[tuple[str, int, int], tuple[str, int, int]]] = []
    for pod, edge in product(range(ports), range(half)):
        cables += [(("host", pod, edge * half + host), ("edge", pod, edge)) for host in range(half)]
        cables += [(("edge", pod, edge), ("aggregation", pod, up)) for up in range(half)]
    for pod, up, core in product(range(ports), range(half), range(half)):
        cables.append((("aggregation", pod, up), ("core", up, core)))
    ends = [end for cable in cables for end in cable]
    hosts = {end for end in ends if end[0] == "host"}
    switches = set(ends) - hosts
    assert all(ends.count(switch) == ports for switch in switches), "a port is unused"
    return hosts, switches


def hosts_of_a_built_tree(k: Fraction) -> Fraction:
    return Fraction(len(fat_tree(int(k))[0]))


def switches_of_a_built_tree(k: Fraction) -> Fraction:
    return Fraction(len(fat_tree(int(k))[1]))


def bits_out_of_a_node(l: Fraction, g: Fraction) -> Fraction:
    return sum((g for _link in each(l)), start=Fraction(0)) / BITS_IN_A_BYTE


def bits_through_a_tier(s: Fraction, p: Fraction, g: Fraction) -> Fraction:
    bits = sum((g for _switch, _port in product(each(s), each(p))), start=Fraction(0))
    return bits / BITS_IN_A_BYTE


def bytes_out_of_a_slice(n: Fraction, W_d: Fraction) -> Fraction:
    return sum((W_d for _device in each(n)), start=Fraction(0))


# Training across slices and sites


def tokens_whose_step_hides_a_reduction(
    b: Fraction, n: Fraction, P: Fraction, u: Fraction, W: Fraction
) -> Fraction:
    """Forward and backward counted; the parameters, which must not matter, are tried twice."""

    def tokens(params: Fraction) -> Fraction:
        reduction = one_way_reduce_seconds(b * params, W)
        speed = sum((P * u for _device in each(n)), start=Fraction(0))
        return crossing(lambda t: t * params * sum(flops_of_a_weight()) / speed - reduction)

    return agreed(tokens(Fraction(params)) for params in (70, 900))


def reduction_between_sites(
    b: Fraction, N: Fraction, d: Fraction, W: Fraction, r: Fraction
) -> Fraction:
    return all_reduce(b * N, (int(d),)).seconds(W) + r


# Data and checkpoints


def token_ids_of_a_step(b: Fraction, B: Fraction, t: Fraction) -> Fraction:
    return sum((b for _token in each(B)), start=Fraction(0)) / t


def writers_that_share_the_storage(S: Fraction, W: Fraction) -> Fraction:
    writers = Fraction(5)
    return max(elapsed(part, W / writers) for part in shares(S, writers))


def share_of_a_timeline(w: Fraction, i: Fraction) -> Fraction:
    """Many rounds of compute, then write."""
    writing = clock = Fraction(0)
    for _round in range(7):
        clock += i
        writing, clock = writing + w, clock + w
    return writing / clock
