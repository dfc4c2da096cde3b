"""Deliberate errors in formulas, and whether the proofs on record notice them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from symscale.catalog.formulas import Formula
from symscale.catalog.loader import Catalog
from symscale.catalog.proofs import Figure, Identity
from symscale.catalog.quantities import Quantity, read_value
from symscale.catalog.scope import FormulaLookup, expand
from symscale.errors import SymscaleError
from symscale.expressions.kernel import compile_kernel
from symscale.expressions.nodes import (
    PRODUCT,
    SUM,
    Binary,
    Call,
    Compare,
    Name,
    Node,
    Number,
    Sign,
    chain,
    children,
    names,
    number,
    rebuild,
    substitute,
)
from symscale.expressions.numeric import in_units
from symscale.expressions.text import text
from symscale.expressions.values import Enclosure, Value

_SWAPS = {"max": "min", "min": "max", "ceil": "floor", "floor": "ceil"}
_COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
POINTS = 25


def mutants(formula: Formula) -> Iterator[tuple[str, Node]]:
    """Wrong versions of a formula's own expression, each with what was done to it."""
    yield from {text(wrong): wrong for wrong in _everywhere(formula.expression)}.items()
    letters = list(formula.symbols)
    for position, first in enumerate(letters):
        for second in letters[position + 1 :]:
            a, b = (formula.symbols[letter].unit.dimension for letter in (first, second))
            if a == b:
                exchange: dict[str, Node] = {first: Name(second), second: Name(first)}
                yield f"{first} <-> {second}", substitute(formula.expression, exchange)


def _everywhere(node: Node) -> Iterator[Node]:
    """The tree with one node changed, for every change of every node."""
    yield from _changed(node)
    parts = children(node)
    for position, part in enumerate(parts):
        for wrong in _everywhere(part):
            yield rebuild(node, (*parts[:position], wrong, *parts[position + 1 :]))


def _changed(node: Node) -> Iterator[Node]:
    match node:
        case Number() if node.value:
            written = Fraction(node.text)
            for value in (2 * written, written + 1):
                literal = number(value)
                if isinstance(literal, Number):
                    yield replace(literal, unit=node.unit)
        case Binary() if node.op in (*SUM, *PRODUCT):
            yield from _dropped(node)
        case Compare():
            yield replace(node, op=_COMPARISONS[node.op])
        case Call(function) if function in _SWAPS:
            yield replace(node, function=_SWAPS[function])
            if function in ("ceil", "floor"):
                yield node.arguments[0]
            else:
                for position in range(len(node.arguments)):
                    rest = node.arguments[:position] + node.arguments[position + 1 :]
                    yield replace(node, arguments=rest) if len(rest) > 1 else rest[0]
        case Call("where", (condition, then, otherwise)):
            yield Call("where", (condition, otherwise, then))
            yield then
            yield otherwise


def _dropped(node: Binary) -> Iterator[Node]:
    """A run of terms or factors with one left out."""
    first, rest = chain(node)
    sign = "-" if node.op in SUM else None
    for skipped in range(len(rest) + 1):
        kept = [("", first), *rest]
        del kept[skipped]
        op, start = kept[0]
        if op == "-" and sign:
            start = Sign("-", start)
        elif op == "/":
            start = Binary("/", Number("1"), start)
        for op, operand in kept[1:]:
            start = Binary(op, start, operand)
        yield start


def survivors(formula: Formula, catalog: Catalog) -> list[str]:
    """The wrong versions that differ from the formula and that no proof of it notices."""
    figures = catalog.figures.get(formula.id, [])
    identities = catalog.identities_of(formula.id)
    alive = []
    for description, wrong in mutants(formula):
        mutant = _mutant(formula, wrong, catalog)
        if _equivalent(formula, mutant):
            continue
        noticed = any(not figure_holds(mutant, figure) for figure in figures) or any(
            not identity_holds(identity, catalog, mutant) for identity in identities
        )
        if not noticed:
            alive.append(description)
    return alive


