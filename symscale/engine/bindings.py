"""What the names of a text mean: each bound to a quantity, so that it has a unit and a domain."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from symscale.catalog.quantities import Domain, Quantity, read_value
from symscale.catalog.scope import expand
from symscale.errors import DimensionError, ExpressionError, SymscaleError, UnknownNameError
from symscale.expressions.dimensions import dimension_of
from symscale.expressions.nodes import (
    FUNCTIONS,
    Binary,
    Call,
    Compare,
    Name,
    Node,
    Number,
    children,
    names,
    rebuild,
    walk,
)
from symscale.expressions.numeric import in_units
from symscale.expressions.parser import parse
from symscale.expressions.shape import check_shape, constant_value
from symscale.expressions.text import text
from symscale.units import ONE, UNITLESS, Dimension, Unit

if TYPE_CHECKING:
    from symscale.catalog.loader import Catalog


@dataclass(frozen=True)
class Bound:
    """An expression whose names are quantities."""

    written: Node
    """With the calls of formulas."""
    expanded: Node
    quantities: Mapping[str, Quantity]

    @property
    def units(self) -> dict[str, Unit]:
        return {name: quantity.unit for name, quantity in self.quantities.items()}

    @property
    def positive(self) -> list[str]:
        return [name for name, quantity in self.quantities.items() if quantity.domain.positive]

    @property
    def numeric(self) -> Node:
        """Between plain numbers of the quantities' units; a value is in base units."""
        return in_units(self.expanded, self.units)

    def read(self, given: Mapping[str, Any], catalog: Catalog) -> dict[str, Fraction]:
        """Values for some of the names, checked. Raises SymscaleError with the name."""
        values = {}
        for name, value in given.items():
            if name not in self.quantities:
                raise UnknownNameError("name in the expression", name, self.quantities)
            quantity = self.quantities[name]
            try:
                number = read_value(value, quantity.unit, catalog.units)
                values[name] = quantity.check(number, quantity.unit)
            except SymscaleError as error:
                raise error.at(f"given {name}") from None
        return values


def bind(
    catalog: Catalog,
    written: str,
    *,
    known: Mapping[str, str] | None = None,
    kept: Collection[str] | None = None,
) -> Bound:
    """Read an expression or a comparison and find out what its names are.

    A name is what `known` says, else the quantity that a formula takes in its place, else the
    quantity it is the id of, else a number of the dimension that stands on the other side of a
    comparison, else a pure number. The id of a formula without arguments stands for the formula
    of its own quantities; with `kept`, that of a quantity does so too where a formula has the
    same id, unless it is kept. A bare number beside a formula is in the formula's unit.
    Raises ExpressionError, UnknownNameError and DimensionError.
    """
    return bind_node(catalog, parse(written, catalog.units), known=known, kept=kept)


def bind_node(
    catalog: Catalog,
    node: Node,
    *,
    known: Mapping[str, str] | None = None,
    kept: Collection[str] | None = None,
) -> Bound:
    """The same for an expression that is read already."""
    known = dict(known or {})
    check_calls(catalog, node)
    plain = catalog.quantities if kept is None else kept
    node = _with_unit(catalog, call_by_name(catalog, node, {*plain, *known}))
    quantities: dict[str, Quantity] = {}
    for name, id in known.items():
        if id not in catalog.quantities:
            raise UnknownNameError("quantity", id, catalog.quantities)
        quantities[name] = catalog.quantities[id]
    for name, quantity in _arguments(catalog, node):
        first = quantities.setdefault(name, quantity)
        if first.unit.dimension != quantity.unit.dimension:
            raise DimensionError(f"{name} stands for {first.id} and for {quantity.id}")
    loose = []
    for name in names(node):
        if name not in quantities:
            if name in catalog.quantities:
                quantities[name] = catalog.quantities[name]
            else:
                loose.append(name)
    _bind_loose(catalog, node, loose, quantities)
    dimensions = {name: quantity.unit.dimension for name, quantity in quantities.items()}
    _dimension(catalog, node, dimensions)
    expanded = expand(node, catalog.formulas.__getitem__)
    for side in children(expanded) if isinstance(expanded, Compare) else (expanded,):
        if check_shape(side) != "number":
            raise ExpressionError(f"{text(side)[:80]} is not a number")
    used = names(expanded)
    return Bound(node, expanded, {name: q for name, q in quantities.items() if name in used})


