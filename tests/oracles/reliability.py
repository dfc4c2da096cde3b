"""Failures and checkpoints: added up event by event, integrated, minimised numerically."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb, lcm
from typing import Any

from mpmath import mp

from tests.oracles.clock import (
    DIGITS,
    TINY,
    added,
    crossing,
    each,
    elapsed,
    first,
    least,
    real,
    shares,
)

# Failures


def mean_first_failure(m: Fraction, n: Fraction) -> Any:
    """The integral over time of the chance that none of n devices has failed yet."""

    def none_failed(t: Any) -> Any:
        alone = mp.exp(-t / real(m))
        return mp.fprod(alone for _device in each(n))

    return added(none_failed, 0, mp.inf)


def mean_failures(n: Fraction, T: Fraction, m: Fraction) -> Any:
    """Failures of each device, k of them with their chance, over all devices."""
    with mp.workdps(DIGITS):
        chance, mean, k = mp.exp(-real(T / m)), mp.mpf(0), 0
        while k < 20 or chance * k > mp.mpf(10) ** (-DIGITS):
            mean += k * chance
            k += 1
            chance *= real(T / m) / k
        return mp.fsum(mean for _device in each(n))


def chance_of_none(n: Fraction, T: Fraction, m: Fraction) -> Any:
    """No device's first failure, of density exp(-t/m)/m, falls before T."""
    with mp.workdps(DIGITS // 2):
        later = added(lambda t: mp.exp(-t / real(m)) / real(m), real(T), mp.inf)
        return mp.fprod(later for _device in each(n))


def share_of_time_up(M: Fraction, r: Fraction) -> Fraction:
    """Where as many break, of those up, as come back, of those down."""
    return 1 - 1 / (1 + crossing(lambda up_over_down: up_over_down / M - 1 / r))


def spares_for_the_mean(n: Fraction, r: Fraction, m: Fraction) -> Fraction:
    """Fewest that cover the mean of the binomial number of nodes in repair."""
    up, total = share_of_time_up(m, r), len(each(n))
    mean = sum(
        (k * comb(total, k) * (1 - up) ** k * up ** (total - k) for k in range(total + 1)),
        Fraction(0),
    )
    return Fraction(first(lambda spares: spares >= mean))


def mean_loss(t: Fraction, r: Fraction) -> Fraction:
    """Work since the last checkpoint and a restart, averaged over moments spread evenly."""
    moments = 100
    lost = [t * (2 * moment + 1) / (2 * moments) + r for moment in range(moments)]
    return sum(lost, Fraction(0)) / moments


def lasting_work(u: Fraction, w: Fraction) -> Fraction:
    """Hours of a run, the share w of them lasting, each at u of the peak."""
    hours = w.denominator
    done = sum((u for hour in range(hours) if hour < w * hours), Fraction(0))
    return done / hours


# How often to write a checkpoint


def lost_share(d: Fraction, t: Fraction, M: Fraction, r: Fraction) -> Fraction:
    """Writes, repeated work and restarts, event by event, over a time of whole numbers of both."""
    horizon = Fraction(
        lcm(t.numerator * M.denominator, M.numerator * t.denominator),
        t.denominator * M.denominator,
    )
    lost = Fraction(0)
    for _write in each(horizon / t):
        lost += d
    for _failure in each(horizon / M):
        lost += mean_loss(t, r)
    return lost / horizon


def lost_share_at(d: Fraction, M: Fraction, r: Fraction) -> Callable[[Any], Any]:
    """The same over one time between failures, for an interval that is any real number."""
    write, time, restart = real(d), real(M), real(r)
    repeated = real(mean_loss(Fraction(1), Fraction(0)))
    return lambda interval: (write * (time / interval) + repeated * interval + restart) / time


def interval_of_least_loss(d: Fraction, M: Fraction) -> Any:
    return least(lost_share_at(d, M, Fraction(0)), d / 100, 100 * M)


def least_lost_share(d: Fraction, M: Fraction, r: Fraction) -> Any:
    with mp.workdps(DIGITS):
        return lost_share_at(d, M, r)(interval_of_least_loss(d, M))


def longest_interval_within(M: Fraction, w: Fraction, d: Fraction) -> Any:
    """Where the lost share, restarts left out, reaches w again beyond its least."""
    with mp.workdps(DIGITS):
        share, cap = lost_share_at(d, M, Fraction(0)), real(w)
        bounds = interval_of_least_loss(d, M), 100 * real(M)
        return mp.findroot(lambda t: share(t) - cap, bounds, solver="anderson", tol=TINY)


def series_of_exact_optimum(d: Fraction, M: Fraction) -> Any:
    """Daly's model without approximation, its best interval expanded to third order.

    A segment of compute time s with a write d, restarted until it passes without failure, takes
    (e**((s + d)/M) - 1) M on average. Setting the derivative of that over s to zero leaves, in
    units of M, d = -s - log(1 - s). With x = sqrt(d/2), s is a series in x, found power by power.
    """
    order = 3
    series = [Fraction(0), Fraction(2)] + [Fraction(0)] * (order - 1)  # s = 2 x to first order
    for power in range(2, order + 1):
        # The excess of -s - log(1 - s) over 2 x**2 at x**(power + 1) is linear in the unknown.
        excess = []
        for trial in (Fraction(0), Fraction(1)):
            series[power] = trial
            excess.append(log_series(series, power + 1)[power + 1])
        series[power] = excess[0] / (excess[0] - excess[1])
    with mp.workdps(DIGITS):
        x = mp.sqrt(real(d / M) / 2)
        return real(M) * mp.fsum(real(c) * x**k for k, c in enumerate(series))


def log_series(s: list[Fraction], order: int) -> list[Fraction]:
    """-s - log(1 - s) = s**2/2 + s**3/3 + ..., multiplied out up to an order."""
    total, power = [Fraction(0)] * (order + 1), [Fraction(1)] + [Fraction(0)] * order
    for n in range(1, order + 1):
        power = [
            sum((power[i] * s[k - i] for i in range(k + 1) if k - i < len(s)), Fraction(0))
            for k in range(order + 1)
        ]
        if n > 1:
            total = [a + b / n for a, b in zip(total, power, strict=True)]
    return total


# Checkpoints


def files_kept(T: Fraction, i: Fraction, S: Fraction) -> Fraction:
    """A checkpoint after each interval, the last interval in proportion."""
    stored, clock = Fraction(0), Fraction(0)
    while clock < T:
        step = min(i, T - clock)
        stored += S * step / i
        clock += step
    return stored


def slowest_copy_to_host(S: Fraction, n: Fraction, W: Fraction) -> Fraction:
    return max(elapsed(share, W) for share in shares(S, n))
