"""The decoders that configurations name by `model_type`, as transformers builds them."""

from __future__ import annotations

from collections.abc import Mapping

from symscale.models.family import Experts, Family
from symscale.models.known_fields import GEMMA, GPT2, GROUPED_ROUTING, QWEN, ROUTING

_ATTENTION_BIAS = {"attention_bias": ("qkv", "attention_output")}
_LLAMA_BIASES = {**_ATTENTION_BIAS, "mlp_bias": ("mlp",)}
_QKV_BIAS = {"attention_bias": ("qkv",)}
_USE_BIAS = {"use_bias": ("qkv", "attention_output", "mlp")}
_CAUSAL = {"use_bidirectional_attention": False}
_AFTER_DENSE = Experts(
    number=("n_routed_experts",), shared_number="n_shared_experts", layers="after_dense"
)
_DEEPSEEK = Family(
    latent=True,
    experts=_AFTER_DENSE,
    must_be={"attention_bias": False, "mlp_bias": False, "moe_layer_freq": 1},
    indifferent=GROUPED_ROUTING
    | {"head_dim", "num_key_value_heads", "qk_head_dim", "rope_interleave"},
)
_GPT2_FIELDS = {
    "num_hidden_layers": "n_layer",
    "hidden_size": "n_embd",
    "num_attention_heads": "n_head",
    "intermediate_size": "n_inner",
    "max_position_embeddings": "n_positions",
}

