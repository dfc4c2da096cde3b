"""FLOPs of contractions, models, layers and attention, counted one multiply-add at a time."""

from __future__ import annotations

from fractions import Fraction

from tests.oracles.layers import (
    forward,
    gated_mlp,
    heads,
    logits,
    pass_through,
    plain_mlp,
    projections,
    train,
)
from tests.oracles.machine import (
    Machine,
    Matrix,
    causal,
    causal_without_itself,
    every_key,
    matrix,
    squares_of,
    window,
)
from tests.oracles.whole import in_whole_numbers

# Contractions


@in_whole_numbers
def run_dot_product(n: int) -> int:
    machine = Machine()
    machine.dot([True] * n, [True] * n)
    return machine.flops


@in_whole_numbers
def run_matmul(n: int, p: int, m: int) -> int:
    machine = Machine()
    machine.matmul(matrix(n, p), matrix(p, m))
    return machine.flops


@in_whole_numbers
def run_contraction(G: int, I: int, J: int, K: int) -> int:
    machine = Machine()
    for _batch in range(G):
        for _left in range(I):
            for _right in range(J):
                machine.dot([True] * K, [True] * K)
    return machine.flops


@in_whole_numbers
def run_matmul_gradients(n: int, p: int, m: int) -> int:
    machine = Machine()
    machine.matmul(matrix(n, p), matrix(p, m))
    return machine.backward()


@in_whole_numbers
def train_matmul(n: int, p: int, m: int) -> int:
    machine = Machine()
    machine.matmul(matrix(n, p), matrix(p, m))
    machine.backward()
    return machine.flops


# A whole model: some matrices that hold so many parameters


@in_whole_numbers
def run_model(N: int, T: int) -> int:
    machine = Machine()
    pass_through(machine, T, N)
    return machine.flops


@in_whole_numbers
def run_model_gradients(N: int, T: int) -> int:
    machine = Machine()
    pass_through(machine, T, N)
    return machine.backward()


@in_whole_numbers
def train_model(N: int, T: int) -> int:
    machine = Machine()
    pass_through(machine, T, N)
    machine.backward()
    return machine.flops


def _train_recomputed(N: int, T: int) -> int:
    machine = Machine()
    pass_through(machine, T, N)
    machine.forget()
    pass_through(machine, T, N)
    machine.backward()
    return machine.flops


@in_whole_numbers
def train_model_recomputed(N: int, T: int) -> int:
    return _train_recomputed(N, T)


@in_whole_numbers
def train_model_recomputed_in_part(f: Fraction, N: int, T: int) -> int:
    """Equal layers, as many as the share's denominator; its numerator of them run twice."""
    recomputed, n_layers = f.numerator, f.denominator
    layer_params = N // n_layers
    assert layer_params * n_layers == N
    machine = Machine()
    for layer in range(n_layers):
        pass_through(machine, T, layer_params)
        if layer < recomputed:
            machine.forget()
            pass_through(machine, T, layer_params)
        machine.backward()
    return machine.flops


@in_whole_numbers
def train_adapters(N: int, T: int, N_l: int) -> int:
    machine = Machine()
    pass_through(machine, T, N, frozen=True)
    pass_through(machine, T, N_l)
    machine.backward()
    return machine.flops


@in_whole_numbers
def train_model_recomputed_on_devices(T: int, N: int, n: int, X: int) -> Fraction:
    """The time of the device that was dealt the most tokens."""
    dealt = [0] * n
    for token in range(T):
        dealt[token % n] += 1
    return Fraction(_train_recomputed(N, max(dealt)), X)


# Parts of a layer


@in_whole_numbers
def train_gated_mlp(B: int, T: int, D: int, F: int) -> int:
    return train(lambda machine: gated_mlp(machine, B * T, D, F))


@in_whole_numbers
def train_plain_mlp(B: int, T: int, D: int, F: int) -> int:
    return train(lambda machine: plain_mlp(machine, B * T, D, F))


@in_whole_numbers
def train_projections(B: int, T: int, D: int, N: int, K: int, H: int) -> int:
    return train(lambda machine: projections(machine, B * T, D, N, K, H))


@in_whole_numbers
def train_logits(B: int, T: int, D: int, V: int) -> int:
    return train(lambda machine: logits(machine, B * T, D, V))


# Attention scores


@in_whole_numbers
def run_scores(B: int, T: int, S: int, A: int) -> int:
    machine = Machine()
    for _sequence in range(B):
        machine.scores(matrix(T, A), matrix(S, A), every_key(T, S))
    return machine.flops


@in_whole_numbers
def run_weighted_sums(B: int, T: int, S: int, A: int) -> int:
    machine = Machine()
    for _sequence in range(B):
        machine.weighted_sums(matrix(T, S), matrix(S, A), every_key(T, S))
    return machine.flops


@in_whole_numbers
def run_attention(B: int, T: int, S: int, N: int, H: int) -> int:
    return forward(lambda machine: heads(machine, B, N, H, H, S, every_key(T, S)))


@in_whole_numbers
def train_attention(B: int, T: int, S: int, N: int, H: int) -> int:
    return train(lambda machine: heads(machine, B, N, H, H, S, every_key(T, S)))


@in_whole_numbers
def run_causal_attention(B: int, T: int, N: int, H: int) -> int:
    return forward(lambda machine: heads(machine, B, N, H, H, T, causal(T)))


@in_whole_numbers
def train_causal_attention_half_diagonal(B: int, T: int, N: int, H: int) -> Fraction:
    """The mean of meeting one's own position and not meeting it: the diagonal counts half."""
    with_itself = train(lambda machine: heads(machine, B, N, H, H, T, causal(T)))
    without = train(lambda machine: heads(machine, B, N, H, H, T, causal_without_itself(T)))
    return Fraction(with_itself + without, 2)


@in_whole_numbers
def run_window_attention(B: int, N: int, H: int, w: int, T: int) -> int:
    return forward(lambda machine: heads(machine, B, N, H, H, T, window(T, w)))


@in_whole_numbers
def run_packed_attention(N: int, H: int, L: int, S2: int) -> int:
    """Documents, whose squared lengths add up to S2, in one packed sequence."""
    visible: list[range] = []
    for length in squares_of(S2):
        document = range(len(visible), len(visible) + length)
        visible += [document] * length
    return L * forward(lambda machine: heads(machine, 1, N, H, H, len(visible), visible))


@in_whole_numbers
def run_latent_attention_expanded(
    B: int, T: int, S: int, N: int, d_n: int, d_r: int, d_v: int
) -> int:
    """Keys and values of each head apart; a key is its own part and the shared rotary part."""
    keys: Matrix = [[True] * d_n + [True] * d_r] * S
    queries: Matrix = [[True] * d_n + [True] * d_r] * T
    machine = Machine()
    for _sequence in range(B):
        for _head in range(N):
            machine.attention(queries, keys, matrix(S, d_v), every_key(T, S))
    return machine.flops


@in_whole_numbers
def run_latent_attention_absorbed(B: int, T: int, S: int, N: int, c: int, d_r: int) -> int:
    """The cached latent itself is the value, and with the rotary part the key, of each head."""
    latents = matrix(S, c)
    keys = [latent + [True] * d_r for latent in latents]
    machine = Machine()
    for _sequence in range(B):
        for _head in range(N):
            machine.attention(matrix(T, c + d_r), keys, latents, every_key(T, S))
    return machine.flops
