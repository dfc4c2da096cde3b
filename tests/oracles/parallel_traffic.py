"""What a device sends in a training step, message by message, and how devices are dealt out."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from tests.oracles.clock import each, elapsed, shares
from tests.oracles.many_devices import one_way_reduce_seconds
from tests.oracles.mesh import all_gather, all_reduce, hierarchical_all_reduce, reduce_scatter
from tests.oracles.search import agreed
from tests.oracles.wires import Traffic

ONE = Fraction(1)


def sent(*collectives: Traffic) -> Fraction:
    return sum((traffic.sent_by_each() for traffic in collectives), start=Fraction(0))


# Weights and gradients


def step_of_data_parallel(b: Fraction, N: Fraction, n: Fraction) -> Fraction:
    gradients = b * N
    return sent(all_reduce(gradients, (int(n),)))


def step_of_fsdp(b: Fraction, N: Fraction, n: Fraction) -> Fraction:
    weights = gradients = b * N
    ring = (int(n),)
    return sent(
        all_gather(weights, ring), all_gather(weights, ring), reduce_scatter(gradients, ring)
    )


def step_of_fsdp_in_microbatches(a: Fraction, b: Fraction, N: Fraction, n: Fraction) -> Fraction:
    weights = gradients = b * N
    ring = (int(n),)
    total = Fraction(0)
    for _microbatch in each(a):
        forward, backward = all_gather(weights, ring), all_gather(weights, ring)
        total += sent(forward, backward)
    return total + sent(reduce_scatter(gradients, ring))


def step_of_replicated_shard_groups(b: Fraction, N: Fraction, s: Fraction, r: Fraction) -> Fraction:
    """Both gathers run in a group; gradients are scattered in it, then reduced across groups."""
    scatter, across, gather = hierarchical_all_reduce(b * N, int(r), int(s))
    return sent(gather, gather, scatter, across)


def outer_reduction_spread_over_steps(
    b: Fraction, N: Fraction, h: Fraction, t: Fraction
) -> Fraction:
    one_byte_a_second = one_way_reduce_seconds(b * N, ONE)
    return one_byte_a_second / sum(t for _step in each(h))


def time_on_links_over_time_on_cores(
    V: Fraction, P: Fraction, W: Fraction, C: Fraction
) -> Fraction:
    return elapsed(V, W) / elapsed(C, P)


# Activations


def layer_of_tensor_parallel(
    b: Fraction, B: Fraction, T: Fraction, D: Fraction, t: Fraction
) -> Fraction:
    """Every block sums its outputs, and in the backward pass the gradients of its inputs."""
    activations = b * sum(D for _sequence, _token in product(each(B), each(T)))
    blocks, passes = ("attention", "mlp"), ("forward", "backward")
    return sent(*(all_reduce(activations, (int(t),)) for _ in product(blocks, passes)))


def heads_for_tokens_and_back(
    b: Fraction, B: Fraction, T: Fraction, N: Fraction, K: Fraction, H: Fraction, n: Fraction
) -> Fraction:
    """Rows of one head and token that are not where they must go."""
    ranks = int(n)

    def moved(
        heads: int, source: Callable[[int, int], int], target: Callable[[int, int], int]
    ) -> Fraction:
        leaving = [0] * ranks
        for token, head in product(range(int(T)), range(heads)):
            at = source(token * ranks // int(T), head * ranks // heads)
            to = target(token * ranks // int(T), head * ranks // heads)
            leaving[at] += at != to
        return agreed(map(Fraction, leaving))

    def by_token(of_token: int, of_head: int) -> int:
        return of_token

    def by_head(of_token: int, of_head: int) -> int:
        return of_head

    queries = moved(int(N), by_token, by_head)
    keys = values = moved(int(K), by_token, by_head)
    outputs = moved(int(N), by_head, by_token)
    return b * B * H * (queries + keys + values + outputs)


def keys_and_values_round_a_ring(
    b: Fraction, B: Fraction, T: Fraction, K: Fraction, H: Fraction, n: Fraction
) -> Fraction:
    tensor = b * sum(H for _ in product(each(B), each(T), each(K)))
    keys, values = all_gather(tensor, (int(n),)), all_gather(tensor, (int(n),))
    return sent(keys, values)


# Degrees, batches and steps


def replicas_dealt(n: Fraction, t: Fraction, p: Fraction, c: Fraction) -> Fraction:
    return _groups_dealt(n, t, p, c)


def expert_replicas_dealt(n: Fraction, p: Fraction, e: Fraction, t_e: Fraction) -> Fraction:
    return _groups_dealt(n, p, e, t_e)


def _groups_dealt(devices: Fraction, *degrees: Fraction) -> Fraction:
    """Deal devices into groups with one device for each place, until none is left."""
    left = list(each(devices))
    groups = 0
    while left:
        for _place in product(*map(each, degrees)):
            left.pop()
        groups += 1
    return Fraction(groups)


def tokens_counted(B: Fraction, T: Fraction) -> Fraction:
    return Fraction(sum(1 for _ in product(each(B), each(T))))


def steps_until_tokens_run_out(D: Fraction, B: Fraction) -> Fraction:
    return elapsed(D, B)


def tokens_dealt(B: Fraction, n: Fraction) -> Fraction:
    return agreed(shares(B, n))
