"""Is someone's formula the catalog's? If not, by what it differs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from symscale.algebra.factored import Factored
from symscale.algebra.normal_form import factored
from symscale.algebra.polynomials import TooComplexError
from symscale.catalog.formulas import Formula
from symscale.catalog.quantities import Quantity
from symscale.catalog.scope import expand
from symscale.engine.bindings import check_calls
from symscale.engine.equivalence import equivalence
from symscale.engine.examples import Difference, example_of
from symscale.engine.hints import factor_hint
from symscale.engine.known_mistakes import WrongForm, wrong_forms
from symscale.engine.samples import region_of
from symscale.errors import (
    DimensionError,
    DomainError,
    ExpressionError,
    SymscaleError,
    UnknownNameError,
)
from symscale.expressions.dimensions import dimension_of
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import Compare, Name, Node, Number, names, substitute, walk
from symscale.expressions.numeric import in_units
from symscale.expressions.parser import parse
from symscale.expressions.shape import check_shape
from symscale.expressions.text import text
from symscale.units import Unit

if TYPE_CHECKING:
    from symscale.catalog.loader import Catalog


@dataclass(frozen=True)
class Comparison:
    """Someone's formula beside one of the catalog, both over quantity ids."""

    written: str
    entry: Formula
    names: Mapping[str, str]
    """What each of their names was taken for."""
    ours: Node
    theirs: Node
    unit: Unit
    equivalent: bool
    points: int
    """At how many points both were evaluated."""
    ratio: Node | None
    """Theirs over ours."""
    difference: Node | None
    """Theirs less ours, where the ratio is not the shorter one."""
    example: Difference | None
    units: str
    """What their units say; empty if nothing is to be said."""
    hint: str
    """What a constant ratio usually means."""
    mistakes: tuple[WrongForm, ...]
    """Known mistakes that theirs is."""
    equals: tuple[str, ...]
    """Other formulas of the catalog that theirs equals."""

    @property
    def data(self) -> dict[str, Any]:
        from symscale.engine.data import comparison_data

        return comparison_data(self)

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, str]:
        from symscale.engine.documents import comparison_document

        return comparison_document(self).mimebundle


def check(
    catalog: Catalog,
    written: str,
    entry: str,
    *,
    names_are: Mapping[str, str] | None = None,
    unit: str | None = None,
) -> Comparison:
    """Compare a formula as someone wrote it with an entry of the catalog.

    A name is what `names_are` says (a quantity, or a letter of the entry), else the entry's own
    letter, else a quantity's id, else the one quantity of the entry that other formulas write
    with that letter, whatever its case, or whose id ends with it. Their value is in `unit`, the
    entry's if none is said; bare numbers count as they stand. Raises ExpressionError,
    UnknownNameError and UnitError.

    >>> import symscale
    >>> text(check(symscale.load(), "6*N*T/2", "train_flops").ratio)
    '1/2'
    """
    formula = catalog.formula(entry)
    node = parse(written, catalog.units)
    if isinstance(node, Compare):
        raise ExpressionError(f"{written[:80]!r} is a comparison, not a formula")
    check_calls(catalog, node)
    meant = _meanings(catalog, formula, node, names_are or {})
    quantities = {id: catalog.quantities[id] for id in meant.values()}
    quantities |= {quantity.id: quantity for quantity in formula.symbols.values()}
    own_unit = catalog.units.parse(unit) if unit is not None else formula.unit
    if own_unit.dimension != formula.unit.dimension:
        raise DimensionError(f"{formula.id} is in {formula.unit}, and {own_unit} is not like it")
    units = {id: quantity.unit for id, quantity in quantities.items()}
    called = substitute(node, {name: Name(id) for name, id in meant.items()})
    expanded = expand(called, catalog.formulas.__getitem__)
    check_shape(expanded)
    theirs = in_units(expanded, units)
    scale = own_unit.scale / formula.unit.scale
    if scale != 1:
        theirs = (Factored(scale) * _form(theirs)).node()
    ours = _over_quantities(formula)
    guards = [_rename(guard, formula) for guard in formula.numeric_guards]
    region = region_of(quantities, units, where=guards)
    verdict = equivalence(ours, theirs, region, trusted=True)
    ratio, difference, hint = None, None, ""
    if not verdict:
        ratio, difference = _apart(ours, theirs, quantities)
        constant = _constant(ratio)
        hint = factor_hint(constant) if constant is not None else ""
    return Comparison(
        written=written,
        entry=formula,
        names=meant,
        ours=ours,
        theirs=theirs,
        unit=own_unit,
        equivalent=verdict.equivalent,
        points=verdict.points,
        ratio=ratio,
        difference=difference,
        example=None if verdict else example_of(ours, theirs, quantities, region, verdict),
        units=_unit_note(catalog, called, quantities, own_unit),
        hint=hint,
        mistakes=() if verdict else tuple(_mistakes(catalog, formula, theirs, quantities)),
        equals=tuple(_equals(catalog, formula, theirs, quantities)),
    )


