"""Proofs of identities: in closed form where algebra reaches, and on exact values always."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from symscale.algebra.normal_form import compact, factored
from symscale.algebra.polynomials import TooComplexError
from symscale.catalog.proofs import Identity
from symscale.catalog.quantities import Quantity
from symscale.catalog.scope import expand
from symscale.engine.bindings import bind_node
from symscale.engine.equivalence import equivalence
from symscale.engine.examples import Difference, example_of
from symscale.engine.samples import region_of, sample
from symscale.engine.sensitivity import Limit, elasticity, limit
from symscale.errors import DomainError, ExpressionError, SymscaleError
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import Binary, Call, Compare, Name, Node, substitute, walk
from symscale.expressions.numeric import in_units
from symscale.expressions.parser import parse
from symscale.expressions.values import Enclosure, Value
from symscale.numbers import read_rational

if TYPE_CHECKING:
    from symscale.catalog.loader import Catalog

POINTS = 6
"""Points at which a limit and an optimum are tried."""

_FAR, _CLOSE = Fraction(10**40), Fraction(1, 10**9)
_NEARBY = (Fraction(1, 2), Fraction(7, 8), Fraction(9, 8), Fraction(2))

Verdict = Literal["proved", "holds", "false"]


@dataclass(frozen=True)
class Proof:
    """What became of a claim.

    `proved` is algebra and values, `holds` is values alone, `false` has a counterexample.
    """

    left: Node
    right: Node
    """As written."""
    left_form: Node
    right_form: Node
    """Expanded, between plain numbers of the quantities' units."""
    quantities: Mapping[str, Quantity]
    verdict: Verdict
    how: str
    points: int
    counterexample: Difference | None = None

    def __bool__(self) -> bool:
        return self.verdict != "false"

    @property
    def data(self) -> dict[str, Any]:
        from symscale.engine.data import proof_data

        return proof_data(self)

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, str]:
        from symscale.engine.documents import proof_document

        return proof_document(self).mimebundle


def prove(catalog: Catalog, claim: str, *, where: Sequence[str] = ()) -> Proof:
    """Prove or refute `left = right`, over the domains of what the names stand for.

    The id of a formula that stands alone is the formula of its own quantities; as an argument it
    is a quantity. `where` has comparisons that limit the claim. Raises ExpressionError,
    UnknownNameError and DimensionError for a claim that makes no sense, DomainError where no
    point can be tried.

    >>> import symscale
    >>> catalog = symscale.load()
    >>> prove(catalog, "ring_all_reduce_bytes(V, n) = 2*ring_all_gather_bytes(V, n)").verdict
    'proved'
    """
    compare = _read(catalog, claim)
    arguments = {
        argument.id
        for part in walk(compare)
        if isinstance(part, Call)
        for argument in part.arguments
        if isinstance(argument, Name)
    }
    bound = bind_node(catalog, compare, kept=arguments)
    numeric, written = bound.numeric, bound.written
    assert isinstance(numeric, Compare)
    assert isinstance(written, Compare)
    conditions = []
    for line in where:
        condition = parse(line, catalog.units)
        if not isinstance(condition, Compare):
            raise ExpressionError(f"{line[:80]!r} is not a comparison, such as 'n >= 2'")
        conditions.append(in_units(expand(condition, catalog.formulas.__getitem__), bound.units))
    return _identity(written, numeric, bound.quantities, conditions)


def _read(catalog: Catalog, claim: str) -> Compare:
    """Both sides of a claim written with one `=` or `==`."""
    left, equals, right = claim.partition("==")
    if not equals:
        left, equals, right = claim.partition("=")
    if not equals or (left and left[-1] in "<>!"):
        raise ExpressionError(f"{claim[:80]!r} is not a claim, such as 'a*b = b*a'")
    sides = [parse(side, catalog.units) for side in (left, right)]
    if any(isinstance(side, Compare) for side in sides):
        raise ExpressionError("a claim has one equals sign and no other comparison")
    return Compare("==", *sides)


def prove_identity(catalog: Catalog, identity: Identity) -> Proof:
    """Prove or refute an identity, a limit or an optimum of the catalog."""
    units = {letter: quantity.unit for letter, quantity in identity.symbols.items()}

    def plain(node: Node) -> Node:
        return in_units(expand(node, catalog.formulas.__getitem__), units)

    where = [plain(condition) for condition in identity.where]
    left, right = plain(identity.left), plain(identity.right)
    match identity.kind:
        case "identity":
            written = Compare("==", identity.left, identity.right)
            return _identity(written, Compare("==", left, right), identity.symbols, where)
        case "limit":
            return _limit(identity, left, right, where)
        case _:
            return _optimum(identity, left, right, where)


def _positive(quantities: Mapping[str, Quantity]) -> list[str]:
    return [name for name, quantity in quantities.items() if quantity.domain.positive]


