"""Models split over devices at decode: what moves between them, and the best splits."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from mpmath import mp

from tests.oracles.clock import DIGITS, TINY, crossing, each, elapsed, least, real
from tests.oracles.collectives import (
    blocks_both_ways_round_even_rings,
    gather_time_many_devices,
    gather_time_on_torus,
    reduce_on_ring,
    reduce_time_many_devices,
    rounds_both_ways,
    scatter_time_many_devices,
)
from tests.oracles.search import best


def activations(width: Fraction, b: Fraction, tokens: Fraction) -> Fraction:
    return sum((b * width for _token in each(tokens)), Fraction(0))


def degree_where_weights_are_hidden(
    F: Fraction, W_b: Fraction, B: Fraction, W_h: Fraction
) -> Fraction:
    """Reads of two D x F matrices, split, against a gather and a scatter of activations."""
    D, b = Fraction(5), Fraction(3)
    weights = b * (D * F + F * D)
    moved = activations(D, b, B)
    sent = gather_time_many_devices(moved, W_b) + scatter_time_many_devices(moved, W_b)
    return crossing(lambda degree: sent - weights / degree / W_h)


def sent_in_a_step(b: Fraction, L: Fraction, B: Fraction, D: Fraction, t: Fraction) -> Fraction:
    sent = Fraction(0)
    for _layer, _block in product(each(L), ("attention", "mlp")):
        sent += reduce_on_ring(activations(D, b, B), t)
    return sent


def hops_in_a_step(L: Fraction, t: Fraction, h: Fraction) -> Fraction:
    clock = Fraction(0)
    for _layer, _block in product(each(L), ("attention", "mlp")):
        for _phase in ("reduce-scatter", "all-gather"):
            clock += sum((h for _round in each(rounds_both_ways(t))), Fraction(0))
    return clock


def degree_of_least_latency(
    b: Fraction, N: Fraction, W: Fraction, L: Fraction, h: Fraction
) -> Fraction:
    """The best of the even degrees, those of rings without a lopsided hop."""

    def latency(t: int) -> Fraction:
        degree = Fraction(t)
        return elapsed(b * N / degree, W) + hops_in_a_step(L, degree, h)

    return Fraction(best(latency, range(2, 17, 2)))


def degree_where_hops_dominate(B: Fraction, D: Fraction, t: Fraction, W: Fraction) -> Fraction:
    """D is one token's activation in bytes, each device holding its share."""
    total = sum((D for _token in each(B)), Fraction(0))
    return crossing(lambda devices: t - total / devices / W)


def time_to_swap_shards(
    b: Fraction, B: Fraction, N: Fraction, H: Fraction, y: Fraction, W_b: Fraction
) -> Fraction:
    """Queries out and outputs back; each of y groups of heads has a ring of its own."""
    heads = N * H / y
    clock = Fraction(0)
    for _array in ("queries", "outputs"):
        clock += blocks_both_ways_round_even_rings(activations(heads, b, B), W_b / 2)
    return clock


# Weights split over two axes: D over x, F over y


def two_axis_time(
    B: Fraction, D: Fraction, x: Fraction, W_b: Fraction, F: Fraction, y: Fraction
) -> Fraction:
    width, axes = Fraction(2), Fraction(2)
    into = gather_time_on_torus(activations(D / x, width, B), axes, W_b)
    between = reduce_time_many_devices(activations(F / y, width, B), W_b)
    out_of = into  # a reduce-scatter is an all-gather run backwards
    return into + between + out_of


def two_axis_time_at(
    B: Fraction, D: Fraction, F: Fraction, W_b: Fraction
) -> Callable[[Any, Any], Any]:
    """The same for any real x and y, each transfer being in proportion to its bytes."""
    one, none = Fraction(1), Fraction(0)
    outside = real(two_axis_time(B, D, one, W_b, none, one))
    inside = real(two_axis_time(B, none, one, W_b, F, one))
    return lambda x, y: outside / x + inside / y


def best_first_axis(n: Fraction, D: Fraction, F: Fraction) -> Any:
    time = two_axis_time_at(Fraction(1), D, F, Fraction(1))
    return best_axis_of(time, real(n))


def best_axis_of(time: Callable[[Any, Any], Any], n: Any) -> Any:
    return least(lambda x: time(x, n / x), Fraction(1, 1000), Fraction(1000))


def least_two_axis_time(B: Fraction, D: Fraction, F: Fraction, n: Fraction, W_b: Fraction) -> Any:
    with mp.workdps(DIGITS):
        x = best_first_axis(n, D, F)
        return two_axis_time_at(B, D, F, W_b)(x, real(n) / x)


def devices_where_two_axes_win(F: Fraction, D: Fraction) -> Any:
    """Against one-axis sharding, whose gather and scatter use three torus axes."""
    one = Fraction(1)
    one_axis = 2 * gather_time_on_torus(activations(D, Fraction(2), one), Fraction(3), one)
    two_axis = two_axis_time_at(one, D, F, one)

    def excess(n: Any) -> Any:
        x = best_axis_of(two_axis, n)
        return two_axis(x, n / x) - real(one_axis)

    with mp.workdps(DIGITS):
        return mp.findroot(excess, (10, 20), solver="secant", tol=TINY)