def _mutant(formula: Formula, wrong: Node, catalog: Catalog) -> Formula:
    return replace(formula, expression=wrong, expanded=expand(wrong, catalog.formulas.__getitem__))


def figure_holds(formula: Formula, figure: Figure) -> bool:
    """Whether the formula gives the figure, without asking its conditions."""
    values = {
        formula.letter_of(name): read_value(
            value, formula.symbols[formula.letter_of(name)].unit, formula.units
        )
        for name, value in figure.inputs.items()
    }
    value = _value(formula.numeric, values)
    return isinstance(value, Fraction) and _close(value, figure.value)


def identity_holds(identity: Identity, catalog: Catalog, instead: Formula) -> bool:
    """Whether the identity holds on values with one formula in place of its namesake."""

    def lookup(id: str) -> Formula:
        return instead if id == instead.id else catalog.formulas[id]

    draw = random.Random(identity.id)
    for _ in range(POINTS * 20):
        values = {letter: sample(of, draw) for letter, of in identity.symbols.items()}
        units = {letter: of.unit for letter, of in identity.symbols.items()}
        guards = [_value(in_units(expand(w, lookup), units), values) for w in identity.where]
        if not all(guard is True for guard in guards):
            continue
        if not _agrees(identity, values, units, lookup):
            return False
    return True


def _agrees(
    identity: Identity, values: dict[str, Fraction], units: Mapping[str, Any], lookup: FormulaLookup
) -> bool:
    left = in_units(expand(identity.left, lookup), units)
    right = in_units(expand(identity.right, lookup), units)
    if identity.kind == "identity":
        a, b = _value(left, values), _value(right, values)
        return a is None or b is None or a == b or (_close(a, b))
    if identity.kind == "limit":
        goal = Fraction(10**40) if identity.to == "infinity" else Fraction(identity.to)
        near = values | {
            identity.variable: goal if identity.to == "infinity" else goal + Fraction(1, 10**40)
        }
        a, b = _value(left, near), _value(right, near)
        return a is None or b is None or _close(a, b, Fraction(1, 10**12))
    best_at = _value(right, values)
    if not isinstance(best_at, Fraction):
        return best_at is None
    best = _value(left, values | {identity.variable: best_at})
    for factor in (Fraction(999, 1000), Fraction(1001, 1000)):
        other = _value(left, values | {identity.variable: best_at * factor})
        if best is None or other is None:
            return True
        worse = other >= best if identity.to == "minimises" else other <= best  # type: ignore[operator]
        if not worse:
            return False
    return True


def sample(quantity: Quantity, draw: random.Random) -> Fraction:
    """A value that the quantity admits, small or large."""
    for _ in range(1000):
        value = Fraction(
            draw.choice([draw.randint(1, 12), draw.randint(2, 500), draw.randint(1, 10**9)])
        )
        if not quantity.domain.integer:
            value *= draw.choice(
                [Fraction(1), Fraction(draw.randint(1, 99), 100), Fraction(1, 10**6)]
            )
        if value in quantity.domain:
            return value
    raise AssertionError(f"no value of {quantity.id} found")


def _equivalent(formula: Formula, mutant: Formula) -> bool:
    """Whether the two agree at many points, small values included."""
    draw = random.Random(formula.id)
    for _ in range(POINTS * 8):
        values = {letter: sample(of, draw) for letter, of in formula.symbols.items()}
        if all(letter in values for letter in names(mutant.numeric)):
            a, b = _value(formula.numeric, values), _value(mutant.numeric, values)
            if a is not None and (b is None or not _close(a, b)):
                return False
    return True


def _value(node: Node, values: Mapping[str, Fraction]) -> Value | None:
    try:
        value = compile_kernel([node], tuple(values))(values)[0]
    except (SymscaleError, ZeroDivisionError):
        return None
    return value.key if isinstance(value, Enclosure) else value


def _close(a: Any, b: Any, tolerance: Fraction = Fraction(1, 10**25)) -> bool:
    if not isinstance(a, Fraction) or not isinstance(b, Fraction):
        return bool(a == b)
    return abs(a - b) <= tolerance * abs(b)
