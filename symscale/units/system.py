"""The units of a catalog, by every spelling they have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from symscale.errors import CatalogError, SymscaleError, UnitError
from symscale.numbers import exact_text, read_rational
from symscale.units.dimension import Dimension
from symscale.units.parser import WORD, UnitParser
from symscale.units.unit import UNITLESS, Unit, convert

MAX_QUANTITY_LENGTH = 1000

_QUANTITY = re.compile(
    r"([+-]?[0-9.][0-9.eE+-]*+(?:\s*+/\s*+[0-9][0-9.eE+-]*+)?+)\s*+(\S.*)?", re.DOTALL
)


@dataclass(frozen=True)
class UnitSystem:
    """The units of a catalog, by every spelling they have."""

    bases: tuple[str, ...]
    names: Mapping[str, Unit]
    _parsed: dict[str, Unit] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> UnitSystem:
        """Build the system that `units.toml` describes.

        `base` lists the base units; `prefixes` gives families of prefixes, each prefix with its
        long name and scale; `units` gives each unit its spellings and, if it is not a base unit,
        what it `is` in units that stand above it.
        Raises CatalogError for a table that says anything else, and names its key.
        """
        system = cls(tuple(table.get("base", ())), {})
        families = {
            family: _prefixes(f"prefixes.{family}", entries)
            for family, entries in _mapping("prefixes", table.get("prefixes", {})).items()
        }
        names: dict[str, Unit] = {}
        for key, entry in _mapping("units", table.get("units", {})).items():
            place = f"units.{key}"
            try:
                scale, dimension = _meaning(system, key, _mapping(place, entry))
                for spelling, factor in _spellings(key, entry, families):
                    unit = Unit(spelling, scale * factor, dimension)
                    _check_spelling(unit, names.setdefault(spelling, unit))
            except SymscaleError as error:
                raise CatalogError(error.what, where=place) from None
            system = cls(system.bases, names)
        return system

    def parse(self, text: str) -> Unit:
        """The unit that a text such as `flop/s/device` or `USD/Mtoken` names.

        A product may stand over divisors; `a/b*c` is refused, because people read it both ways.
        Raises UnitError.
        """
        unit = self._parsed.get(text)
        if unit is None:
            unit = UnitParser(self.names, text).parse()
            if len(self._parsed) < 4096:
                self._parsed[text] = unit
        return unit

    def read(self, text: str, default: Unit = UNITLESS) -> tuple[Fraction, Unit]:
        """A number and its unit, `default` when the text names none.

        >>> value, unit = UnitSystem((), {}).read("39400/81")
        >>> value, unit.text
        (Fraction(39400, 81), '1')
        """
        match = _QUANTITY.fullmatch(text.strip()) if len(text) <= MAX_QUANTITY_LENGTH else None
        if match is None:
            raise UnitError(f"{text[:80]!r} is not a number with a unit, such as '2 GB'")
        value = read_rational(match[1])
        return value, self.parse(match[2]) if match[2] else default

    def fitting(self, value: Fraction, unit: Unit, choices: Iterable[str]) -> Unit:
        """The largest unit among `choices` in which `value` of `unit` is at least 1, or else the
        smallest. Raises UnitError, and DimensionError for a choice of another dimension."""
        candidates = [self.parse(choice) for choice in choices]
        fits = [c for c in candidates if abs(convert(value, unit, c)) >= 1]
        return max(fits, key=lambda c: c.scale) if fits else min(candidates, key=lambda c: c.scale)


def _mapping(place: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise CatalogError(f"is a table, not {value!r}", where=place)
    return value


def _texts(entry: Mapping[str, Any], key: str) -> list[str]:
    value = entry.get(key, [])
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise UnitError(f"{key} is a list of texts in quotes, not {value!r}")
    return value


def _only(entry: Mapping[str, Any], keys: Iterable[str]) -> None:
    unknown = sorted(set(entry) - set(keys))
    if unknown:
        raise UnitError(f"{unknown[0]!r} is not a key here; known are {', '.join(keys)}")


def _prefixes(place: str, entries: Any) -> list[tuple[str, str, Fraction]]:
    """A family of prefixes: the symbol, the long name and the scale of each."""
    prefixes = []
    for symbol, entry in _mapping(place, entries).items():
        where = f"{place}.{symbol}"
        try:
            _only(_mapping(where, entry), ("name", "scale"))
            scale, name = read_rational(str(entry.get("scale"))), entry.get("name")
            if scale <= 0 or not isinstance(name, str):
                raise UnitError("a prefix has a name and a positive scale")
        except SymscaleError as error:
            raise CatalogError(error.what, where=where) from None
        prefixes.append((symbol, name, scale))
    return prefixes


def _meaning(system: UnitSystem, key: str, entry: Mapping[str, Any]) -> tuple[Fraction, Dimension]:
    _only(entry, ("symbols", "names", "prefixes", "is"))
    if key in system.bases:
        return Fraction(1), Dimension.of(key)
    if not isinstance(entry.get("is"), str):
        raise UnitError("say what it is in other units: is = '3600 s'")
    value, of = system.read(entry["is"])
    if value <= 0:
        raise UnitError(f"the scale of a unit is positive, not {exact_text(value)}")
    return value * of.scale, of.dimension


def _spellings(
    key: str, entry: Mapping[str, Any], families: Mapping[str, list[tuple[str, str, Fraction]]]
) -> Iterator[tuple[str, Fraction]]:
    """Every spelling of a unit with the factor of its prefix."""
    symbols, names = _texts(entry, "symbols"), _texts(entry, "names")
    yield from ((spelling, Fraction(1)) for spelling in (key, *symbols, *names))
    for family in _texts(entry, "prefixes"):
        if family not in families:
            raise UnitError(f"no family of prefixes is called {family!r}")
        for symbol, name, factor in families[family]:
            yield from ((symbol + short, factor) for short in symbols)
            yield from ((name + long, factor) for long in names)


def _check_spelling(unit: Unit, known: Unit) -> None:
    if WORD.fullmatch(unit.text) is None:
        raise UnitError(f"a spelling is a word of letters, % or $, not {unit.text!r}")
    if (known.scale, known.dimension) != (unit.scale, unit.dimension):
        raise UnitError(f"the spelling {unit.text!r} already names another unit")
