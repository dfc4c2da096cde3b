"""What a plain two-matrix MLP computes and sends under parallelism, from counted operations.

Widths and tokens may be fractions, since a device may hold a fraction of them; the operations of
a token and weight are counted, and what a collective takes is simulated.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from tests.oracles import many_devices
from tests.oracles.machine import Machine, matrix
from tests.oracles.search import agreed

MATRICES = ("in", "out")
TWO_BYTES = Fraction(2)


@cache
def flops_of_a_weight() -> tuple[Fraction, Fraction]:
    """FLOPs a token and weight in the forward and in the backward pass, counted for two shapes."""
    rates = []
    for tokens, fan_in, fan_out in ((2, 3, 5), (4, 2, 3)):
        machine = Machine()
        machine.matmul(matrix(tokens, fan_in), matrix(fan_in, fan_out))
        forward = machine.flops
        backward = machine.backward()
        size = tokens * fan_in * fan_out
        rates.append((Fraction(forward, size), Fraction(backward, size)))
    forwards, backwards = zip(*rates, strict=True)
    return agreed(forwards), agreed(backwards)


def forward_flops(tokens: Fraction, d_model: Fraction, d_ff: Fraction) -> Fraction:
    return sum((flops_of_a_weight()[0] * tokens * d_model * d_ff for _ in MATRICES), Fraction(0))


def backward_flops(tokens: Fraction, d_model: Fraction, d_ff: Fraction) -> Fraction:
    return sum((flops_of_a_weight()[1] * tokens * d_model * d_ff for _ in MATRICES), Fraction(0))


def weight_bytes(d_model: Fraction, d_ff: Fraction, width: Fraction) -> Fraction:
    return sum((width * d_model * d_ff for _ in MATRICES), Fraction(0))


def gather_weights(
    d_model: Fraction, d_ff: Fraction, width: Fraction, both_ways: Fraction, axes: int = 1
) -> Fraction:
    return many_devices.gather_seconds(weight_bytes(d_model, d_ff, width), both_ways, axes)


def reduce_gradients(
    d_model: Fraction, d_ff: Fraction, width: Fraction, both_ways: Fraction, axes: int = 1
) -> Fraction:
    return many_devices.reduce_seconds(weight_bytes(d_model, d_ff, width), both_ways, axes)


def exchange_activations(
    tokens: Fraction, d_model: Fraction, width: Fraction, both_ways: Fraction, axes: int = 1
) -> Fraction:
    """Gathered before the MLP, reduce-scattered after it."""
    size = width * tokens * d_model
    before = many_devices.gather_seconds(size, both_ways, axes)
    return before + many_devices.scatter_seconds(size, both_ways, axes)
