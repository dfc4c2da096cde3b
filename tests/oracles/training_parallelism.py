"""Training in parallel: operations counted, collectives simulated, thresholds found by search."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from tests.oracles.clock import crossing, each, elapsed
from tests.oracles.layer_costs import (
    TWO_BYTES,
    backward_flops,
    exchange_activations,
    forward_flops,
    gather_weights,
    reduce_gradients,
    weight_bytes,
)
from tests.oracles.machine import Machine, every_key, matrix
from tests.oracles.many_devices import one_way_reduce_seconds
from tests.oracles.mesh import all_reduce
from tests.oracles.search import agreed

ONE = Fraction(1)
SHAPES = ((Fraction(30), Fraction(70)), (Fraction(110), Fraction(13)))
"""Two sizes, such as the widths of a layer, to try where they should not matter."""


def for_any_shape(values: Callable[[Fraction, Fraction], Fraction]) -> Fraction:
    return agreed(values(*shape) for shape in SHAPES)


# Data parallelism and FSDP: compute or communication bound


def backward_seconds(B: Fraction, D: Fraction, F: Fraction, x: Fraction, C: Fraction) -> Fraction:
    return elapsed(backward_flops(B / x, D, F), C)


def gradients_over_axes(D: Fraction, F: Fraction, k: Fraction, W_b: Fraction) -> Fraction:
    return reduce_gradients(D, F, TWO_BYTES, W_b, int(k))


def weights_over_axes(D: Fraction, F: Fraction, k: Fraction, W_b: Fraction) -> Fraction:
    return gather_weights(D, F, TWO_BYTES, W_b, int(k))


def tokens_that_hide_the_collective(
    b: Fraction, C: Fraction, k: Fraction, W_b: Fraction
) -> Fraction:
    """The backward pass against the gradients, and the forward pass against the weights."""

    def data_parallel(D: Fraction, F: Fraction) -> Fraction:
        reduction = reduce_gradients(D, F, b, W_b, int(k))
        return crossing(lambda tokens: backward_flops(tokens, D, F) / C - reduction)

    def fully_sharded(D: Fraction, F: Fraction) -> Fraction:
        gather = gather_weights(D, F, b, W_b, int(k))
        return crossing(lambda tokens: forward_flops(tokens, D, F) / C - gather)

    tokens = for_any_shape(data_parallel)
    assert tokens == for_any_shape(fully_sharded), "the two passes disagree"
    return tokens


def tokens_that_hide_a_link(C: Fraction, W_b: Fraction) -> Fraction:
    return tokens_that_hide_the_collective(TWO_BYTES, C, ONE, W_b)


def devices_until_gathers_show(
    B: Fraction, k: Fraction, W_b: Fraction, b: Fraction, C: Fraction
) -> Fraction:
    def most(D: Fraction, F: Fraction) -> Fraction:
        gather = gather_weights(D, F, b, W_b, int(k))
        return crossing(lambda devices: gather - forward_flops(B / devices, D, F) / C)

    return for_any_shape(most)


# Tensor parallelism


def forward_seconds(B: Fraction, D: Fraction, F: Fraction, y: Fraction, C: Fraction) -> Fraction:
    return elapsed(forward_flops(B, D, F / y), C)


def activations_over_axes(B: Fraction, D: Fraction, k: Fraction, W_b: Fraction) -> Fraction:
    return exchange_activations(B, D, TWO_BYTES, W_b, int(k))


def degree_until_activations_show(
    k: Fraction, F: Fraction, W_b: Fraction, b: Fraction, C: Fraction
) -> Fraction:
    def most(B: Fraction, D: Fraction) -> Fraction:
        exchange = exchange_activations(B, D, b, W_b, int(k))
        return crossing(lambda y: exchange - forward_flops(B, D, F / y) / C)

    return for_any_shape(most)


def width_that_hides_a_link(C: Fraction, W_b: Fraction) -> Fraction:
    """d_ff on each device."""

    def least_width(B: Fraction, D: Fraction) -> Fraction:
        exchange = exchange_activations(B, D, TWO_BYTES, W_b)
        return crossing(lambda width: forward_flops(B, D, width) / C - exchange)

    return for_any_shape(least_width)


def degree_until_foreign_shards_show(F: Fraction, A: Fraction, g: Fraction) -> Fraction:
    """Only shards from outside the node cross its border, in each of the two exchanges.

    Of a degree so high that it takes a fraction of a device, that fraction of a shard crosses.
    """
    egress = Fraction(7)
    peak = A * egress

    def most(B: Fraction, D: Fraction) -> Fraction:
        def gap(y: Fraction) -> Fraction:
            shard = TWO_BYTES * B * D / y
            foreign = max(y - sum(1 for _device in each(g)), Fraction(0)) * shard
            into, out_of = foreign / egress, foreign / egress
            return into + out_of - forward_flops(B, D, F / y) / peak

        return crossing(gap)

    return for_any_shape(most)


# Across slices and nodes


def tokens_of_a_slice_that_hide_its_gradients(b: Fraction, C: Fraction, W_d: Fraction) -> Fraction:
    def of_a_slice(chips: Fraction, F: Fraction) -> Fraction:
        D = Fraction(3)
        reduction = one_way_reduce_seconds(weight_bytes(D, F, b), chips * W_d)
        return crossing(lambda tokens: backward_flops(tokens, D, F) / (chips * C) - reduction)

    return for_any_shape(of_a_slice)


def tokens_that_hide_all_experts(E: Fraction, A: Fraction, k: Fraction) -> Fraction:
    """A token passes through k experts, yet the gradients of all are reduced."""
    both_ways = Fraction(7)

    def least_tokens(D: Fraction, F: Fraction) -> Fraction:
        reduction = sum(reduce_gradients(D, F, TWO_BYTES, both_ways) for _expert in each(E))
        work = sum(backward_flops(ONE, D, F) for _expert in each(k))
        return crossing(lambda tokens: tokens * work / (A * both_ways) - reduction)

    return for_any_shape(least_tokens)


def tokens_that_hide_a_short_ring(A: Fraction, x: Fraction) -> Fraction:
    egress = Fraction(7)

    def least_tokens(D: Fraction, F: Fraction) -> Fraction:
        reduction = all_reduce(weight_bytes(D, F, TWO_BYTES), (int(x),)).seconds(egress)
        return crossing(lambda tokens: backward_flops(tokens, D, F) / (A * egress) - reduction)

    return for_any_shape(least_tokens)


def tokens_that_hide_rails_of_a_replica(A: Fraction, y: Fraction) -> Fraction:
    """Each of the nodes of a replica reduces the gradients of its own weights."""
    egress, per_node = Fraction(7), Fraction(4)
    devices = y * per_node

    def least_tokens(D: Fraction, F: Fraction) -> Fraction:
        of_one_node = weight_bytes(D, F, TWO_BYTES) / y
        reduction = max(one_way_reduce_seconds(of_one_node, egress) for _node in each(y))
        return crossing(
            lambda tokens: (
                backward_flops(tokens * devices, D, F) / devices / (A * egress) - reduction
            )
        )

    return for_any_shape(least_tokens)


def block_that_hides_its_successor(
    b: Fraction, C: Fraction, K: Fraction, W: Fraction, N: Fraction
) -> Fraction:
    """A block of queries meets one of keys while the next keys and values arrive."""

    def least_block(_: Fraction, H: Fraction) -> Fraction:
        rate = attention_flops_of_a_pair()

        def gap(block: Fraction) -> Fraction:
            work = sum(rate * H * block * block for _head in each(N))
            keys, values = (sum(b * H * block for _head in each(K)) for _ in range(2))
            return work / C - (keys + values) / W

        return crossing(gap)

    return for_any_shape(least_block)


@cache
def attention_flops_of_a_pair() -> Fraction:
    """FLOPs a query, key and unit of head width, counted for two shapes."""
    rates = []
    for queries, keys, width in ((2, 3, 5), (4, 3, 2)):
        machine = Machine()
        head = [matrix(rows, width) for rows in (queries, keys, keys)]
        machine.attention(head[0], head[1], head[2], every_key(queries, keys))
        rates.append(Fraction(machine.flops, queries * keys * width))
    return agreed(rates)
