"""Bytes and FLOPs of an architecture, for a token and at a context of T tokens."""

from __future__ import annotations

from collections.abc import Iterator

from symscale.catalog.architecture import Architecture
from symscale.models.sheet import Draft

PRECISIONS = {"fp32": "4", "bf16": "2", "fp8": "1", "int4": "0.5"}
"""Bytes of one parameter."""

_FLOPS = "flop/token"


def weight_lines() -> Iterator[Draft]:
    """All parameters in each precision."""
    for precision, width in PRECISIONS.items():
        expression = f"weight_bytes({width} [byte/param], n_params)"
        yield Draft(f"weight_bytes_{precision}", f"weights in {precision}", "byte", expression)


def cache_lines(a: Architecture) -> Iterator[Draft]:
    """The cache in 16 bits: of a token, and of a sequence of T tokens."""
    title, unit = "KV cache of a token in bf16", "byte/token"
    whole = ("kv_bytes", "KV cache of the context in bf16", "byte")
    if not a.is_windowed:
        yield Draft("kv_bytes_per_token", title, unit, _cached(a, "L"))
        yield Draft(*whole, "T*kv_bytes_per_token")
        return
    yield Draft("kv_bytes_per_token", f"{title}, within the window", unit, _cached(a, "L"))
    beyond = "kv_bytes_per_token_beyond_window"
    yield Draft(beyond, f"{title}, beyond the window", unit, _cached(a, "L_g"))
    yield Draft(*whole, f"T*{beyond} + min(T, w)*{_cached(a, 'L_l')}")


def flops_lines(a: Architecture) -> Iterator[Draft]:
    """Of one token: its matmuls, and its attention as the last of T tokens and on average."""
    matmuls = "{}_flops(matmul_params, 1 [token])/1 [token]"
    yield Draft("matmul_flops", "forward FLOPs in matmuls", _FLOPS, matmuls.format("forward"))
    yield Draft(
        "attention_flops_last",
        "forward FLOPs in attention, last token of the context",
        _FLOPS,
        _over_layers(a, _last(a, "T"), _last(a, "min(T, w)")),
    )
    if a.is_latent:
        yield Draft(
            "attention_flops_last_absorbed",
            "the same with the projections absorbed into the latent",
            _FLOPS,
            "L*mla_attention_flops_absorbed(1, 1 [token], T, N, c, d_r)/1 [token]",
        )
    windowed = "attention_forward_flops_sliding_window(1, N, H, min(T, w), T)/T"
    yield Draft(
        "attention_flops_mean",
        "forward FLOPs in causal attention, mean of the context",
        _FLOPS,
        _over_layers(a, _mean(a), windowed),
    )
    yield Draft(
        "forward_flops_last",
        "forward FLOPs, last token of the context",
        _FLOPS,
        "matmul_flops + attention_flops_last",
    )
    yield Draft(
        "forward_flops_mean",
        "forward FLOPs, mean of the context",
        _FLOPS,
        "matmul_flops + attention_flops_mean",
    )
    yield Draft(
        "train_flops_mean",
        "training FLOPs, mean of the context",
        _FLOPS,
        f"{matmuls.format('train')} + 3*attention_flops_mean",
    )


def _cached(a: Architecture, layers: str) -> str:
    if a.is_latent:
        return f"mla_cache_bytes_per_token(2 [byte], {layers}, c, d_r)"
    return f"kv_cache_bytes_per_token(2 [byte], {layers}, K, H)"


def _over_layers(a: Architecture, everywhere: str, windowed: str) -> str:
    return f"L_g*{everywhere} + L_l*{windowed}" if a.is_windowed else f"L*{everywhere}"


def _last(a: Architecture, positions: str) -> str:
    """Scores of one query over so many positions, and the sum of their values."""
    query = f"1, 1 [token], {positions}, N"
    if a.is_latent:
        return f"mla_attention_flops_expanded({query}, d_n, d_r, d_v)/1 [token]"
    return f"attention_forward_flops_full({query}, H)/1 [token]"


def _mean(a: Architecture) -> str:
    """The same over all queries of a sequence, each with the positions up to its own."""
    if a.is_latent:
        return "mla_attention_flops_expanded(1, T, (T + 1)/2, N, d_n, d_r, d_v)/T"
    return "attention_forward_flops_causal_exact(1, T, N, H)/T"
