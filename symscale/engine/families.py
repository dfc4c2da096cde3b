"""The decoders that configurations name by `model_type`, as transformers builds them."""

from __future__ import annotations

from collections.abc import Mapping

from symscale.engine.family import Experts, Family

_ATTENTION_BIAS = {"attention_bias": ("qkv", "attention_output")}
_LLAMA_BIASES = {**_ATTENTION_BIAS, "mlp_bias": ("mlp",)}
_QWEN_INDIFFERENT = frozenset({"max_window_layers", "use_mrope"})
_GEMMA_INDIFFERENT = frozenset(
    {"query_pre_attn_scalar", "attn_logit_softcapping", "final_logit_softcapping"}
)
_ROUTING = frozenset({"norm_topk_prob", "output_router_logits", "router_aux_loss_coef"})
_DEEPSEEK = Family(
    latent=True,
    experts=Experts(
        number=("n_routed_experts",), shared_number="n_shared_experts", layers="after_dense"
    ),
    must_be={"attention_bias": False, "mlp_bias": False, "moe_layer_freq": 1},
    indifferent=_ROUTING
    | {
        "aux_loss_alpha",
        "ep_size",
        "head_dim",
        "n_group",
        "num_key_value_heads",
        "qk_head_dim",
        "rope_interleave",
        "routed_scaling_factor",
        "scoring_func",
        "seq_aux",
        "topk_group",
        "topk_method",
    },
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
        indifferent=frozenset(
            {
                "n_ctx",
                "reorder_and_upcast_attn",
                "scale_attn_by_inverse_layer_idx",
                "scale_attn_weights",
                "summary_activation",
                "summary_first_dropout",
                "summary_proj_to_labels",
                "summary_type",
                "summary_use_proj",
            }
        ),
    ),
    "llama": Family(bias_fields=_LLAMA_BIASES, kv_heads_are_heads=True),
    "mistral": Family(windows="all", defaults={"sliding_window": 4096}),
    "mixtral": Family(
        windows="all",
        experts=Experts(number=("num_local_experts", "num_experts"), width="intermediate_size"),
        indifferent=_ROUTING | {"router_jitter_noise"},
    ),
    "qwen2": Family(biases=frozenset({"qkv"}), windows="qwen", indifferent=_QWEN_INDIFFERENT),
    "qwen2_moe": Family(
        bias_fields={"qkv_bias": ("qkv",)},
        on_by_default=frozenset({"qkv_bias"}),
        windows="qwen_moe",
        experts=Experts(shared_width="shared_expert_intermediate_size", layers="steps"),
        shared_expert_gate=True,
        indifferent=_QWEN_INDIFFERENT | _ROUTING,
    ),
    "qwen3": Family(
        bias_fields=_ATTENTION_BIAS,
        qk_norm="head",
        windows="qwen",
        d_head=128,
        indifferent=_QWEN_INDIFFERENT,
    ),
    "qwen3_moe": Family(
        bias_fields=_ATTENTION_BIAS,
        qk_norm="head",
        windows="all_if_asked",
        experts=Experts(layers="steps"),
        indifferent=_QWEN_INDIFFERENT | _ROUTING,
    ),
    "gemma": Family(bias_fields=_ATTENTION_BIAS, tied=True, d_head=256),
    "gemma2": Family(
        bias_fields=_ATTENTION_BIAS,
        norms_per_block=4,
        tied=True,
        windows="pattern",
        window_period=2,
        d_head=256,
        defaults={"sliding_window": 4096},
        indifferent=_GEMMA_INDIFFERENT | {"sliding_window_size"},
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
        must_be={"use_bidirectional_attention": False},
        indifferent=_GEMMA_INDIFFERENT,
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
        indifferent=_ROUTING | {"input_jitter_noise", "router_jitter_noise"},
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
        indifferent=_ROUTING | {"clip_qkv"},
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
        indifferent=_ROUTING
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
        bias_fields={"use_bias": ("qkv", "attention_output", "mlp")},
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
}
"""By `model_type`."""

WRAPPERS: Mapping[str, str] = {"gemma3": "gemma3_text"}
"""Models of text and images, with the family of the language model in their `text_config`."""

WRAPPER_FIELDS = frozenset(
    {"boi_token_index", "eoi_token_index", "image_token_index", "mm_tokens_per_image"}
)
"""Fields of wrappers that change nothing of the language model."""
