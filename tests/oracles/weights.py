"""Every weight tensor of a model, by the name and shape that its checkpoint has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import TypeAlias

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


def grouped_attention(D: int, N: int, K: int, H: int) -> Weights:
    return {
        "q_proj.weight": (N * H, D),
        "k_proj.weight": (K * H, D),
        "v_proj.weight": (K * H, D),
        "o_proj.weight": (D, N * H),
    }


def latent_attention(
    D: int, q: int | None, N: int, d_n: int, d_r: int, c: int, d_v: int
) -> Weights:
    """DeepSeek's attention, with a query latent of width q or without one."""
    queries: Weights = {"q_proj.weight": (N * (d_n + d_r), D)}
    if q is not None:
        queries = {
            "q_a_proj.weight": (q, D),
            "q_a_layernorm.weight": (q,),
            "q_b_proj.weight": (N * (d_n + d_r), q),
        }
    return {
        **queries,
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


# What other families add to a block


def qwen2_attention(D: int, N: int, K: int, H: int) -> Weights:
    biases: Weights = {"q_proj.bias": (N * H,), "k_proj.bias": (K * H,), "v_proj.bias": (K * H,)}
    return grouped_attention(D, N, K, H) | biases


def qwen3_attention(D: int, N: int, K: int, H: int) -> Weights:
    return {**grouped_attention(D, N, K, H), "q_norm.weight": (H,), "k_norm.weight": (H,)}


def olmo2_attention(D: int, N: int, K: int, H: int) -> Weights:
    return {**grouped_attention(D, N, K, H), "q_norm.weight": (N * H,), "k_norm.weight": (K * H,)}


def gpt_oss_attention(D: int, N: int, K: int, H: int) -> Weights:
    return {**qwen2_attention(D, N, K, H), "o_proj.bias": (D,), "sinks": (N,)}


def biased_gated_mlp(D: int, F: int) -> Weights:
    biases: Weights = {"gate_proj.bias": (F,), "up_proj.bias": (F,), "down_proj.bias": (D,)}
    return gated_mlp(D, F) | biases


def gpt_oss_mixture(D: int, F: int, E: int) -> Weights:
    weights: Weights = {"router.weight": (E, D), "router.bias": (E,)}
    for expert in range(E):
        weights |= within(f"experts.{expert}", biased_gated_mlp(D, F))
    return weights


def qwen2_mixture(D: int, F: int, F_s: int, E: int) -> Weights:
    weights: Weights = {"gate.weight": (E, D), "shared_expert_gate.weight": (1, D)}
    for expert in range(E):
        weights |= within(f"experts.{expert}", gated_mlp(D, F))
    return weights | within("shared_expert", gated_mlp(D, F_s))


def norms(L: int, D: int, per_block: int) -> Weights:
    weights: Weights = {"model.norm.weight": (D,)}
    for layer in range(L):
        weights |= {f"model.layers.{layer}.norm_{n}.weight": (D,) for n in range(per_block)}
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
