"""Expressions of a catalog: read with names and dimensions checked, calls of formulas expanded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from symscale.errors import ExpressionError
from symscale.expressions.dimensions import dimension_of
from symscale.expressions.nodes import (
    FUNCTIONS,
    Call,
    Compare,
    Node,
    children,
    names,
    rewrite,
    substitute,
    walk,
)
from symscale.expressions.parser import parse
from symscale.expressions.shape import check_shape
from symscale.expressions.text import text
from symscale.units import ONE, Dimension, UnitSystem

if TYPE_CHECKING:
    from symscale.catalog.formulas import Formula
    from symscale.catalog.quantities import Quantity

FormulaLookup: TypeAlias = Callable[[str], "Formula"]


@dataclass(frozen=True)
class Scope:
    """The names that an expression may use, each with its dimension, and the formulas it may
    call."""

    dimensions: Mapping[str, Dimension]
    units: UnitSystem
    formulas: FormulaLookup

    @classmethod
    def of(
        cls, symbols: Mapping[str, Quantity], units: UnitSystem, formulas: FormulaLookup
    ) -> Scope:
        """The letters of a formula."""
        return cls({letter: of.unit.dimension for letter, of in symbols.items()}, units, formulas)

    def read(self, written: str, *, expected: Dimension | None = None) -> tuple[Node, Node]:
        """An expression as written, and with every call expanded.

        Raises ExpressionError for what is not one or uses other names, and DimensionError,
        against `expected` too.
        """
        node = parse(written, self.units)
        check_names(node, self.dimensions)
        self.dimension(node, expected=expected)
        expanded = expand(node, self.formulas)
        check_shape(expanded)
        return node, expanded

    def read_condition(self, written: str) -> tuple[Compare, Compare]:
        """A comparison, as `read` gives it."""
        comparison(parse(written, self.units))
        node, expanded = self.read(written, expected=ONE)
        return comparison(node), comparison(expanded)

    def dimension(self, node: Node, *, expected: Dimension | None = None) -> Dimension:
        return dimension_of(
            node,
            self.dimensions,
            signatures=lambda id: self.formulas(id).signature,
            expected=expected,
        )


def calls(node: Node) -> list[str]:
    """The formulas that an expression calls, in order of appearance."""
    return [
        part.function
        for part in walk(node)
        if isinstance(part, Call) and part.function not in FUNCTIONS
    ]


def expand(node: Node, formulas: FormulaLookup) -> Node:
    """The expression with every call of a formula replaced by what the formula says."""

    def replace(part: Node) -> Node:
        if isinstance(part, Call) and part.function not in FUNCTIONS:
            formula = formulas(part.function)
            bound = dict(zip(formula.symbols, part.arguments, strict=True))
            return substitute(formula.expanded, bound)
        return part

    return rewrite(node, replace)


def guards_of(node: Node, formulas: FormulaLookup) -> list[Compare]:
    """The conditions under which the formulas that an expression calls hold, expanded.

    A branch that a `where` chooses guards itself, so what is called there adds nothing.
    """
    found: list[Compare] = []
    parts = children(node)
    if isinstance(node, Call) and node.function == "where":
        parts = parts[:1]
    for part in parts:
        found += guards_of(part, formulas)
    if isinstance(node, Call) and node.function not in FUNCTIONS:
        formula = formulas(node.function)
        arguments = [expand(argument, formulas) for argument in node.arguments]
        bound = dict(zip(formula.symbols, arguments, strict=True))
        for guard in formula.guards:
            found.append(comparison(substitute(guard, bound)))
    return found


def comparison(node: Node) -> Compare:
    """The node, which must be a comparison; ExpressionError if it is not."""
    if not isinstance(node, Compare):
        raise ExpressionError(f"{text(node)} is not a comparison, such as n >= 2")
    return node


def check_names(node: Node, known: Mapping[str, Any]) -> None:
    """Raise ExpressionError for a name that is not among the known ones."""
    for name in names(node):
        if name not in known:
            raise ExpressionError(f"{name} is not defined; known are {', '.join(known) or 'none'}")
