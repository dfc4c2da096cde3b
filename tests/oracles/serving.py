"""Prompts, requests and servers, by running them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from tests.oracles.clock import crossing, each, elapsed
from tests.oracles.decoding import attend, balanced_tokens, step_flops


def prompt_flops(N: Fraction, T: Fraction) -> Fraction:
    """A prompt's tokens pass the weights as a batch of sequences would."""
    return step_flops(N, T)


def cluster_rate(n: Fraction, P: Fraction, u: Fraction) -> Fraction:
    return sum((P * u for _device in each(n)), Fraction(0))


def prompt_time(N: Fraction, T: Fraction, n: Fraction, P: Fraction, u: Fraction) -> Fraction:
    return elapsed(prompt_flops(N, T), cluster_rate(n, P, u))


def prompt_time_with_attention(
    N: Fraction,
    T: Fraction,
    L: Fraction,
    N_h: Fraction,
    H: Fraction,
    n: Fraction,
    P: Fraction,
    u: Fraction,
) -> Fraction:
    flops = prompt_flops(N, T)
    for _layer in each(L):
        flops += attend(T, T, N_h, H)
    return elapsed(flops, cluster_rate(n, P, u))


def flops_not_repeated(N: Fraction, T: Fraction, r: Fraction) -> Fraction:
    """Requests with one prefix, with and without a cache of what has been processed."""
    cached: set[int] = set()
    without, with_cache = 0, 0
    for _request, token in product(each(r), each(T)):
        flops = sum(2 for _param in each(N))
        without += flops
        with_cache += 0 if token in cached else flops
        cached.add(token)
    return Fraction(without - with_cache)


def room_beside_decode(b: Fraction, P: Fraction, W: Fraction, B: Fraction) -> Fraction:
    """Tokens from the decode batch up to the one where arithmetic takes as long as the read."""
    intensity = crossing(lambda flops: flops / P - 1 / W)
    return balanced_tokens(b, intensity) - B


# Requests


def time_of_request(t_p: Fraction, G: Fraction, t_d: Fraction) -> Fraction:
    clock = t_p
    for _token in each(G):
        clock += t_d
    return clock


def prompt_over_generation(t_p: Fraction, G: Fraction, t_d: Fraction) -> Fraction:
    return t_p / (time_of_request(t_p, G, t_d) - t_p)


def requests_ended_a_second(B: Fraction, G: Fraction, t: Fraction) -> Fraction:
    """All sequences start together, run G steps and end."""
    clock = sum((t for _step in each(G)), Fraction(0))
    return len(each(B)) / clock


def prompt_servers_that_keep_up(t_p: Fraction, B: Fraction, t_d: Fraction, G: Fraction) -> Fraction:
    wanted = requests_ended_a_second(B, G, t_d)
    return crossing(lambda servers: servers / t_p - wanted)


def time_to_read_a_token(w: Fraction, q: Fraction) -> Fraction:
    """w words a minute of q tokens each."""
    minute = Fraction(60)
    return minute / sum((q for _word in each(w)), Fraction(0))


def mean_requests_inside(r: Fraction, t: Fraction) -> Fraction:
    """Arrivals 1/r apart, each staying for t, counted over a period after a long warm-up."""
    apart = 1 / r
    start = 10 * t
    end = start + 20 * apart
    stays, arrival = Fraction(0), Fraction(0)
    while arrival < end:
        stays += max(Fraction(0), min(arrival + t, end) - max(arrival, start))
        arrival += apart
    return stays / (end - start)
