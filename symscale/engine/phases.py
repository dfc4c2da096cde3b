"""Which of several bounds holds in which region: compute, memory, link, latency."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

from symscale.algebra.pieces import between, critical_points
from symscale.algebra.roots import Root
from symscale.catalog.quantities import Domain, read_value
from symscale.engine.bindings import Bound, bind_node
from symscale.errors import DomainError, UnknownNameError
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import Binary, Call, Node, names, number, substitute
from symscale.expressions.numeric import in_units
from symscale.expressions.parser import parse
from symscale.expressions.values import Enclosure, Value

if TYPE_CHECKING:
    from symscale.catalog.loader import Catalog


@dataclass(frozen=True, slots=True)
class Phase:
    """The values of a quantity, from `low` to `high`, over which one bound is the largest."""

    low: Root | None
    high: Root | None
    bound: str


@dataclass(frozen=True)
class Phases:
    """The phases along one quantity, at each value of another if there is one."""

    over: str
    across: str | None
    rows: tuple[tuple[Fraction | None, tuple[Phase, ...]], ...]
    bounds: Mapping[str, Node]
    given: Mapping[str, Fraction]
    names: Bound

    @property
    def data(self) -> dict[str, Any]:
        from symscale.engine.data import phases_data

        return phases_data(self)

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, str]:
        from symscale.engine.documents import phases_document

        return phases_document(self).mimebundle


def phases(
    catalog: Catalog,
    bounds: Mapping[str, str],
    *,
    over: str,
    given: Mapping[str, Any],
    across: tuple[str, Sequence[Any]] | None = None,
) -> Phases:
    """Which of the named bounds is the largest, along one quantity and across values of another.

    The bounds are expressions of one dimension, such as times; the exact places where one takes
    over from another are the ends of the phases. Raises DomainError where they cannot be found
    exactly or a value is missing.
    """
    if len(bounds) < 2:
        raise DomainError("phases are between two bounds or more")
    sides = {label: parse(side, catalog.units) for label, side in bounds.items()}
    kept = {over, *given, *([across[0]] if across else [])}
    bound = bind_node(catalog, Call("max", tuple(sides.values())), kept=kept)
    if not isinstance(bound.expanded, Call) or over not in bound.quantities:
        raise UnknownNameError("name in the bounds", over, bound.quantities)
    plain = {
        label: in_units(side, bound.units)
        for label, side in zip(sides, bound.expanded.arguments, strict=True)
    }
    values = bound.read(given, catalog)
    second: list[Fraction | None] = [None]
    if across is not None:
        unit = bound.quantities[across[0]].unit if across[0] in bound.quantities else None
        if unit is None:
            raise UnknownNameError("name in the bounds", across[0], bound.quantities)
        second = [read_value(value, unit, catalog.units) for value in across[1]]
    needed = {name for side in plain.values() for name in names(side)}
    missing = needed - {over, *values, *([across[0]] if across else [])}
    if missing:
        raise DomainError(f"the phases need a value for {', '.join(sorted(missing))}")
    rows = []
    for value in second:
        point = dict(values)
        if across is not None and value is not None:
            point[across[0]] = value
        numbers = {name: number(exact) for name, exact in point.items()}
        fixed = {label: substitute(side, numbers) for label, side in plain.items()}
        rows.append((value, tuple(_along(fixed, over, bound.quantities[over].domain))))
    return Phases(over, across[0] if across else None, tuple(rows), sides, values, bound)


def _along(bounds: Mapping[str, Node], letter: str, domain: Domain) -> list[Phase]:
    low, high = domain.ends
    differences = [Binary("-", a, b) for a, b in combinations(bounds.values(), 2)]
    points = critical_points(differences, letter, low, high)
    if points is None:
        raise DomainError(f"where the bounds meet along {letter} cannot be found exactly")
    inner = [point for point in points if point not in (low, high)]
    edges: list[Root | None] = [low, *inner, high]
    found: list[Phase] = []
    for position, x in enumerate(between(inner, low, high)):
        largest = max(bounds, key=lambda label: _size(evaluate(bounds[label], {letter: x})))
        start, end = edges[position], edges[position + 1]
        if found and found[-1].bound == largest:
            start = found.pop().low
        found.append(Phase(start, end, largest))
    return found


def _size(value: Value) -> Fraction:
    middle = value.key if isinstance(value, Enclosure) else value
    if not isinstance(middle, Fraction):
        raise DomainError("a bound is a number")
    return middle
