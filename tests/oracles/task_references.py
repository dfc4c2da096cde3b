"""Reference solutions of the scaling tasks, written from the text of their questions alone.

A function takes a task's parameters by their letters, each in the unit the task lists for it,
and returns the cells of the answer's one row in the units of its columns.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

Cell: TypeAlias = Fraction | str | bool
Row: TypeAlias = tuple[Cell, ...]

GIB = 2**30
HOUR = 3600
DAY = 86_400


def least(holds: Callable[[int], bool], limit: int = 2**80) -> int:
    """The smallest integer from 1 up to meet a condition that holds for all larger ones too."""
    high = 1
    while not holds(high):
        high *= 2
        if high > limit:
            raise ValueError(f"nothing up to {limit} meets the condition")
    low = high // 2  # fails, or is 0
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def matmul_flops(rows: Fraction, inner: Fraction, columns: Fraction) -> Fraction:
    """A multiply and an add for each of `inner` terms of each of rows x columns results."""
    return 2 * inner * (rows * columns)


def ring_pass(members: Fraction, buffer: Fraction) -> Fraction:
    """Bytes one member sends in a ring reduce-scatter or all-gather: a shard per hop."""
    shard = buffer / members
    hops = members - 1
    return hops * shard


def ring_all_reduce_bytes(members: Fraction, buffer: Fraction) -> Fraction:
    """Bytes one member sends in a reduce-scatter followed by an all-gather."""
    return ring_pass(members, buffer) + ring_pass(members, buffer)


def keys_and_values(
    layers: Fraction,
    heads: Fraction,
    width: Fraction,
    tokens: Fraction,
    sequences: Fraction,
    size: Fraction,
) -> Fraction:
    """Bytes of a KV cache: a key and a value for each sequence, token, layer and KV head."""
    vectors = sequences * tokens * layers * heads * 2
    return vectors * width * size


# Rooflines


def critical_intensity(P: Fraction, W: Fraction, I: Fraction) -> Row:
    """The FLOPs per byte at which a chip balances, and the side of it a kernel is on."""
    critical = P / W
    return critical, "compute" if critical < I else "memory"


def matmul_intensity(B: Fraction, D: Fraction, F: Fraction, b: Fraction) -> Row:
    """FLOPs, bytes and their ratio for [B, D] times [D, F], everything in one precision."""
    flops = matmul_flops(B, D, F)
    moved = b * (B * D) + b * (D * F) + b * (B * F)
    return flops, moved, flops / moved


def decode_matmul_intensity(B: Fraction, D: Fraction, F: Fraction, w: Fraction, a: Fraction) -> Row:
    """FLOPs, bytes and their ratio for [B, D] times [D, F], weights and activations apart."""
    flops = matmul_flops(B, D, F)
    moved = a * (B * D) + w * (D * F) + a * (B * F)
    return flops, moved, flops / moved


def matmul_time(
    B: Fraction, D: Fraction, F: Fraction, b: Fraction, P: Fraction, W: Fraction
) -> Row:
    """Seconds of a matmul's arithmetic, of its traffic, and of the slower of the two."""
    compute = matmul_flops(B, D, F) / P
    memory = (b * (B * D) + b * (D * F) + b * (B * F)) / W
    return compute, memory, max(compute, memory)


def elementwise_intensity(f: Fraction, r: Fraction, w: Fraction, x: Fraction, y: Fraction) -> Row:
    """FLOPs per byte of an elementwise kernel, from its work and traffic at one position."""
    read = r * x
    written = w * y
    return (f / (read + written),)


def model_flops_utilisation(C: Fraction, t: Fraction, n: Fraction, P: Fraction) -> Row:
    """Model FLOPs per second of a step over the peak of all chips."""
    achieved = C / t
    peak = n * P
    return (achieved / peak,)


def smallest_compute_bound_batch(D: Fraction, F: Fraction, b: Fraction, I: Fraction) -> Row:
    """The least number of rows whose matmul has an intensity above I, and that intensity."""

    def intensity(rows: int) -> Fraction:
        B = Fraction(rows)
        return matmul_flops(B, D, F) / (b * (B * D) + b * (D * F) + b * (B * F))

    smallest = least(lambda rows: intensity(rows) > I)
    return Fraction(smallest), intensity(smallest)


# Training


def training_flops(N: Fraction, D: Fraction) -> Row:
    """Total, forward and backward FLOPs of a run at 2 + 4 per parameter and token."""
    forward = 2 * N * D
    backward = 4 * N * D
    return forward + backward, forward, backward


def layer_parameters(D: Fraction, F: Fraction) -> Row:
    """Parameters of a gated MLP, of attention with four square matrices, and of both."""
    gate, up, down = D * F, D * F, F * D
    query = key = value = output = D * D
    mlp = gate + up + down
    attention = query + key + value + output
    return mlp, attention, mlp + attention


