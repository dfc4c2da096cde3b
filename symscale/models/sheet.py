"""A sheet: lines worked out one after another from symbols, formulas and earlier lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from symscale.catalog.derivation import Derivation, DerivationStep
from symscale.catalog.loader import Catalog
from symscale.catalog.quantities import Quantity
from symscale.catalog.scope import calls, check_names, expand
from symscale.errors import ExpressionError, UnknownNameError
from symscale.expressions.dimensions import dimension_of
from symscale.expressions.kernel import compile_kernel
from symscale.expressions.nodes import Node, names, substitute
from symscale.expressions.numeric import in_units
from symscale.expressions.parser import parse
from symscale.expressions.shape import check_shape
from symscale.expressions.tidy import tidy
from symscale.units import Unit


@dataclass(frozen=True)
class Symbol:
    """A letter of a sheet: a quantity with its number."""

    letter: str
    quantity: Quantity
    value: Fraction
    """In the quantity's unit."""


@dataclass(frozen=True)
class Draft:
    """A line as its author writes it."""

    name: str
    title: str
    unit: str
    expression: str
    """Over symbols, formulas and earlier lines."""
    is_part: bool = False
    """Whether it only leads to others."""


@dataclass(frozen=True)
class Line:
    """A line worked out, with its closed form over the sheet's symbols."""

    name: str
    title: str
    unit: Unit
    expression: Node
    """As written, over symbols, formulas and earlier lines."""
    expanded: Node
    """The same over the symbols alone."""
    closed_form: Node
    """`expanded` over plain numbers, of the symbols' units, giving `unit`; without detours."""
    value: Fraction
    formulas: tuple[str, ...]
    """The ids of the formulas that the expression calls."""
    is_part: bool


@dataclass(frozen=True)
class Sheet:
    """Symbols with their numbers, and the lines worked out from them, in order."""

    symbols: Mapping[str, Symbol]
    lines: Mapping[str, Line]

    @classmethod
    def write(cls, symbols: Iterable[Symbol], drafts: Iterable[Draft], catalog: Catalog) -> Sheet:
        """Check and work out each line. Raises ExpressionError or DimensionError, naming it."""
        by_letter = {symbol.letter: symbol for symbol in symbols}
        lines: dict[str, Line] = {}
        for draft in drafts:
            lines[draft.name] = _line(draft, by_letter, lines, catalog)
        return cls(by_letter, lines)

    def __getitem__(self, name: str) -> Line:
        if name not in self.lines:
            raise UnknownNameError("line", name, self.lines)
        return self.lines[name]

    def __contains__(self, name: object) -> bool:
        return name in self.lines

    def __iter__(self) -> Iterator[Line]:
        return iter(self.lines.values())

    @cached_property
    def used(self) -> tuple[Symbol, ...]:
        """The symbols that some line depends on."""
        standing = {name for line in self for name in names(line.expanded)}
        return tuple(symbol for letter, symbol in self.symbols.items() if letter in standing)

    @property
    def derivation(self) -> Derivation:
        return Derivation(
            tuple(
                DerivationStep(line.name, line.expression, line.unit, line.value) for line in self
            )
        )


def _line(
    draft: Draft, symbols: Mapping[str, Symbol], lines: Mapping[str, Line], catalog: Catalog
) -> Line:
    unit = catalog.units.parse(draft.unit)
    node = parse(draft.expression, catalog.units)
    units = {letter: symbol.quantity.unit for letter, symbol in symbols.items()}
    known = units | {name: line.unit for name, line in lines.items()}
    check_names(node, known)
    dimension_of(
        node,
        {name: of.dimension for name, of in known.items()},
        signatures=lambda id: catalog.formulas[id].signature,
        expected=unit.dimension,
    )
    earlier = {name: line.expanded for name, line in lines.items()}
    expanded = substitute(expand(node, catalog.formulas.__getitem__), earlier)
    check_shape(expanded)
    plain = in_units(expanded, units, unit)
    kernel = compile_kernel([plain], tuple(symbols))
    value = kernel({letter: symbol.value for letter, symbol in symbols.items()})[0]
    if not isinstance(value, Fraction):
        raise ExpressionError(f"{draft.name} is not rational: {value}")
    return Line(
        name=draft.name,
        title=draft.title,
        unit=unit,
        expression=node,
        expanded=expanded,
        closed_form=tidy(plain, positive=_positive(symbols)),
        value=value,
        formulas=tuple(dict.fromkeys(calls(node))),
        is_part=draft.is_part,
    )


def _positive(symbols: Mapping[str, Symbol]) -> dict[str, Fraction]:
    """The letters that are above zero, with the least value of each."""
    domains = {letter: symbol.quantity.domain for letter, symbol in symbols.items()}
    return {
        letter: domain.least or Fraction(0) for letter, domain in domains.items() if domain.positive
    }
