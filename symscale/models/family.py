"""What a `model_type` fixes of an architecture, whatever its sizes are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from symscale.catalog.architecture import Mlp, Norm, QkNorm

Windows: TypeAlias = Literal["none", "all", "all_if_asked", "qwen", "qwen_moe", "pattern"]
"""Which layers attend to a sliding window, where `layer_types` does not say it: none; all, if there
is a window; all, if `use_sliding_window` too; those from `max_window_layers` on; every second one
before it; all but every n-th."""


@dataclass(frozen=True, kw_only=True)
class Experts:
    """The fields of a mixture of experts, and which layers have one."""

    number: tuple[str, ...] = ("num_experts", "num_local_experts")
    width: str = "moe_intermediate_size"
    shared_number: str = ""
    """Field of how many shared experts there are, each as wide as a routed one."""
    shared_width: str = ""
    """Field of the width of the shared expert."""
    layers: Literal["all", "steps", "after_dense"] = "all"
    """All; every `decoder_sparse_step`-th but `mlp_only_layers`; all after the first
    `first_k_dense_replace`."""


@dataclass(frozen=True, kw_only=True)
class Family:
    """What `transformers` builds for a `model_type`, whatever the sizes are."""

    mlp: Mlp = "gated"
    norm: Norm = "rmsnorm"
    norms_per_block: int = 2
    qk_norm: QkNorm = "none"
    biases: frozenset[str] = frozenset()
    """Those it always has."""
    bias_fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Fields that turn biases on."""
    on_by_default: frozenset[str] = frozenset()
    """Those of `bias_fields` that are true where a configuration does not say."""
    tied: bool = False
    """Whether input and output share their vocabulary matrix where a configuration does not say."""
    latent: bool = False
    attention_sinks: bool = False
    shared_expert_gate: bool = False
    learned_positions: bool = False
    experts: Experts | None = None
    windows: Windows = "none"
    window_period: int = 0
    """In a pattern, the n whose multiples attend to everything."""
    period_field: str = ""
    """Field of another period."""
    d_head: int | None = None
    """Where a configuration does not say; else `hidden_size` over the heads."""
    d_ff_over_d_model: int = 0
    """The MLP's width over the model's where a configuration does not say; 0 if it must say."""
    kv_heads_are_heads: bool = False
    """Whether a configuration that does not say has a key-value head for each query head."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Names that differ from Llama's, by Llama's."""
    defaults: Mapping[str, int] = field(default_factory=dict)
    """Sizes that published configurations may leave out."""
    must_be: Mapping[str, object] = field(default_factory=dict)
    """Fields that would change what is built, with the only value that is known here."""
    indifferent: frozenset[str] = frozenset()
    """Fields of the family's own that change no parameter, byte or FLOP."""
