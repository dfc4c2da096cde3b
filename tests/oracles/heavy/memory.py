"""Bytes of the tensors that torch and `transformers` keep."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.autograd.graph import saved_tensors_hooks
from transformers import DynamicCache, Gemma3TextConfig, StaticCache

from tests.oracles.heavy.models import llama
from tests.oracles.whole import in_whole_numbers


@in_whole_numbers
def count_bf16_llama_3_8b(b: int, N: int) -> int:
    model = llama(32, 4096, 14336, 32, 8, 128, 128256).to(torch.bfloat16)
    weights = list(model.parameters())
    assert sum(weight.numel() for weight in weights) == N
    assert {weight.element_size() for weight in weights} == {b}
    return sum(weight.nbytes for weight in weights)


@in_whole_numbers
def count_bf16_adam(b: int, N: int) -> int:
    """Weights, gradients and the moments that torch's Adam makes, after a step."""
    weight = torch.zeros(N, dtype=torch.bfloat16, requires_grad=True)
    assert weight.element_size() == b
    optimizer = torch.optim.Adam([weight])
    weight.sum().backward()
    optimizer.step()
    moments = [optimizer.state[weight][name] for name in ("exp_avg", "exp_avg_sq")]
    return sum(tensor.nbytes for tensor in (weight, weight.grad, *moments))


# Activations


@in_whole_numbers
def count_saved_by_layer(s: int, b: int, h: int, a: int) -> int:
    """What autograd keeps of a 16-bit layer with dropout and an MLP of 4 h without a gate.

    Each storage counts once; weights, and the norms' mean and deviation of each token, do not.
    """
    kept: dict[int, torch.UntypedStorage] = {}
    with torch.device("meta"):
        x = torch.zeros(s, b, h, dtype=torch.float16, requires_grad=True)
        first_norm, second_norm = (nn.LayerNorm(h).half() for _ in range(2))
        to_queries, to_keys, to_values, to_output = (nn.Linear(h, h).half() for _ in range(4))
        up, down = nn.Linear(h, 4 * h).half(), nn.Linear(4 * h, h).half()
    layer = nn.ModuleList(
        [first_norm, second_norm, to_queries, to_keys, to_values, to_output, up, down]
    )
    weights = {weight.untyped_storage()._cdata for weight in layer.parameters()}

    def dropout(x: torch.Tensor) -> torch.Tensor:
        return torch.native_dropout(x, 0.1, True)[0]

    def heads(x: torch.Tensor) -> torch.Tensor:
        return x.view(s, b * a, h // a).transpose(0, 1)

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        storage = tensor.untyped_storage()
        if storage._cdata not in weights and tensor.numel() != s * b:
            kept[storage._cdata] = storage
        return tensor

    with saved_tensors_hooks(keep, lambda tensor: tensor):
        normed = first_norm(x)
        queries, keys, values = (heads(to(normed)) for to in (to_queries, to_keys, to_values))
        shares = dropout(torch.softmax(torch.bmm(queries, keys.transpose(1, 2)), dim=-1))
        attended = torch.bmm(shares, values).transpose(0, 1).reshape(s, b, h)
        x = x + dropout(to_output(attended))
        _output = x + dropout(down(nn.functional.gelu(up(second_norm(x)))))
    return sum(storage.nbytes() for storage in kept.values())


@in_whole_numbers
def count_bf16_logits(b: int, B: int, T: int, V: int) -> int:
    model = llama(1, 64, 64, 1, 1, 64, V).to(torch.bfloat16)
    logits = model(input_ids=torch.zeros((B, T), device="meta", dtype=torch.long)).logits
    assert logits.element_size() == b
    return int(logits.nbytes)


# KV cache


def _bytes(cache: Any) -> int:
    return sum(layer.keys.nbytes + layer.values.nbytes for layer in cache.layers)


def _filled_cache(b: int, B: int, T: int, L: int, K: int, H: int) -> int:
    """The cache that a forward pass of a Llama fills."""
    model = llama(L, 2 * K * H, 1, 2 * K, K, H, 1).to(torch.bfloat16)
    cache = DynamicCache(config=model.config)
    model(input_ids=torch.zeros((B, T), device="meta", dtype=torch.long), cache=cache)
    assert {layer.keys.element_size() for layer in cache.layers} == {b}
    return _bytes(cache)


@in_whole_numbers
def count_cache(b: int, B: int, T: int, L: int, K: int, H: int) -> int:
    return _filled_cache(b, B, T, L, K, H)


@in_whole_numbers
def count_cache_of_one_token(b: int, L: int, K: int, H: int) -> int:
    return _filled_cache(b, 1, 1, L, K, H)


@in_whole_numbers
def count_cache_in_windows(
    b: int, B: int, K: int, H: int, L_g: int, T: int, L_l: int, w: int
) -> int:
    """The cache of fixed size of a model with global and sliding-window layers."""
    config = Gemma3TextConfig(
        num_hidden_layers=L_g + L_l,
        num_key_value_heads=K,
        head_dim=H,
        sliding_window=w,
        layer_types=["full_attention"] * L_g + ["sliding_attention"] * L_l,
    )
    cache = StaticCache(config=config, max_cache_len=T)
    cache.early_initialization(B, K, H, torch.bfloat16, torch.device("meta"))
    assert {layer.keys.element_size() for layer in cache.layers} == {b}
    return _bytes(cache)
