"""A Hugging Face `config.json` read into an architecture, strict about what it knows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symscale.catalog.architecture import Architecture
from symscale.catalog.reading import Table
from symscale.errors import CatalogError, UnknownNameError
from symscale.models.families import FAMILIES, WRAPPERS
from symscale.models.family import Experts, Family
from symscale.models.fields import Fields
from symscale.models.known_fields import INDIFFERENT, NOTED, WRAPPER_FIELDS

MAX_BYTES = 1_000_000
_LAYER_TYPES = ("full_attention", "sliding_attention")
_LANGUAGE_MODELS = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration")


@dataclass(frozen=True)
class Configuration:
    """What a configuration says: an architecture, what is left out of it, what is not known."""

    model_type: str
    architecture: Architecture
    notes: tuple[str, ...]
    """What the configuration has and the architecture leaves out."""
    unknown: tuple[str, ...]
    """Fields that nothing is known of here. What `transformers` builds for the `model_type` does
    not depend on them, code of the checkpoint's own might."""


def read_configuration(path: Path) -> Configuration:
    """Read a file.

    Raises CatalogError, with the file and its key, for one that is malformed, of a family that is
    not known, or with a value that is not known in its family.
    """
    place = path.name
    try:
        if path.stat().st_size > MAX_BYTES:
            raise CatalogError(f"has more than {MAX_BYTES:,} bytes", where=place)
        content = json.loads(
            path.read_text(encoding="utf-8"), parse_float=str, object_pairs_hook=_distinct
        )
    except OSError as error:
        raise CatalogError(f"cannot be read: {error.strerror}", where=place) from None
    except (ValueError, RecursionError) as error:
        raise CatalogError(f"is not a JSON file: {error}", where=place) from None
    if not isinstance(content, dict):
        raise CatalogError("is not a JSON object", where=place)
    return configuration_of(content, place)


def configuration_of(content: Mapping[str, Any], place: str = "config") -> Configuration:
    """The same for an object that is already read, at a place to name in errors."""
    table = Table(content, place)
    model_type = table.text("model_type")
    notes = _notes(table)
    unknown: list[str] = []
    if model_type in WRAPPERS:
        wrapper, table = table, table.table("text_config")
        notes += _open(wrapper, table, WRAPPERS[model_type])
        unknown += _unknown(wrapper, WRAPPER_FIELDS)
        notes += _notes(table)
    family = _family(table, WRAPPERS.get(model_type, model_type))
    architecture = _architecture(table, family)
    unknown += _unknown(table, family.indifferent)
    return Configuration(model_type, architecture, tuple(dict.fromkeys(notes)), tuple(unknown))


def _family(table: Table, model_type: str) -> Family:
    if model_type not in FAMILIES:
        error = UnknownNameError("family", model_type, FAMILIES)
        known = ", ".join(sorted({*FAMILIES, *WRAPPERS}))
        raise table.error("model_type", f"{error.what}; known are {known}")
    return FAMILIES[model_type]


def _open(wrapper: Table, inner: Table, model_type: str) -> list[str]:
    """Take the language model out of a model of several parts, and note what stays behind."""
    said = inner.text("model_type", model_type)
    if said != model_type:
        raise inner.error("model_type", f"is {model_type} here, not {said!r}")
    if wrapper.values.get("tie_word_embeddings") is not None:
        inner.values["tie_word_embeddings"] = wrapper.take("tie_word_embeddings")
    parts = [name for name in wrapper.values if name.endswith("_config")]
    for name in parts:
        wrapper.take(name)
    return [f"{name}: only the language model is counted" for name in parts]


def _notes(table: Table) -> list[str]:
    notes = [f"{key}: {what}" for key, what in NOTED.items() if table.take(key, None)]
    built = table.take("architectures", None)
    for name in built if isinstance(built, list) else []:
        if not str(name).endswith(_LANGUAGE_MODELS):
            notes.append(f"architectures: counted as a language model, not as {name}")
    return notes


def _unknown(table: Table, indifferent: frozenset[str]) -> list[str]:
    known = INDIFFERENT | indifferent
    return sorted(
        f"{table.prefix}{name}"
        for name, value in table.values.items()
        if name not in known and value is not None
    )


def _architecture(table: Table, family: Family) -> Architecture:
    fields = Fields(table, names=family.fields, defaults=family.defaults)
    for key, value in family.must_be.items():
        found = table.take(key, value)
        if found != value:
            raise table.error(key, f"is known as {value!r} only, not {found!r}")
    sizes = {
        "n_layers": fields.size("num_hidden_layers"),
        "d_model": fields.size("hidden_size"),
        "n_heads": fields.size("num_attention_heads"),
        "vocab_size": fields.size("vocab_size"),
        "n_embedding_matrices": 1 if fields.flag("tie_word_embeddings", family.tied) else 2,
        "norms_per_block": family.norms_per_block,
    }
    sizes |= _attention(fields, family, sizes)
    sizes |= _mlp(fields, family, sizes)
    sizes |= _windows(fields, family, sizes["n_layers"])
    if family.learned_positions:
        sizes["n_positions"] = fields.size("max_position_embeddings")
    turned_on = {
        bias
        for key, biases in family.bias_fields.items()
        if fields.flag(key, key in family.on_by_default)
        for bias in biases
    }
    try:
        return Architecture(
            sizes=sizes,
            mlp=family.mlp,
            norm=family.norm,
            qk_norm=family.qk_norm,
            biases=family.biases | turned_on,
            attention_sinks=family.attention_sinks,
            shared_expert_gate=family.shared_expert_gate,
        )
    except CatalogError as error:
        raise error.at(table.place) from None


