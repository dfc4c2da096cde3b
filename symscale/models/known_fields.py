"""Fields of configurations that name no size: those without effect, and those worth a note."""

from __future__ import annotations

from collections.abc import Mapping

INDIFFERENT = frozenset(
    {
        "_attn_implementation_autoset",
        "_name_or_path",
        "activation_function",
        "architectures",
        "attention_dropout",
        "attn_implementation",
        "attn_pdrop",
        "begin_suppress_tokens",
        "bos_token_id",
        "cache_implementation",
        "classifier_dropout",
        "dtype",
        "embd_pdrop",
        "embedding_dropout",
        "eos_token_id",
        "gradient_checkpointing",
        "hidden_act",
        "hidden_activation",
        "hidden_dropout",
        "id2label",
        "initializer_range",
        "is_encoder_decoder",
        "label2id",
        "layer_norm_eps",
        "layer_norm_epsilon",
        "max_position_embeddings",
        "model_type",
        "name_or_path",
        "num_labels",
        "original_max_position_embeddings",
        "output_attentions",
        "output_hidden_states",
        "pad_token_id",
        "partial_rotary_factor",
        "pretraining_tp",
        "problem_type",
        "resid_pdrop",
        "residual_dropout",
        "return_dict",
        "rms_norm_eps",
        "rope_local_base_freq",
        "rope_parameters",
        "rope_scaling",
        "rope_theta",
        "sep_token_id",
        "task_specific_params",
        "tokenizer_class",
        "torch_dtype",
        "torchscript",
        "transformers_version",
        "unk_token_id",
        "use_cache",
        "use_return_dict",
        "vocab_file",
    }
)
"""Fields of any configuration that change no parameter, byte or FLOP."""

NOTED: Mapping[str, str] = {
    "auto_map": "the checkpoint brings code of its own; what is counted is what transformers "
    "builds for this model_type",
    "num_nextn_predict_layers": "layers that predict further tokens are not counted",
    "num_mtp_layers": "layers that predict further tokens are not counted",
    "quantization_config": "the checkpoint is quantised; bytes here are those of plain formats",
}
"""Fields that change something which is not counted, with what to say of it."""

WRAPPER_FIELDS = frozenset(
    {
        "boi_token_id",
        "boi_token_index",
        "eoi_token_id",
        "eoi_token_index",
        "image_token_id",
        "image_token_index",
        "mm_tokens_per_image",
    }
)
"""Fields of wrappers that change nothing of the language model."""

# Without effect in some families

GPT2 = frozenset(
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
)

QWEN = frozenset({"max_window_layers", "use_mrope"})
GEMMA = frozenset(
    {
        "_sliding_window_pattern",
        "attn_logit_softcapping",
        "final_logit_softcapping",
        "query_pre_attn_scalar",
    }
)
ROUTING = frozenset({"norm_topk_prob", "output_router_logits", "router_aux_loss_coef"})
GROUPED_ROUTING = ROUTING | {
    "aux_loss_alpha",
    "ep_size",
    "n_group",
    "routed_scaling_factor",
    "scoring_func",
    "seq_aux",
    "topk_group",
    "topk_method",
}
