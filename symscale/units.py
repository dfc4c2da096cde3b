"""Dimensions, units of exact scale, and quantities in text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from symscale.errors import CatalogError, DimensionError, SymscaleError, UnitError
from symscale.numbers import decimal_text, exact_text, read_rational

MAX_UNIT_LENGTH = 100
MAX_UNIT_EXPONENT = 12
MAX_SCALE_BITS = 4096
MAX_QUANTITY_LENGTH = 1000

COUNTS = frozenset({"token", "param"})
"""The bases that only count: `count(x)` drops them, and `T + 1` is allowed in them."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """A product of powers of the base units, without zero exponents.

    >>> print(Dimension.of("flop") / Dimension.of("byte"))
    flop/byte
    """

    exponents: tuple[tuple[str, Fraction], ...] = ()

    @classmethod
    def of(cls, base: str) -> Dimension:
        return cls(((base, Fraction(1)),))

    @classmethod
    def _from(cls, exponents: Mapping[str, Fraction]) -> Dimension:
        return cls(tuple(sorted((base, power) for base, power in exponents.items() if power)))

    def __mul__(self, other: Dimension) -> Dimension:
        powers = dict(self.exponents)
        for base, power in other.exponents:
            powers[base] = powers.get(base, Fraction(0)) + power
        return self._from(powers)

    def __truediv__(self, other: Dimension) -> Dimension:
        return self * other ** Fraction(-1)

    def __pow__(self, power: Fraction) -> Dimension:
        return self._from({base: exponent * power for base, exponent in self.exponents})

    @property
    def is_one(self) -> bool:
        return not self.exponents

    @property
    def is_count(self) -> bool:
        """Whether it is a product of powers of token and param, 1 included."""
        return all(base in COUNTS for base, _ in self.exponents)

    def __str__(self) -> str:
        over = [_power_text(base, power) for base, power in self.exponents if power > 0]
        under = [_power_text(base, -power) for base, power in self.exponents if power < 0]
        return "/".join(["*".join(over) or "1", *under])


ONE = Dimension()


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as it was spelled, its exact scale in base units, and its dimension."""

    text: str
    scale: Fraction = Fraction(1)
    dimension: Dimension = ONE

    def measures(self, base: str) -> bool:
        """Whether a power of this base stands in its dimension."""
        return any(name == base for name, _ in self.dimension.exponents)

    def __str__(self) -> str:
        return self.text


UNITLESS = Unit("1")


def convert(value: Fraction, source: Unit, target: Unit) -> Fraction:
    """`value` of `source` as a number of `target`, exactly.

    Raises DimensionError when the two measure different things.
    """
    if source.dimension != target.dimension:
        raise DimensionError(
            f"{source} measures {source.dimension}, where {target} ({target.dimension}) is needed"
        )
    if source.scale == target.scale:
        return value
    return value * source.scale / target.scale


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
            unit = _UnitParser(self, text).parse()
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


def quantity_text(value: Fraction, unit: Unit, digits: int = 12) -> str:
    """A number with its unit, for people: rounded to `digits` significant digits."""
    number = decimal_text(value, digits)
    return number if unit.text == "1" else f"{number} {unit}"


def _power_text(base: str, power: Fraction) -> str:
    if power == 1:
        return base
    return f"{base}**{power}" if power.denominator == 1 else f"{base}**({power})"


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
    if _WORD.fullmatch(unit.text) is None:
        raise UnitError(f"a spelling is a word of letters, % or $, not {unit.text!r}")
    if (known.scale, known.dimension) != (unit.scale, unit.dimension):
        raise UnitError(f"the spelling {unit.text!r} already names another unit")


_WORD = re.compile(r"[^\W\d_]*[%$]|[^\W\d_]+")
_QUANTITY = re.compile(
    r"([+-]?[0-9.][0-9.eE+-]*+(?:\s*+/\s*+[0-9][0-9.eE+-]*+)?+)\s*+(\S.*)?", re.DOTALL
)
_UNIT_TOKEN = re.compile(rf"\s*(?:(\*\*|\^)|([*/()·-])|([0-9]+)|({_WORD.pattern}))")
_PER = re.compile(r"\s+per\s+")


