"""What the backward pass of a layer and of a model needs, tensor by tensor."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from mpmath import mp, mpf

from tests.oracles.tensors import WIDTH, Bytes, Tensor, held
from tests.oracles.whole import in_whole_numbers


@dataclass(frozen=True)
class Saved:
    """A tensor that the forward pass saves."""

    what: str
    tensor: Tensor
    split: bool
    """Whether tensor parallelism splits it."""
    score: bool = False
    """Whether it has a number for each pair of positions."""


def saved_by_layer(s: int, b: int, h: int, F: int, a: int) -> list[Saved]:
    """A 16-bit layer with dropout, an MLP without a gate, and stored attention scores."""
    wide, mask = Tensor((s, b, h), WIDTH["bf16"]), Tensor((s, b, h), WIDTH["mask"])
    inner = Tensor((s, b, F), WIDTH["bf16"])
    pairs, pair_mask = Tensor((b, a, s, s), WIDTH["bf16"]), Tensor((b, a, s, s), WIDTH["mask"])
    return [
        Saved("input of the first norm", wide, split=False),
        Saved("input of the query, key and value projections", wide, split=False),
        Saved("queries", wide, split=True),
        Saved("keys", wide, split=True),
        Saved("output of the softmax", pairs, split=True, score=True),
        Saved("mask of the scores' dropout", pair_mask, split=True, score=True),
        Saved("output of the scores' dropout", pairs, split=True, score=True),
        Saved("values", wide, split=True),
        Saved("input of the output projection", wide, split=True),
        Saved("mask of the attention's dropout", mask, split=False),
        Saved("input of the second norm", wide, split=False),
        Saved("input of the MLP's up projection", wide, split=False),
        Saved("input of the activation function", inner, split=True),
        Saved("input of the MLP's down projection", inner, split=True),
        Saved("mask of the MLP's dropout", mask, split=False),
    ]


def _on_one_device(saved: Iterable[Saved], t: int = 1, *, sequence_parallel: bool = False) -> Bytes:
    total = Fraction(0)
    for one in saved:
        ways = t if one.split or sequence_parallel else 1
        total += Fraction(one.tensor.bytes, ways)
    return total


def _without_scores(saved: Iterable[Saved]) -> list[Saved]:
    return [one for one in saved if not one.score]


@in_whole_numbers
def save_what_stays_whole(s: int, b: int, h: int) -> Bytes:
    return _on_one_device(one for one in saved_by_layer(s, b, h, 4 * h, 1) if not one.split)


@in_whole_numbers
def save_what_is_split(s: int, b: int, h: int, F: int) -> Bytes:
    saved = _without_scores(saved_by_layer(s, b, h, F, 1))
    return _on_one_device(one for one in saved if one.split)


@in_whole_numbers
def save_scores(s: int, b: int, a: int) -> Bytes:
    return _on_one_device(one for one in saved_by_layer(s, b, 1, 1, a) if one.score)


@in_whole_numbers
def save_layer(s: int, b: int, h: int, a: int) -> Bytes:
    return _on_one_device(saved_by_layer(s, b, h, 4 * h, a))


@in_whole_numbers
def save_layer_tensor_parallel(s: int, b: int, h: int, t: int, a: int) -> Bytes:
    return _on_one_device(saved_by_layer(s, b, h, 4 * h, a), t)


@in_whole_numbers
def save_layer_sequence_parallel(s: int, b: int, h: int, a: int, t: int) -> Bytes:
    return _on_one_device(saved_by_layer(s, b, h, 4 * h, a), t, sequence_parallel=True)


@in_whole_numbers
def save_layer_but_scores_tensor_parallel(s: int, b: int, h: int, t: int) -> Bytes:
    return _on_one_device(_without_scores(saved_by_layer(s, b, h, 4 * h, 1)), t)


@in_whole_numbers
def save_layer_of_any_width_but_scores_sequence_parallel(
    s: int, b: int, h: int, F: int, t: int
) -> Bytes:
    saved = _without_scores(saved_by_layer(s, b, h, F, 1))
    return _on_one_device(saved, t, sequence_parallel=True)


@in_whole_numbers
def save_layer_but_scores_sequence_parallel(s: int, b: int, h: int, t: int) -> Bytes:
    saved = _without_scores(saved_by_layer(s, b, h, 4 * h, 1))
    return _on_one_device(saved, t, sequence_parallel=True)


@in_whole_numbers
def save_layer_input(s: int, b: int, h: int) -> Bytes:
    return _on_one_device(saved_by_layer(s, b, h, 4 * h, 1)[:1])


# Activations of a model


@in_whole_numbers
def fill_interleaved_first_stage(A: Bytes, L: int, p: int, v: int) -> Bytes:
    """The chunks that the first device has run when the first gradient comes back to it.

    It runs p microbatches of a chunk, then p of the next; the first microbatch goes on through
    the other devices meanwhile. From then on it runs one forward for each backward.
    """
    tick = 0
    for chunk in range(v):
        tick = chunk * p
        for _device in range(p):
            tick += 1
    for _device in range(p - 1):
        tick += 1
    return tick * Fraction(L, p * v) * A


@in_whole_numbers
def save_by_width(k: Bytes, B: int, T: int, L: int, D: int) -> Bytes:
    return held(Tensor((T, D), k) for _layer in range(L) for _sequence in range(B))


@in_whole_numbers
def save_vectors(b: Bytes, c: int, L: int, T: int, D: int) -> Bytes:
    return held(Tensor((T, D), b) for _layer in range(L) for _vector in range(c))


def _segmented(g: int, L: int, A: Bytes) -> Bytes:
    """The most that is held at any time of a forward and backward pass in g equal segments."""
    assert L % g == 0
    peak = alive = Fraction(0)
    for _segment in range(g):
        alive += A
        peak = max(peak, alive)
    for _segment in range(g):
        for _layer in range(L // g):
            alive += A
        peak = max(peak, alive)
        alive -= (L // g) * A
        alive -= A
    assert alive == 0
    return peak


@in_whole_numbers
def run_in_segments(g: int, L: int, A: Bytes) -> Bytes:
    return _segmented(g, L, A)


@in_whole_numbers
def run_in_the_best_segments(L: int, A: Bytes) -> Bytes:
    return min(_segmented(g, L, A) for g in range(1, L + 1) if L % g == 0)


def search_the_best_segments(L: Fraction, A: Fraction) -> mpf:
    """The same with segments of any length, by halving the bracket around the minimum."""
    with mp.workdps(80):
        layers, unit = mpf(int(L)), mpf(A.numerator) / A.denominator

        def held_at(segments: mpf) -> mpf:
            return segments * unit + layers / segments * unit

        low, high = mpf(1), layers
        while high - low > mpf(10) ** -30:
            left, right = (2 * low + high) / 3, (low + 2 * high) / 3
            low, high = (low, right) if held_at(left) < held_at(right) else (left, high)
        return held_at((low + high) / 2)


@in_whole_numbers
def hold_logits(b: Bytes, B: int, T: int, V: int) -> Bytes:
    return held(Tensor((T, V), b) for _sequence in range(B))


@in_whole_numbers
def hold_score_matrices(b: Bytes, B: int, N: int, T: int, S: int) -> Bytes:
    return held(Tensor((T, S), b) for _sequence in range(B) for _head in range(N))
