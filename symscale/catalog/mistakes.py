"""Wrong forms of single formulas that people really write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from symscale.catalog.formulas import Formula, FormulaLookup, check_names, expand
from symscale.catalog.quantities import Quantity, take_quantity
from symscale.catalog.reading import Table
from symscale.errors import SymscaleError
from symscale.expressions.dimensions import dimension_of
from symscale.expressions.nodes import Node
from symscale.expressions.parser import parse
from symscale.expressions.shape import check_shape
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
        symbols = dict(formula.symbols)
        letters = table.table("symbols", {})
        for letter in list(letters.values):
            if letter in symbols:
                raise letters.error(letter, f"is a symbol of {formula.id} already")
            symbols[letter] = take_quantity(letters, letter, quantities)
        dimensions = {letter: quantity.unit.dimension for letter, quantity in symbols.items()}

        def read(source: str) -> tuple[Node, Node]:
            node = parse(source, units)
            check_names(node, symbols)
            dimension_of(
                node,
                dimensions,
                signatures=lambda id: formulas(id).signature,
                expected=formula.unit.dimension,
            )
            expanded = expand(node, formulas)
            check_shape(expanded)
            return node, expanded

        wrong, expanded = table.convert("wrong", read, table.text("wrong"))
        mistake = cls(id, formula, symbols, wrong, expanded, table.text("message"))
        table.finish()
        return mistake
