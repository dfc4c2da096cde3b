"""Runs paid for hour by hour, device by device and token by token."""

from __future__ import annotations

from fractions import Fraction

from tests.oracles.clock import crossing, each, elapsed, first

SECOND = Fraction(1)
HOUR = 3600 * SECOND
DAY = 24 * HOUR


def in_steps(amount: Fraction, step: Fraction) -> list[Fraction]:
    """An amount as whole steps and what is left."""
    pieces = []
    while amount > 0:
        pieces.append(min(step, amount))
        amount -= step
    return pieces


def useful_rate(n: Fraction, P: Fraction, u: Fraction) -> Fraction:
    return sum((P * u for _device in each(n)), Fraction(0))


# Time


def run_for_seconds(C: Fraction, n: Fraction, P: Fraction, u: Fraction) -> Fraction:
    return elapsed(C, useful_rate(n, P, u))


def run_for_days(C: Fraction, n: Fraction, P: Fraction, u: Fraction) -> Fraction:
    return elapsed(C, useful_rate(n, P, u) * DAY)


def hours_held(n: Fraction, t: Fraction) -> Fraction:
    return sum((elapsed(t, HOUR) for _device in each(n)), Fraction(0))


def hours_worked(C: Fraction, P: Fraction, u: Fraction) -> Fraction:
    """Seven devices share the run; what they are held for together."""
    n = Fraction(7)
    return hours_held(n, elapsed(C, useful_rate(n, P, u)))


def fewest_devices(C: Fraction, P: Fraction, u: Fraction, t: Fraction) -> Fraction:
    def meets_deadline(n: int) -> bool:
        return elapsed(C, useful_rate(Fraction(n), P, u)) <= t

    return Fraction(first(meets_deadline, 1))


# Money


def bill(h: Fraction, p: Fraction) -> Fraction:
    """Each hour, the last perhaps in part."""
    return sum((hour * p for hour in in_steps(h, Fraction(1))), Fraction(0))


def bill_of_run(C: Fraction, p: Fraction, P: Fraction, u: Fraction) -> Fraction:
    return bill(hours_worked(C, P, u), p)


def flops_bought(P: Fraction, p: Fraction) -> Fraction:
    """FLOPs of a device until a dollar is spent."""
    return P * crossing(lambda seconds: bill(seconds / HOUR, p) - 1)


def bill_of_a_million_tokens(n: Fraction, p: Fraction, r: Fraction) -> Fraction:
    hours = elapsed(Fraction(1_000_000), r * HOUR)
    return sum((bill(hours, p) for _device in each(n)), Fraction(0))


def bill_of_forward_passes(N: Fraction, p: Fraction, P: Fraction, u: Fraction) -> Fraction:
    """A million tokens in a thousand batches, a multiply and an add for each parameter."""
    flops = 0
    for _batch in range(1000):
        for _param in each(N):
            flops += 2 * 1000
    return bill(elapsed(Fraction(flops), P * u * HOUR), p)


# Energy and carbon


def drawn_power(n: Fraction, w: Fraction, e: Fraction) -> Fraction:
    """Devices, and for each what cooling and losses add."""
    total = Fraction(0)
    for _device in each(n):
        total += w
        total += w * (e - 1)
    return total


def drawn_energy(n: Fraction, w: Fraction, e: Fraction, t: Fraction) -> Fraction:
    return sum((drawn_power(n, w, e) * step for step in in_steps(t, HOUR)), Fraction(0))


def emitted(k: Fraction, i: Fraction) -> Fraction:
    return sum((i * step for step in in_steps(k, Fraction(1))), Fraction(0))


def energy_of_one_token(n: Fraction, w: Fraction, e: Fraction, r: Fraction) -> Fraction:
    """What is drawn while 17 tokens are made, shared among them."""
    tokens = Fraction(17)
    return drawn_energy(n, w, e, elapsed(tokens, r)) / tokens


def devices_until_budget(w_t: Fraction, w: Fraction, e: Fraction) -> Fraction:
    beyond = first(lambda n: drawn_power(Fraction(n), w, e) > w_t)
    return Fraction(beyond - 1)
