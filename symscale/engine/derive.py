"""Derivations: from what is given to what is asked, by the formulas of a catalog."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from symscale.algebra.normal_form import compact
from symscale.catalog.derivation import Derivation, DerivationStep
from symscale.catalog.formulas import Formula
from symscale.catalog.quantities import Quantity, read_value
from symscale.engine.gaps import NotDerivableError, find_gaps
from symscale.engine.graph import Edge, Graph
from symscale.engine.search import Question, Route, best_routes
from symscale.engine.sensitivity import Elasticity, elasticities
from symscale.engine.working import GuardError, Worked, scaled
from symscale.errors import DomainError, SymscaleError, TooLargeError, UnknownNameError
from symscale.expressions.nodes import Node, names
from symscale.expressions.shape import check_shape
from symscale.expressions.values import Enclosure, Value
from symscale.numbers import decimal_text
from symscale.units import Unit, convert

if TYPE_CHECKING:
    from symscale.catalog.loader import Catalog

MAX_ALTERNATIVES = 12


@dataclass(frozen=True)
class DerivedStep:
    """One formula, used forwards or backwards for one of its quantities."""

    quantity: Quantity
    formula: Formula
    backwards: bool
    expression: Node
    """Over quantity ids: what is given and what earlier steps gave."""
    unit: Unit
    value: Value | None
    """The number of `unit`; None where only names are given."""


@dataclass(frozen=True)
class Alternative:
    """Another way to the target, by another formula."""

    formula: Formula
    backwards: bool
    steps: tuple[str, ...]
    """The formulas it takes, in order."""
    value: Value | None


@dataclass(frozen=True)
class Derived:
    """A derivation, with what it gives, what it assumes and what else would have led there."""

    target: str
    quantity: Quantity
    unit: Unit
    given: Mapping[str, Fraction | None]
    """By quantity id, in the quantities' units."""
    written: Mapping[str, Unit]
    """The units that the values were given in."""
    steps: tuple[DerivedStep, ...]
    closed_form: Node | None
    """Over what is given; None where it would be too large to read."""
    value: Value | None
    alternatives: tuple[Alternative, ...]
    findings: tuple[str, ...]
    """Values outside of their domains, formulas that could not be used here, what was not
    needed."""
    cost: int
    graph: Graph = field(repr=False, compare=False)

    @property
    def derivation(self) -> Derivation:
        """The steps with their values. Raises DomainError where only names are given."""
        steps = []
        for step in self.steps:
            if step.value is None:
                raise DomainError(f"{step.quantity.id} has no value: only names are given")
            steps.append(DerivationStep(step.quantity.id, step.expression, step.unit, step.value))
        return Derivation(tuple(steps))

    @property
    def assumptions(self) -> tuple[tuple[str, str], ...]:
        """What each formula assumes, with its id."""
        return tuple((s.formula.id, said) for s in self.steps for said in s.formula.assumptions)

    def evaluate(self, given: Mapping[str, Fraction]) -> Value:
        """The target by the same steps at other values, in its unit.

        Raises DomainError where a formula does not hold at them.
        """
        try:
            worked = Worked.of(self.graph, self._route, given)
        except GuardError as guard:
            raise DomainError(f"{guard.formula} holds only where {guard.condition}") from None
        return worked.value(self.quantity.id, self.unit)

    @property
    def _route(self) -> tuple[Edge, ...]:
        edges = []
        for step in self.steps:
            ids = [step.formula.result.id, *(q.id for q in step.formula.symbols.values())]
            inputs = tuple(id for id in ids if id != step.quantity.id)
            converts = step.formula.unit.scale != step.formula.result.unit.scale
            edges.append(Edge(step.formula.id, step.backwards, step.quantity.id, inputs, converts))
        return tuple(edges)

    @cached_property
    def elasticities(self) -> dict[str, Elasticity]:
        """The exponent with which the target goes as each given quantity."""
        if self.closed_form is None:
            return {}
        ids = names(self.closed_form)
        positive = [id for id in ids if self.graph.quantities[id].domain.positive]
        return elasticities(self.closed_form, positive=positive)

    @property
    def data(self) -> dict[str, Any]:
        from symscale.engine.data import derived_data

        return derived_data(self)

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, str]:
        from symscale.engine.documents import derived_document

        return derived_document(self).mimebundle


