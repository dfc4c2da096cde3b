"""Does a whole-number answer survive other readings of what was given?

A count of chips, sequences or days that is rounded at the end can turn on how a value was read: a
GB taken for a GiB, 128k for 131072, or the digits that printing left out. Every given value is
read the other way, one at a time, and the answer is worked out again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symscale.catalog.instances import Instance, value_text
from symscale.catalog.quantities import Quantity
from symscale.engine.derive import Derived
from symscale.engine.printed import printed_range
from symscale.errors import SymscaleError
from symscale.expressions.nodes import rounds
from symscale.expressions.values import Value
from symscale.units import Unit, convert

_MOST_PREFIX = 6


@dataclass(frozen=True, slots=True)
class Flip:
    """Another reading of one value that changes the answer."""

    name: str
    reading: str
    value: Fraction
    """The value so read, in the unit that it is given in."""
    answer: Fraction


@dataclass(frozen=True)
class Robustness:
    """Whether a whole-number answer is the same under every other reading."""

    answer: Fraction
    readings: int
    """How many were tried."""
    flips: tuple[Flip, ...]

    @property
    def robust(self) -> bool:
        return not self.flips

    @property
    def data(self) -> dict[str, Any]:
        from symscale.engine.data import robustness_data

        return robustness_data(self)


def audit_derived(derived: Derived) -> Robustness | None:
    """The audit of a derivation; None where its answer is not a rounded number."""
    values = {id: value for id, value in derived.given.items() if value is not None}
    if not isinstance(derived.value, Fraction) or not any(
        rounds(step.expression) for step in derived.steps
    ):
        return None
    if derived.value.denominator != 1:
        return None
    quantities = {id: derived.graph.quantities[id] for id in values}
    units = {id: derived.written[id] for id in values}

    def evaluate(stated: Mapping[str, Fraction]) -> Value:
        return derived.evaluate(
            {id: convert(value, units[id], quantities[id].unit) for id, value in stated.items()}
        )

    stated = {id: convert(values[id], quantities[id].unit, units[id]) for id in values}
    return _audit(derived.value, stated, quantities, units, evaluate)


def audit_instance(instance: Instance) -> dict[str, Robustness]:
    """The audits of the columns of a task's instance that are rounded to whole numbers."""
    task = instance.task
    quantities = {name: parameter.quantity for name, parameter in task.parameters.items()}
    audits = {}
    for position, column in enumerate(task.columns):
        value = instance.values[position]
        if column.kind == "number" and isinstance(value, Fraction) and rounds(column.expanded):
            if value.denominator != 1:
                continue

            def evaluate(values: Mapping[str, Fraction], position: int = position) -> Value:
                return task.kernel(values)[position]

            audits[column.name] = _audit(
                value, instance.parameters, quantities, task.parameter_units, evaluate
            )
    return audits


def _audit(
    answer: Fraction,
    values: Mapping[str, Fraction],
    quantities: Mapping[str, Quantity],
    units: Mapping[str, Unit],
    evaluate: Callable[[Mapping[str, Fraction]], Value],
) -> Robustness:
    tried = 0
    flips = []
    for name, value in values.items():
        for reading, other in _readings(value, quantities[name], units[name]):
            if convert(other, units[name], quantities[name].unit) not in quantities[name].domain:
                continue
            try:
                result = evaluate({**values, name: other})
            except SymscaleError:
                continue
            tried += 1
            if isinstance(result, Fraction) and result != answer:
                flips.append(Flip(name, reading, other, result))
    return Robustness(answer, tried, tuple(flips))


def _readings(value: Fraction, quantity: Quantity, unit: Unit) -> Iterator[tuple[str, Fraction]]:
    """Other ways to read a value, each with its name: bytes and their prefixes, a number of
    tokens or parameters in k, M, G, and the digits that a decimal was printed to."""
    if "byte" in (base for base, _ in unit.dimension.exponents):
        yield from _bytes(value, unit)
    elif unit.dimension.is_count and not unit.dimension.is_one and unit.scale == 1:
        power = _power(value)
        if power and value % 1000**power == 0:
            yield f"{_short(value, 1000, power)} as a power of 1024", _times(value, power)
        elif power and value % 1024**power == 0:
            yield f"{_short(value, 1024, power)} as a power of 1000", _times(value, -power)
    printed = None if quantity.domain.integer else printed_range(value)
    if printed is not None:
        shown = value_text(value, unit)
        yield f"rounded up to {shown}", printed[0]
        yield f"rounded down to {shown}", printed[1]


def _bytes(value: Fraction, unit: Unit) -> Iterator[tuple[str, Fraction]]:
    """The prefix of the unit, or of the magnitude where it has none, read the other way."""
    powers = range(1, _MOST_PREFIX + 1)
    decimal = [power for power in powers if unit.scale == 1000**power]
    binary = [power for power in powers if unit.scale == 1024**power]
    bare = [] if decimal or binary else [_power(value * unit.scale)]
    for power in filter(None, decimal or bare):
        yield "binary bytes for decimal ones (GiB for GB)", _times(value, power)
    for power in filter(None, binary or bare):
        yield "decimal bytes for binary ones (GB for GiB)", _times(value, -power)


def _power(value: Fraction) -> int:
    """The largest power of 1000 that is no larger than a value."""
    return max((p for p in range(1, _MOST_PREFIX + 1) if abs(value) >= 1000**p), default=0)


def _times(value: Fraction, power: int) -> Fraction:
    return value * Fraction(1024, 1000) ** power


def _short(value: Fraction, base: int, power: int) -> str:
    return f"{value / base**power}{'kMGTPE'[power - 1]}"