def model_parameters(L: Fraction, D: Fraction, F: Fraction, V: Fraction) -> Row:
    """Parameters of all layers, the embedding and a separate output matrix."""
    layer = 3 * (D * F) + 4 * (D * D)
    embedding = output = V * D
    return (L * layer + embedding + output,)


def attention_flops(B: Fraction, S: Fraction, D: Fraction) -> Row:
    """FLOPs of Q K^T, of the attention weights times V, and of both, over all positions."""
    scores = B * matmul_flops(S, D, S)
    averages = B * matmul_flops(S, S, D)
    return scores, averages, scores + averages


def attention_share(D: Fraction, F: Fraction, B: Fraction, S: Fraction) -> Row:
    """FLOPs of a gated MLP and of the attention matmuls, and attention over their sum."""
    mlp = 3 * matmul_flops(B * S, D, F)
    attention = B * matmul_flops(S, D, S) + B * matmul_flops(S, S, D)
    return mlp, attention, attention / (mlp + attention)


def training_time(N: Fraction, D: Fraction, n: Fraction, P: Fraction, u: Fraction) -> Row:
    """FLOPs of a run, and its seconds and days on n chips at utilisation u."""
    flops = 6 * N * D
    seconds = flops / (n * P * u)
    return flops, seconds, seconds / DAY


def training_cost(N: Fraction, D: Fraction, P: Fraction, u: Fraction, p: Fraction) -> Row:
    """Chip-hours of a run, and their price."""
    chip_seconds = 6 * N * D / (P * u)
    chip_hours = chip_seconds / HOUR
    return chip_hours, chip_hours * p


def rescaled_training_flops(x: Fraction, y: Fraction, z: Fraction, w: Fraction) -> Row:
    """New over old FLOPs with x times the parameters, y times the tokens, both, and z with w."""

    def compute(parameters: Fraction, tokens: Fraction) -> Fraction:
        return 6 * parameters * tokens

    one = Fraction(1)
    base = compute(one, one)
    changed = (compute(x, one), compute(one, y), compute(x, y), compute(z, w))
    return tuple(flops / base for flops in changed)


# Memory


def kv_cache(L: Fraction, K: Fraction, H: Fraction, T: Fraction, B: Fraction, b: Fraction) -> Row:
    """A KV cache in bytes and in GiB."""
    cache = keys_and_values(L, K, H, T, B, b)
    return cache, cache / GIB


def grouped_query_reduction(
    L: Fraction, N: Fraction, K: Fraction, H: Fraction, T: Fraction, B: Fraction, b: Fraction
) -> Row:
    """Bytes of the cache with a KV head per query head, and times it shrinks with K of them."""
    unshared = keys_and_values(L, N, H, T, B, b)
    shared = keys_and_values(L, K, H, T, B, b)
    return unshared, unshared / shared


def adam_memory(N: Fraction, b_w: Fraction, b_c: Fraction, b_m: Fraction, b_v: Fraction) -> Row:
    """GiB of the working weights, of master copy and both moments, and of all four."""
    weights = N * b_w
    optimizer = N * b_c + N * b_m + N * b_v
    return weights / GIB, optimizer / GIB, (weights + optimizer) / GIB


def chips_for_training_state(
    N: Fraction, b_w: Fraction, b_o: Fraction, H: Fraction, u: Fraction
) -> Row:
    """Usable bytes of a chip, u in percent, and the fewest chips for weights and optimizer."""
    usable = H * GIB * u / 100
    state = N * b_w + N * b_o
    return usable, Fraction(least(lambda chips: chips * usable >= state))


def activation_memory(a: Fraction, B: Fraction, T: Fraction, L: Fraction, D: Fraction) -> Row:
    """Saved activations of all layers and tokens, in bytes and in GiB."""
    tokens = B * T
    saved = L * D * a * tokens
    return saved, saved / GIB


def chips_for_cache(H: Fraction, C: Fraction, R: Fraction) -> Row:
    """The fewest chips of H GiB that hold a cache of C, and the part of one that R fills."""
    return Fraction(least(lambda chips: chips * H >= C)), R / H


# Collectives


def ring_all_gather(n: Fraction, V: Fraction, W: Fraction) -> Row:
    """Bytes a device sends in a ring all-gather, and seconds it takes."""
    sent = ring_pass(n, V)
    return sent, sent / W


def ring_all_reduce(n: Fraction, V: Fraction, W: Fraction) -> Row:
    """Bytes a device sends in a ring all-reduce, and seconds it takes."""
    sent = ring_all_reduce_bytes(n, V)
    return sent, sent / W


def ring_traffic(n: Fraction, V: Fraction) -> Row:
    """Bytes a device sends in a ring reduce-scatter, in an all-gather and in an all-reduce."""
    return ring_pass(n, V), ring_pass(n, V), ring_all_reduce_bytes(n, V)


def gradient_all_reduce(n: Fraction, N: Fraction, b: Fraction, W: Fraction) -> Row:
    """Bytes of the gradient, bytes a device sends to all-reduce it, and seconds that takes."""
    gradient = N * b
    sent = ring_all_reduce_bytes(n, gradient)
    return gradient, sent, sent / W


