"""Wrong forms of single formulas that people really write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from symscale.catalog.formulas import Formula
from symscale.catalog.quantities import Quantity, take_symbols
from symscale.catalog.reading import Table
from symscale.catalog.scope import FormulaLookup, Scope
from symscale.errors import SymscaleError
from symscale.expressions.nodes import Node
from symscale.units import UnitSystem


@dataclass(frozen=True)
class FormulaMistake:
    """A formula as it is written wrong, with what went wrong."""

    id: str
    formula: Formula
    symbols: Mapping[str, Quantity]
    """The formula's, and those that only the wrong form speaks of."""
    wrong: Node
    expanded: Node = field(repr=False)
    message: str

    @classmethod
    def from_table(
        cls,
        id: str,
        table: Table,
        *,
        units: UnitSystem,
        quantities: Mapping[str, Quantity],
        formulas: FormulaLookup,
    ) -> FormulaMistake:
        """Read and check one entry. Raises CatalogError with its key.

        A mistake has the dimension of its formula: those of dimension show themselves.
        """
        name = table.text("formula")
        try:
            formula = formulas(name)
        except SymscaleError as error:
            raise table.error("formula", error.what) from None
        letters = table.table("symbols", {})
        for letter in formula.symbols:
            if letter in letters.values:
                raise letters.error(letter, f"is a symbol of {formula.id} already")
        symbols = {**formula.symbols, **take_symbols(letters, quantities)}
        scope = Scope.of(symbols, units, formulas)
        wrong, expanded = table.convert(
            "wrong", partial(scope.read, expected=formula.unit.dimension), table.text("wrong")
        )
        mistake = cls(id, formula, symbols, wrong, expanded, table.text("message"))
        table.finish()
        return mistake