def is_zero(node: Node, positive: Collection[str]) -> bool:
    """Whether an expression is zero by algebra alone."""
    try:
        return factored(node, positive=positive).is_zero
    except (TooComplexError, ZeroDivisionError, SymscaleError):
        return False


def _identity(
    written: Compare,
    numeric: Compare,
    quantities: Mapping[str, Quantity],
    where: Sequence[Node],
) -> Proof:
    units = {name: quantity.unit for name, quantity in quantities.items()}
    positive = _positive(quantities)
    left, right = numeric.left, numeric.right
    region = region_of(quantities, units, where=where)
    verdict = equivalence(left, right, region, trusted=True)
    symbolic = is_zero(Binary("-", left, right), positive)
    outcome: Verdict = "proved" if symbolic else "holds"
    how = f"exactly equal at all {verdict.points} points tried"
    if symbolic:
        how = "the difference of the two sides is 0 in closed form"
    if not verdict:
        outcome, how = "false", "they differ at a point"
    return Proof(
        left=written.left,
        right=written.right,
        left_form=compact(left, positive=positive),
        right_form=compact(right, positive=positive),
        quantities=quantities,
        verdict=outcome,
        how=how,
        points=verdict.points,
        counterexample=None if verdict else example_of(left, right, quantities, region, verdict),
    )


def _limit(identity: Identity, left: Node, right: Node, where: Sequence[Node]) -> Proof:
    """The closed form of the limit, and the distance at values ever farther out."""
    letter, positive = identity.variable, _positive(identity.symbols)
    to: Limit = "infinity" if identity.to == "infinity" else read_rational(identity.to)
    symbolic = False
    try:
        found = limit(left, letter, to, positive=positive)
        symbolic = found is not None and is_zero(Binary("-", found, right), positive)
    except SymscaleError:
        pass
    points = 0
    target = _FAR if to == "infinity" else to + 1 / _FAR
    for point in _points(identity, where):
        gap = _gap(left, right, {**point, letter: target})
        if gap is None:
            continue
        points += 1
        if gap > _CLOSE:
            return _outcome(identity, left, right, "false", "they stay apart", points)
    how = "the limit in closed form" if symbolic else "as close as can be told at all points tried"
    verdict: Verdict = "proved" if symbolic else "holds" if points else "false"
    return _outcome(identity, left, right, verdict, how, points)


def _gap(left: Node, right: Node, point: Mapping[str, Fraction]) -> Fraction | None:
    """The distance of two sides relative to the second."""
    try:
        a, b = _middle(evaluate(left, point)), _middle(evaluate(right, point))
    except SymscaleError:
        return None
    return abs(a - b) / abs(b) if b else abs(a)


def _optimum(identity: Identity, left: Node, at: Node, where: Sequence[Node]) -> Proof:
    """The slope is zero at the place, and values on either side of it are worse."""
    letter, positive = identity.variable, _positive(identity.symbols)
    slope = elasticity(left, letter, positive=positive).expression
    symbolic = is_zero(substitute(slope, {letter: at}), positive)
    points = 0
    for point in _points(identity, where):
        try:
            place = _middle(evaluate(at, point))
            best = _middle(evaluate(left, {**point, letter: place}))
            others = [
                _middle(evaluate(left, {**point, letter: place * factor})) for factor in _NEARBY
            ]
        except SymscaleError:
            continue
        points += 1
        worse = [o > best if identity.to == "minimises" else o < best for o in others]
        if not all(worse):
            return _outcome(identity, left, at, "false", "a value beside it is better", points)
    how = (
        "the slope is 0 there in closed form, and values on both sides are worse"
        if symbolic
        else "values on both sides are worse at all points tried"
    )
    verdict: Verdict = "proved" if symbolic else "holds" if points else "false"
    return _outcome(identity, left, at, verdict, how, points)


def _points(identity: Identity, where: Sequence[Node]) -> list[Mapping[str, Fraction]]:
    units = {name: quantity.unit for name, quantity in identity.symbols.items()}
    found = sample(identity.symbols, units, where=where, salt=identity.id)
    return [point for _, point in zip(range(POINTS), found, strict=False)]


def _middle(value: Value) -> Fraction:
    middle = value.key if isinstance(value, Enclosure) else value
    if not isinstance(middle, Fraction):
        raise DomainError("a side of an identity is a number")
    return middle


def _outcome(
    identity: Identity, left: Node, right: Node, verdict: Verdict, how: str, points: int
) -> Proof:
    positive = _positive(identity.symbols)
    return Proof(
        left=identity.left,
        right=identity.right,
        left_form=compact(left, positive=positive),
        right_form=compact(right, positive=positive),
        quantities=identity.symbols,
        verdict=verdict,
        how=how,
        points=points,
    )