def derive(
    catalog: Catalog,
    target: str,
    *,
    given: Mapping[str, Any] | Iterable[str],
    assume: Sequence[str] = (),
) -> Derived:
    """The derivation of least cost of a quantity, or of a formula's result in its own unit.

    `given` has values by quantity id (a bare number is in the quantity's unit, `"2 GB"` is
    converted), or ids alone. `assume` names formulas: what they give is had from them and from
    no rival. Raises UnknownNameError, DimensionError and DomainError for what is given, and
    NotDerivableError, with the gaps, nearest first, for what cannot be derived.

    >>> import symscale
    >>> given = {"n_params": "7e10", "n_tokens": "2e12"}
    >>> symscale.load().derive("train_flops", given=given).value
    Fraction(840000000000000000000000, 1)
    """
    graph = catalog.graph
    goal, last, unit = _resolve(catalog, target)
    values, written, implied = _read_given(catalog, given)
    chosen = _chosen(catalog, assume, implied)
    if goal.id in values and last is None:
        raise DomainError(f"{goal.id} is given")
    question = Question(goal.id, frozenset(values), last, chosen)
    banned: frozenset[str] = frozenset()
    notes: list[str] = []
    while True:
        found = list(best_routes(graph, question, banned))
        if not found:
            raise NotDerivableError(goal.id, find_gaps(graph, question, banned), notes)
        try:
            return _derived(graph, target, unit, goal, (values, written), found, notes)
        except GuardError as guard:
            banned |= {guard.formula}
            notes.append(f"{guard.formula} was left out: it holds only where {guard.condition}")


def _resolve(catalog: Catalog, name: str) -> tuple[Quantity, str | None, Unit]:
    """A quantity, or the quantity, id and unit of a formula."""
    if name in catalog.quantities:
        quantity = catalog.quantities[name]
        return quantity, None, quantity.unit
    if name in catalog.formulas or name in catalog.refs:
        formula = catalog.formula(name)
        return formula.result, formula.id, formula.unit
    known = dict.fromkeys([*catalog.quantities, *catalog.formulas])
    raise UnknownNameError("quantity or formula", name, known)


def _read_given(
    catalog: Catalog, given: Mapping[str, Any] | Iterable[str]
) -> tuple[dict[str, Fraction | None], dict[str, Unit], list[str]]:
    """Values by quantity id, the units they were written in, and the formulas that were named in
    place of their results."""
    values: dict[str, Fraction | None] = {}
    written: dict[str, Unit] = {}
    implied = []
    named = given if isinstance(given, Mapping) else dict.fromkeys(given)
    for name, value in named.items():
        quantity, formula, unit = _resolve(catalog, name)
        if quantity.id in values:
            raise DomainError(f"{quantity.id} is given twice")
        implied += [formula] if formula else []
        values[quantity.id], written[quantity.id] = None, unit
        if value is not None:
            try:
                number = quantity.check(read_value(value, unit, catalog.units), unit)
                values[quantity.id] = convert(number, unit, quantity.unit)
                if isinstance(value, str):
                    written[quantity.id] = catalog.units.read(value, unit)[1]
            except SymscaleError as error:
                raise error.at(f"given {name}") from None
    if any(value is None for value in values.values()):
        values = dict.fromkeys(values)
    return values, written, implied


