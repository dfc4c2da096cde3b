"""What a language model is made of: its sizes, by quantity, and the kinds of its parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from symscale.errors import CatalogError

Mlp: TypeAlias = Literal["gated", "plain"]
Norm: TypeAlias = Literal["rmsnorm", "layernorm", "unscaled"]
QkNorm: TypeAlias = Literal["none", "head", "width"]
Bias: TypeAlias = Literal["qkv", "attention_output", "mlp", "experts", "router", "output"]

KINDS: Mapping[str, tuple[str, ...]] = {
    "mlp": get_args(Mlp),
    "norm": get_args(Norm),
    "qk_norm": get_args(QkNorm),
}
BIASES: frozenset[str] = frozenset(get_args(Bias))

_ALWAYS = (
    "n_layers",
    "d_model",
    "vocab_size",
    "n_embedding_matrices",
    "norms_per_block",
    "n_heads",
)
_GROUPED = ("n_kv_heads", "d_head")
_LATENT = ("d_kv_latent", "d_nope", "d_rope", "d_value")
_EXPERTS = ("n_dense_layers", "n_moe_layers", "n_experts", "n_experts_active", "d_expert")
_WINDOW = ("n_global_layers", "n_local_layers", "window_len")
_OPTIONAL = ("d_ff", "d_q_latent", "n_positions", "n_shared_experts", "d_shared_expert")

SIZES = (*_ALWAYS, *_GROUPED, *_LATENT, *_EXPERTS, *_WINDOW, *_OPTIONAL)
"""The quantities that an architecture may give a size for."""


@dataclass(frozen=True, kw_only=True)
class Architecture:
    """A decoder: its sizes, and which kinds of parts they are the sizes of.

    Raises CatalogError where the sizes do not make one model, naming the quantity.
    """

    sizes: Mapping[str, int]
    """By quantity, in the quantity's unit."""
    mlp: Mlp = "gated"
    """Three matrices, or two; experts are always gated."""
    norm: Norm = "rmsnorm"
    """A scale, a scale and a bias, or neither."""
    qk_norm: QkNorm = "none"
    """Of queries and keys: a scale for each width of one head, or of all heads together."""
    biases: frozenset[str] = frozenset()
    """The matrices that have a bias; `output` is the vocabulary matrix of the logits."""
    attention_sinks: bool = False
    """A learned logit for each query head that no position belongs to."""
    shared_expert_gate: bool = False
    """A learned weight of the shared expert, from the residual stream."""

    def __post_init__(self) -> None:
        self._check_kinds()
        for id in self._needed():
            if id not in self.sizes:
                raise CatalogError("is missing", where=id)
        for id in self.sizes:
            if id not in SIZES:
                raise CatalogError("is not a size of an architecture", where=id)
        if self.is_sparse:
            self._check_sum("n_dense_layers", "n_moe_layers")
            self._check_at_most("n_experts_active", "n_experts")
        if self.is_latent and self.is_windowed:
            raise CatalogError("windows over latents are not known", where="n_local_layers")
        if self.is_windowed:
            self._check_sum("n_global_layers", "n_local_layers")
        if not self.is_latent and self.sizes["n_heads"] % self.sizes["n_kv_heads"]:
            heads, groups = self.sizes["n_heads"], self.sizes["n_kv_heads"]
            what = f"divides the {heads} query heads into equal groups; {groups} does not"
            raise CatalogError(what, where="n_kv_heads")

    @property
    def is_latent(self) -> bool:
        """Whether keys and values are compressed into one latent (MLA)."""
        return "d_kv_latent" in self.sizes

    @property
    def is_sparse(self) -> bool:
        """Whether some layers are mixtures of experts."""
        return "n_experts" in self.sizes

    @property
    def is_windowed(self) -> bool:
        """Whether some layers attend to a sliding window only."""
        return "n_local_layers" in self.sizes

    @property
    def has_dense_mlp(self) -> bool:
        return not self.is_sparse or self.sizes["n_dense_layers"] > 0

    def _needed(self) -> tuple[str, ...]:
        needed = _ALWAYS + (_LATENT if self.is_latent else _GROUPED)
        if self.is_sparse:
            needed += _EXPERTS
        if self.is_windowed:
            needed += _WINDOW
        if not self.is_sparse or self.sizes.get("n_dense_layers"):
            needed += ("d_ff",)
        return needed

    def _check_kinds(self) -> None:
        for name, known in KINDS.items():
            kind: Any = getattr(self, name)
            if kind not in known:
                raise CatalogError(f"is {' or '.join(known)}, not {kind!r}", where=name)
        unknown = self.biases - BIASES
        if unknown:
            what = f"{min(unknown)!r} is not known; known are {', '.join(sorted(BIASES))}"
            raise CatalogError(what, where="biases")

    def _check_sum(self, one: str, other: str) -> None:
        layers, added = self.sizes["n_layers"], self.sizes[one] + self.sizes[other]
        if added != layers:
            raise CatalogError(f"with {one} adds up to {added} layers of {layers}", where=other)

    def _check_at_most(self, part: str, whole: str) -> None:
        if self.sizes[part] > self.sizes[whole]:
            what = f"is at most {whole} ({self.sizes[whole]}), not {self.sizes[part]}"
            raise CatalogError(what, where=part)
