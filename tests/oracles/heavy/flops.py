"""FLOPs by torch's own counter, on the meta device: operations run without values.

Attention is eager: the counter knows no FLOPs of the CPU's fused attention.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils.checkpoint import checkpoint, set_checkpoint_early_stop
from torch.utils.flop_counter import FlopCounterMode
from transformers import AttentionInterface, DynamicCache
from transformers.models.gpt2.modeling_gpt2 import eager_attention_forward

from tests.oracles.heavy.models import gpt2, latent_attention, llama
from tests.oracles.whole import in_whole_numbers

Run = Callable[[], Any]
SCORES = torch.ops.aten.bmm
"""What eager attention multiplies queries with keys and weights with values by."""


def counted(run: Run, operation: Any = None) -> int:
    """FLOPs of everything that runs, or of one kind of operation."""
    with FlopCounterMode(display=False) as counter, set_checkpoint_early_stop(False):
        run()
    by_operation = counter.get_flop_counts()["Global"]
    return sum(by_operation.values()) if operation is None else by_operation[operation]


def zeros(*shape: int, trained: bool = False) -> torch.Tensor:
    return torch.zeros(shape, device="meta", requires_grad=trained)


def tokens(B: int, T: int) -> torch.Tensor:
    return torch.zeros((B, T), device="meta", dtype=torch.long)


def step(model: Any, B: int, T: int) -> Run:
    """A training step of language modelling, every position seen."""
    seen = zeros(B, 1, T, T)
    return lambda: model(input_ids=tokens(B, T), attention_mask=seen).logits.sum().backward()


# Contractions


@in_whole_numbers
def count_matmul(n: int, p: int, m: int) -> int:
    return counted(lambda: zeros(n, p) @ zeros(p, m))


@in_whole_numbers
def count_matmul_training(n: int, p: int, m: int) -> int:
    def run() -> None:
        (zeros(n, p, trained=True) @ zeros(p, m, trained=True)).sum().backward()

    return counted(run)


@in_whole_numbers
def count_einsum(G: int, I: int, J: int, K: int) -> int:
    return counted(lambda: torch.einsum("gik,gjk->gij", zeros(G, I, K), zeros(G, J, K)))


# A whole model, by its parameters: the matrices of Llama 3 8B


def _llama_3_8b(N: int) -> Any:
    model = llama(32, 4096, 14336, 32, 8, 128, 128256)
    matrices = [module for module in model.modules() if isinstance(module, torch.nn.Linear)]
    assert sum(module.weight.numel() for module in matrices) == N
    return model


@in_whole_numbers
def count_llama_3_8b_forward(N: int, T: int) -> int:
    model = _llama_3_8b(N)
    return counted(lambda: model(input_ids=tokens(1, T)), torch.ops.aten.mm)


@in_whole_numbers
def count_llama_3_8b_training(N: int, T: int) -> int:
    return counted(step(_llama_3_8b(N), 1, T), torch.ops.aten.mm)


@in_whole_numbers
def count_llama_3_8b_decoding(N: int, L: int, S: int, N_h: int, H: int) -> int:
    model = _llama_3_8b(N)
    config = model.config
    assert (config.num_hidden_layers, config.num_attention_heads, config.head_dim) == (L, N_h, H)
    cache = DynamicCache(config=config)
    for layer in range(L):
        past = zeros(1, config.num_key_value_heads, S - 1, H)
        cache.update(past, past, layer)
    return counted(lambda: model(input_ids=tokens(1, 1), cache=cache))


@in_whole_numbers
def count_frozen_matrix_and_adapter(N: int, T: int, N_l: int) -> int:
    width = 64
    assert N % width == 0
    assert N_l % width == 0
    with torch.device("meta"):
        frozen = torch.nn.Linear(width, N // width, bias=False).requires_grad_(False)
        adapter = torch.nn.Linear(width, N_l // width, bias=False)

    def run() -> None:
        x = zeros(T, width, trained=True)
        (frozen(x).sum() + adapter(x).sum()).backward()

    return counted(run)


# Parts of a layer


def _train_module(module: Any, *shape: int) -> int:
    return counted(lambda: module(zeros(*shape, trained=True)).sum().backward())


@in_whole_numbers
def count_gated_mlp_training(B: int, T: int, D: int, F: int) -> int:
    return _train_module(llama(1, D, F, 1, 1, 2, 1).model.layers[0].mlp, B, T, D)


@in_whole_numbers
def count_plain_mlp_training(B: int, T: int, D: int, F: int) -> int:
    assert F == 4 * D
    return _train_module(gpt2(1, D, 1, 1).transformer.h[0].mlp, B, T, D)


@in_whole_numbers
def count_logits_training(B: int, T: int, D: int, V: int) -> int:
    return _train_module(llama(1, D, 1, 1, 1, 2, V).lm_head, B, T, D)


@in_whole_numbers
def count_projections_training(B: int, T: int, D: int, N: int, K: int, H: int) -> int:
    model = llama(1, D, 1, N, K, H, 1).model
    return counted(_attend(model, B, T, D, train=True), torch.ops.aten.mm)


def _attend(model: Any, B: int, T: int, D: int, *, train: bool) -> Run:
    """Run the attention of a model's first layer."""

    def run() -> None:
        x = zeros(B, T, D, trained=True)
        angles = model.rotary_emb(x, torch.arange(T, device="meta")[None])
        y, _ = model.layers[0].self_attn(x, position_embeddings=angles, attention_mask=None)
        if train:
            y.sum().backward()

    return run


