"""Formulas: equations between quantities, each written once and expanded through the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from symscale.catalog.quantities import Quantity, read_value, take_quantity, take_symbols
from symscale.catalog.reading import Table
from symscale.catalog.scope import FormulaLookup, Scope, calls, comparison, guards_of
from symscale.catalog.stated import GivenLookup, nothing_given
from symscale.errors import DomainError, UnknownNameError
from symscale.expressions.dimensions import Signature
from symscale.expressions.kernel import Kernel, compile_kernel
from symscale.expressions.nodes import (
    FUNCTIONS,
    Compare,
    Node,
    Number,
    names,
    walk,
)
from symscale.expressions.numeric import in_units
from symscale.expressions.text import text
from symscale.expressions.tidy import tidy
from symscale.expressions.values import Value
from symscale.units import Unit, UnitSystem

if TYPE_CHECKING:
    from symscale.catalog.hardware import Hardware
    from symscale.catalog.models import Model
    from symscale.engine.invert import Inverse
    from symscale.engine.stepped import SteppedInverse


@dataclass(frozen=True)
class Formula:
    """`result = expression` over quantities, with what it assumes and where it is from."""

    id: str
    area: str
    title: str
    result: Quantity
    unit: Unit
    """The unit of the value; it has the dimension of the result."""
    symbols: Mapping[str, Quantity]
    """The local letters, in the order that a call gives its arguments."""
    expression: Node
    """As written, calls of other formulas included."""
    expanded: Node = field(repr=False)
    """The same over the symbols alone."""
    conditions: tuple[Compare, ...]
    """Comparisons over the symbols that must hold for the formula to, as written."""
    guards: tuple[Compare, ...] = field(repr=False)
    """The same, expanded, with those of the formulas that it calls."""
    assumptions: tuple[str, ...]
    source: str
    refs: tuple[str, ...]
    units: UnitSystem = field(repr=False, compare=False)
    given: GivenLookup = field(default=nothing_given, repr=False, compare=False)

    @property
    def signature(self) -> Signature:
        arguments = tuple(quantity.unit.dimension for quantity in self.symbols.values())
        return Signature(arguments, self.unit.dimension)

    @property
    def uses(self) -> tuple[str, ...]:
        """The formulas that the expression calls."""
        return tuple(dict.fromkeys(calls(self.expression)))

    @cached_property
    def numeric(self) -> Node:
        """The closed form: over plain numbers of the symbols' units, giving one of `unit`."""
        positive = {
            letter: least
            for letter, quantity in self.symbols.items()
            if quantity.domain.positive and (least := quantity.domain.least) is not None
        }
        return tidy(self._in_units, positive=positive)

    @cached_property
    def closed_form(self) -> Any:
        """The SymPy tree over the symbols, each standing for a number in its quantity's unit."""
        from symscale.expressions.tree import sympy_tree

        return sympy_tree(self._in_units)

    @property
    def _in_units(self) -> Node:
        units = {letter: quantity.unit for letter, quantity in self.symbols.items()}
        return in_units(self.expanded, units, self.unit)

    @cached_property
    def counts_flops(self) -> bool:
        """Whether FLOPs are counted in it, as in `2 [flop/param/token] * N * T`."""
        return any(
            isinstance(part, Number) and part.unit is not None and part.unit.measures("flop")
            for part in walk(self.expanded)
        )

    @cached_property
    def _kernel(self) -> Kernel:
        return self._compile([self.numeric])

    @cached_property
    def numeric_guards(self) -> tuple[Compare, ...]:
        """The guards over plain numbers of the symbols' units."""
        units = {letter: quantity.unit for letter, quantity in self.symbols.items()}
        return tuple(comparison(in_units(guard, units)) for guard in self.guards)

    @cached_property
    def _guard_kernel(self) -> Kernel:
        return self._compile(self.numeric_guards)

    def _compile(self, nodes: Sequence[Node]) -> Kernel:
        positive = [letter for letter, of in self.symbols.items() if of.domain.positive]
        return compile_kernel(nodes, tuple(self.symbols), positive=positive)

    def evaluate(
        self,
        *,
        model: str | Model | None = None,
        hardware: str | Hardware | None = None,
        precision: str | None = None,
        **values: Any,
    ) -> Value:
        """The exact value in `unit`, from a value for every symbol, by letter or quantity id.

        A bare number is in the unit of its quantity, `"2 GB"` is converted. A symbol without a
        value takes the one that the model or the hardware of the catalog states for its quantity;
        `precision` chooses among the peaks of the hardware.
        Raises UnknownNameError for a name that is not a symbol, a model or a device, DomainError
        for symbols that have no value, for a value that its quantity does not admit and where a
        condition of the formula does not hold.
        """
        bound = {self.letter_of(name): value for name, value in values.items()}
        given = self.given(model, hardware, precision)
        stated = given.bind(self.symbols, counts_flops=self.counts_flops)
        bound = {**stated, **bound}
        missing = {letter: of.id for letter, of in self.symbols.items() if letter not in bound}
        if missing:
            wanted = ", ".join(f"{letter} ({id}{given.why(id)})" for letter, id in missing.items())
            raise DomainError(f"{self.id} needs a value for {wanted}")
        exact = {}
        for letter, quantity in self.symbols.items():
            value = read_value(bound[letter], quantity.unit, self.units)
            exact[letter] = quantity.check(value, quantity.unit)
        for guard, holds in zip(self.guards, self._guard_kernel(exact), strict=True):
            if not holds:
                raise DomainError(f"{self.id} holds only where {text(guard)}")
        return self._kernel(exact)[0]

    def invert(self, for_: str) -> Inverse | SteppedInverse:
        """The formula solved for a symbol, by letter or quantity id: see `symscale.engine`."""
        from symscale.engine.invert import invert_formula

        return invert_formula(self, for_)

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, str]:
        from symscale.catalog.documents import formula_document

        return formula_document(self).mimebundle

    def letter_of(self, name: str) -> str:
        """The symbol that a letter or a quantity id names. Raises SymscaleError."""
        if name in self.symbols:
            return name
        letters = [letter for letter, quantity in self.symbols.items() if quantity.id == name]
        if len(letters) == 1:
            return letters[0]
        if letters:
            raise DomainError(f"{self.id} has several {name}; say which: {', '.join(letters)}")
        known = [*self.symbols, *(quantity.id for quantity in self.symbols.values())]
        raise UnknownNameError(f"symbol of {self.id}", name, known)

    @classmethod
    def from_table(
        cls,
        id: str,
        area: str,
        table: Table,
        *,
        units: UnitSystem,
        quantities: Mapping[str, Quantity],
        formulas: FormulaLookup,
        given: GivenLookup = nothing_given,
    ) -> Formula:
        """Read and check one entry. Raises CatalogError with its key."""
        if not id.isidentifier() or id in FUNCTIONS:
            raise table.error("", f"{id} cannot be called; an id is a word such as my_seconds")
        title, source = table.text("title"), table.text("source")
        result = take_quantity(table, "result", quantities)
        unit = table.convert("unit", units.parse, table.text("unit"))
        if unit.dimension != result.unit.dimension:
            raise table.error("unit", f"{unit} does not measure {result.id} ({result.unit})")
        symbols = take_symbols(table.table("symbols"), quantities)
        scope = Scope.of(symbols, units, formulas)
        read = partial(scope.read, expected=unit.dimension)
        expression, expanded = table.convert("expression", read, table.text("expression"))
        unused = [letter for letter in symbols if letter not in names(expanded)]
        if unused:
            raise table.error(f"symbols.{unused[0]}", "does not stand in the expression")
        conditions = []
        guards = guards_of(expression, formulas)
        for written in table.texts("conditions", ()):
            condition, guard = table.convert("conditions", scope.read_condition, written)
            conditions.append(condition)
            guards.append(guard)
        formula = cls(
            id=id,
            area=area,
            title=title,
            result=result,
            unit=unit,
            symbols=symbols,
            expression=expression,
            expanded=expanded,
            conditions=tuple(conditions),
            guards=tuple(dict.fromkeys(guards)),
            assumptions=table.texts("assumptions", ()),
            source=source,
            refs=table.texts("ref", ()),
            units=units,
            given=given,
        )
        table.finish()
        return formula
