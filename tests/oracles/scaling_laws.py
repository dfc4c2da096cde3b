"""Budgets spent parameter by parameter and token by token; losses integrated and minimised."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from mpmath import mp

from tests.oracles.clock import DIGITS, TINY, added, crossing, each, elapsed, least, real

FORWARD = ("multiply", "add")
BACKWARD = ("multiply", "add") * 2
"""For the gradient of the input and for that of the weight."""


def flops_of_pass(params: Fraction, tokens: Fraction, steps: tuple[str, ...]) -> Fraction:
    flops = 0
    for _token in each(tokens):
        for _param in each(params):
            flops += len(steps)
    return Fraction(flops)


# Parameters and tokens


def twenty_for_each(N: Fraction) -> Fraction:
    tokens = Fraction(0)
    for _param in each(N):
        tokens += 20
    return tokens


def budgets_of_twenty(D: Fraction, N: Fraction) -> Fraction:
    return elapsed(D, twenty_for_each(N))


def train_at_ratio(r: Fraction, N: Fraction) -> Fraction:
    return flops_of_pass(N, r * N, FORWARD + BACKWARD)


def params_that_spend(C: Fraction, r: Fraction) -> Any:
    """The model whose training, at r tokens for each parameter, costs C."""
    one = flops_of_pass(Fraction(1), Fraction(1), FORWARD + BACKWARD)

    def overspent(params: Any) -> Any:
        tokens = real(r) * params
        return params * tokens * real(one) / real(C) - 1

    with mp.workdps(DIGITS):
        return mp.findroot(overspent, (mp.mpf(1), real(C)), solver="anderson", tol=TINY)


def tokens_that_spend(r: Fraction, C: Fraction) -> Any:
    with mp.workdps(DIGITS):
        return real(r) * params_that_spend(C, r)


def tokens_until_budget(C: Fraction, N: Fraction) -> Fraction:
    return elapsed(C, flops_of_pass(N, Fraction(1), FORWARD + BACKWARD))


def scaled_run_over_base(k_N: Fraction, k_D: Fraction) -> Fraction:
    """A base run of sizes that both factors scale to whole numbers."""
    params, tokens = Fraction(k_N.denominator * 3), Fraction(k_D.denominator * 2)
    base = flops_of_pass(params, tokens, FORWARD + BACKWARD)
    return flops_of_pass(k_N * params, k_D * tokens, FORWARD + BACKWARD) / base


def train_and_serve(N: Fraction, D: Fraction, D_i: Fraction) -> Fraction:
    return flops_of_pass(N, D, FORWARD + BACKWARD) + flops_of_pass(N, D_i, FORWARD)


# Loss


def excess(size: Any, coefficient: Fraction, exponent: Fraction) -> Any:
    """What more of something would still save: the integral of a power law's slope."""
    c, a = real(coefficient), real(exponent)

    def slope_in_log(x: Any) -> Any:
        return a * c * mp.exp(-a * x)

    return added(slope_in_log, mp.log(size), mp.inf)


def loss_by_integration(
    E: Fraction, A: Fraction, N: Fraction, a: Fraction, B: Fraction, D: Fraction, b: Fraction
) -> Any:
    with mp.workdps(DIGITS // 2):
        return real(E) + excess(real(N), A, a) + excess(real(D), B, b)


def params_of_least_loss(a: Fraction, A: Fraction, b: Fraction, B: Fraction, C: Fraction) -> Any:
    """By trying models: each is trained on the tokens that its share of the budget leaves."""
    one = flops_of_pass(Fraction(1), Fraction(1), FORWARD + BACKWARD)

    def loss(params: Any) -> Any:
        tokens = real(C) / (real(one) * params)
        return real(A) / params ** real(a) + real(B) / tokens ** real(b)

    return least(loss, Fraction(1), C)


def growth_of_best_params(a: Fraction, b: Fraction) -> Any:
    """The exponent seen between two budgets, a thousandfold apart."""
    budgets = Fraction(10**9), Fraction(10**12)
    with mp.workdps(DIGITS):
        small, large = (
            params_of_least_loss(a, Fraction(31), b, Fraction(47), budget) for budget in budgets
        )
        return mp.log(large / small) / mp.log(real(budgets[1] / budgets[0]))


def loss_along_the_power_law(N_c: Fraction, N: Fraction, a: Fraction) -> Any:
    """From 1 at N_c, falling by the share a for each e-fold of parameters."""
    with mp.workdps(DIGITS // 2):
        fall = added(lambda x: real(a) / x, real(N_c), real(N))
        return mp.exp(-fall)


def code_length_for_each_byte(l: Fraction, T: Fraction, S: Fraction) -> Any:
    """Bits that an ideal code spends on T tokens, each of probability exp(-l)."""
    with mp.workdps(DIGITS // 2):
        bits = mp.fsum(-mp.log(mp.exp(-real(l)), 2) for _token in each(T))
        return bits / real(S)


def decaying_repetitions(U: Fraction, r: Fraction, e: Fraction) -> Any:
    """The first pass in full; then each moment's value falls at the rate 1/r for each pass."""
    with mp.workdps(DIGITS // 2):
        repeats = added(lambda x: real(U) * mp.exp(-x / real(r)), 0, real(e - 1))
        return real(U) + repeats


# Batch size: noise of scale B_c makes a step worth B/(B + B_c) of one with the true gradient


def worth_of_step(batch: Fraction, noise: Fraction) -> Fraction:
    """The mean square of the gradient over that of its estimate from a batch."""
    signal, variance_of_one = Fraction(1), noise
    return signal / (signal + variance_of_one / batch)


def steps_until_target(S: Fraction, B_c: Fraction, B: Fraction) -> Fraction:
    return elapsed(S, worth_of_step(B, B_c))


def tokens_until_target(E: Fraction, B: Fraction, B_c: Fraction) -> Fraction:
    """The least tokens E are those of ever smaller batches, whose steps are worth batch/B_c."""
    progress = E / B_c
    tokens = Fraction(0)
    worth = worth_of_step(B, B_c)
    while progress > worth:
        progress -= worth
        tokens += B
    return tokens + B * progress / worth


def batch_of_twice_both(E: Fraction, S: Fraction) -> Fraction:
    """On the trade-off (steps/S - 1)(tokens/E - 1) = 1: the batch of equal excess in both."""

    def steps_at(batch: Fraction) -> Fraction:
        def beyond_curve(steps: Fraction) -> Fraction:
            if steps <= S or steps * batch <= E:
                return Fraction(-1)
            return (steps / S - 1) * (steps * batch / E - 1) - 1

        return crossing(beyond_curve)

    return crossing(lambda batch: steps_at(batch) * batch / E - steps_at(batch) / S)
