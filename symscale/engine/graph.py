"""The graph of a catalog: quantities, and the formulas that lead from some to another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from symscale.algebra.normal_form import compact, factored
from symscale.algebra.polynomials import TooComplexError
from symscale.catalog.formulas import Formula
from symscale.catalog.quantities import Quantity
from symscale.engine.inversion import holds_back, solve_for
from symscale.errors import SymscaleError
from symscale.expressions.nodes import Binary, Call, Compare, Name, Node, substitute
from symscale.expressions.numeric import in_units
from symscale.units import UnitSystem

FORWARDS, BACKWARDS = 2, 3
"""What a step costs: a formula that is read backwards is a little dearer."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A formula used in one direction: from all of its quantities but one to that one."""

    formula: str
    backwards: bool
    target: str
    """The quantity that it gives."""
    inputs: tuple[str, ...]
    converts: bool = False
    """Whether the formula's own unit is another than its result's."""

    @property
    def cost(self) -> int:
        return BACKWARDS if self.backwards else FORWARDS

    @property
    def key(self) -> tuple[bool, bool, str, str]:
        """What decides between steps of equal cost, whatever the order of the catalog."""
        return self.backwards, self.converts, self.formula, self.target


@dataclass(frozen=True)
class Graph:
    """Quantities and the formulas between them, each to be used in every direction it has.

    Expressions are over quantity ids, numbers of the quantities' units.
    """

    formulas: Mapping[str, Formula]
    quantities: Mapping[str, Quantity]
    units: UnitSystem = field(repr=False, compare=False)
    _solutions: dict[Edge, Node | None] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(
        cls, formulas: Iterable[Formula], quantities: Mapping[str, Quantity], units: UnitSystem
    ) -> Graph:
        """The graph of these formulas.

        One that binds two letters to the same quantity, or its result to a letter, says nothing
        about a quantity by name, and stays out.
        """
        usable = {}
        for formula in sorted(formulas, key=lambda formula: formula.id):
            bound = [quantity.id for quantity in formula.symbols.values()]
            if len({*bound, formula.result.id}) == len(bound) + 1:
                usable[formula.id] = formula
        return cls(usable, dict(quantities), units)

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        return tuple(edge for formula in self.formulas.values() for edge in _edges(formula))

    @cached_property
    def into(self) -> dict[str, list[Edge]]:
        """The edges that give each quantity."""
        found: dict[str, list[Edge]] = {id: [] for id in self.quantities}
        for edge in self.edges:
            found[edge.target].append(edge)
        return found

    @cached_property
    def out_of(self) -> dict[str, list[Edge]]:
        """The edges that take each quantity."""
        found: dict[str, list[Edge]] = {id: [] for id in self.quantities}
        for edge in self.edges:
            for id in edge.inputs:
                found[id].append(edge)
        return found

    def says(self, id: str) -> Node:
        """A formula's expression over quantity ids."""
        formula = self.formulas[id]
        units = {letter: quantity.unit for letter, quantity in formula.symbols.items()}
        return _by_quantity(formula, in_units(formula.expanded, units, formula.result.unit))

    def guards(self, id: str) -> tuple[Compare, ...]:
        """The conditions under which a formula holds, over quantity ids."""
        formula = self.formulas[id]
        bound = (_by_quantity(formula, guard) for guard in formula.numeric_guards)
        return tuple(guard for guard in bound if isinstance(guard, Compare))

    def solution(self, edge: Edge) -> Node | None:
        """The expression of what an edge gives, verified; None where there is no exact inverse."""
        if edge not in self._solutions:
            self._solutions[edge] = self._solve(edge)
        return self._solutions[edge]

    def _solve(self, edge: Edge) -> Node | None:
        formula = self.formulas[edge.formula]
        node = self.says(edge.formula)
        quantities = {quantity.id: quantity for quantity in formula.symbols.values()}
        positive = [id for id, quantity in quantities.items() if quantity.domain.positive]
        if not edge.backwards:
            return compact(node, positive=positive)
        value = formula.result.id
        found = solve_for(node, edge.target, value, positive=[*positive, value])
        units = {id: quantity.unit for id, quantity in quantities.items()}
        if found is None or not holds_back(
            node, edge.target, value, found, quantities, units, guards=self.guards(edge.formula)
        ):
            return None
        return found

    def rivals(self, id: str) -> frozenset[str]:
        """The formulas that give the same quantity in another convention, and those that say
        the same as one of these, solved for another quantity.

        Not a rival is what says the same, perhaps in another unit, and what is the same with
        an input worked out by a formula of its own.
        """
        found: set[str] = set()
        for twin in self._twins.get(id, {id}):
            for rival in self._rivals.get(twin, ()):
                found |= self._twins.get(rival, {rival})
        return frozenset(found - self._twins.get(id, {id}))

    @cached_property
    def _twins(self) -> dict[str, frozenset[str]]:
        """The formulas that are one equation, whichever quantity they give; itself included."""
        by_quantities: dict[frozenset[str], list[Edge]] = {}
        for edge in self.edges:
            if not edge.backwards:
                key = frozenset((edge.target, *edge.inputs))
                by_quantities.setdefault(key, []).append(edge)
        return {
            edge.formula: frozenset(
                other.formula for other in group if other is edge or self._same(edge, other)
            )
            for group in by_quantities.values()
            for edge in group
            if len(group) > 1
        }

    def _same(self, a: Edge, b: Edge) -> bool:
        if a.target != b.target:
            a = next(e for e in self.into[b.target] if e.formula == a.formula)
        one, other = self.solution(a), self.solution(b)
        return one is not None and other is not None and self._equal(one, other)

    @cached_property
    def _rivals(self) -> dict[str, frozenset[str]]:
        by_result: dict[str, list[Formula]] = {}
        for formula in self.formulas.values():
            by_result.setdefault(formula.result.id, []).append(formula)
        return {
            formula.id: frozenset(
                other.id
                for other in group
                if other.id != formula.id and not self._compatible(formula, other)
            )
            for group in by_result.values()
            for formula in group
        }

    def _compatible(self, a: Formula, b: Formula) -> bool:
        if self._composes(a, b) or self._composes(b, a):
            return True
        sides = [{quantity.id for quantity in formula.symbols.values()} for formula in (a, b)]
        if sides[0] != sides[1]:
            return False
        return self._equal(self.says(a.id), self.says(b.id))

    def _equal(self, a: Node, b: Node) -> bool:
        try:
            return factored(Binary("-", a, b)).is_zero
        except (TooComplexError, ZeroDivisionError, SymscaleError):
            return False

    def _composes(self, whole: Formula, part: Formula) -> bool:
        """Whether one formula calls another with its own quantities, each as it is or as a
        formula gives it."""
        call = whole.expression
        if not isinstance(call, Call) or call.function != part.id:
            return False
        return all(
            (isinstance(argument, Name) and whole.symbols[argument.id].id == quantity.id)
            or (
                isinstance(argument, Call)
                and argument.function in self.formulas
                and self.formulas[argument.function].result.id == quantity.id
            )
            for argument, quantity in zip(call.arguments, part.symbols.values(), strict=True)
        )


def _edges(formula: Formula) -> Iterator[Edge]:
    ids = [quantity.id for quantity in formula.symbols.values()]
    converts = formula.unit.scale != formula.result.unit.scale
    yield Edge(formula.id, False, formula.result.id, tuple(ids), converts)
    for id in ids:
        others = (formula.result.id, *(other for other in ids if other != id))
        yield Edge(formula.id, True, id, others, converts)


def _by_quantity(formula: Formula, node: Node) -> Node:
    return substitute(node, {letter: Name(of.id) for letter, of in formula.symbols.items()})
