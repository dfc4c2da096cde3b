"""Pieces of the engine's documents: values, ranges, lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from symscale.algebra.roots import Root
from symscale.catalog.documents import math, value_decimal
from symscale.catalog.quantities import Quantity
from symscale.engine.solve import Interval, Solution
from symscale.expressions.nodes import Node
from symscale.expressions.values import Value
from symscale.numbers import decimal_text, exact_text
from symscale.render.document import Table
from symscale.units import Unit

SHORT = 24
"""Characters of an exact value that is shown beside its decimal."""


def intervals(solution: Solution) -> str:
    """The values that meet a comparison."""
    if not solution.intervals:
        return "no value"
    return "; ".join(_interval(interval, solution) for interval in solution.intervals)


def _interval(interval: Interval, solution: Solution) -> str:
    name, unit = solution.for_, unit_text(solution.unit)
    if interval.low is not None and interval.low == interval.high:
        return f"{name} = {shown(interval.low)} {unit}".strip()
    if interval.low is not None and interval.high is None:
        op = "≥" if interval.includes_low else ">"
        return f"{name} {op} {shown(interval.low)} {unit}".strip()
    low = high = ""
    if interval.low is not None:
        low = f"{shown(interval.low)} {'≤' if interval.includes_low else '<'} "
    if interval.high is not None:
        high = f" {'≤' if interval.includes_high else '<'} {shown(interval.high)}"
    return f"{low}{name}{high}{f' (in {unit})' if unit else ''}" if low or high else f"every {name}"


def range_of(low: Root | None, high: Root | None, unit: Unit) -> str:
    """The values between two ends, or the one value that both are."""
    of = unit_text(unit)
    if low is not None and low == high:
        return f"{shown(low)} {of}".strip()
    start = "" if low is None else f"from {shown(low)} "
    stop = "on" if high is None else f"to {shown(high)}"
    return f"{start}{stop} {of}".strip()


def shown(value: Value | None) -> str:
    """A value in full where it is short, else as a decimal with its exact form behind it."""
    if value is None:
        return "no value"
    if not isinstance(value, Fraction):
        return value_decimal(value)
    exact, decimal = exact_text(value), decimal_text(value)
    if Fraction(decimal) == value:
        return decimal
    return f"{exact} ≈ {decimal}" if len(exact) <= SHORT else decimal


def value_table(
    title: str, values: Mapping[str, Fraction], quantities: Mapping[str, Quantity]
) -> Table:
    """Names with their values and what they are."""
    rows = tuple(
        (name, shown(value), unit_text(quantities[name].unit), quantities[name].meaning)
        for name, value in values.items()
    )
    return Table(title, ("name", "value", "unit", "meaning"), rows)


def node_table(title: str, nodes: Iterable[Node]) -> list[Table]:
    """A list of expressions, nothing where there is none."""
    rows = tuple((math(node),) for node in nodes)
    return [Table(title, ("",), rows)] if rows else []


def unit_text(unit: Unit) -> str:
    """A unit, nothing for 1."""
    return "" if unit.text == "1" else unit.text
