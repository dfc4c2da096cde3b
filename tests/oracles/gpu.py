"""GPUs and their switches: units enumerated, tiles scheduled, messages counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product

from tests.oracles.clock import crossing, each
from tests.oracles.layer_costs import backward_flops, weight_bytes
from tests.oracles.machine import Machine
from tests.oracles.many_devices import in_network_reduce_seconds
from tests.oracles.mesh import all_gather, reduce_scatter
from tests.oracles.network import BITS_IN_A_BYTE
from tests.oracles.routing import switch_all_to_all
from tests.oracles.search import agreed, tendency
from tests.oracles.wires import Traffic

ONE = Fraction(1)

# Inside a GPU


def lanes_enumerated(n: Fraction, q: Fraction, l: Fraction) -> Fraction:
    return Fraction(sum(1 for _lane in product(each(n), each(q), each(l))))


def work_of_a_cycle(P: Fraction, n: Fraction, q: Fraction, f: Fraction) -> Fraction:
    """What each tensor core must do in each cycle so that all of them reach the peak."""

    def rate(flops: Fraction) -> Fraction:
        return sum((flops * f for _core in product(each(n), each(q))), start=Fraction(0))

    return crossing(lambda flops: rate(flops) - P)


def tensor_rate_over_lanes(P: Fraction, f: Fraction, n: Fraction, c: Fraction) -> Fraction:
    """Each lane does one multiply-add a cycle."""
    machine = Machine()
    for _lane in product(each(n), each(c)):
        machine.dot([False], [False])
    return P / (machine.flops * f)


def tiles_touched(M: Fraction, tm: Fraction, N: Fraction, tn: Fraction) -> Fraction:
    tiles = {(row // int(tm), col // int(tn)) for row, col in product(each(M), each(N))}
    return Fraction(len(tiles))


def busy_share_of_a_schedule(w: Fraction, n: Fraction) -> Fraction:
    """Tiles go one after another to the SM that is free first."""
    free_at = [0] * int(n)
    for _tile in each(w):
        free_at[free_at.index(min(free_at))] += 1
    return Fraction(sum(free_at), len(free_at) * max(free_at))


def warps_until_registers_run_out(R: Fraction, r: Fraction) -> Fraction:
    """Threads of a warp take registers of four bytes each."""
    left, warps = R, 0
    while True:
        for _thread, _register in product(range(32), each(r)):
            left -= 4
        if left < 0:
            return Fraction(warps)
        warps += 1


# Between GPUs and nodes


def bits_out_of_a_domain(h: Fraction, k: Fraction, r: Fraction) -> Fraction:
    bits = sum((r for _tray, _link in product(each(h), each(k))), start=Fraction(0))
    return bits / BITS_IN_A_BYTE


def shards_a_node_switch_hands_out(g: Fraction, V: Fraction, m: Fraction) -> Fraction:
    """Every GPU of a node gets the shards of all others, one by one."""
    gpus = list(product(each(m), each(g)))
    handed = [shard for gpu in gpus if gpu[0] == 0 for shard in gpus if shard != gpu]
    return len(handed) * V / len(gpus)


def blocks_between_nodes(V: Fraction, m: Fraction, W_n: Fraction) -> Fraction:
    """Every GPU has a block for every other; count those that leave their node."""

    def busiest(per_node: int) -> Fraction:
        gpus = list(product(range(int(m)), range(per_node)))
        leaving = Counter(
            source[0] for source, target in product(gpus, gpus) if source[0] != target[0]
        )
        return max(leaving.values()) * V / len(gpus) ** 2 / W_n

    return agreed(busiest(per_node) for per_node in (2, 5))


def blocks_between_nodes_over_in_node(
    g: Fraction, W: Fraction, m: Fraction, W_n: Fraction
) -> Fraction:
    return blocks_between_nodes(ONE, m, W_n) / switch_all_to_all(ONE, int(g)).seconds(W)


def distinct_shards_between_nodes(V: Fraction, g: Fraction, W_n: Fraction, y: Fraction) -> Fraction:
    """What the GPUs of a node hold together, reduced over ever more nodes that hold the same."""
    shards = _inner_ranks(int(g), int(y))
    held = sum((V / y for _shard in shards), start=Fraction(0))
    return held / W_n * _ever_more(reduce_scatter)


def share_of_a_gpu_in_its_node(V: Fraction, W: Fraction, y: Fraction, g: Fraction) -> Fraction:
    """The array dealt over the distinct inner ranks that a node has, gathered among ever more.

    Where the inner axis spans nodes this is what the literature charges, an upper bound: rails
    that join equal ranks across nodes would move V/y alone.
    """
    shards = _inner_ranks(int(g), int(y))
    return V / len(shards) / W * _ever_more(all_gather)


def _inner_ranks(per_node: int, inner: int) -> set[int]:
    """Inner ranks among the GPUs of a node, the inner axis counting fastest."""
    per_group = per_node * inner
    nodes = [
        {gpu % inner for gpu in range(first, first + per_node)}
        for first in range(0, per_group, per_node)
    ]
    assert len({len(ranks) for ranks in nodes}) == 1, "nodes differ"
    return nodes[0]


def _ever_more(collective: Callable[..., Traffic]) -> Fraction:
    """Seconds to move a byte at a byte a second, among a growing ring."""
    return tendency(lambda members: collective(ONE, (members,)).seconds(ONE), (3, 4, 7))


def tokens_that_hide_a_reduction_in_the_switch(b: Fraction, C: Fraction, W_c: Fraction) -> Fraction:
    def tokens(d_model: Fraction, d_ff: Fraction) -> Fraction:
        reduction = in_network_reduce_seconds(weight_bytes(d_model, d_ff, b), W_c)
        return crossing(lambda t: backward_flops(t, d_model, d_ff) / C - reduction)

    return agreed(tokens(Fraction(d), Fraction(f)) for d, f in ((30, 70), (110, 13)))
