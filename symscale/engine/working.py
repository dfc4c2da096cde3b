"""What the steps of a route give, in expressions and in values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from symscale.engine.graph import Edge, Graph
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import Binary, Name, Node, number, substitute
from symscale.expressions.text import text
from symscale.expressions.values import Value
from symscale.units import Unit, convert


class GuardError(Exception):
    """A formula that does not hold at the given values."""

    def __init__(self, formula: str, condition: str) -> None:
        self.formula = formula
        self.condition = condition


@dataclass(frozen=True)
class Worked:
    """What the steps of a route give, one after the other."""

    graph: Graph
    forms: dict[str, Node]
    """Every quantity over what is given."""
    values: dict[str, Value]
    given: dict[str, Fraction]

    @classmethod
    def of(
        cls, graph: Graph, steps: Iterable[Edge], given: Mapping[str, Fraction | None]
    ) -> Worked:
        """Raises GuardError for a formula that does not hold at the given values."""
        exact = {id: value for id, value in given.items() if value is not None}
        worked = cls(graph, {id: Name(id) for id in given}, dict(exact), exact)
        for edge in steps:
            worked.take(edge)
        return worked

    def take(self, edge: Edge) -> None:
        """One step more."""
        expression = self.graph.solution(edge)
        assert expression is not None
        self.forms[edge.target] = substitute(expression, self.forms)
        if self.given or not self.forms.keys() - {edge.target}:
            self.values[edge.target] = self._evaluate(expression)
            for guard in self.graph.guards(edge.formula):
                if self._evaluate(guard) is not True:
                    raise GuardError(edge.formula, text(guard))

    def _evaluate(self, node: Node) -> Value:
        exact = {id: value for id, value in self.values.items() if isinstance(value, Fraction)}
        if len(exact) == len(self.values):
            return evaluate(node, exact)
        return evaluate(substitute(node, self.forms), self.given)

    def value(self, id: str, unit: Unit) -> Value:
        """A value in another unit of its quantity."""
        own = self.graph.quantities[id].unit
        value = self.values[id]
        if own.scale == unit.scale:
            return value
        if isinstance(value, Fraction):
            return convert(value, own, unit)
        return evaluate(scaled(self.forms[id], own.scale / unit.scale), self.given)


def scaled(node: Node, factor: Fraction) -> Node:
    """The expression times a number."""
    return Binary("*", node, number(factor))