@in_whole_numbers
def count_attention_forward(B: int, T: int, S: int, N: int, H: int) -> int:
    assert S == T
    return counted(_attend(llama(1, N * H, 1, N, N, H, 1).model, B, T, N * H, train=False), SCORES)


@in_whole_numbers
def count_attention_training(B: int, T: int, S: int, N: int, H: int) -> int:
    assert S == T
    return counted(_attend(llama(1, N * H, 1, N, N, H, 1).model, B, T, N * H, train=True), SCORES)


@in_whole_numbers
def count_latent_attention(B: int, T: int, S: int, N: int, d_n: int, d_r: int, d_v: int) -> int:
    """The scores and weighted sums of DeepSeek-V3's attention."""
    assert S == T
    width = 512
    attention = latent_attention(width, 64, N, d_n, d_r, 32, d_v)
    angles = zeros(B, T, d_r), zeros(B, T, d_r)
    return counted(lambda: attention(zeros(B, T, width), angles, None), SCORES)


# Training steps


@in_whole_numbers
def count_llama_step(B: int, T: int, L: int, D: int, F: int, N: int, K: int, H: int, V: int) -> int:
    return counted(step(llama(L, D, F, N, K, H, V), B, T))


@in_whole_numbers
def count_gpt2_blocks(B: int, s: int, L: int, h: int) -> int:
    model = gpt2(L, h, 1, s).transformer
    return counted(lambda: model(input_ids=tokens(B, s)))


@in_whole_numbers
def count_gpt2_step(B: int, s: int, L: int, h: int, V: int) -> int:
    return counted(step(gpt2(L, h, V, s), B, s))


@in_whole_numbers
def count_gpt2_step_blocks_recomputed(B: int, s: int, L: int, h: int, V: int) -> int:
    model = gpt2(L, h, V, s)
    model.activation_checkpointing_enable({"use_reentrant": False, "preserve_rng_state": False})
    return counted(step(model.train(), B, s))


@in_whole_numbers
def count_gpt2_step_scores_recomputed(B: int, s: int, L: int, h: int, V: int) -> int:
    """Nothing but the scores, the softmax and the weighted sums runs again."""
    AttentionInterface.register("recomputed", _recomputed_attention)
    return counted(step(gpt2(L, h, V, s, attention="recomputed"), B, s))


def _recomputed_attention(*arguments: Any, **options: Any) -> Any:
    return checkpoint(eager_attention_forward, *arguments, use_reentrant=False, **options)
