"""Parameters, by listing every weight tensor of a model and counting its elements."""

from __future__ import annotations

from fractions import Fraction

from tests.oracles.weights import (
    Weights,
    bert,
    biased_gated_mlp,
    chosen,
    gated_mlp,
    gpt2,
    gpt2_block,
    gpt_oss_attention,
    gpt_oss_mixture,
    grouped_attention,
    latent_attention,
    linear,
    llama,
    llama_block,
    lora,
    lora_on,
    norms,
    olmo2_attention,
    qwen2_attention,
    qwen2_mixture,
    qwen3_attention,
    size,
    within,
)
from tests.oracles.whole import in_whole_numbers


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
    return size(chosen(qwen2_attention(1, N, K, H), lambda name: name.endswith("bias")))


@in_whole_numbers
def list_query_key_norms(H: int) -> int:
    return size(chosen(qwen3_attention(1, 3, 2, H), lambda name: "norm" in name))


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


# What other families add


@in_whole_numbers
def list_uncompressed_queries(D: int, N: int, d_n: int, d_r: int) -> int:
    weights = latent_attention(D, None, N, d_n, d_r, c=1, d_v=1)
    return size(chosen(weights, lambda name: name.startswith("q_")))


@in_whole_numbers
def list_latent_attention_uncompressed(D: int, N: int, d_n: int, d_r: int, c: int, d_v: int) -> int:
    return size(latent_attention(D, None, N, d_n, d_r, c, d_v))


@in_whole_numbers
def list_latent_norms(q: int, c: int) -> int:
    weights = latent_attention(1, q, 1, 1, 1, c, 1)
    return size(chosen(weights, lambda name: "norm" in name))


@in_whole_numbers
def list_attention_sinks(N: int) -> int:
    return size(chosen(gpt_oss_attention(5, N, 2, 3), lambda name: name == "sinks"))


@in_whole_numbers
def list_norms(m: int, L: int, D: int) -> int:
    return size(norms(L, D, per_block=m))


@in_whole_numbers
def list_output_projection_bias(D: int) -> int:
    return size(chosen(gpt_oss_attention(D, 5, 2, 3), lambda name: name == "o_proj.bias"))


@in_whole_numbers
def list_gated_mlp_biases(F: int, D: int) -> int:
    return size(chosen(biased_gated_mlp(D, F), lambda name: name.endswith("bias")))


@in_whole_numbers
def list_plain_mlp_biases(F: int, D: int) -> int:
    weights = {**within("up", linear(D, F)), **within("down", linear(F, D))}
    return size(chosen(weights, lambda name: name.endswith("bias")))


@in_whole_numbers
def list_expert_biases(E: int, F: int, D: int) -> int:
    def of_an_expert(name: str) -> bool:
        return name.startswith("experts.") and name.endswith("bias")

    return size(chosen(gpt_oss_mixture(D, F, E), of_an_expert))


@in_whole_numbers
def list_router_biases(E: int) -> int:
    return size(chosen(gpt_oss_mixture(3, 2, E), lambda name: name == "router.bias"))


@in_whole_numbers
def list_shared_expert_gate(D: int) -> int:
    weights = qwen2_mixture(D, 3, 5, 2)
    return size(chosen(weights, lambda name: name.startswith("shared_expert_gate")))


@in_whole_numbers
def list_output_bias(V: int) -> int:
    return size(chosen(linear(3, V), lambda name: name == "bias"))


@in_whole_numbers
def list_full_width_norms(N: int, K: int, H: int) -> int:
    return size(chosen(olmo2_attention(5, N, K, H), lambda name: "norm" in name))
