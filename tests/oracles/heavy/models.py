"""Parameters of `transformers` models on the meta device: shapes without values."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from transformers import (
    BertConfig,
    BertModel,
    DeepseekV3Config,
    Gemma2Config,
    Gemma2Model,
    GPT2Config,
    GPT2LMHeadModel,
    GptOssConfig,
    GptOssModel,
    LlamaConfig,
    LlamaForCausalLM,
    Olmo2Config,
    Olmo2Model,
    PhiConfig,
    PhiForCausalLM,
    Qwen2Config,
    Qwen2ForCausalLM,
    Qwen2MoeConfig,
    Qwen2MoeModel,
    Qwen3Config,
    Qwen3ForCausalLM,
)
from transformers.models.deepseek_v3.modeling_deepseek_v3 import DeepseekV3Attention

from tests.oracles.whole import in_whole_numbers

NO_SPECIAL_TOKENS: dict[str, Any] = {"bos_token_id": None, "eos_token_id": None}
"""The usual ones would lie outside a small vocabulary."""


def llama(
    L: int, D: int, F: int, N: int, K: int, H: int, V: int, *, tied: bool = False
) -> LlamaForCausalLM:
    config = LlamaConfig(
        num_hidden_layers=L,
        hidden_size=D,
        intermediate_size=F,
        num_attention_heads=N,
        num_key_value_heads=K,
        head_dim=H,
        vocab_size=V,
        tie_word_embeddings=tied,
        attn_implementation="eager",
        **NO_SPECIAL_TOKENS,
    )
    with torch.device("meta"):
        return LlamaForCausalLM(config)


def gpt2(L: int, D: int, V: int, T: int, attention: str = "eager") -> GPT2LMHeadModel:
    """In heads of width 64, without dropout."""
    config = GPT2Config(
        n_layer=L,
        n_embd=D,
        n_head=D // 64,
        vocab_size=V,
        n_positions=T,
        resid_pdrop=0,
        embd_pdrop=0,
        attn_pdrop=0,
        attn_implementation=attention,
        **NO_SPECIAL_TOKENS,
    )
    with torch.device("meta"):
        return GPT2LMHeadModel(config)


def latent_attention(
    D: int, q: int | None, N: int, d_n: int, d_r: int, c: int, d_v: int
) -> DeepseekV3Attention:
    config = DeepseekV3Config(
        hidden_size=D,
        num_attention_heads=N,
        num_key_value_heads=N,
        q_lora_rank=q,
        kv_lora_rank=c,
        qk_nope_head_dim=d_n,
        qk_rope_head_dim=d_r,
        v_head_dim=d_v,
        attn_implementation="eager",
    )
    with torch.device("meta"):
        return DeepseekV3Attention(config, layer_idx=0)


def params(module: torch.nn.Module, wanted: Callable[[str], bool] = lambda name: True) -> int:
    return sum(weight.numel() for name, weight in module.named_parameters() if wanted(name))


# Parts of a layer


@in_whole_numbers
def count_gated_mlp(D: int, F: int) -> int:
    return params(llama(1, D, F, 1, 1, 2, 1).model.layers[0].mlp)


@in_whole_numbers
def count_grouped_attention(D: int, N: int, K: int, H: int) -> int:
    return params(llama(1, D, 1, N, K, H, 1).model.layers[0].self_attn)


@in_whole_numbers
def count_block_matrices(D: int, F: int, N: int, K: int, H: int) -> int:
    block = llama(1, D, F, N, K, H, 1).model.layers[0]
    return params(block, lambda name: "layernorm" not in name)


@in_whole_numbers
def count_latent_attention(D: int, q: int, N: int, d_n: int, d_r: int, c: int, d_v: int) -> int:
    return params(latent_attention(D, q, N, d_n, d_r, c, d_v))


@in_whole_numbers
def count_latent_attention_queries(D: int, q: int, N: int, d_n: int, d_r: int) -> int:
    attention = latent_attention(D, q, N, d_n, d_r, c=2, d_v=2)
    return params(attention, lambda name: name.startswith("q_"))


@in_whole_numbers
def count_latent_attention_keys_and_values(
    D: int, c: int, N: int, d_n: int, d_r: int, d_v: int
) -> int:
    attention = latent_attention(D, 2, N, d_n, d_r, c, d_v)
    return params(attention, lambda name: name.startswith("kv_"))


@in_whole_numbers
def count_qwen2_biases(N: int, K: int, H: int) -> int:
    config = Qwen2Config(
        hidden_size=N * H, num_attention_heads=N, num_key_value_heads=K, num_hidden_layers=1
    )
    with torch.device("meta"):
        model = Qwen2ForCausalLM(config)
    return params(model, lambda name: name.endswith("bias"))


@in_whole_numbers
def count_qwen3_query_key_norms(H: int) -> int:
    with torch.device("meta"):
        model = Qwen3ForCausalLM(Qwen3Config(head_dim=H, num_hidden_layers=1))
    return params(model, lambda name: "q_norm" in name or "k_norm" in name)


@in_whole_numbers
def count_plain_mlp(D: int, F: int) -> int:
    assert F == 4 * D
    mlp = gpt2(1, D, 1, 1).transformer.h[0].mlp
    return params(mlp, lambda name: name.endswith("weight"))


@in_whole_numbers
def count_gpt2_block_biases(D: int) -> int:
    block = gpt2(1, D, 1, 1).transformer.h[0]
    return params(block, lambda name: name.endswith("bias") and not name.startswith("ln_"))


# What other families add


@in_whole_numbers
def count_uncompressed_queries(D: int, N: int, d_n: int, d_r: int) -> int:
    attention = latent_attention(D, None, N, d_n, d_r, c=2, d_v=2)
    return params(attention, lambda name: name.startswith("q_"))


@in_whole_numbers
def count_latent_attention_uncompressed(
    D: int, N: int, d_n: int, d_r: int, c: int, d_v: int
) -> int:
    return params(latent_attention(D, None, N, d_n, d_r, c, d_v))


@in_whole_numbers
def count_latent_norms(q: int, c: int) -> int:
    return params(latent_attention(64, q, 2, 2, 2, c, 2), lambda name: "norm" in name)


def _one_block(model: Any, config: Any) -> Any:
    with torch.device("meta"):
        return model(config(num_hidden_layers=1, pad_token_id=0))


@in_whole_numbers
def count_gpt_oss_sinks(N: int) -> int:
    config = partial(GptOssConfig, num_attention_heads=N)
    return params(_one_block(GptOssModel, config), lambda name: "sinks" in name)


@in_whole_numbers
def count_gpt_oss_output_bias(D: int) -> int:
    config = partial(GptOssConfig, hidden_size=D)
    return params(_one_block(GptOssModel, config), lambda name: name.endswith("o_proj.bias"))


@in_whole_numbers
def count_gpt_oss_expert_biases(E: int, F: int, D: int) -> int:
    config = partial(GptOssConfig, num_local_experts=E, intermediate_size=F, hidden_size=D)
    model = _one_block(GptOssModel, config)
    return params(model, lambda name: "experts" in name and name.endswith("bias"))


@in_whole_numbers
def count_gpt_oss_router_biases(E: int) -> int:
    config = partial(GptOssConfig, num_local_experts=E)
    return params(_one_block(GptOssModel, config), lambda name: name.endswith("router.bias"))


@in_whole_numbers
def count_qwen2_shared_expert_gate(D: int) -> int:
    model = _one_block(Qwen2MoeModel, partial(Qwen2MoeConfig, hidden_size=D))
    return params(model, lambda name: "shared_expert_gate" in name)


@in_whole_numbers
def count_phi_output_bias(V: int) -> int:
    model = _one_block(PhiForCausalLM, partial(PhiConfig, vocab_size=V))
    return params(model, lambda name: name == "lm_head.bias")


@in_whole_numbers
def count_olmo2_query_key_norms(N: int, K: int, H: int) -> int:
    config = partial(Olmo2Config, hidden_size=N * H, num_attention_heads=N, num_key_value_heads=K)
    model = _one_block(Olmo2Model, config)
    return params(model, lambda name: "q_norm" in name or "k_norm" in name)


@in_whole_numbers
def count_gemma2_norms(m: int, L: int, D: int) -> int:
    assert m == 4
    with torch.device("meta"):
        model = Gemma2Model(Gemma2Config(num_hidden_layers=L, hidden_size=D))
    return params(model, lambda name: "norm" in name)


@in_whole_numbers
def count_gpt2_mlp_biases(F: int, D: int) -> int:
    assert F == 4 * D
    mlp = gpt2(1, D, 1, 1).transformer.h[0].mlp
    return params(mlp, lambda name: name.endswith("bias"))


@in_whole_numbers
def count_llama_mlp_biases(F: int, D: int) -> int:
    config = LlamaConfig(hidden_size=D, intermediate_size=F, num_hidden_layers=1, mlp_bias=True)
    with torch.device("meta"):
        model = LlamaForCausalLM(config)
    return params(model, lambda name: "mlp" in name and name.endswith("bias"))


# Whole models


@in_whole_numbers
def count_llama(L: int, D: int, F: int, N: int, K: int, H: int, e: int, V: int) -> int:
    return params(llama(L, D, F, N, K, H, V, tied=e == 1))


@in_whole_numbers
def count_llama_norms(L: int, D: int) -> int:
    return params(llama(L, D, 1, 1, 1, 2, 1), lambda name: "norm" in name)


@in_whole_numbers
def count_gpt2(L: int, D: int, V: int, T: int) -> int:
    return params(gpt2(L, D, V, T))


@in_whole_numbers
def count_gpt2_without_final_norm(L: int, h: int, V: int, s: int) -> int:
    return params(gpt2(L, h, V, s), lambda name: "ln_f" not in name)


@in_whole_numbers
def count_gpt2_norms(L: int, D: int) -> int:
    return params(gpt2(L, D, 1, 1), lambda name: "ln_" in name)


@in_whole_numbers
def count_gpt2_block_matrices(L: int, D: int) -> int:
    def in_a_matrix(name: str) -> bool:
        return ".h." in name and "ln_" not in name and name.endswith("weight")

    return params(gpt2(L, D, 1, 1), in_a_matrix)


@in_whole_numbers
def count_bert(V: int, T: int, t: int, D: int, L: int) -> int:
    config = BertConfig(
        vocab_size=V,
        max_position_embeddings=T,
        type_vocab_size=t,
        hidden_size=D,
        intermediate_size=4 * D,
        num_attention_heads=D // 64,
        num_hidden_layers=L,
    )
    with torch.device("meta"):
        return params(BertModel(config))