FAMILIES: Mapping[str, Family] = {
    "gpt2": Family(
        mlp="plain",
        norm="layernorm",
        biases=frozenset({"qkv", "attention_output", "mlp"}),
        tied=True,
        learned_positions=True,
        d_ff_over_d_model=4,
        kv_heads_are_heads=True,
        fields=_GPT2_FIELDS,
        must_be={"add_cross_attention": False},
        indifferent=GPT2,
    ),
    "llama": Family(bias_fields=_LLAMA_BIASES, kv_heads_are_heads=True),
    "mistral": Family(windows="all", defaults={"sliding_window": 4096}),
    "mixtral": Family(
        windows="all",
        experts=Experts(number=("num_local_experts", "num_experts"), width="intermediate_size"),
        indifferent=ROUTING | {"router_jitter_noise"},
    ),
    "qwen2": Family(biases=frozenset({"qkv"}), windows="qwen", indifferent=QWEN),
    "qwen2_moe": Family(
        bias_fields={"qkv_bias": ("qkv",)},
        on_by_default=frozenset({"qkv_bias"}),
        windows="qwen_moe",
        experts=Experts(shared_width="shared_expert_intermediate_size", layers="steps"),
        shared_expert_gate=True,
        indifferent=QWEN | ROUTING,
    ),
    "qwen3": Family(
        bias_fields=_ATTENTION_BIAS,
        qk_norm="head",
        windows="qwen",
        d_head=128,
        indifferent=QWEN,
    ),
    "qwen3_moe": Family(
        bias_fields=_ATTENTION_BIAS,
        qk_norm="head",
        windows="all_if_asked",
        experts=Experts(layers="steps"),
        indifferent=QWEN | ROUTING,
    ),
    "gemma": Family(
        bias_fields=_ATTENTION_BIAS,
        tied=True,
        d_head=256,
        must_be=_CAUSAL,
    ),
    "gemma2": Family(
        bias_fields=_ATTENTION_BIAS,
        norms_per_block=4,
        tied=True,
        windows="pattern",
        window_period=2,
        d_head=256,
        defaults={"sliding_window": 4096},
        must_be=_CAUSAL,
        indifferent=GEMMA | {"sliding_window_size"},
    ),
    "gemma3_text": Family(
        bias_fields=_ATTENTION_BIAS,
        norms_per_block=4,
        qk_norm="head",
        tied=True,
        windows="pattern",
        window_period=6,
        period_field="sliding_window_pattern",
        d_head=256,
        defaults={
            "vocab_size": 262208,
            "num_attention_heads": 8,
            "num_key_value_heads": 4,
            "sliding_window": 4096,
        },
        must_be=_CAUSAL,
        indifferent=GEMMA,
    ),
    "phi": Family(
        mlp="plain",
        norm="layernorm",
        norms_per_block=1,
        biases=frozenset({"qkv", "attention_output", "mlp", "output"}),
        kv_heads_are_heads=True,
        must_be={"qk_layernorm": False},
    ),
    "phi3": Family(
        windows="all",
        kv_heads_are_heads=True,
        must_be={"attention_bias": False, "lm_head_bias": False, "mlp_bias": False},
        indifferent=frozenset({"full_attn_mod", "interpolate_factor"}),
    ),
    "phimoe": Family(
        norm="layernorm",
        bias_fields={**_ATTENTION_BIAS, "lm_head_bias": ("output",)},
        windows="all",
        experts=Experts(number=("num_local_experts",), width="intermediate_size"),
        indifferent=ROUTING | {"input_jitter_noise", "router_jitter_noise"},
    ),
    "olmo": Family(
        norm="unscaled",
        bias_fields=_ATTENTION_BIAS,
        kv_heads_are_heads=True,
        indifferent=frozenset({"clip_qkv"}),
    ),
    "olmo2": Family(bias_fields=_ATTENTION_BIAS, qk_norm="width", kv_heads_are_heads=True),
    "olmo3": Family(
        bias_fields=_ATTENTION_BIAS,
        qk_norm="width",
        kv_heads_are_heads=True,
        windows="pattern",
        window_period=4,
        defaults={"sliding_window": 4096},
    ),
    "olmoe": Family(
        bias_fields=_ATTENTION_BIAS,
        qk_norm="width",
        kv_heads_are_heads=True,
        experts=Experts(width="intermediate_size"),
        indifferent=ROUTING | {"clip_qkv"},
    ),
    "deepseek_v2": _DEEPSEEK,
    "deepseek_v3": _DEEPSEEK,
    "gpt_oss": Family(
        biases=frozenset({"router", "experts"}),
        bias_fields=_ATTENTION_BIAS,
        on_by_default=frozenset({"attention_bias"}),
        attention_sinks=True,
        windows="pattern",
        window_period=2,
        d_head=64,
        defaults={"sliding_window": 128},
        experts=Experts(number=("num_local_experts", "num_experts"), width="intermediate_size"),
        indifferent=ROUTING
        | {"experts_per_token", "initial_context_length", "swiglu_alpha", "swiglu_limit"},
    ),
    "smollm3": Family(
        bias_fields=_LLAMA_BIASES,
        tied=True,
        must_be={"use_sliding_window": False},
        indifferent=frozenset(
            {
                "layer_types",
                "max_window_layers",
                "no_rope_layer_interval",
                "no_rope_layers",
                "sliding_window",
            }
        ),
    ),
    "granite": Family(
        bias_fields=_LLAMA_BIASES,
        kv_heads_are_heads=True,
        indifferent=frozenset(
            {
                "attention_multiplier",
                "embedding_multiplier",
                "logits_scaling",
                "residual_multiplier",
            }
        ),
    ),
    "starcoder2": Family(
        mlp="plain",
        norm="layernorm",
        bias_fields=_USE_BIAS,
        on_by_default=frozenset({"use_bias"}),
        tied=True,
        windows="all",
        must_be={"mlp_type": "default", "norm_type": "layer_norm"},
        indifferent=frozenset(
            {
                "attention_softmax_in_fp32",
                "norm_epsilon",
                "scale_attention_softmax_in_fp32",
                "scale_attn_weights",
            }
        ),
    ),
    "gpt_neox": Family(
        mlp="plain",
        norm="layernorm",
        biases=frozenset({"mlp"}),
        bias_fields=_ATTENTION_BIAS,
        on_by_default=frozenset({"attention_bias"}),
        kv_heads_are_heads=True,
        indifferent=frozenset(
            {"is_decoder", "rotary_emb_base", "rotary_pct", "use_parallel_residual"}
        ),
    ),
    "arcee": Family(mlp="plain", bias_fields=_LLAMA_BIASES, kv_heads_are_heads=True),
    "cohere": Family(
        norms_per_block=1,
        bias_fields=_ATTENTION_BIAS,
        tied=True,
        kv_heads_are_heads=True,
        must_be={"use_qk_norm": False},
        indifferent=frozenset({"logit_scale"}),
    ),
    "ernie4_5": Family(bias_fields=_USE_BIAS, tied=True, d_head=128),
    "glm4": Family(
        norms_per_block=4,
        bias_fields=_QKV_BIAS,
        on_by_default=frozenset({"attention_bias"}),
        d_head=128,
    ),
    "glm4_moe": Family(
        bias_fields=_QKV_BIAS,
        experts=_AFTER_DENSE,
        must_be={"use_qk_norm": False},
        indifferent=GROUPED_ROUTING,
    ),
    "seed_oss": Family(
        bias_fields={
            **_QKV_BIAS,
            "attention_out_bias": ("attention_output",),
            "mlp_bias": ("mlp",),
        },
        on_by_default=frozenset({"attention_bias"}),
        d_head=128,
        indifferent=frozenset({"residual_dropout"}),
    ),
    "stablelm": Family(
        norm="layernorm",
        bias_fields={"use_qkv_bias": ("qkv",)},
        must_be={"qk_layernorm": False, "use_parallel_residual": False},
        indifferent=frozenset({"rope_pct"}),
    ),
}
"""By `model_type`."""

WRAPPERS: Mapping[str, str] = {"gemma3": "gemma3_text"}
"""Models of text and images, with the family of the language model in their `text_config`."""