def gradient_overlap(n: Fraction, N: Fraction, b: Fraction, W: Fraction, t: Fraction) -> Row:
    """Gradient all-reduce time over compute time, and which of the two bounds the step."""
    communication = ring_all_reduce_bytes(n, N * b) / W
    return communication / t, "communication" if communication > t else "compute"


def tensor_parallel_traffic(
    t: Fraction,
    B: Fraction,
    T: Fraction,
    D: Fraction,
    b: Fraction,
    c: Fraction,
    L: Fraction,
) -> Row:
    """Bytes of an activation, sent per all-reduce of it, and sent per forward pass."""
    activation = B * T * D * b
    sent = ring_all_reduce_bytes(t, activation)
    return activation, sent, L * c * sent


def data_or_tensor_parallel(
    n: Fraction,
    N: Fraction,
    g: Fraction,
    t: Fraction,
    B: Fraction,
    T: Fraction,
    D: Fraction,
    b: Fraction,
    c: Fraction,
    L: Fraction,
) -> Row:
    """Bytes a device sends for gradients, for activations, and the latter over the former."""
    gradients = ring_all_reduce_bytes(n, N * g)
    activations = L * c * ring_all_reduce_bytes(t, B * T * D * b)
    return gradients, activations, activations / gradients


# Inference


def streaming_decode(N: Fraction, b: Fraction, W: Fraction) -> Row:
    """Bytes of the weights, seconds to read them, and tokens per second at a token a read."""
    read = N * b
    seconds = read / W
    return read, seconds, 1 / seconds


def decode_roofline(N: Fraction, B: Fraction, b: Fraction, I: Fraction) -> Row:
    """FLOPs and intensity of a decode step of B sequences, and what bounds it."""
    flops = 2 * N * B
    intensity = flops / (N * b)
    return flops, intensity, "compute" if intensity > I else "memory"


def decode_intensities(b: Fraction, B1: Fraction, B2: Fraction, B3: Fraction) -> Row:
    """FLOPs per byte of a decode step at three batch sizes, parameter by parameter."""
    return tuple(2 * sequences / b for sequences in (B1, B2, B3))


def smallest_compute_bound_decode(b: Fraction, I: Fraction) -> Row:
    """The least number of sequences whose decode step has an intensity above I."""
    return (Fraction(least(lambda sequences: 2 * sequences / b > I)),)


def prefill_and_decode(T: Fraction, N: Fraction) -> Row:
    """FLOPs of a prompt's prefill, of one decode step, and the former over the latter."""
    prefill = 2 * N * T
    decode = 2 * N
    return prefill, decode, prefill / decode


def cache_share(
    L: Fraction,
    K: Fraction,
    H: Fraction,
    T: Fraction,
    B: Fraction,
    b: Fraction,
    N: Fraction,
    b_w: Fraction,
) -> Row:
    """Bytes of the cache, bytes of the weights, and the cache over both."""
    cache = keys_and_values(L, K, H, T, B, b)
    weights = N * b_w
    return cache, weights, cache / (cache + weights)


def serving_speed(
    W: Fraction,
    N: Fraction,
    b_w: Fraction,
    L: Fraction,
    K: Fraction,
    H: Fraction,
    T: Fraction,
    B: Fraction,
    b: Fraction,
) -> Row:
    """Seconds of a step that reads weights and cache, and tokens per second of one and all."""
    seconds = (N * b_w + keys_and_values(L, K, H, T, B, b)) / W
    return seconds, 1 / seconds, B / seconds


REFERENCES: dict[str, Callable[..., Row]] = {
    "sc-000": critical_intensity,
    "sc-001": matmul_intensity,
    "sc-002": decode_matmul_intensity,
    "sc-003": matmul_time,
    "sc-004": elementwise_intensity,
    "sc-005": model_flops_utilisation,
    "sc-006": smallest_compute_bound_batch,
    "sc-007": training_flops,
    "sc-008": layer_parameters,
    "sc-009": model_parameters,
    "sc-010": attention_flops,
    "sc-011": attention_share,
    "sc-012": training_time,
    "sc-013": training_cost,
    "sc-014": rescaled_training_flops,
    "sc-015": kv_cache,
    "sc-016": grouped_query_reduction,
    "sc-017": adam_memory,
    "sc-018": chips_for_training_state,
    "sc-019": activation_memory,
    "sc-020": chips_for_cache,
    "sc-021": ring_all_gather,
    "sc-022": ring_all_reduce,
    "sc-023": ring_traffic,
    "sc-024": gradient_all_reduce,
    "sc-025": gradient_overlap,
    "sc-026": tensor_parallel_traffic,
    "sc-027": data_or_tensor_parallel,
    "sc-028": streaming_decode,
    "sc-029": decode_roofline,
    "sc-030": decode_intensities,
    "sc-031": smallest_compute_bound_decode,
    "sc-032": prefill_and_decode,
    "sc-033": cache_share,
    "sc-034": serving_speed,
}
