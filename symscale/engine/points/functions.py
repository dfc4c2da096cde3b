"""Functions that a compared side may have only where the reference has such."""

from __future__ import annotations

from symscale.engine.sides import Side
from symscale.errors import UndecidedError
from symscale.expressions.nodes import Call, Node

_TRANSCENDENTAL = ("exp", "log", "log2")


def check_functions(reference: Side, other: Side) -> None:
    """Raises UndecidedError for exponentials and logarithms where the reference has none."""
    if any(map(_is_transcendental, other.turns)) and not any(
        map(_is_transcendental, reference.turns)
    ):
        raise UndecidedError("the formula has an exponential or logarithm, the right one has none")


def _is_transcendental(part: Node) -> bool:
    return isinstance(part, Call) and part.function in _TRANSCENDENTAL
