"""Mixtures of experts: their tensors listed, every choice of experts routed, every copy sent."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import TypeAlias

from tests.oracles.clock import crossing, each, elapsed, first
from tests.oracles.collectives import blocks_both_ways_round_even_rings
from tests.oracles.roofline import matmul_flops

Shapes: TypeAlias = list[tuple[Fraction, ...]]


def size(shapes: Shapes) -> Fraction:
    return sum((prod(shape, start=Fraction(1)) for shape in shapes), Fraction(0))


# Parameters: the matrices of a checkpoint


def gated_expert(D: Fraction, F: Fraction) -> Shapes:
    return [(F, D), (F, D), (D, F)]


def expert_tensors(E: Fraction, D: Fraction, F: Fraction) -> Fraction:
    return size([shape for _expert in each(E) for shape in gated_expert(D, F)])


def tensors_of_one_token(k: Fraction, s: Fraction, D: Fraction, F: Fraction) -> Fraction:
    routed = [shape for _expert in each(k) for shape in gated_expert(D, F)]
    shared = [shape for _expert in each(s) for shape in gated_expert(D, F)]
    return size(routed + shared)


def router_tensor(D: Fraction, E: Fraction) -> Fraction:
    return size([(E, D)])


def mixtral_checkpoint(
    L: Fraction,
    D: Fraction,
    F: Fraction,
    E: Fraction,
    N: Fraction,
    K: Fraction,
    H: Fraction,
    V: Fraction,
) -> Fraction:
    shapes: Shapes = [(V, D)]
    for _layer in each(L):
        shapes += [(D,), (N * H, D), (K * H, D), (K * H, D), (D, N * H)]
        shapes += [(D,), (E, D)]
        for _expert in each(E):
            shapes += gated_expert(D, F)
    shapes += [(D,), (V, D)]
    return size(shapes)


def mixtral_tensors_of_one_token(
    L: Fraction,
    D: Fraction,
    F: Fraction,
    k: Fraction,
    E: Fraction,
    N: Fraction,
    K: Fraction,
    H: Fraction,
    V: Fraction,
) -> Fraction:
    """The same with k experts; its router still scores all E."""
    narrow = mixtral_checkpoint(L, D, F, k, N, K, H, V)
    return narrow + sum((D for _row in product(each(L), each(E - k))), Fraction(0))


def dense_and_moe_tensors(
    L_d: Fraction,
    D: Fraction,
    F_d: Fraction,
    L_m: Fraction,
    F_e: Fraction,
    E: Fraction,
    s: Fraction,
    R: Fraction,
) -> Fraction:
    shapes: Shapes = [(R,)]
    for _layer in each(L_d):
        shapes += gated_expert(D, F_d)
    for _layer in each(L_m):
        shapes.append((E, D))
        for _expert in [*each(E), *each(s)]:
            shapes += gated_expert(D, F_e)
    return size(shapes)


def experts_for_each_used(E: Fraction, k: Fraction) -> Fraction:
    return Fraction(len(each(E)), len(next(choices(E, k))))


def held_for_each_used(N_t: Fraction, N_a: Fraction) -> Fraction:
    """How often the active parameters would fit in what is held."""
    return elapsed(N_t, N_a)


# FLOPs and batch


def train_active_params(N_a: Fraction, T: Fraction) -> Fraction:
    flops = 0
    for _token, _param in product(each(T), each(N_a)):
        flops += 2  # forward
        flops += 2 + 2  # gradients of the input and of the weight
    return Fraction(flops)


def balanced_batch(b: Fraction, P: Fraction, E: Fraction, W: Fraction, k: Fraction) -> Fraction:
    """Arithmetic of k experts for each token against one read of all E, of 3 x 5 weights each."""
    weights = Fraction(15)
    read = sum((b * weights for _expert in each(E)), Fraction(0)) / W
    token = sum((2 * weights for _expert in each(k)), Fraction(0)) / P
    return crossing(lambda batch: batch * token - read)


# Routing


def choices(E: Fraction, k: Fraction) -> Iterator[tuple[int, ...]]:
    """Every set of k different experts that a token may go to."""
    return combinations(each(E), len(each(k)))


def routings(E: Fraction, k: Fraction, B: Fraction) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every way in which B tokens choose."""
    return product(list(choices(E, k)), repeat=len(each(B)))


def mean_load(k: Fraction, B: Fraction, E: Fraction) -> Fraction:
    """Tokens of expert 0 over all routings."""
    loads = [sum(0 in chosen for chosen in routing) for routing in routings(E, k, B)]
    return Fraction(sum(loads), len(loads))


