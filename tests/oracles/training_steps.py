"""FLOPs of whole training steps, counted one multiply-add at a time."""

from __future__ import annotations

from fractions import Fraction

from tests.oracles.layers import (
    gated_mlp,
    heads,
    logits,
    pass_through,
    plain_mlp,
    projections,
    train,
)
from tests.oracles.machine import Machine, every_key
from tests.oracles.whole import in_whole_numbers


@in_whole_numbers
def train_gated_decoder(
    B: int, T: int, L: int, D: int, F: int, N: int, K: int, H: int, V: int
) -> int:
    machine = Machine()
    for _layer in range(L):
        projections(machine, B * T, D, N, K, H)
        heads(machine, B, N, H, H, T, every_key(T, T))
        gated_mlp(machine, B * T, D, F)
    logits(machine, B * T, D, V)
    machine.backward()
    return machine.flops


def _score_work(T: int, N: int, H: int) -> int:
    return train(lambda machine: heads(machine, 1, N, H, H, T, every_key(T, T)))


def _matrix_work(T: int, D: int, F: int, N: int, K: int, H: int) -> int:
    def layer(machine: Machine) -> None:
        projections(machine, T, D, N, K, H)
        gated_mlp(machine, T, D, F)

    return train(layer)


@in_whole_numbers
def compare_scores_with_matrices(T: int, N: int, H: int, D: int, F: int, K: int) -> Fraction:
    return Fraction(_score_work(T, N, H), _matrix_work(T, D, F, N, K, H))


@in_whole_numbers
def compare_scores_with_matrices_standard_shape(T: int, D: int) -> Fraction:
    """Two heads of half the width, a gated MLP four times as wide."""
    n_heads, d_head = 2, D // 2
    assert n_heads * d_head == D
    matrices = _matrix_work(T, D, 4 * D, n_heads, n_heads, d_head)
    return Fraction(_score_work(T, n_heads, d_head), matrices)


@in_whole_numbers
def lengthen_until_scores_cost_as_much(D: int, F: int, N: int, K: int, H: int) -> int:
    """The length at which the two are equal; one must exist."""
    length = 1
    while _score_work(length, N, H) < _matrix_work(length, D, F, N, K, H):
        length += 1
    assert _score_work(length, N, H) == _matrix_work(length, D, F, N, K, H)
    return length


@in_whole_numbers
def compare_logits_with_model(D: int, V: int, L: int, F: int, N: int, K: int, H: int) -> Fraction:
    machine = Machine()
    logits(machine, 1, D, V)
    logits_flops = machine.flops
    for _layer in range(L):
        projections(machine, 1, D, N, K, H)
        gated_mlp(machine, 1, D, F)
    return Fraction(logits_flops, machine.flops)


@in_whole_numbers
def train_on_a_sequence_per_token(N: int, L: int, N_h: int, H: int, T: int) -> Fraction:
    machine = Machine()
    pass_through(machine, T, N)
    heads(machine, L, N_h, H, H, T, every_key(T, T))
    machine.backward()
    return Fraction(machine.flops, T)


@in_whole_numbers
def decode_one_token(N: int, L: int, S: int, N_h: int, H: int) -> int:
    machine = Machine()
    pass_through(machine, 1, N)
    heads(machine, L, N_h, H, H, S, every_key(1, S))
    return machine.flops


# Steps of a GPT shape, in heads of width two


def _gpt_scores(machine: Machine, B: int, s: int, h: int) -> None:
    assert h % 2 == 0
    heads(machine, B, h // 2, 2, 2, s, every_key(s, s))


def _gpt_block(machine: Machine, B: int, s: int, h: int) -> None:
    assert h % 2 == 0
    projections(machine, B * s, h, h // 2, h // 2, 2)
    _gpt_scores(machine, B, s, h)
    plain_mlp(machine, B * s, h, 4 * h)


@in_whole_numbers
def run_gpt_blocks(B: int, s: int, L: int, h: int) -> int:
    machine = Machine()
    for _layer in range(L):
        _gpt_block(machine, B, s, h)
    return machine.flops


def _gpt_step(B: int, s: int, L: int, h: int, V: int, score_passes_more: int = 0) -> int:
    machine = Machine()
    for _layer in range(L):
        for _pass in range(score_passes_more):
            _gpt_scores(machine, B, s, h)
        machine.forget()
        _gpt_block(machine, B, s, h)
        machine.backward()
    logits(machine, B * s, h, V)
    machine.backward()
    return machine.flops


@in_whole_numbers
def train_gpt(B: int, s: int, L: int, h: int, V: int) -> int:
    return _gpt_step(B, s, L, h, V)


@in_whole_numbers
def train_gpt_blocks_recomputed(B: int, s: int, L: int, h: int, V: int) -> int:
    machine = Machine()
    for _layer in range(L):
        _gpt_block(machine, B, s, h)
        machine.forget()
        _gpt_block(machine, B, s, h)
        machine.backward()
    logits(machine, B * s, h, V)
    machine.backward()
    return machine.flops


@in_whole_numbers
def train_gpt_scores_recomputed(B: int, s: int, L: int, h: int, V: int) -> int:
    return _gpt_step(B, s, L, h, V, score_passes_more=1)


@in_whole_numbers
def train_gpt_scores_charged_thrice(B: int, s: int, L: int, h: int, V: int) -> int:
    """As published: the scores' extra forward pass is charged three times."""
    return _gpt_step(B, s, L, h, V, score_passes_more=3)
