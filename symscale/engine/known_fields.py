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
