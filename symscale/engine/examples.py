"""Counter-examples that a person can follow: small numbers at which two expressions differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from symscale.catalog.quantities import Quantity
from symscale.engine.equivalence import Equivalence
from symscale.engine.sampling import Region
from symscale.errors import SymscaleError
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import Node
from symscale.expressions.values import Value

_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)


@dataclass(frozen=True, slots=True)
class Difference:
    """A point at which two expressions differ, and what each gives there."""

    point: Mapping[str, Fraction]
    ours: Value
    theirs: Value | None


def example_of(
    ours: Node,
    theirs: Node,
    quantities: Mapping[str, Quantity],
    region: Region,
    verdict: Equivalence,
) -> Difference | None:
    """Small numbers at which two expressions differ, else the point that decided."""
    for turn in range(len(_PRIMES)):
        point = _small_point(quantities, turn)
        mine = _value(ours, point) if region.admits(point) else None
        if mine is not None:
            other = _value(theirs, point)
            if mine != other:
                return Difference(point, mine, other)
    found = verdict.counterexample
    return Difference(found.point, found.reference, found.other) if found else None


def _value(node: Node, point: Mapping[str, Fraction]) -> Value | None:
    try:
        return evaluate(node, point)
    except SymscaleError:
        return None


def _small_point(quantities: Mapping[str, Quantity], turn: int) -> dict[str, Fraction]:
    """Small numbers with few common factors, within the domains."""
    point = {}
    for position, (id, quantity) in enumerate(quantities.items()):
        prime = Fraction(_PRIMES[(position + turn) % len(_PRIMES)])
        low, high = quantity.domain.ends
        if low is not None and high is not None and not quantity.domain.integer:
            point[id] = low + (high - low) / prime
        else:
            point[id] = max(prime, low + 1) if low is not None else prime
            if high is not None:
                point[id] = min(point[id], high)
    return point
