"""Pipelines, by running their schedules and watching the devices."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from tests.oracles.clock import each, elapsed, first
from tests.oracles.schedules import (
    Run,
    dualpipe,
    gpipe,
    interleaved,
    one_forward_one_backward,
    run,
    zero_bubble_h1,
)


def times(**of: Fraction) -> Callable[[str], Fraction]:
    return lambda kind: of[kind]


def plain(m: Fraction, p: Fraction, f: Fraction, b: Fraction) -> Run:
    """1F1B, which must take as long as GPipe."""
    stages, microbatches = len(each(p)), len(each(m))
    done = run(one_forward_one_backward(stages, microbatches), stages, times(F=f, B=b))
    other = run(gpipe(stages, microbatches), stages, times(F=f, B=b))
    if done.makespan != other.makespan:
        raise ValueError("1F1B and GPipe take different times")
    return done


# Plain schedules


def busy_time(m: Fraction, f: Fraction, b: Fraction) -> Fraction:
    """Of any one of three stages."""
    done = plain(m, Fraction(3), f, b)
    return done.makespan - done.idle(1)


def idle_time(p: Fraction, f: Fraction, b: Fraction) -> Fraction:
    """With eleven microbatches; it is the same in each stage."""
    return plain(Fraction(11), p, f, b).same_idle()


def step_time(m: Fraction, p: Fraction, f: Fraction, b: Fraction) -> Fraction:
    return plain(m, p, f, b).makespan


def idle_over_busy(p: Fraction, m: Fraction) -> Fraction:
    done = plain(m, p, Fraction(2), Fraction(3))
    return done.same_idle() / (done.makespan - done.same_idle())


def idle_over_all(p: Fraction, m: Fraction) -> Fraction:
    done = plain(m, p, Fraction(2), Fraction(3))
    return done.same_idle() / done.makespan


def busy_over_all(m: Fraction, p: Fraction) -> Fraction:
    return 1 - idle_over_all(p, m)


def fewest_microbatches(p: Fraction, e: Fraction) -> Fraction:
    if p == 1:
        return Fraction(0)
    return Fraction(first(lambda m: idle_over_all(p, Fraction(m)) <= e, 1))


def step_time_with_overhead(m: Fraction, p: Fraction, c: Fraction, o: Fraction) -> Fraction:
    """A third of a microbatch's work is forward, the overhead comes with its backward."""
    work = c / m
    return plain(m, p, work / 3, work * 2 / 3 + o).makespan


def best_microbatch_count(c: Fraction, p: Fraction, o: Fraction) -> Fraction:
    """By trying them all, up to one that no longer pays."""
    tried = {m: step_time_with_overhead(Fraction(m), p, c, o) for m in range(1, 25)}
    return Fraction(min(tried, key=tried.__getitem__))


def most_in_flight(m: Fraction, p: Fraction, i: Fraction) -> Fraction:
    return Fraction(plain(m, p, Fraction(2), Fraction(3)).most_held(int(i)))


# Interleaved


def chunked(m: Fraction, p: Fraction, v: Fraction, f: Fraction, b: Fraction) -> Run:
    stages, chunks, microbatches = len(each(p)), len(each(v)), len(each(m))
    orders = interleaved(stages, chunks, microbatches)
    return run(orders, stages * chunks, times(F=f / v, B=b / v))


def chunked_step_time(m: Fraction, p: Fraction, v: Fraction, f: Fraction, b: Fraction) -> Fraction:
    return chunked(m, p, v, f, b).makespan


def chunked_idle_over_busy(p: Fraction, v: Fraction, m: Fraction) -> Fraction:
    done = chunked(m, p, v, Fraction(2), Fraction(3))
    return done.same_idle() / (done.makespan - done.same_idle())


def chunked_idle_over_all(p: Fraction, v: Fraction, m: Fraction) -> Fraction:
    done = chunked(m, p, v, Fraction(2), Fraction(3))
    return done.same_idle() / done.makespan


def chunks_held_by_first(p: Fraction, v: Fraction) -> Fraction:
    """Chunk activations at the first stage's peak, in models' worth, over five rounds."""
    done = chunked(5 * p, p, v, Fraction(2), Fraction(3))
    return done.most_held(0) / (p * v)


def sent_by_interior_device(
    v: Fraction, m: Fraction, b: Fraction, B: Fraction, T: Fraction, D: Fraction
) -> Fraction:
    """Of three devices, the second sends on every pass that it runs."""
    done = chunked(m, Fraction(3), v, Fraction(2), Fraction(3))
    message = boundary_bytes(b, B, T, D)
    return sum((message for slot in done.orders[1] for _one in slot), Fraction(0))


# Zero bubble


def zero_bubble_idle_time(p: Fraction, f: Fraction, b: Fraction, w: Fraction) -> Fraction:
    stages = len(each(p))
    done = run(zero_bubble_h1(stages, 4 * stages), stages, times(F=f, I=b - w, W=w))
    return done.same_idle()


def dualpipe_idle_time(p: Fraction, fb: Fraction, b: Fraction, w: Fraction) -> Fraction:
    """Of the device that waits longest; a forward alone takes as long as a weight gradient."""
    stages = len(each(p))
    done = run(dualpipe(stages, 3 * stages), stages, times(F=w, B=b, I=b - w, W=w, FB=fb))
    return max(done.idle(device) for device in range(stages))


# Traffic


def boundary_bytes(b: Fraction, B: Fraction, T: Fraction, D: Fraction) -> Fraction:
    return sum((b for _element in product(each(B), each(T), each(D))), Fraction(0))


def exposed_sends(
    b: Fraction, B: Fraction, D: Fraction, m: Fraction, p: Fraction, W: Fraction
) -> Fraction:
    """Messages pass the links between stages one after another; compute takes no time."""
    message = elapsed(b * B / m * D, W)
    links = [Fraction(0)] * (len(each(p)) - 1)
    for _microbatch in each(m):
        arrived = Fraction(0)
        for link, free in enumerate(links):
            arrived = links[link] = max(arrived, free) + message
    return links[-1]
