"""Points at which an expression is tried: exact values from the domains of its quantities."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from symscale.catalog.quantities import Domain, Quantity
from symscale.errors import SymscaleError
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import Compare
from symscale.units import Unit

TRIES = 400


def sample(
    quantities: Mapping[str, Quantity],
    units: Mapping[str, Unit],
    *,
    where: Iterable[Compare] = (),
    salt: str = "",
) -> Iterator[dict[str, Fraction]]:
    """Points within the domains that meet every condition, the same ones each time.

    The numbers are in `units`. They have few common factors, so that what differs shows; `salt`
    chooses others. It ends after a bounded number of tries.
    """
    conditions = list(where)
    draw = random.Random(hashlib.sha256(f"{salt} {sorted(quantities)}".encode()).digest())
    for attempt in range(TRIES):
        point = {
            name: draw_value(quantity.domain, draw, wide=attempt % 2 == 1)
            * quantity.unit.scale
            / units[name].scale
            for name, quantity in quantities.items()
        }
        if all(_holds(condition, point) for condition in conditions):
            yield point


def draw_value(domain: Domain, draw: random.Random, *, wide: bool = False) -> Fraction:
    """A value of a domain: a moderate one, or one from a wide range of magnitudes."""
    low, high = limits(domain)
    if domain.integer:
        start = Fraction(-50) if low is None else low
        if high is not None:
            return Fraction(draw.randint(int(start), int(high)))
        size = 10 ** draw.randint(1, 9) if wide else 100
        return start + draw.randint(0, size)
    if low is not None and high is not None:
        return low + (high - low) * Fraction(draw.randint(1, 996), 997)
    size = Fraction(draw.randint(1, 997), draw.choice((1, 7, 11, 13)))
    if wide:
        size *= Fraction(10) ** draw.randint(-6, 9)
    if high is not None:
        return high - size
    return size if low is None else low + size


def limits(domain: Domain) -> tuple[Fraction | None, Fraction | None]:
    """The least and the greatest value of a domain, None where there is none.

    For an integer domain both are among its values; for another they may stand just outside.
    """
    low = high = None
    for op, bound in domain.bounds:
        step = Fraction(int(domain.integer and op in "<>"))
        if op.startswith(">"):
            low = bound + step if low is None else max(low, bound + step)
        else:
            high = bound - step if high is None else min(high, bound - step)
    return low, high


def _holds(condition: Compare, point: Mapping[str, Fraction]) -> bool:
    try:
        return evaluate(condition, point) is True
    except SymscaleError:
        return False
