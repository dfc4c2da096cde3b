"""Identities proved by SymPy: a second, independent way beside the engine's own algebra.

Only expressions of the catalog come here: SymPy can take minutes on a short hostile line. Names
become positive symbols, which is what nearly every quantity is; each is declared so only where its
domain says it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from symscale.catalog.proofs import Identity
from symscale.catalog.quantities import Quantity
from symscale.catalog.scope import expand
from symscale.expressions.nodes import Call, Compare, Node, walk
from symscale.expressions.numeric import in_units

if TYPE_CHECKING:
    from symscale.catalog.loader import Catalog

_CHOICES = frozenset({"ceil", "floor", "max", "min", "where", "abs"})


def sympy_proves(catalog: Catalog, identity: Identity) -> bool | None:
    """Whether SymPy finds the two sides equal, the limit right or the slope zero at the optimum.

    None where a rounding or a choice stands in the way: those are for exact values to decide.
    """
    from symscale.expressions.tree import sympy_tree

    units = {letter: quantity.unit for letter, quantity in identity.symbols.items()}
    symbols = _symbols(identity.symbols)
    sides = []
    for side in (identity.left, identity.right):
        node = in_units(expand(side, catalog.formulas.__getitem__), units)
        if _chooses(node):
            return None
        sides.append(sympy_tree(node, symbols))
    left, right = sides
    match identity.kind:
        case "identity":
            return _is_zero(left - right)
        case "limit":
            return _limit(left, right, symbols[identity.variable], identity.to)
        case _:
            variable = symbols[identity.variable]
            return _is_zero(left.diff(variable).subs(variable, right))


def _symbols(quantities: Mapping[str, Quantity]) -> dict[str, Any]:
    import sympy

    return {
        letter: sympy.Symbol(letter, positive=True)
        if quantity.domain.positive
        else sympy.Symbol(letter, real=True)
        for letter, quantity in quantities.items()
    }


def _chooses(node: Node) -> bool:
    return any(
        isinstance(part, Compare) or (isinstance(part, Call) and part.function in _CHOICES)
        for part in walk(node)
    )


def _is_zero(tree: Any) -> bool:
    """Rational functions by cancelling; powers, roots and logarithms by expanding them."""
    import sympy

    for rewrite in (
        sympy.cancel,
        sympy.expand,
        lambda t: sympy.cancel(sympy.powsimp(sympy.expand_power_base(t))),
        lambda t: sympy.expand(sympy.expand_log(sympy.powdenest(t, force=True), force=True)),
        lambda t: sympy.radsimp(sympy.together(t)),
    ):
        if rewrite(tree) == 0:
            return True
    return False


def _limit(left: Any, right: Any, variable: Any, to: str) -> bool:
    """The limit of the left side; of the ratio, where the right side grows along."""
    import sympy

    where, side = (sympy.oo, "-") if to == "infinity" else (sympy.Rational(to), "+")
    if variable in right.free_symbols:
        return bool(sympy.limit(sympy.cancel(left / right), variable, where, side) == 1)
    return _is_zero(sympy.limit(left, variable, where, side) - right)
