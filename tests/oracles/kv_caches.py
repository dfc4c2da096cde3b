"""What each layer keeps while tokens come one by one."""

from __future__ import annotations

from collections import deque
from fractions import Fraction

from tests.oracles.tensors import Bytes, Tensor, held
from tests.oracles.whole import in_whole_numbers


def _grow_cache(
    b: Bytes, tokens: int, layers: int, kv_heads: int, width: int, window: int | None = None
) -> Bytes:
    caches: list[deque[list[Tensor]]] = [deque(maxlen=window) for _layer in range(layers)]
    vector = Tensor((width,), b)
    for _token in range(tokens):
        for cache in caches:
            keys, values = [vector] * kv_heads, [vector] * kv_heads
            cache.append(keys + values)
    return sum((held(vectors) for cache in caches for vectors in cache), Fraction(0))


@in_whole_numbers
def cache_one_token(b: Bytes, L: int, K: int, H: int) -> Bytes:
    return _grow_cache(b, 1, L, K, H)


@in_whole_numbers
def cache_batch(b: Bytes, B: int, T: int, L: int, K: int, H: int) -> Bytes:
    return sum((_grow_cache(b, T, L, K, H) for _sequence in range(B)), Fraction(0))


@in_whole_numbers
def compare_caches_of_heads(N: int, K: int) -> Fraction:
    multi_head, grouped = _grow_cache(2, 5, 3, N, 7), _grow_cache(2, 5, 3, K, 7)
    return Fraction(multi_head) / Fraction(grouped)


@in_whole_numbers
def cache_batch_in_windows(
    b: Bytes, B: int, K: int, H: int, L_g: int, T: int, L_l: int, w: int
) -> Bytes:
    held_bytes = Fraction(0)
    for _sequence in range(B):
        held_bytes += _grow_cache(b, T, L_g, K, H) + _grow_cache(b, T, L_l, K, H, window=w)
    return held_bytes


def _latent_cache(b: Bytes, L: int, c: int, d_r: int) -> Bytes:
    latent, rotary_key = Tensor((c,), b), Tensor((d_r,), b)
    return held(tensor for _layer in range(L) for tensor in (latent, rotary_key))


@in_whole_numbers
def cache_latent_of_one_token(b: Bytes, L: int, c: int, d_r: int) -> Bytes:
    return _latent_cache(b, L, c, d_r)


@in_whole_numbers
def compare_latent_with_multi_head(c: int, d_r: int, N: int, H: int) -> Fraction:
    return Fraction(_latent_cache(2, 3, c, d_r)) / Fraction(_grow_cache(2, 1, 3, N, H))


@in_whole_numbers
def cache_shared_by_layers(b: Bytes, T: int, K: int, H: int, L: int, g: int) -> Bytes:
    """A cache is made at a layer and used by the next g - 1."""
    held_bytes = Fraction(0)
    for layer in range(L):
        if layer % g == 0:
            held_bytes += _grow_cache(b, T, 1, K, H)
    return held_bytes


@in_whole_numbers
def cache_in_blocks(T: int, p: int, c: Bytes) -> Bytes:
    """A block is taken when a token finds the last one full."""
    blocks = free = 0
    for _token in range(T):
        if not free:
            blocks, free = blocks + 1, p
        free -= 1
    return blocks * held([Tensor((p,), c)])
