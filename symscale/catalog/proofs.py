"""Proofs of formulas: figures from the literature and from independent oracles, and identities."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Literal

from symscale.catalog.quantities import Quantity, take_symbols
from symscale.catalog.reading import Table
from symscale.catalog.scope import FormulaLookup, Scope, calls
from symscale.errors import CatalogError
from symscale.expressions.nodes import Compare, Node
from symscale.units import UnitSystem

FigureKind = Literal["published", "oracle"]


@dataclass(frozen=True)
class Figure:
    """A value that a formula must give, known from elsewhere."""

    place: str
    formula: str
    kind: FigureKind
    inputs: Mapping[str, Any]
    """By letter, as `Formula.evaluate` takes them."""
    value: Fraction
    """In the formula's unit; to 30 significant digits where it is irrational."""
    origin: str
    """The work that published it, or the oracle that computed it."""
    published: str = ""
    """The figure as printed."""
    agrees: bool = True
    """Whether the printed figure is the value, to its digits."""
    note: str = ""

    @classmethod
    def from_line(cls, line: str, place: str) -> Figure:
        """Read one JSON line. Raises CatalogError with its place."""
        try:
            entry = json.loads(line, parse_float=str)
            kind = entry["kind"]
            if kind not in ("published", "oracle"):
                raise CatalogError(f"kind is published or oracle, not {kind!r}", where=place)
            if not isinstance(entry["formula"], str):
                raise TypeError
            return cls(
                place=place,
                formula=entry["formula"],
                kind=kind,
                inputs=dict(entry["inputs"]),
                value=Fraction(entry["value"]),
                origin=entry["source" if kind == "published" else "oracle"],
                published=entry.get("published", ""),
                agrees=entry.get("agrees", True),
                note=entry.get("note", ""),
            )
        except KeyError as error:
            raise CatalogError(f"{error.args[0]} is missing", where=place) from None
        except (ValueError, TypeError, AttributeError, ZeroDivisionError, RecursionError):
            raise CatalogError(
                "is not a proof: an object with formula, kind, inputs, value, and source or oracle",
                where=place,
            ) from None


@dataclass(frozen=True)
class Identity:
    """Two expressions that agree everywhere, in a limit, or at an optimum."""

    id: str
    says: str
    kind: Literal["identity", "limit", "optimum"]
    left: Node
    """One side; what is minimal or maximal."""
    right: Node
    """The other side; the place of the optimum."""
    symbols: Mapping[str, Quantity]
    where: tuple[Compare, ...] = ()
    variable: str = ""
    """What goes to the limit, or what the optimum is over."""
    to: str = ""
    """`infinity` or a number; `minimises` or `maximises`."""
    formulas: tuple[str, ...] = ()
    """The entries that it speaks of."""

    @classmethod
    def from_table(
        cls,
        id: str,
        table: Table,
        *,
        units: UnitSystem,
        quantities: Mapping[str, Quantity],
        formulas: FormulaLookup,
    ) -> Identity:
        """Read and check one identity. Raises CatalogError with its key.

        It has `left` and `right`, with `limit` and `to` if they agree only there; or `minimises`
        or `maximises` with `over` and `at`.
        """
        symbols = take_symbols(table.table("symbols"), quantities)
        scope = Scope.of(symbols, units, formulas)

        def side(key: str, beside: Node | None = None) -> Node:
            """One side, of the dimension of the other."""
            expected = None if beside is None else scope.dimension(beside)
            return table.convert(key, partial(scope.read, expected=expected), table.text(key))[0]

        kind: Literal["identity", "limit", "optimum"] = "identity"
        variable = to = ""
        if "at" in table.values:
            kind = "optimum"
            to = "minimises" if "minimises" in table.values else "maximises"
            variable = table.text("over")
            left, right = side(to), side("at")
        else:
            left = side("left")
            right = side("right", left)
            if "limit" in table.values:
                kind = "limit"
                variable, to = table.text("limit"), table.text("to")
        if kind != "identity" and variable not in symbols:
            raise table.error("limit" if kind == "limit" else "over", "is not one of the symbols")
        where = [
            table.convert("where", scope.read_condition, written)[0]
            for written in table.texts("where", ())
        ]
        identity = cls(
            id=id,
            says=table.text("says"),
            kind=kind,
            left=left,
            right=right,
            symbols=symbols,
            where=tuple(where),
            variable=variable,
            to=to,
            formulas=tuple(dict.fromkeys([*calls(left), *calls(right)])),
        )
        table.finish()
        return identity
