"""Where a published figure comes from: the formulas and mistakes that give it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from symscale.catalog.formulas import Formula
from symscale.catalog.quantities import Quantity, read_value
from symscale.engine.graph import Edge, Graph
from symscale.engine.printed import Printed
from symscale.engine.search import Question, Route, conflict, reach
from symscale.errors import SymscaleError, UnknownNameError
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import Node
from symscale.expressions.numeric import in_units
from symscale.expressions.values import Enclosure, Value
from symscale.units import Unit, convert

if TYPE_CHECKING:
    from symscale.catalog.loader import Catalog

MAX_STEPS = 4
"""Steps of a derivation up to an entry's inputs, past which a match says little."""


@dataclass(frozen=True, slots=True)
class Match:
    """An entry or a mistake that gives the figure."""

    kind: Literal["formula", "mistake"]
    id: str
    of: str
    """For a mistake, the formula or the task it is of."""
    says: str
    """The formula's title, or the mistake's message."""
    value: Fraction
    """In the figure's unit."""
    exact: bool
    misread: str
    """The confusion of units that is needed besides, if any."""
    steps: tuple[str, ...]
    """The formulas that worked out inputs which are not given."""


@dataclass(frozen=True)
class Identified:
    """A printed figure and what gives it, the plainest first."""

    figure: Printed
    given: Mapping[str, Fraction]
    matches: tuple[Match, ...]

    @property
    def data(self) -> dict[str, Any]:
        from symscale.engine.data import identified_data

        return identified_data(self)

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, str]:
        from symscale.engine.documents import identified_document

        return identified_document(self).mimebundle


def identify(catalog: Catalog, figure: str, *, given: Mapping[str, Any]) -> Identified:
    """The formulas and the mistakes of the catalog that give a figure from what is given.

    A value matches exactly, or if it prints as the figure to the figure's digits, or does so once
    a binary unit is read as a decimal one. Inputs that are not given are derived. Raises
    UnknownNameError, UnitError and DomainError for the figure and for what is given.
    """
    printed = Printed.read(figure, catalog.units)
    values: dict[str, Fraction] = {}
    for name, value in given.items():
        if name not in catalog.quantities:
            raise UnknownNameError("quantity", name, catalog.quantities)
        quantity = catalog.quantities[name]
        try:
            number = read_value(value, quantity.unit, catalog.units)
            values[name] = quantity.check(number, quantity.unit)
        except SymscaleError as error:
            raise error.at(f"given {name}") from None
    known = _Known.of(catalog.graph, values)
    found = [
        match
        for match in (
            *_by_formula(catalog, known, printed),
            *_by_formula_mistake(catalog, known, printed),
            *_by_task_mistake(catalog, known, printed),
        )
        if match is not None
    ]
    found.sort(key=lambda m: (bool(m.misread), not m.exact, len(m.steps), m.kind, m.of, m.id))
    return Identified(printed, values, tuple(found))


@dataclass(frozen=True)
class _Known:
    """Everything that follows from what is given, with the steps that lead there."""

    graph: Graph
    values: Mapping[str, Fraction]
    steps: Mapping[str, tuple[Edge, ...]]

    @classmethod
    def of(cls, graph: Graph, given: Mapping[str, Fraction]) -> _Known:
        values = dict(given)
        steps: dict[str, tuple[Edge, ...]] = dict.fromkeys(given, ())
        for id, (_, edge) in reach(graph, Question("", frozenset(given))).items():
            if edge is None or any(other not in values for other in edge.inputs):
                continue
            before = dict.fromkeys(step for other in edge.inputs for step in steps[other])
            route = Route(0, (*before, edge))
            if len(route.steps) > MAX_STEPS or conflict(graph, route) is not None:
                continue
            value = _number(graph.solution(edge), values)
            if value is not None and all(
                _holds(guard, values) for guard in graph.guards(edge.formula)
            ):
                values[id], steps[id] = value, route.steps
        return cls(graph, values, steps)

    def route(self, quantities: Mapping[str, Quantity]) -> tuple[str, ...] | None:
        """The formulas that give these quantities, None where they are not to be had together."""
        if any(quantity.id not in self.values for quantity in quantities.values()):
            return None
        edges = dict.fromkeys(s for q in quantities.values() for s in self.steps[q.id])
        if conflict(self.graph, Route(0, tuple(edges))) is not None:
            return None
        return tuple(edge.formula for edge in edges)

    def point(self, quantities: Mapping[str, Quantity]) -> dict[str, Fraction]:
        return {letter: self.values[quantity.id] for letter, quantity in quantities.items()}


