"""Parameters, by listing every weight tensor of a model as its checkpoint has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import prod
from typing import TypeAlias

from tests.oracles.whole import in_whole_numbers

Weights: TypeAlias = dict[str, tuple[int, ...]]
"""Shapes by name."""


def size(weights: Mapping[str, tuple[int, ...]]) -> int:
    return sum(prod(shape) for shape in weights.values())


def within(prefix: str, weights: Weights) -> Weights:
    return {f"{prefix}.{name}": shape for name, shape in weights.items()}


def chosen(weights: Weights, wanted: Callable[[str], bool]) -> Weights:
    return {name: shape for name, shape in weights.items() if wanted(name)}


# Llama and its kin: a linear layer's weight is outputs by inputs


def gated_mlp(D: int, F: int) -> Weights:
    return {"gate_proj.weight": (F, D), "up_proj.weight": (F, D), "down_proj.weight": (D, F)}


def grouped_attention(
    D: int, N: int, K: int, H: int, *, qkv_bias: bool = False, qk_norm: bool = False
) -> Weights:
    weights: Weights = {
        "q_proj.weight": (N * H, D),
        "k_proj.weight": (K * H, D),
        "v_proj.weight": (K * H, D),
        "o_proj.weight": (D, N * H),
    }
    if qkv_bias:
        weights |= {"q_proj.bias": (N * H,), "k_proj.bias": (K * H,), "v_proj.bias": (K * H,)}
    if qk_norm:
        weights |= {"q_norm.weight": (H,), "k_norm.weight": (H,)}
    return weights


def latent_attention(D: int, q: int, N: int, d_n: int, d_r: int, c: int, d_v: int) -> Weights:
    return {
        "q_a_proj.weight": (q, D),
        "q_a_layernorm.weight": (q,),
        "q_b_proj.weight": (N * (d_n + d_r), q),
        "kv_a_proj_with_mqa.weight": (c + d_r, D),
        "kv_a_layernorm.weight": (c,),
        "kv_b_proj.weight": (N * (d_n + d_v), c),
        "o_proj.weight": (D, N * d_v),
    }


def llama_block(D: int, F: int, N: int, K: int, H: int) -> Weights:
    return {
        **within("self_attn", grouped_attention(D, N, K, H)),
        **within("mlp", gated_mlp(D, F)),
        "input_layernorm.weight": (D,),
        "post_attention_layernorm.weight": (D,),
    }


def llama(L: int, D: int, F: int, N: int, K: int, H: int, V: int, *, tied: bool) -> Weights:
    weights: Weights = {"model.embed_tokens.weight": (V, D)}
    for layer in range(L):
        weights |= within(f"model.layers.{layer}", llama_block(D, F, N, K, H))
    weights["model.norm.weight"] = (D,)
    if not tied:
        weights["lm_head.weight"] = (V, D)
    return weights


# GPT-2 and BERT: biases everywhere


def linear(inputs: int, outputs: int) -> Weights:
    return {"weight": (inputs, outputs), "bias": (outputs,)}


def layer_norm(width: int) -> Weights:
    return {"weight": (width,), "bias": (width,)}


def gpt2_block(D: int) -> Weights:
    return {
        **within("ln_1", layer_norm(D)),
        **within("attn.c_attn", linear(D, 3 * D)),
        **within("attn.c_proj", linear(D, D)),
        **within("ln_2", layer_norm(D)),
        **within("mlp.c_fc", linear(D, 4 * D)),
        **within("mlp.c_proj", linear(4 * D, D)),
    }


def gpt2(L: int, D: int, V: int, T: int) -> Weights:
    weights: Weights = {"wte.weight": (V, D), "wpe.weight": (T, D)}
    for layer in range(L):
        weights |= within(f"h.{layer}", gpt2_block(D))
    return weights | within("ln_f", layer_norm(D))


def bert_layer(D: int) -> Weights:
    return {
        **within("attention.self.query", linear(D, D)),
        **within("attention.self.key", linear(D, D)),
        **within("attention.self.value", linear(D, D)),
        **within("attention.output.dense", linear(D, D)),
        **within("attention.output.LayerNorm", layer_norm(D)),
        **within("intermediate.dense", linear(D, 4 * D)),
        **within("output.dense", linear(4 * D, D)),
        **within("output.LayerNorm", layer_norm(D)),
    }


def bert(V: int, T: int, t: int, D: int, L: int) -> Weights:
    weights: Weights = {
        "embeddings.word_embeddings.weight": (V, D),
        "embeddings.position_embeddings.weight": (T, D),
        "embeddings.token_type_embeddings.weight": (t, D),
        **within("embeddings.LayerNorm", layer_norm(D)),
    }
    for layer in range(L):
        weights |= within(f"encoder.layer.{layer}", bert_layer(D))
    return weights | within("pooler.dense", linear(D, D))


# Adapters: a down and an up matrix for each adapted linear layer


def lora(r: int, d_in: int, d_out: int) -> Weights:
    return {"lora_A.weight": (r, d_in), "lora_B.weight": (d_out, r)}


def lora_on(weights: Weights, r: int) -> Weights:
    adapters: Weights = {}
    for name, (outputs, inputs) in weights.items():
        adapters |= within(name.removesuffix(".weight"), lora(r, inputs, outputs))
    return adapters


# The oracles


@in_whole_numbers
def list_gated_mlp(D: int, F: int) -> int:
    return size(gated_mlp(D, F))


@in_whole_numbers
def list_plain_mlp(D: int, F: int) -> int:
    return size({"up_proj.weight": (F, D), "down_proj.weight": (D, F)})


@in_whole_numbers
def list_grouped_attention(D: int, N: int, K: int, H: int) -> int:
    return size(grouped_attention(D, N, K, H))


@in_whole_numbers
def list_multi_head_attention(D: int, N: int, H: int) -> int:
    """Head by head: every query head has a key head and a value head of its own."""
    head: Weights = {"q": (H, D), "k": (H, D), "v": (H, D), "o": (D, H)}
    weights: Weights = {}
    for index in range(N):
        weights |= within(f"heads.{index}", head)
    return size(weights)


@in_whole_numbers
def list_square_attention(D: int) -> int:
    return size(dict.fromkeys(("q", "k", "v", "o"), (D, D)))


@in_whole_numbers
def list_block_matrices(D: int, F: int, N: int, K: int, H: int) -> int:
    return size(chosen(llama_block(D, F, N, K, H), lambda name: "layernorm" not in name))


@in_whole_numbers
def compare_attention_with_block(N: int, K: int, H: int, F: int) -> Fraction:
    """At a width that the share must not depend on."""
    D = 13
    block = chosen(llama_block(D, F, N, K, H), lambda name: "layernorm" not in name)
    return Fraction(size(chosen(block, lambda name: "self_attn" in name)), size(block))


@in_whole_numbers
def widen_gated_mlp_to_match_plain(F: int) -> int:
    """The gated width whose three matrices hold what the plain two do; one must exist."""
    D = 5
    plain = size({"up_proj.weight": (F, D), "down_proj.weight": (D, F)})
    width = 1
    while size(gated_mlp(D, width)) < plain:
        width += 1
    assert size(gated_mlp(D, width)) == plain
    return width


@in_whole_numbers
def list_latent_attention_queries(D: int, q: int, N: int, d_n: int, d_r: int) -> int:
    weights = latent_attention(D, q, N, d_n, d_r, c=1, d_v=1)
    return size(chosen(weights, lambda name: name.startswith("q_")))


@in_whole_numbers
def list_latent_attention_keys_and_values(
    D: int, c: int, N: int, d_n: int, d_r: int, d_v: int
) -> int:
    weights = latent_attention(D, 1, N, d_n, d_r, c, d_v)
    return size(chosen(weights, lambda name: name.startswith("kv_")))


@in_whole_numbers
def list_latent_attention(D: int, q: int, N: int, d_n: int, d_r: int, c: int, d_v: int) -> int:
    return size(latent_attention(D, q, N, d_n, d_r, c, d_v))


@in_whole_numbers
def list_vocabulary_matrix(V: int, D: int) -> int:
    """A row for each entry of the vocabulary."""
    return size({f"row.{entry}": (D,) for entry in range(V)})


@in_whole_numbers
def list_untied_vocabulary_matrices(V: int, D: int) -> int:
    model = llama(1, D, 1, 1, 1, 1, V, tied=False)
    return size(chosen(model, lambda name: "embed_tokens" in name or "lm_head" in name))


@in_whole_numbers
def add_rows_until_divisible(m: int, V: int) -> int:
    rows = V
    while rows % m:
        rows += 1
    return rows


@in_whole_numbers
def list_rms_norms(L: int, D: int) -> int:
    model = llama(L, D, 1, 1, 1, 1, 1, tied=False)
    return size(chosen(model, lambda name: "norm" in name))


@in_whole_numbers
def list_layer_norms(L: int, D: int) -> int:
    return size(chosen(gpt2(L, D, 1, 1), lambda name: "ln_" in name))


@in_whole_numbers
def list_qkv_biases(N: int, K: int, H: int) -> int:
    weights = grouped_attention(1, N, K, H, qkv_bias=True)
    return size(chosen(weights, lambda name: name.endswith("bias")))


@in_whole_numbers
def list_query_key_norms(H: int) -> int:
    weights = grouped_attention(1, 3, 2, H, qk_norm=True)
    return size(chosen(weights, lambda name: "norm" in name))


@in_whole_numbers
def list_gpt_block_biases(D: int) -> int:
    block = gpt2_block(D)
    return size(chosen(block, lambda name: name.endswith("bias") and "ln_" not in name))


@in_whole_numbers
def list_llama(L: int, D: int, F: int, N: int, K: int, H: int, e: int, V: int) -> int:
    return size(llama(L, D, F, N, K, H, V, tied=e == 1))


@in_whole_numbers
def list_gpt_block_matrices(L: int, D: int) -> int:
    model = gpt2(L, D, 1, 1)
    return size(chosen(model, lambda name: name.startswith("h.") and len(model[name]) == 2))


@in_whole_numbers
def list_gpt(L: int, D: int, V: int, T: int) -> int:
    return size(gpt2(L, D, V, T))


@in_whole_numbers
def list_gpt_without_final_norm(L: int, h: int, V: int, s: int) -> int:
    return size(chosen(gpt2(L, h, V, s), lambda name: not name.startswith("ln_f")))


@in_whole_numbers
def list_bert(V: int, T: int, t: int, D: int, L: int) -> int:
    return size(bert(V, T, t, D, L))


@in_whole_numbers
def list_lora_of_a_matrix(r: int, d_i: int, d_o: int) -> int:
    return size(lora(r, d_i, d_o))


@in_whole_numbers
def list_lora_of_attention(L: int, r: int, D: int, N: int, H: int, K: int) -> int:
    return sum(size(lora_on(grouped_attention(D, N, K, H), r)) for _layer in range(L))