def check_calls(catalog: Catalog, node: Node) -> None:
    """Raise ExpressionError or UnknownNameError for a call of what is no formula, or with
    another number of arguments than it takes."""
    for part in walk(node):
        if isinstance(part, Call) and part.function not in FUNCTIONS:
            if part.function not in catalog.formulas:
                known = [*FUNCTIONS, *catalog.formulas]
                raise UnknownNameError("function or formula", part.function, known)
            symbols = catalog.formulas[part.function].symbols
            if len(symbols) != len(part.arguments):
                raise ExpressionError(
                    f"{part.function} takes {', '.join(symbols) or 'nothing'}, "
                    f"not {len(part.arguments)} arguments"
                )


def call_by_name(catalog: Catalog, node: Node, kept: Collection[str]) -> Node:
    """The ids of formulas that stand as names, called with the ids of their quantities."""
    if isinstance(node, Name):
        if node.id in kept or node.id not in catalog.formulas:
            return node
        kept = {*kept, node.id}
        symbols = catalog.formulas[node.id].symbols.values()
        ids = tuple(call_by_name(catalog, Name(quantity.id), kept) for quantity in symbols)
        return Call(node.id, ids)
    parts = tuple(call_by_name(catalog, part, kept) for part in children(node))
    return rebuild(node, parts) if parts else node


def _with_unit(catalog: Catalog, node: Node) -> Node:
    """A comparison whose bare number has the unit of the formula on its other side."""
    if not isinstance(node, Compare):
        return node
    sides = [node.left, node.right]
    for position, other in ((0, node.right), (1, node.left)):
        side = sides[position]
        bare = constant_value(side) is not None and not any(
            isinstance(part, Number) and part.unit for part in walk(side)
        )
        if bare and isinstance(other, Call) and other.function in catalog.formulas:
            unit = catalog.formulas[other.function].unit
            if unit.text != "1":
                sides[position] = Binary("*", side, Number("1", unit))
                if isinstance(side, Number):
                    sides[position] = Number(side.text, unit)
    return Compare(node.op, *sides)


def _arguments(catalog: Catalog, node: Node) -> Iterator[tuple[str, Quantity]]:
    """The names that stand as arguments of formulas, with what the formulas take there."""
    for part in walk(node):
        if isinstance(part, Call) and part.function in catalog.formulas:
            symbols = catalog.formulas[part.function].symbols.values()
            for argument, quantity in zip(part.arguments, symbols, strict=True):
                if isinstance(argument, Name):
                    yield argument.id, quantity


def _bind_loose(
    catalog: Catalog, node: Node, loose: list[str], quantities: dict[str, Quantity]
) -> None:
    """Names that say nothing of themselves: a side of a comparison, or pure numbers."""
    sides = (node.left, node.right) if isinstance(node, Compare) else ()
    for side, other in zip(sides, reversed(sides), strict=True):
        if isinstance(side, Name) and side.id in loose and not set(names(other)) & set(loose):
            dimensions = {name: quantity.unit.dimension for name, quantity in quantities.items()}
            unit = _unit_of(catalog, other, _dimension(catalog, other, dimensions))
            quantities[side.id] = _number(side.id, unit)
            loose.remove(side.id)
    for name in loose:
        quantities[name] = _number(name, UNITLESS)


def _unit_of(catalog: Catalog, node: Node, dimension: Dimension) -> Unit:
    if isinstance(node, Call) and node.function in catalog.formulas:
        return catalog.formulas[node.function].unit
    return UNITLESS if dimension == ONE else Unit(str(dimension), Fraction(1), dimension)


def _number(name: str, unit: Unit) -> Quantity:
    return Quantity(name, name, unit, "", Domain.parse("> 0"))


def _dimension(catalog: Catalog, node: Node, dimensions: Mapping[str, Dimension]) -> Dimension:
    return dimension_of(node, dimensions, signatures=lambda id: catalog.formulas[id].signature)