def _number(node: Node | None, values: Mapping[str, Fraction]) -> Fraction | None:
    """A value as a rational: an irrational one to 30 digits, None where there is none."""
    if node is None:
        return None
    try:
        value: Value = evaluate(node, values)
    except SymscaleError:
        return None
    if isinstance(value, Enclosure):
        return value.key
    return value if isinstance(value, Fraction) else None


def _holds(node: Node, values: Mapping[str, Fraction]) -> bool:
    try:
        return evaluate(node, values) is True
    except SymscaleError:
        return False


def _by_formula(catalog: Catalog, known: _Known, printed: Printed) -> Iterator[Match | None]:
    for formula in catalog.formulas.values():
        if formula.unit.dimension == printed.unit.dimension and formula.symbols:
            yield _formula_match(formula, known, printed)


def _formula_match(formula: Formula, known: _Known, printed: Printed) -> Match | None:
    steps = known.route(formula.symbols)
    if steps is None or formula.id in steps:
        return None
    point = known.point(formula.symbols)
    if not all(_holds(guard, point) for guard in formula.numeric_guards):
        return None
    value = _number(formula.numeric, point)
    return _match(printed, value, formula.unit, "formula", formula.id, "", formula.title, steps)


def _by_formula_mistake(
    catalog: Catalog, known: _Known, printed: Printed
) -> Iterator[Match | None]:
    for mistake in catalog.mistakes.values():
        unit = mistake.formula.unit
        steps = known.route(mistake.symbols)
        if unit.dimension != printed.unit.dimension or steps is None:
            continue
        units = {letter: quantity.unit for letter, quantity in mistake.symbols.items()}
        value = _number(in_units(mistake.expanded, units, unit), known.point(mistake.symbols))
        yield _match(
            printed, value, unit, "mistake", mistake.id, mistake.formula.id, mistake.message, steps
        )


def _by_task_mistake(catalog: Catalog, known: _Known, printed: Printed) -> Iterator[Match | None]:
    for task in catalog.tasks.values():
        quantities = {name: parameter.quantity for name, parameter in task.parameters.items()}
        steps = known.route(quantities)
        columns = [
            (position, column)
            for position, column in enumerate(task.columns)
            if column.kind == "number" and column.unit.dimension == printed.unit.dimension
        ]
        if steps is None or not columns:
            continue
        point = {
            name: convert(
                known.values[parameter.quantity.id], parameter.quantity.unit, parameter.unit
            )
            for name, parameter in task.parameters.items()
        }
        for name, kernel in task.mistake_kernels.items():
            try:
                wrong, right = kernel(point), task.kernel(point)
            except SymscaleError:
                continue
            for position, column in columns:
                value = wrong[position]
                if isinstance(value, Fraction) and value != right[position]:
                    says = task.mistakes[name].message
                    of = f"{task.id} {column.name}"
                    yield _match(printed, value, column.unit, "mistake", name, of, says, steps)


def _match(
    printed: Printed,
    value: Fraction | None,
    unit: Unit,
    kind: Literal["formula", "mistake"],
    id: str,
    of: str,
    says: str,
    steps: tuple[str, ...],
) -> Match | None:
    if value is None:
        return None
    own = convert(value, unit, printed.unit)
    misread = ""
    if not printed.matches(own):
        misread = printed.misread(own) if "byte" in str(unit.dimension) else ""
        if not misread:
            return None
    return Match(kind, id, of, says, own, own == printed.value, misread, steps)
