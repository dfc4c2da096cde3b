"""What an architecture amounts to: parameters, bytes and FLOPs, each from catalog formulas."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from symscale.catalog.architecture import Architecture
from symscale.catalog.loader import Catalog
from symscale.errors import DomainError
from symscale.models.costs import cache_lines, flops_lines, weight_lines
from symscale.models.parameters import matmul_line, parameter_lines
from symscale.models.sheet import Draft, Sheet, Symbol

LETTERS = {
    "n_layers": "L",
    "n_dense_layers": "L_d",
    "n_moe_layers": "L_m",
    "n_global_layers": "L_g",
    "n_local_layers": "L_l",
    "d_model": "D",
    "d_ff": "F",
    "n_heads": "N",
    "n_kv_heads": "K",
    "d_head": "H",
    "d_q_latent": "q",
    "d_kv_latent": "c",
    "d_nope": "d_n",
    "d_rope": "d_r",
    "d_value": "d_v",
    "n_experts": "E",
    "n_experts_active": "k",
    "d_expert": "F_e",
    "n_shared_experts": "s",
    "d_shared_expert": "F_s",
    "vocab_size": "V",
    "n_embedding_matrices": "e",
    "n_positions": "P",
    "norms_per_block": "m",
    "window_len": "w",
    "seq_len": "T",
}
"""The letter of each size in the lines, and of the context."""

DEFAULT_CONTEXT = 4096


def count(architecture: Architecture, catalog: Catalog, *, context: int | None = None) -> Sheet:
    """The sheet of an architecture, attention taken at a context of so many tokens.

    Without a context it is 4,096 tokens, or what the model has learned positions for if that is
    less. Raises DomainError for a context that the model has no positions for.

    >>> from symscale.catalog.loader import load
    >>> catalog = load()
    >>> sheet = count(catalog.models["mixtral-8x7b"].architecture, catalog)
    >>> sheet["n_params"].value, sheet["n_params_active"].value
    (Fraction(46702792704, 1), Fraction(12879925248, 1))
    """
    sizes = {**architecture.sizes, "seq_len": _context(architecture, context)}
    symbols = []
    for id, letter in LETTERS.items():
        if id in sizes:
            quantity = catalog.quantities[id]
            value = quantity.check(Fraction(sizes[id]), quantity.unit)
            symbols.append(Symbol(letter, quantity, value))
    return Sheet.write(symbols, _lines(architecture), catalog)


def _lines(architecture: Architecture) -> Iterator[Draft]:
    yield from parameter_lines(architecture)
    yield from weight_lines()
    yield from cache_lines(architecture)
    yield matmul_line(architecture)
    yield from flops_lines(architecture)


def _context(architecture: Architecture, asked: int | None) -> int:
    longest = architecture.sizes.get("n_positions")
    if asked is None:
        return min(DEFAULT_CONTEXT, longest or DEFAULT_CONTEXT)
    if longest is not None and asked > longest:
        raise DomainError(f"the model has learned positions for {longest} tokens, not {asked}")
    return asked
