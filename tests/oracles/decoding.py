"""Decode steps: every sequence, weight and cached token added up."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from tests.oracles.clock import crossing, each, elapsed, first, overlapped, shares


def step_flops(N: Fraction, B: Fraction) -> Fraction:
    """Each sequence multiplies and adds with each weight once."""
    flops = 0
    for _sequence, _param in product(each(B), each(N)):
        flops += len(("multiply", "add"))
    return Fraction(flops)


def weights_read(b: Fraction, N: Fraction) -> Fraction:
    return sum((b for _param in each(N)), Fraction(0))


def caches_read(B: Fraction, T: Fraction, c: Fraction) -> Fraction:
    return sum((c for _cached in product(each(B), each(T))), Fraction(0))


def bytes_read(B: Fraction, T: Fraction, c: Fraction, b: Fraction, N: Fraction) -> Fraction:
    return caches_read(B, T, c) + weights_read(b, N)


# Intensity, weights alone


def flops_for_each_weight_byte(N: Fraction, B: Fraction, b: Fraction) -> Fraction:
    return step_flops(N, B) / weights_read(b, N)


def balanced_tokens(b: Fraction, I: Fraction) -> Fraction:
    """For a model of 13 parameters: arithmetic of the batch against one read."""
    N = Fraction(13)
    token = step_flops(N, Fraction(1))
    return crossing(lambda batch: batch * token - I * weights_read(b, N))


def first_compute_bound_batch(b: Fraction, I: Fraction) -> Fraction:
    N = Fraction(13)
    token, read = step_flops(N, Fraction(1)), weights_read(b, N)
    return Fraction(first(lambda batch: batch * token / read > I, 1))


# Time


def slowest_device_read(total: Fraction, n: Fraction, W: Fraction) -> Fraction:
    return max(elapsed(share, W) for share in shares(total, n))


def time_to_read_all(
    B: Fraction, T: Fraction, c: Fraction, b: Fraction, N: Fraction, n: Fraction, W: Fraction
) -> Fraction:
    return slowest_device_read(bytes_read(B, T, c, b, N), n, W)


def attention_then_matmuls(
    B: Fraction,
    T: Fraction,
    c: Fraction,
    n: Fraction,
    W: Fraction,
    N: Fraction,
    P: Fraction,
    b: Fraction,
) -> Fraction:
    """The caches are read, then arithmetic and weight reads overlap."""
    attention = slowest_device_read(caches_read(B, T, c), n, W)
    matmuls = [
        overlapped((flops, P), (read, W))
        for flops, read in zip(
            shares(step_flops(N, B), n), shares(weights_read(b, N), n), strict=True
        )
    ]
    return attention + max(matmuls)


def layer_after_layer(
    b: Fraction, N: Fraction, n: Fraction, W: Fraction, L: Fraction, o: Fraction
) -> Fraction:
    clock = Fraction(0)
    for _layer in each(L):
        clock += slowest_device_read(b * N / L, n, W)
        clock += o
    return clock


# Throughput, of steps made one after another


def tokens_in_steps(sequences: Fraction, steps: int = 5) -> int:
    return sum(1 for _token in product(range(steps), each(sequences)))


def tokens_a_second(B: Fraction, t: Fraction) -> Fraction:
    clock = sum((t for _step in range(5)), Fraction(0))
    return tokens_in_steps(B) / clock


def tokens_a_second_of_one(t: Fraction) -> Fraction:
    return tokens_a_second(Fraction(1), t)


def tokens_a_second_of_device(B: Fraction, t: Fraction, n: Fraction) -> Fraction:
    return shares(tokens_a_second(B, t), n)[0]


def tokens_a_second_of_reads(
    B: Fraction, n: Fraction, W: Fraction, T: Fraction, c: Fraction, b: Fraction, N: Fraction
) -> Fraction:
    return tokens_a_second(B, time_to_read_all(B, T, c, b, N, n, W))


def tokens_a_second_of_cache_reads(n: Fraction, W: Fraction, T: Fraction, c: Fraction) -> Fraction:
    """One sequence whose cache alone is read, over and over."""
    one = Fraction(1)
    return tokens_a_second(one, slowest_device_read(caches_read(one, T, c), n, W))


# The KV cache's part


def share_of_caches(B: Fraction, T: Fraction, c: Fraction, b: Fraction, N: Fraction) -> Fraction:
    return caches_read(B, T, c) / bytes_read(B, T, c, b, N)


def batch_of_equal_reads(b: Fraction, N: Fraction, T: Fraction, c: Fraction) -> Fraction:
    one = caches_read(Fraction(1), T, c)
    return crossing(lambda batch: batch * one - weights_read(b, N))


def context_of_equal_reads(b: Fraction, N: Fraction, B: Fraction, c: Fraction) -> Fraction:
    one = caches_read(B, Fraction(1), c)
    return crossing(lambda context: context * one - weights_read(b, N))


def caches_read_over_generation(c: Fraction, G: Fraction, P: Fraction) -> Fraction:
    held, read = P, Fraction(0)
    for _step in each(G):
        held += 1
        read += caches_read(Fraction(1), held, c)
    return read


def time_to_move_cache(T: Fraction, c: Fraction, W: Fraction) -> Fraction:
    return elapsed(caches_read(Fraction(1), T, c), W)


def distinct_cached_tokens(c: Fraction, P: Fraction, k: Fraction, G: Fraction) -> Fraction:
    """Tokens that k samples hold; those of the prompt are the same for all."""
    held: set[tuple[str | int, int]] = set()
    for sample in each(k):
        held |= {("prompt", token) for token in each(P)}
        held |= {(sample, token) for token in each(G)}
    return sum((c for _token in held), Fraction(0))


def tokens_freed_in_steady_state(B: Fraction, P: Fraction, G: Fraction) -> Fraction:
    """Sequences at ages spread over a generation; each that ends makes room for a new one."""
    length, sequences = len(each(G)), len(each(B))
    ages = [sequence * length // sequences for sequence in range(sequences)]
    freed = Fraction(0)
    for _step in range(length):
        ages = [age + 1 for age in ages]
        freed += sum(P + age for age in ages if age == length)
        ages = [0 if age == length else age for age in ages]
    return freed / length


# Attention kernels: scores stay on chip


def attend(queries: Fraction, keys: Fraction, heads: Fraction, width: Fraction) -> int:
    """FLOPs of scores and weighted values, a multiply and an add at a time."""
    flops = 0
    for _score in product(each(heads), each(queries), each(keys)):
        for _dim in each(width):
            flops += 2  # query times key
            flops += 2  # weight times value
    return flops


def elements(*sizes: Fraction) -> int:
    return sum(1 for _element in product(*(each(size) for size in sizes)))


def attention_intensity(
    T: Fraction, S: Fraction, N: Fraction, H: Fraction, b: Fraction, K: Fraction
) -> Fraction:
    queries, outputs = elements(T, N, H), elements(T, N, H)
    keys, values = elements(S, K, H), elements(S, K, H)
    return attend(T, S, N, H) / (b * (queries + outputs + keys + values))


def prefill_attention_intensity(T: Fraction, b: Fraction) -> Fraction:
    heads, width = Fraction(2), Fraction(3)
    return attention_intensity(T, T, heads, width, b, heads)


def cached_key_intensity(N: Fraction, b: Fraction, K: Fraction) -> Fraction:
    """What one more cached token adds: its FLOPs over the bytes of its key and value."""
    width = Fraction(3)
    key, value = elements(K, width), elements(K, width)
    return attend(Fraction(1), Fraction(1), N, width) / (b * (key + value))
