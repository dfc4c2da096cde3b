"""Points from the domains of quantities, at which candidates are tried and counted as proved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from symscale.catalog.quantities import Quantity
from symscale.engine.sampling import Point, Region
from symscale.engine.variables import Draws, Variable
from symscale.expressions.nodes import Node
from symscale.units import Unit

TRIES = 40


def sample(
    quantities: Mapping[str, Quantity],
    units: Mapping[str, Unit],
    *,
    where: Iterable[Node] = (),
    salt: str = "",
) -> Iterator[Point]:
    """Points within the domains that meet every condition, the same ones each time.

    The numbers are in `units`; `salt` chooses others. Points far out and points among small
    numbers take turns, and there is an end to them.
    """
    region = region_of(quantities, units, where=where)
    draws = Draws(salt.encode())
    for attempt in range(TRIES):
        point = region.near(draws) if attempt % 2 else region.far(draws)
        if point is not None:
            yield point


def region_of(
    quantities: Mapping[str, Quantity], units: Mapping[str, Unit], *, where: Iterable[Node] = ()
) -> Region:
    """What the quantities admit, as numbers of `units`."""
    variables = {
        name: Variable(quantity.domain, units[name].scale / quantity.unit.scale)
        for name, quantity in quantities.items()
    }
    return Region(variables, tuple(where))