def least_capacity(k: Fraction, B: Fraction, c: Fraction, E: Fraction) -> Fraction:
    wanted = c * mean_load(k, B, E)
    return Fraction(first(lambda slots: slots >= wanted))


def wait_for_busiest(E: Fraction, T_max: Fraction, k: Fraction, B: Fraction) -> Fraction:
    return T_max / mean_load(k, B, E)


def distinct_experts(E: Fraction, k: Fraction, B: Fraction) -> Fraction:
    reached = [len(set().union(*routing)) for routing in routings(E, k, B)]
    return Fraction(sum(reached), len(reached))


def bytes_of_distinct_experts(
    b: Fraction,
    L: Fraction,
    D: Fraction,
    F: Fraction,
    E: Fraction,
    k: Fraction,
    B: Fraction,
) -> Fraction:
    read = Fraction(0)
    for _layer in each(L):
        read += b * size(gated_expert(D, F)) * distinct_experts(E, k, B)
    return read


# Expert parallelism


def copies_that_leave(b: Fraction, B: Fraction, k: Fraction, D: Fraction, z: Fraction) -> Fraction:
    """Experts lie on devices in turn, two on each; a token's home is any device."""
    experts = 2 * z
    sent, cases = Fraction(0), 0
    for home, chosen in product(each(z), choices(experts, k)):
        cases += 1
        for expert in chosen:
            if expert % z != home:
                sent += b * D
    return sum((sent / cases for _token in each(B)), Fraction(0))


def dispatch_and_combine(
    b: Fraction, B: Fraction, D: Fraction, k: Fraction, W_b: Fraction
) -> Fraction:
    """Out and back on a ring whose links carry half of W_b each way."""
    copies = sum((b * D for _copy in product(each(B), each(k))), Fraction(0))
    ways = ("dispatch", "combine")
    exchange = blocks_both_ways_round_even_rings(copies, W_b / 2)
    return sum((exchange for _way in ways), Fraction(0))


def share_of_others_drawn(z: Fraction, k: Fraction) -> Fraction:
    """Every k draws of a device with replacement; device 0 is the token's own."""
    draws = list(product(each(z), repeat=len(each(k))))
    reached = sum(len(set(drawn) - {0}) for drawn in draws)
    return Fraction(reached, len(draws)) / z


def share_of_others_chosen(k: Fraction, z: Fraction) -> Fraction:
    """Every choice of different devices, all of them where there are fewer than k."""
    chosen = list(combinations(each(z), min(len(each(k)), len(each(z)))))
    reached = sum(len(set(devices) - {0}) for devices in chosen)
    return Fraction(reached, len(chosen)) / z


def even_expert_time(
    B: Fraction, k: Fraction, D: Fraction, F: Fraction, z: Fraction, C: Fraction
) -> Fraction:
    """Each copy passes two matrices; devices share the copies evenly and work together."""
    flops = Fraction(0)
    for _copy in product(each(B), each(k)):
        flops += matmul_flops(Fraction(1), D, F) + matmul_flops(Fraction(1), F, D)
    return elapsed(flops, sum((C for _device in each(z)), Fraction(0)))


def node_exchange_time(
    B: Fraction, D: Fraction, z: Fraction, g: Fraction, W: Fraction, k: Fraction
) -> Fraction:
    """Out and back in bf16; a token goes once to each node, of z/g, that has one of its experts."""
    nodes = z / g
    away = share_of_others_chosen(k, nodes) * nodes
    sent_by_all = sum((2 * D * away for _token in each(B)), Fraction(0))
    ways = ("dispatch", "combine")
    return sum((elapsed(sent_by_all / nodes, W) for _way in ways), Fraction(0))


def width_balanced_with_node_exchange(
    A: Fraction, z: Fraction, g: Fraction, k: Fraction
) -> Fraction:
    """Peak A and bandwidth 1; the work of an expert grows with its width."""
    exchange = node_exchange_time(z, Fraction(3), z, g, Fraction(1), k)
    one_wide = even_expert_time(z, k, Fraction(3), Fraction(1), z, A)
    return crossing(lambda width: width * one_wide - exchange)


def width_balanced_with_every_copy_sent(g: Fraction, A: Fraction) -> Fraction:
    """So many nodes that no expert is at home and no two share a node: each copy is sent."""
    k, D, tokens = Fraction(3), Fraction(5), Fraction(7)
    sent_by_node = sum((2 * D for _copy in product(each(tokens), each(g), each(k))), Fraction(0))
    exchange = sent_by_node + sent_by_node
    one_wide = even_expert_time(tokens, k, D, Fraction(1), Fraction(1), A)
    return crossing(lambda width: width * one_wide - exchange)