class _UnitParser:
    """unit := product ("/" factor)*;  product := factor ("*" factor)*."""

    def __init__(self, system: UnitSystem, text: str) -> None:
        if len(text) > MAX_UNIT_LENGTH:
            raise UnitError(f"a unit has at most {MAX_UNIT_LENGTH} characters, not {len(text)}")
        self.system = system
        self.text = text
        self.tokens = self._tokens(_PER.sub("/", text).strip())
        self.depth = 0

    def _tokens(self, text: str) -> list[str]:
        tokens: list[str] = []
        position = 0
        while position < len(text):
            match = _UNIT_TOKEN.match(text, position)
            if match is None:
                raise self._error(f"{text[position]!r} cannot stand in a unit")
            tokens.append("**" if match[1] else "*" if match[2] == "·" else match[0].strip())
            position = match.end()
        tokens.append("")
        return tokens[::-1]

    def _error(self, what: str) -> UnitError:
        return UnitError(f"unit {self.text[:MAX_UNIT_LENGTH]!r}: {what}")

    def parse(self) -> Unit:
        scale, dimension = self._quotient()
        if self.tokens[-1]:
            raise self._error(f"{self.tokens[-1]!r} is not expected here")
        return Unit(self.text.strip(), scale, dimension)

    def _quotient(self) -> tuple[Fraction, Dimension]:
        scale, dimension = self._factor()
        divided = False
        while self.tokens[-1] in ("*", "/"):
            if self.tokens.pop() == "/":
                divided = True
                factor, base = self._factor()
                scale, dimension = self._bounded(scale / factor), dimension / base
            elif divided:
                raise self._error("a*b after a / reads two ways; write a*c/b or a/(b*c)")
            else:
                factor, base = self._factor()
                scale, dimension = self._bounded(scale * factor), dimension * base
        return scale, dimension

    def _bounded(self, scale: Fraction) -> Fraction:
        if max(abs(part).bit_length() for part in scale.as_integer_ratio()) > MAX_SCALE_BITS:
            raise self._error("the scale is too large")
        return scale

    def _factor(self) -> tuple[Fraction, Dimension]:
        token = self.tokens.pop()
        if token == "(":
            self.depth += 1
            if self.depth > 10:
                raise self._error("parentheses are nested too deeply")
            scale, dimension = self._quotient()
            if self.tokens.pop() != ")":
                raise self._error("a ) is missing")
            self.depth -= 1
        elif token == "1":
            scale, dimension = Fraction(1), ONE
        elif token in self.system.names:
            unit = self.system.names[token]
            scale, dimension = unit.scale, unit.dimension
        else:
            raise self._error(f"{token!r} is not a known unit" if token else "a unit is missing")
        if self.tokens[-1] == "**":
            self.tokens.pop()
            power = self._power()
            if power.denominator != 1 and scale != 1:
                raise self._error("a fractional power needs a unit of scale 1")
            bits = scale.numerator.bit_length() + scale.denominator.bit_length()
            if bits * abs(power) > MAX_SCALE_BITS:
                raise self._error("a power of a power is too large")
            scale = scale**power.numerator if power.denominator == 1 else scale
            dimension = dimension**power
        return scale, dimension

    def _power(self) -> Fraction:
        if self.tokens[-1] == "(":
            self.tokens.pop()
            power = self._integer()
            if self.tokens[-1] == "/":
                self.tokens.pop()
                divisor = self._integer()
                if not divisor:
                    raise self._error("an exponent divides by zero")
                power /= divisor
            if self.tokens.pop() != ")":
                raise self._error("a ) is missing after the exponent")
        else:
            power = self._integer()
        return power

    def _integer(self) -> Fraction:
        negative = self.tokens[-1] == "-"
        if negative:
            self.tokens.pop()
        token = self.tokens.pop()
        if not token.isdecimal() or len(token) > 3 or int(token) > MAX_UNIT_EXPONENT:
            raise self._error(f"an exponent is an integer up to {MAX_UNIT_EXPONENT}")
        return Fraction(-int(token) if negative else int(token))