def _attention(fields: Fields, family: Family, sizes: Mapping[str, int]) -> dict[str, int]:
    if family.latent:
        latent = {
            "d_kv_latent": fields.size("kv_lora_rank"),
            "d_nope": fields.size("qk_nope_head_dim"),
            "d_rope": fields.size("qk_rope_head_dim", least=0),
            "d_value": fields.size("v_head_dim"),
        }
        if "q_lora_rank" not in fields.nulls:
            latent["d_q_latent"] = fields.size("q_lora_rank")
        return latent
    d_head = fields.optional_size("head_dim") or family.d_head
    if d_head is None:
        width, heads = sizes["d_model"], sizes["n_heads"]
        if width % heads:
            what = f"is missing, and {heads} heads do not divide the width {width}"
            raise fields.table.error("head_dim", what)
        d_head = width // heads
    n_kv_heads = sizes["n_heads"]
    if not family.kv_heads_are_heads or fields.has("num_key_value_heads"):
        n_kv_heads = fields.size("num_key_value_heads")
    return {"n_kv_heads": n_kv_heads, "d_head": d_head}


def _mlp(fields: Fields, family: Family, sizes: Mapping[str, int]) -> dict[str, int]:
    experts = family.experts
    if experts is None:
        if family.d_ff_over_d_model and not fields.has("intermediate_size"):
            return {"d_ff": family.d_ff_over_d_model * sizes["d_model"]}
        return {"d_ff": fields.size("intermediate_size")}
    n_layers = sizes["n_layers"]
    dense = _dense_layers(fields, experts, n_layers)
    mlp = {
        "n_dense_layers": dense,
        "n_moe_layers": n_layers - dense,
        "n_experts": fields.size(*experts.number),
        "n_experts_active": fields.size("num_experts_per_tok", "experts_per_token"),
        "d_expert": fields.size(experts.width),
    }
    if experts.shared_width:
        mlp["d_shared_expert"] = fields.size(experts.shared_width)
    if experts.shared_number and (shared := fields.optional_size(experts.shared_number, least=0)):
        mlp["n_shared_experts"] = shared
    if dense:
        mlp["d_ff"] = fields.size("intermediate_size")
    elif experts.width != "intermediate_size":
        fields.optional_size("intermediate_size")
    return mlp


def _dense_layers(fields: Fields, experts: Experts, n_layers: int) -> int:
    """How many layers have a dense MLP instead of experts."""
    match experts.layers:
        case "all":
            return 0
        case "after_dense":
            return min(fields.size("first_k_dense_replace", least=0), n_layers)
        case "steps":
            step = fields.optional_size("decoder_sparse_step") or 1
            dense = fields.layer_numbers("mlp_only_layers", n_layers)
            return sum(layer in dense or (layer + 1) % step != 0 for layer in range(n_layers))


def _windows(fields: Fields, family: Family, n_layers: int) -> dict[str, int]:
    local = _local_layers(fields, family, n_layers)
    window = None if family.windows == "none" else fields.optional_size("sliding_window", least=0)
    if not local:
        return {}
    if family.windows in ("all", "all_if_asked") and window is None:
        return {}
    return {
        "n_local_layers": local,
        "n_global_layers": n_layers - local,
        "window_len": window or fields.size("sliding_window"),
    }


def _local_layers(fields: Fields, family: Family, n_layers: int) -> int:
    """How many layers attend to a window, if there is one."""
    listed = None
    if family.windows in ("qwen", "qwen_moe", "pattern"):
        listed = fields.choices("layer_types", _LAYER_TYPES, n_layers)
    asked = family.windows in ("all", "pattern") or (
        family.windows != "none" and fields.flag("use_sliding_window")
    )
    if not asked:
        return 0
    if listed is not None:
        return listed.count("sliding_attention")
    match family.windows:
        case "qwen":
            return max(n_layers - fields.size("max_window_layers", least=0), 0)
        case "qwen_moe":
            return (min(fields.size("max_window_layers", least=0), n_layers) + 1) // 2
        case "pattern":
            period = fields.optional_size(family.period_field) or family.window_period
            return n_layers - n_layers // period
        case _:
            return n_layers


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of a JSON file, in which no key stands twice."""
    content = dict(pairs)
    if len(content) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(k for k in keys if keys.count(k) > 1)!r} stands twice")
    return content