def _meanings(
    catalog: Catalog, formula: Formula, node: Node, known: Mapping[str, str]
) -> dict[str, str]:
    """The quantity that each name stands for."""
    meant: dict[str, str] = {}
    unknown = []
    for name in names(node):
        if name in known:
            wanted = known[name]
            own = formula.symbols.get(wanted)
            if own is None and wanted not in catalog.quantities:
                raise UnknownNameError("quantity or letter", wanted, _known(catalog, formula))
            meant[name] = own.id if own is not None else wanted
        elif name in formula.symbols:
            meant[name] = formula.symbols[name].id
        elif name in catalog.quantities:
            meant[name] = name
        else:
            unknown.append(name)
    for name in known:
        if name not in meant:
            raise UnknownNameError("name in the formula", name, names(node))
    for name in unknown:
        left = [q.id for q in formula.symbols.values() if q.id not in meant.values()]
        fitting = [id for id in left if name in _spellings(catalog, id)]
        lower = [id for id in left if name.lower() in {s.lower() for s in _spellings(catalog, id)}]
        fitting = fitting or lower
        if len(fitting) != 1:
            error = UnknownNameError("quantity or letter", name, _known(catalog, formula))
            error.what += f"; say what it is, as {name}=QUANTITY"
            raise error
        meant[name] = fitting[0]
    return meant


def _spellings(catalog: Catalog, id: str) -> set[str]:
    """The letters that formulas write a quantity with, its LaTeX, and its id without `n_`, `d_`."""
    found = {catalog.quantities[id].latex, id.removeprefix("n_").removeprefix("d_")}
    for formula in catalog.formulas.values():
        found |= {letter for letter, quantity in formula.symbols.items() if quantity.id == id}
    return found


def _known(catalog: Catalog, formula: Formula) -> list[str]:
    ids = [quantity.id for quantity in formula.symbols.values()]
    return list(dict.fromkeys([*formula.symbols, *ids, *catalog.quantities]))


def _rename(node: Node, formula: Formula) -> Node:
    return substitute(node, {letter: Name(of.id) for letter, of in formula.symbols.items()})


def _over_quantities(formula: Formula) -> Node:
    return _rename(formula.numeric, formula)


def _unit_note(
    catalog: Catalog, called: Node, quantities: Mapping[str, Quantity], unit: Unit
) -> str:
    dimensions = {id: quantity.unit.dimension for id, quantity in quantities.items()}
    try:
        found = dimension_of(
            called, dimensions, signatures=lambda id: catalog.formulas[id].signature
        )
    except DimensionError as error:
        return f"their units do not fit: {error.what}"
    if found == unit.dimension:
        return ""
    bare = any(isinstance(part, Number) and part.unit is None for part in walk(called))
    missing = unit.dimension / found
    if bare:
        return f"their bare numbers must carry {missing}"
    return f"their units do not fit: they give {found}, and {unit} is {unit.dimension}"


def _form(node: Node, positive: Collection[str] = ()) -> Factored:
    try:
        return factored(node, positive=positive)
    except (TooComplexError, ZeroDivisionError) as error:
        raise DomainError(f"{text(node)[:200]} is too large to be rewritten") from error


def _apart(
    ours: Node, theirs: Node, quantities: Mapping[str, Quantity]
) -> tuple[Node | None, Node | None]:
    """The ratio, and the difference if it is the shorter one."""
    positive = [id for id, quantity in quantities.items() if quantity.domain.positive]
    try:
        mine, other = _form(ours, positive), _form(theirs, positive)
        ratio = (other / mine).node()
        difference = (other - mine).node()
    except (TooComplexError, ZeroDivisionError, SymscaleError):
        return None, None
    return ratio, difference if len(text(difference)) < len(text(ratio)) else None


def _constant(ratio: Node | None) -> Fraction | None:
    if ratio is None or names(ratio):
        return None
    value = evaluate(ratio, {})
    return value if isinstance(value, Fraction) else None


def _same(ours: Node, theirs: Node, quantities: Mapping[str, Quantity]) -> bool:
    units = {id: quantity.unit for id, quantity in quantities.items()}
    try:
        return bool(equivalence(ours, theirs, region_of(quantities, units), trusted=True))
    except SymscaleError:
        return False


def _mistakes(
    catalog: Catalog, formula: Formula, theirs: Node, quantities: Mapping[str, Quantity]
) -> Iterator[WrongForm]:
    told = set()
    for wrong in wrong_forms(catalog, formula):
        every = {**wrong.quantities, **quantities}
        if wrong.name not in told and _same(wrong.node, theirs, every):
            told.add(wrong.name)
            yield wrong


def _equals(
    catalog: Catalog, entry: Formula, theirs: Node, quantities: Mapping[str, Quantity]
) -> Iterator[str]:
    """Other formulas of the same dimension and the same quantities that theirs is."""
    try:
        used = set(names(_form(theirs).node()))
    except SymscaleError:
        used = set(names(theirs))
    for formula in catalog.formulas.values():
        ids = {quantity.id for quantity in formula.symbols.values()}
        alike = formula.unit.dimension == entry.unit.dimension and ids == used
        if alike and formula.id != entry.id:
            scale = formula.unit.scale / entry.unit.scale
            try:
                other = (Factored(scale) * _form(_over_quantities(formula))).node()
            except SymscaleError:
                continue
            if _same(other, theirs, {id: catalog.quantities[id] for id in used}):
                yield formula.id
