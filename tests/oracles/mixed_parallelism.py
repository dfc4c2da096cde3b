"""FSDP and tensor parallelism together: all splits of the devices tried, the best one taken."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from mpmath import mp

from tests.oracles.clock import DIGITS, crossing, least, real
from tests.oracles.layer_costs import (
    TWO_BYTES,
    exchange_activations,
    forward_flops,
    gather_weights,
)

ONE = Fraction(1)
D_MODEL = Fraction(3)
BOTH_WAYS = Fraction(5)
"""Width and bandwidth of the trials: neither matters where two times are compared."""
TENSOR_DEGREES = range(1, 61)


def weights_split_among_tensor_ranks(
    D: Fraction, F: Fraction, y: Fraction, m_x: Fraction, W_b: Fraction
) -> Fraction:
    return max(gather_weights(D, share, TWO_BYTES, W_b, int(m_x)) for share in [F / y] * int(y))


def activations_split_among_fsdp_ranks(
    B: Fraction, D: Fraction, x: Fraction, m_y: Fraction, W_b: Fraction
) -> Fraction:
    shares = [B / x] * int(x)
    return max(exchange_activations(share, D, TWO_BYTES, W_b, int(m_y)) for share in shares)


def fsdp_degree_of_least_communication(
    B: Fraction, m_x: Fraction, n: Fraction, F: Fraction, m_y: Fraction
) -> Any:
    """Tensor degree n/x; the degree may be a fraction."""
    column, token = _seconds_of_a_column_and_a_token(m_x, m_y)
    with mp.workdps(DIGITS):
        weights, activations = real(column * F / n), real(token * B)
        return least(lambda x: weights * x + activations / x, Fraction(1, 1000), n)


def tensor_degree_of_least_communication(
    n: Fraction, F: Fraction, m_y: Fraction, B: Fraction, m_x: Fraction
) -> Any:
    """FSDP degree n/y; the degree may be a fraction."""
    column, token = _seconds_of_a_column_and_a_token(m_x, m_y)
    with mp.workdps(DIGITS):
        weights, activations = real(column * F), real(token * B / n)
        return least(lambda y: weights / y + activations * y, Fraction(1, 1000), n)


def tokens_that_hide_both(A: Fraction, m_x: Fraction, m_y: Fraction, F: Fraction) -> Fraction:
    """The fewest tokens a device, over tensor degrees, at which neither communication shows."""

    def needed(degree: int) -> Fraction | None:
        weights, token = _communication(degree, m_x, m_y, F)
        tokens = crossing(lambda t: _compute(t, F, A) - weights)
        return tokens if token * tokens <= _compute(tokens, F, A) else None

    return min(_found(needed))


def tokens_that_hide_one_after_the_other(
    A: Fraction, m_x: Fraction, m_y: Fraction, F: Fraction
) -> Fraction:
    """The fewest at which the two, one after the other, do not show."""

    def needed(degree: int) -> Fraction | None:
        weights, token = _communication(degree, m_x, m_y, F)
        if token >= _compute(ONE, F, A):
            return None
        return crossing(lambda t: _compute(t, F, A) - weights - token * t)

    return min(_found(needed))


def devices_until_either_shows(
    B: Fraction, m_x: Fraction, m_y: Fraction, F: Fraction, A: Fraction
) -> Fraction:
    def most(degree: int) -> Fraction | None:
        weights, token = _communication(degree, m_x, m_y, F)
        devices = crossing(lambda n: weights - _compute(B / n, F, A))
        return devices if token * B / devices <= _compute(B / devices, F, A) else None

    return max(_found(most))


def tokens_that_hide_gathers_alone(A: Fraction, m: Fraction) -> Fraction:
    def gap(tokens: Fraction) -> Fraction:
        d_ff = Fraction(70)
        gather = gather_weights(D_MODEL, d_ff, TWO_BYTES, BOTH_WAYS, int(m))
        return _compute(tokens, d_ff, A) - gather

    return crossing(gap)


def _compute(tokens: Fraction, d_ff: Fraction, critical: Fraction) -> Fraction:
    """Forward time on a device whose peak is so many times the bandwidth of its links."""
    return forward_flops(tokens, D_MODEL, d_ff) / (critical * BOTH_WAYS)


def _communication(
    degree: int, m_x: Fraction, m_y: Fraction, d_ff: Fraction
) -> tuple[Fraction, Fraction]:
    """To gather the weights, and to exchange activations for each token of a device.

    The ranks of a tensor group work on the tokens of all of them.
    """
    column, token = _seconds_of_a_column_and_a_token(m_x, m_y)
    return column * d_ff / degree, token * degree


def _found(of_degree: Callable[[int], Fraction | None]) -> list[Fraction]:
    return [value for degree in TENSOR_DEGREES if (value := of_degree(degree)) is not None]


def _seconds_of_a_column_and_a_token(m_x: Fraction, m_y: Fraction) -> tuple[Fraction, Fraction]:
    """To gather the weights of one hidden column, and to exchange one token's activations."""
    column = gather_weights(D_MODEL, ONE, TWO_BYTES, BOTH_WAYS, int(m_x))
    return column, exchange_activations(ONE, D_MODEL, TWO_BYTES, BOTH_WAYS, int(m_y))
