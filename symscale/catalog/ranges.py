"""The finite list of distinct values that a parameter varies over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from symscale.catalog.reading import Table

MAX_VALUES = 1_000_000


@dataclass(frozen=True, slots=True)
class Range:
    """Distinct exact values in a fixed order, and how the file said them."""

    text: str
    values: tuple[Fraction, ...]

    def including(self, value: Fraction) -> Range:
        """The same values with one more in its place, if it is not among them."""
        if value in self.values:
            return self
        return Range(self.text, tuple(sorted((*self.values, value))))

    @classmethod
    def from_table(cls, table: Table) -> Range:
        """Read one of `choices`, `powers_of_two`, `integers` (with `step`) and `decimals` (with
        `digits`). Raises CatalogError with the key."""
        kinds = {
            "choices": _choices,
            "powers_of_two": _powers_of_two,
            "integers": _integers,
            "decimals": _decimals,
        }
        written = ", ".join(f"{key} = {value!r}" for key, value in table.values.items())
        for kind, read in kinds.items():
            if kind in table.values:
                values = read(table)
                break
        else:
            raise table.error("", f"is one of {', '.join(kinds)}")
        if not 0 < len(values) <= MAX_VALUES:
            raise table.error(kind, f"gives {len(values)} values, not 1 to {MAX_VALUES}")
        if len(set(values)) != len(values):
            raise table.error(kind, "gives a value twice")
        table.finish()
        return cls(written, tuple(values))


def _ends(table: Table, key: str) -> tuple[Fraction, Fraction]:
    ends = table.rationals(key)
    if len(ends) != 2 or ends[0] > ends[1]:
        raise table.error(key, "is the lowest and the highest value")
    return ends[0], ends[1]


def _choices(table: Table) -> Sequence[Fraction]:
    return table.rationals("choices")


def _powers_of_two(table: Table) -> Sequence[Fraction]:
    low, high = _ends(table, "powers_of_two")
    powers = [Fraction(1 << power) for power in range(high.numerator.bit_length())]
    if low not in powers or high not in powers:
        raise table.error("powers_of_two", "is two powers of two")
    return [power for power in powers if low <= power <= high]


def _integers(table: Table) -> Sequence[Fraction]:
    low, high = _ends(table, "integers")
    step = table.integer("step", 1)
    if low.denominator != 1 or step < 1:
        raise table.error("integers", "counts from an integer in steps of at least 1")
    if high - low > step * MAX_VALUES:
        raise table.error("integers", f"gives more than {MAX_VALUES} values")
    return [Fraction(value) for value in range(low.numerator, int(high) + 1, step)]


def _decimals(table: Table) -> Sequence[Fraction]:
    """k-digit decimals spread evenly in the logarithm: each decade runs through the same
    mantissas, thinned so that neighbours differ by about the same factor."""
    low, high = _ends(table, "decimals")
    digits = table.integer("digits")
    if low <= 0 or not 1 <= digits <= 4:
        raise table.error("decimals", "runs between positive ends, with 1 to 4 digits")
    return [value for value in _spread(low, high, digits) if low <= value <= high]


def _spread(low: Fraction, high: Fraction, digits: int) -> Iterator[Fraction]:
    mantissas = _mantissas(digits)
    unit = Fraction(1, mantissas[0])
    while unit * mantissas[0] > low:
        unit /= 10
    while unit * mantissas[0] * 10 <= low:
        unit *= 10
    while unit * mantissas[0] <= high:
        over, under = unit.as_integer_ratio()
        yield from (Fraction(mantissa * over, under) for mantissa in mantissas)
        unit *= 10


@cache
def _mantissas(digits: int) -> tuple[int, ...]:
    """Integers of so many digits, each about one part in 10**(digits - 1) above the last."""
    unit = 10 ** (digits - 1)
    chosen = [unit]
    while chosen[-1] < 10 * unit:
        chosen.append(chosen[-1] - -chosen[-1] // unit)
    return tuple(chosen[:-1])