def _chosen(catalog: Catalog, assume: Sequence[str], implied: Sequence[str]) -> tuple[str, ...]:
    """The formulas to use, none of them rivals."""
    chosen: dict[str, None] = {}
    for name in (*assume, *implied):
        if name not in catalog.formulas and name not in catalog.refs:
            raise UnknownNameError("formula", name, catalog.formulas)
        chosen[catalog.formula(name).id] = None
    for id in chosen:
        for rival in sorted(catalog.graph.rivals(id) & chosen.keys()):
            raise DomainError(
                f"{id} and {rival} are two conventions for {catalog.formulas[id].result.id}; "
                f"assume one"
            )
    return tuple(sorted(chosen))


def _derived(
    graph: Graph,
    target: str,
    unit: Unit,
    goal: Quantity,
    stated: tuple[Mapping[str, Fraction | None], Mapping[str, Unit]],
    found: Sequence[Route],
    notes: Sequence[str],
) -> Derived:
    given, written = stated
    route = found[0]
    worked = Worked.of(graph, route.steps, given)
    steps = tuple(_step(graph, worked, edge, goal, unit) for edge in route.steps)
    used = {id for edge in route.steps for id in edge.inputs}
    findings = [*notes, *_findings(steps)]
    findings += [f"{id} was not needed" for id in given if id not in used]
    return Derived(
        target=target,
        quantity=goal,
        unit=unit,
        given=dict(given),
        written=dict(written),
        steps=steps,
        closed_form=_closed_form(graph, worked, goal, unit),
        value=steps[-1].value,
        alternatives=tuple(_alternatives(graph, found[1:], given, goal, unit)),
        findings=tuple(findings),
        cost=route.cost,
        graph=graph,
    )


def _step(graph: Graph, worked: Worked, edge: Edge, goal: Quantity, goal_unit: Unit) -> DerivedStep:
    quantity = graph.quantities[edge.target]
    unit = goal_unit if quantity.id == goal.id else quantity.unit
    expression = graph.solution(edge)
    assert expression is not None
    if unit.scale != quantity.unit.scale:
        expression = compact(scaled(expression, quantity.unit.scale / unit.scale))
    return DerivedStep(
        quantity=quantity,
        formula=graph.formulas[edge.formula],
        backwards=edge.backwards,
        expression=expression,
        unit=unit,
        value=worked.value(quantity.id, unit) if quantity.id in worked.values else None,
    )


def _closed_form(graph: Graph, worked: Worked, goal: Quantity, unit: Unit) -> Node | None:
    form = worked.forms[goal.id]
    if unit.scale != goal.unit.scale:
        form = scaled(form, goal.unit.scale / unit.scale)
    try:
        check_shape(form)
    except TooLargeError:
        return None
    positive = [id for id in worked.forms if graph.quantities[id].domain.positive]
    return compact(form, positive=positive)


def _findings(steps: Iterable[DerivedStep]) -> Iterator[str]:
    for step in steps:
        value = step.value.key if isinstance(step.value, Enclosure) else step.value
        if isinstance(value, Fraction):
            own = convert(value, step.unit, step.quantity.unit)
            if own not in step.quantity.domain:
                yield (
                    f"{step.quantity.id} comes out as {decimal_text(own)}, "
                    f"and it is {step.quantity.domain}"
                )


def _alternatives(
    graph: Graph,
    found: Iterable[Route],
    given: Mapping[str, Fraction | None],
    goal: Quantity,
    unit: Unit,
) -> Iterator[Alternative]:
    seen: set[str] = set()
    for route in found:
        edge = route.last
        if edge.formula in seen or len(seen) == MAX_ALTERNATIVES:
            continue
        try:
            worked = Worked.of(graph, route.steps, given)
            value = worked.value(goal.id, unit) if goal.id in worked.values else None
        except (GuardError, SymscaleError):
            continue
        seen.add(edge.formula)
        yield Alternative(
            formula=graph.formulas[edge.formula],
            backwards=edge.backwards,
            steps=tuple(step.formula for step in route.steps),
            value=value,
        )
