"""Crossovers: where two closed forms meet, and which is larger on either side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from symscale.algebra.roots import Root
from symscale.catalog.quantities import Quantity
from symscale.engine.bindings import Bound, bind_node
from symscale.engine.signs import Segment, first_integer, signs
from symscale.engine.thresholds import Threshold, threshold
from symscale.errors import DomainError, UnknownNameError
from symscale.expressions.nodes import Binary, Compare, Node, names, number, substitute
from symscale.expressions.parser import parse

if TYPE_CHECKING:
    from symscale.catalog.loader import Catalog


@dataclass(frozen=True)
class Crossing:
    """Two expressions over the values of one quantity."""

    bound: Bound
    left: Node
    right: Node
    for_: str
    given: Mapping[str, Fraction]
    threshold: Threshold | None
    """Where they meet, in closed form, if their difference is linear-fractional."""
    segments: tuple[Segment, ...]
    """A sign of 1 says that the left one is larger there, -1 the right one, 0 that they meet."""
    method: str
    tried: Fraction | None = None

    @property
    def quantity(self) -> Quantity:
        return self.bound.quantities[self.for_]

    @property
    def points(self) -> tuple[Root, ...]:
        """Where they meet; of integers, the first of each run that they meet at."""
        meet = (segment for segment in self.segments if segment.sign == 0)
        found = (s.low if s.is_point else first_integer(s) for s in meet)
        return tuple(point for point in found if point is not None)

    @property
    def data(self) -> dict[str, Any]:
        from symscale.engine.data import crossing_data

        return crossing_data(self)

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, str]:
        from symscale.engine.documents import crossing_document

        return crossing_document(self).mimebundle


def cross(
    catalog: Catalog,
    left: str,
    right: str,
    *,
    for_: str,
    given: Mapping[str, Any] | None = None,
    integer: bool = False,
) -> Crossing:
    """Where two expressions, or formulas by their ids, meet as one quantity varies.

    Rational expressions, with max, min and where, are exact: every crossing, each a rational or
    an enclosure. Raises DimensionError for two that do not measure the same, DomainError where a
    value is missing.
    """
    given = given or {}
    sides = [parse(side, catalog.units) for side in (left, right)]
    compare = Compare("==", sides[0], sides[1])
    bound = bind_node(catalog, compare, kept={for_, *given})
    numeric = bound.numeric
    written = bound.written
    assert isinstance(numeric, Compare)
    assert isinstance(written, Compare)
    if for_ not in bound.quantities:
        raise UnknownNameError("name in the expressions", for_, bound.quantities)
    values = bound.read(given, catalog)
    missing = [name for name in names(numeric) if name not in values and name != for_]
    closed = threshold(numeric, for_, positive=bound.positive)
    segments: tuple[Segment, ...] = ()
    method, tried = "closed form", None
    if not missing:
        difference = Binary("-", numeric.left, numeric.right)
        plain = substitute(difference, {name: number(value) for name, value in values.items()})
        domain = bound.quantities[for_].domain
        found = signs(plain, for_, domain, integer=integer)
        segments, method, tried = found.segments, found.method, found.tried
    elif closed is None:
        raise DomainError(
            f"no closed form in {for_}: give a value for {', '.join(missing)} as well"
        )
    return Crossing(
        bound=bound,
        left=written.left,
        right=written.right,
        for_=for_,
        given=values,
        threshold=closed,
        segments=segments,
        method=method,
        tried=tried,
    )
