"""Mistakes of the catalog as expressions over quantity ids, to compare others with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from symscale.algebra.normal_form import factored
from symscale.algebra.polynomials import TooComplexError
from symscale.catalog.columns import Column, Step
from symscale.catalog.formulas import Formula
from symscale.catalog.quantities import Quantity
from symscale.catalog.scope import expand
from symscale.catalog.tasks import Task
from symscale.errors import SymscaleError
from symscale.expressions.nodes import Binary, Name, Node, names, substitute
from symscale.expressions.numeric import in_units

if TYPE_CHECKING:
    from symscale.catalog.loader import Catalog


@dataclass(frozen=True)
class WrongForm:
    """A named wrong form of a formula, between plain numbers, giving the formula's unit."""

    name: str
    where: str
    """The task that knows it, or nothing for the formula's own."""
    message: str
    node: Node
    quantities: Mapping[str, Quantity]


def wrong_forms(catalog: Catalog, formula: Formula) -> Iterator[WrongForm]:
    """The mistakes that are known of a formula, or of one that is the same but for factors that
    it multiplies: its own first, then those that tasks name for a step that says the same."""
    for mistake in catalog.mistakes.values():
        if mistake.formula.id == formula.id:
            yield _wrong(mistake.id, mistake.message, mistake.symbols, mistake.expanded, formula)
        elif mistake.formula.id in formula.uses:
            part = mistake.formula
            factor = _factor(formula, part)
            if factor is not None:
                symbols = {**part.symbols, **mistake.symbols}
                node = Binary("*", factor, _by_quantity(mistake.expanded, symbols))
                quantities = {q.id: q for q in (*symbols.values(), *formula.symbols.values())}
                units = {id: quantity.unit for id, quantity in quantities.items()}
                plain = in_units(node, units, formula.unit)
                yield WrongForm(mistake.id, "", mistake.message, plain, quantities)
    wanted = {quantity.id for quantity in formula.symbols.values()}
    for task in catalog.tasks.values():
        if task.mistakes and wanted <= {p.quantity.id for p in task.parameters.values()}:
            yield from _of_task(catalog, task, formula)


def _factor(formula: Formula, part: Formula) -> Node | None:
    """What a formula is times one that it calls with its own quantities, over quantity ids."""
    whole = _by_quantity(formula.expanded, formula.symbols)
    inner = _by_quantity(part.expanded, part.symbols)
    try:
        ratio = factored(_plain(Binary("/", whole, inner), formula, part))
    except (TooComplexError, ZeroDivisionError, SymscaleError):
        return None
    node = ratio.node()
    return Binary("/", whole, inner) if not set(names(node)) & set(names(inner)) else None


def _plain(node: Node, *formulas: Formula) -> Node:
    units = {q.id: q.unit for formula in formulas for q in formula.symbols.values()}
    return in_units(node, units)


def _by_quantity(node: Node, symbols: Mapping[str, Quantity]) -> Node:
    return substitute(node, {letter: Name(quantity.id) for letter, quantity in symbols.items()})


def _wrong(
    name: str, message: str, symbols: Mapping[str, Quantity], node: Node, formula: Formula
) -> WrongForm:
    quantities = {quantity.id: quantity for quantity in symbols.values()}
    units = {id: quantity.unit for id, quantity in quantities.items()}
    plain = in_units(_by_quantity(node, symbols), units, formula.unit)
    return WrongForm(name, "", message, plain, quantities)


def _of_task(catalog: Catalog, task: Task, formula: Formula) -> Iterator[WrongForm]:
    symbols = {name: parameter.quantity for name, parameter in task.parameters.items()}
    if len({quantity.id for quantity in symbols.values()}) != len(symbols):
        return
    right = _by_quantity(formula.expanded, formula.symbols)
    parts: dict[str, Step | Column] = {**task.steps}
    parts |= {column.name: column for column in task.columns}
    same = [
        name
        for name, part in parts.items()
        if part.unit.dimension == formula.unit.dimension
        and _equal(_by_quantity(part.expanded, symbols), right)
    ]
    for mistake in task.mistakes.values() if same else ():
        expansions: dict[str, Node] = {}
        for name, part in parts.items():
            written = mistake.replace.get(name, part.expression)
            expansions[name] = substitute(expand(written, catalog.formulas.__getitem__), expansions)
        for name in same:
            wrong = _wrong(mistake.name, mistake.message, symbols, expansions[name], formula)
            if not _equal(_by_quantity(expansions[name], symbols), right):
                yield WrongForm(wrong.name, task.id, wrong.message, wrong.node, wrong.quantities)


def _equal(a: Node, b: Node) -> bool:
    try:
        return factored(Binary("-", in_units(a, {}), in_units(b, {}))).is_zero
    except (TooComplexError, ZeroDivisionError, SymscaleError):
        return False
