"""The parameters of an architecture: the parts of a layer, and the whole."""

from __future__ import annotations

from collections.abc import Iterator

from symscale.catalog.architecture import Architecture
from symscale.models.sheet import Draft


def parameter_lines(a: Architecture) -> Iterator[Draft]:
    """Parts, split into the matrices that activations are multiplied with and the rest; totals."""
    parts = list(_parts(a))
    yield from parts
    names = {part.name for part in parts}
    terms = [
        *_layers("L", ["attention_matrices", "attention_vectors"], names),
        *_layers("L_d" if a.is_sparse else "L", ["mlp_matrices", "mlp_biases"], names),
        *_layers("L_m", ["experts", "router", "shared_experts"], names),
    ]
    terms += [name for name in ("norms", "embeddings") if name in names]
    yield Draft("n_params", "parameters", "param", " + ".join(terms))
    active = f"n_params - L_m*{_experts('E - k', a)}" if a.is_sparse else "n_params"
    yield Draft("n_params_active", "parameters active for a token", "param", active)


def matmul_line(a: Architecture) -> Draft:
    """The active parameters that a token is multiplied with; looking its embedding up is none."""
    terms = ["L*attention_matrices"]
    if a.has_dense_mlp:
        terms.append("L_d*mlp_matrices" if a.is_sparse else "L*mlp_matrices")
    if a.is_sparse:
        used = ["expert_params_per_layer(k, D, F_e)", "router_params_per_layer(D, E)"]
        used += ["shared_experts"] if _shared_experts(a) else []
        terms.append(f"L_m*({' + '.join(used)})")
    terms.append("vocab_matrix_params(V, D)")
    return Draft("matmul_params", "active parameters in matmuls", "param", " + ".join(terms))


def _layers(number: str, parts: list[str], there: set[str]) -> list[str]:
    """The term of so many layers, if they have any of the parts."""
    found = " + ".join(part for part in parts if part in there)
    return [f"{number}*({found})"] if found else []


def _parts(a: Architecture) -> Iterator[Draft]:
    candidates = {
        "attention_matrices": ("matrices of attention, a layer", _attention_matrices(a)),
        "attention_vectors": ("biases and norms of attention, a layer", _attention_vectors(a)),
        "mlp_matrices": ("matrices of a dense MLP", _mlp_matrices(a)),
        "mlp_biases": ("biases of a dense MLP", _mlp_biases(a)),
        "experts": ("routed experts, a layer", _experts("E", a) if a.is_sparse else ""),
        "router": ("router, a layer", _router(a) if a.is_sparse else ""),
        "shared_experts": ("shared experts, a layer", _shared_experts(a)),
        "norms": ("norms of the blocks and the final one", _norms(a)),
        "embeddings": ("embeddings", _embeddings(a)),
    }
    for name, (title, expression) in candidates.items():
        if expression:
            yield Draft(name, title, "param", expression, is_part=True)


def _attention_matrices(a: Architecture) -> str:
    if not a.is_latent:
        return "gqa_attention_params(D, N, K, H)"
    if "d_q_latent" in a.sizes:
        return f"mla_attention_params(D, q, N, d_n, d_r, c, d_v) - {_latent_norms(a)}"
    return f"mla_attention_params_full_query(D, N, d_n, d_r, c, d_v) - {_latent_norms(a)}"


def _latent_norms(a: Architecture) -> str:
    return "mla_norm_params(q, c)" if "d_q_latent" in a.sizes else "mla_norm_params(0, c)"


def _attention_vectors(a: Architecture) -> str:
    """Everything of attention that is no matrix."""
    terms = [_latent_norms(a)] if a.is_latent else []
    if "qkv" in a.biases:
        terms.append("qkv_bias_params(N, K, H)")
    if "attention_output" in a.biases:
        terms.append("attention_output_bias_params(D)")
    match a.qk_norm:
        case "head":
            terms.append("qk_norm_params(H)")
        case "width":
            terms.append("full_width_qk_norm_params(N, K, H)")
    if a.attention_sinks:
        terms.append("attention_sink_params(N)")
    return " + ".join(terms)


def _mlp_matrices(a: Architecture) -> str:
    return f"{a.mlp}_mlp_params(D, F)" if a.has_dense_mlp else ""


def _mlp_biases(a: Architecture) -> str:
    return f"{a.mlp}_mlp_bias_params(F, D)" if a.has_dense_mlp and "mlp" in a.biases else ""


def _experts(number: str, a: Architecture) -> str:
    """So many routed experts, with their biases."""
    matrices = f"expert_params_per_layer({number}, D, F_e)"
    if "experts" not in a.biases:
        return matrices
    return f"({matrices} + expert_bias_params({number}, F_e, D))"


def _router(a: Architecture) -> str:
    matrix = "router_params_per_layer(D, E)"
    return f"{matrix} + router_bias_params(E)" if "router" in a.biases else matrix


def _shared_experts(a: Architecture) -> str:
    terms = []
    if "d_shared_expert" in a.sizes:
        terms.append("gated_mlp_params(D, F_s)")
    if "n_shared_experts" in a.sizes:
        terms.append("expert_params_per_layer(s, D, F_e)")
    if a.shared_expert_gate:
        terms.append("shared_expert_gate_params(D)")
    return " + ".join(terms)


def _norms(a: Architecture) -> str:
    match a.norm:
        case "rmsnorm":
            return "norm_params(m, L, D)"
        case "layernorm":
            return "2*norm_params(m, L, D)"
        case "unscaled":
            return ""


def _embeddings(a: Architecture) -> str:
    terms = ["e*vocab_matrix_params(V, D)"]
    if "n_positions" in a.sizes:
        terms.append("vocab_matrix_params(count(P), D)")
    if "output" in a.biases:
        terms.append("output_bias_params(V)")
    return " + ".join(terms)
