"""Powers and functions that a compared side may have only where the reference has such."""

from __future__ import annotations

from symscale.engine.proofs.lowest import is_positive
from symscale.engine.sampling import Region
from symscale.engine.sides import Side
from symscale.errors import UndecidedError
from symscale.expressions.nodes import Binary, Call, Node
from symscale.expressions.shape import literal_value
from symscale.expressions.text import text


def _exponent(part: Node) -> Node | None:
    match part:
        case Binary("**", _, Call("count", (exponent,)) | exponent):
            return exponent
        case _:
            return None


_TRANSCENDENTAL = ("exp", "log", "log2")


def check_functions(reference: Side, other: Side) -> None:
    """Raises UndecidedError for exponentials and logarithms where the reference has none."""
    if any(map(_is_transcendental, other.turns)) and not any(
        map(_is_transcendental, reference.turns)
    ):
        raise UndecidedError("the formula has an exponential or logarithm, the right one has none")


def _is_transcendental(part: Node) -> bool:
    return isinstance(part, Call) and part.function in _TRANSCENDENTAL


def check_powers(reference: Side, other: Side, region: Region) -> None:
    """Raises UndecidedError for a power whose exponent varies, as none of the reference's does, and
    whose base may be zero or below: 0**x is 1 where x is zero, (-1)**x where it is even."""
    exponents = [_exponent(part) for part in reference.turns]
    for part in other.turns:
        if not isinstance(part, Binary) or part.op != "**" or _exponent(part) in exponents:
            continue
        varies = literal_value(part.right) is None
        if varies and not is_positive(part.left, region.variables):
            raise UndecidedError(
                f"in {text(part)} the exponent varies, so {text(part.left)} must be above zero"
            )
