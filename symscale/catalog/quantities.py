"""Quantities: the named physical things of the nomenclature, and the values they admit."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any

from symscale.catalog.reading import Table, exact
from symscale.errors import CatalogError, DomainError, UnknownNameError
from symscale.numbers import decimal_text, read_rational
from symscale.units import Unit, UnitSystem, convert

_TESTS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
_BOUND = re.compile(r"(>=|<=|>|<)\s*(\S+)")


@dataclass(frozen=True, slots=True)
class Domain:
    """The numbers that a quantity can be, such as `integer >= 2` or `> 0, <= 1`."""

    text: str
    integer: bool = False
    bounds: tuple[tuple[str, Fraction], ...] = ()

    @classmethod
    def parse(cls, text: str) -> Domain:
        """Read bounds separated by commas, with `integer` in front or `any` alone.

        >>> Fraction(3, 2) in Domain.parse("> 0, <= 2"), Fraction(3, 2) in Domain.parse("integer")
        (True, False)
        """
        rest = text.strip()
        integer = rest.startswith("integer")
        rest = rest.removeprefix("integer" if integer else "any").strip(" ,")
        bounds = []
        for part in filter(None, (part.strip() for part in rest.split(","))):
            match = _BOUND.fullmatch(part)
            if match is None:
                raise CatalogError(
                    f"{text!r} is not a domain, such as 'any', '> 0', 'integer >= 2', '> 0, <= 1'"
                )
            bounds.append((match[1], read_rational(match[2])))
        return cls(text, integer, tuple(bounds))

    def __contains__(self, value: Fraction) -> bool:
        return (not self.integer or value.denominator == 1) and all(
            _TESTS[op](value, bound) for op, bound in self.bounds
        )

    @property
    def ends(self) -> tuple[Fraction | None, Fraction | None]:
        """The least and the greatest value, None where there is none.

        In a domain of integers both are among its values; in another they may stand just outside.

        >>> Domain.parse("integer > 2, < 7").ends
        (Fraction(3, 1), Fraction(6, 1))
        """
        lows, highs = [], []
        for op, bound in self.bounds:
            if op[0] == ">":
                first = floor(bound) + 1 if op == ">" else ceil(bound)
                lows.append(Fraction(first) if self.integer else bound)
            else:
                last = ceil(bound) - 1 if op == "<" else floor(bound)
                highs.append(Fraction(last) if self.integer else bound)
        return max(lows, default=None), min(highs, default=None)

    @property
    def least(self) -> Fraction | None:
        """The greatest bound that no value is below."""
        bounds = [bound for op, bound in self.bounds if op in (">", ">=")]
        return max(bounds, default=None)

    @property
    def positive(self) -> bool:
        """Whether every value is above zero."""
        return any(
            (op in (">", ">=") and bound > 0) or (op == ">" and bound == 0)
            for op, bound in self.bounds
        )

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Quantity:
    """A named physical thing: its LaTeX symbol, unit, meaning, and the numbers of that unit it
    can be."""

    id: str
    latex: str
    unit: Unit
    meaning: str
    domain: Domain

    @classmethod
    def from_table(cls, id: str, table: Table, units: UnitSystem) -> Quantity:
        quantity = cls(
            id=id,
            latex=table.text("latex"),
            unit=table.convert("unit", units.parse, table.text("unit")),
            meaning=table.text("meaning"),
            domain=table.convert("domain", Domain.parse, table.text("domain")),
        )
        table.finish()
        return quantity

    def check(self, value: Fraction, unit: Unit) -> Fraction:
        """`value` of `unit`, if the domain admits it; DomainError if not."""
        own = convert(value, unit, self.unit)
        if own not in self.domain:
            shown = decimal_text(own)
            of = "" if self.unit.text == "1" else f" in {self.unit}"
            raise DomainError(f"{self.id} is {self.domain}{of}, not {shown}")
        return value


def take_quantity(table: Table, key: str, quantities: Mapping[str, Quantity]) -> Quantity:
    """The quantity that a key names. Raises CatalogError, with near names, for an unknown one."""
    id = table.text(key)
    if id not in quantities:
        raise table.error(key, UnknownNameError("quantity", id, quantities).what)
    return quantities[id]


def take_symbols(letters: Table, quantities: Mapping[str, Quantity]) -> dict[str, Quantity]:
    """The quantity that each letter of a table names. Raises CatalogError for an unknown one."""
    return {letter: take_quantity(letters, letter, quantities) for letter in [*letters.values]}


def read_value(value: Any, unit: Unit, units: UnitSystem) -> Fraction:
    """A user's value as an exact number of `unit`.

    An integer, a Fraction or a text (`"4.0e14"`, `"39400/81"`) is a number of that unit; a text
    with a unit (`"2 GB"`) is converted. Raises SymscaleError.
    """
    if isinstance(value, str):
        return convert(*units.read(value, unit), unit)
    return exact(value)
