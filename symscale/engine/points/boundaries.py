"""Where an expression changes its rule.

A piecewise expression changes its rule where the sides of a comparison, two arguments of max or
min, or the argument of abs are equal, and where the argument of ceil or floor is an integer; a
quotient has no value where its divisor is zero.

Most such distances are quotients of polynomials, or a choice between some of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations

from symscale.algebra.factored import Base
from symscale.algebra.integer_roots import roots_in_one_letter
from symscale.algebra.normal_form import factored
from symscale.algebra.polynomials import TooComplexError
from symscale.algebra.quotients import Quotient, Quotients, Terms, primitive
from symscale.engine.proofs.facts import Facts
from symscale.engine.proofs.lowest import is_positive, lowest
from symscale.engine.variables import Variable
from symscale.errors import SymscaleError, TooLargeError
from symscale.expressions.nodes import (
    Binary,
    Call,
    Compare,
    Name,
    Node,
    Number,
    chain,
    is_natural,
    is_rounding,
    names,
    rounds,
    walk,
)
from symscale.expressions.text import text

MAX_BOUNDARIES, MAX_CURVATURE = 16, 24

_CURVATURE_OF_VALUES = 6


@dataclass(frozen=True, eq=False)
class Boundary:
    """The rule changes where `distance` is zero or, if `steps`, where it is an integer."""

    distance: Node
    steps: bool = False
    quotient: Quotient | None = None
    """What the distance is, or one of what it can be; None where it is no such thing."""

    @cached_property
    def rounds(self) -> bool:
        """Whether something is rounded within the distance."""
        return rounds(self.distance)


def boundaries(
    parts: Sequence[Node], variables: Mapping[str, Variable]
) -> dict[Hashable, Boundary]:
    """The boundaries at the nodes of expressions, each once, under keys that tell their places.

    Raises TooLargeError for more than 16, for polynomials of more than 64 terms and for too many
    of a high degree.
    """
    places = [
        _as_steps(boundary, variables) for part in parts for boundary in _of_part(part, variables)
    ]
    if not places:
        return {}
    reader = Quotients.of(variables)
    facts = Facts.of([*variables.values()])
    found: dict[Hashable, Boundary] = {}
    for boundary in places:
        for place, choice in enumerate(_choices(boundary, reader)):
            if not _is_never_met(choice, facts):
                found.setdefault(_key(choice, place, variables), choice)
        if len(found) > MAX_BOUNDARIES:
            raise TooLargeError(f"more than {MAX_BOUNDARIES} places change the rule")
    if sum(map(curvature, found.values())) > MAX_CURVATURE:
        raise TooLargeError("the places that change the rule are of too high a degree")
    return found


def _choices(boundary: Boundary, reader: Quotients) -> list[Boundary]:
    """The boundary for each quotient that its distance can be."""
    try:
        quotients = reader.read(boundary.distance)
    except TooComplexError:
        raise TooLargeError("a place that changes the rule is too complex") from None
    if quotients is None:
        return [boundary]
    found = [
        replace(boundary, quotient=quotient)
        for quotient in quotients
        if quotient.over and quotient.under and quotient.constant is None
    ]
    # What rounds within a distance stands for its argument, so the distance may vary nonetheless.
    return found or ([boundary] if boundary.rounds else [])


def _key(boundary: Boundary, place: int, variables: Mapping[str, Variable]) -> Hashable:
    """The same for boundaries at the same places."""
    quotient = boundary.quotient
    if boundary.rounds or quotient is None:
        return boundary.steps, place, _normal(boundary.distance, variables)
    if boundary.steps:
        return _steps_key(quotient)
    (over,) = without_shared_letters([quotient.over], list(variables.values()))
    return frozenset(primitive(over).items())


def _as_steps(boundary: Boundary, variables: Mapping[str, Variable]) -> Boundary:
    """A distance between a number and its own rounding is zero where the number is an integer."""
    if boundary.steps or not boundary.rounds:
        return boundary
    for part in walk(boundary.distance):
        if is_rounding(part):
            (argument,) = part.arguments
            away = _factors(Binary("/", boundary.distance, Binary("-", part, argument)), variables)
            if away is not None and all(_is_sure(base, variables) for base in away):
                return Boundary(argument, steps=True)
            break
    return boundary


def _is_sure(base: object, variables: Mapping[str, Variable]) -> bool:
    """Whether a factor is never zero."""
    return isinstance(base, Name) and variables[base.id].domain.positive


def _factors(node: Node, variables: Mapping[str, Variable]) -> dict[Base, Fraction] | None:
    positive = [name for name, of in variables.items() if of.domain.positive]
    try:
        form = factored(node, positive=positive)
    except (TooComplexError, ZeroDivisionError, SymscaleError):
        return None
    return None if form.is_zero else dict(form.factors)


def _normal(distance: Node, variables: Mapping[str, Variable]) -> Hashable:
    """What a distance is zero with, in closed form."""
    found = _factors(distance, variables)
    if found is None:
        return text(distance)
    return frozenset(
        (base, power)
        for base, power in found.items()
        if power > 0 and not _is_sure(base, variables)
    )


def _steps_key(quotient: Quotient) -> Hashable:
    """The same for a quotient and its negative."""
    scale = quotient.under[max(quotient.under)]
    if (quotient.over[max(quotient.over)] < 0) != (scale < 0):
        scale = -scale
    sides = (quotient.over, quotient.under)
    over, under = ({powers: c / scale for powers, c in side.items()} for side in sides)
    under = under if under[max(under)] > 0 else {powers: -c for powers, c in under.items()}
    return frozenset(over.items()), frozenset(under.items())


def without_shared_letters(sides: Sequence[Terms], variables: Sequence[Variable]) -> list[Terms]:
    """Polynomials divided by the letters that all of their terms have and that are never zero."""
    columns = zip(*(powers for side in sides for powers in side), strict=True)
    shared = [
        min(column) if variable.domain.positive else 0
        for variable, column in zip(variables, columns, strict=True)
    ]
    return [
        {tuple(map(int.__sub__, powers, shared)): c for powers, c in side.items()} for side in sides
    ]


def has_value(node: Node, variables: Mapping[str, Variable]) -> bool:
    """Whether a value without rules has one everywhere, as far as signs show it.

    Raises what `boundaries` raises.
    """
    return not boundaries([part for part in walk(node) if _may_fail(part)], variables)


def _may_fail(part: Node) -> bool:
    match part:
        case Binary("/" | "**") | Call("sqrt" | "log" | "log2"):
            return True
        case _:
            return False


def _is_never_met(boundary: Boundary, facts: Facts) -> bool:
    """Whether the distance cannot be zero; or nothing varies in it."""
    quotient = boundary.quotient
    if quotient is None:
        return not names(boundary.distance)
    if boundary.steps or boundary.rounds:
        return False
    terms = quotient.over
    return 0 not in facts.signs(terms) or _has_no_root_inside(terms, facts.variables)


def _has_no_root_inside(terms: Terms, variables: Sequence[Variable]) -> bool:
    """Whether a polynomial in one letter has no root within the letter's domain."""
    found = roots_in_one_letter(terms)
    return found is not None and not any(map(variables[found[0]].surrounds, found[1]))


def letters_of(boundary: Boundary, letters: Iterable[str]) -> frozenset[str]:
    """The letters that decide whether a boundary is met."""
    if boundary.quotient is None:
        return frozenset(names(boundary.distance))
    quotient = boundary.quotient
    terms = [*quotient.over, *(quotient.under if boundary.steps else ())]
    return frozenset(
        letter for place, letter in enumerate(letters) if any(powers[place] for powers in terms)
    )


def curvature(boundary: Boundary) -> int:
    """What a boundary costs beside one of the second degree: the degrees in letters."""
    if boundary.quotient is None:
        return _CURVATURE_OF_VALUES
    degrees: list[int] = [max(powers) for powers in zip(*boundary.quotient.over, strict=True)]
    most = 1 if boundary.steps else 2
    return sum(degree for degree in degrees if degree > most) + 2 * boundary.steps


def _of_part(node: Node, variables: Mapping[str, Variable]) -> Iterator[Boundary]:
    match node:
        case Compare(_, left, right):
            yield Boundary(Binary("-", left, right))
        case Binary("/", _, divisor):
            yield from _zeros(divisor, variables)
        case Binary("**", base, exponent) if not is_natural(exponent):
            yield from _zeros(base, variables)
        case Call("max" | "min", arguments):
            for left, right in combinations(arguments, 2):
                if not _is_settled(left, right, variables):
                    yield Boundary(Binary("-", left, right))
        case Call("ceil" | "floor", (argument,)):
            yield Boundary(argument, steps=True)
        case Call("abs" | "sqrt" | "log" | "log2", (argument,)):
            yield from _zeros(argument, variables)


def _is_settled(left: Node, right: Node, variables: Mapping[str, Variable]) -> bool:
    """Whether one of two numbers is a literal that the other is never below."""
    for literal, other in ((left, right), (right, left)):
        if isinstance(literal, Number):
            least = lowest(other, variables)
            if least is not None and least >= literal.value:
                return True
    return False


def _zeros(node: Node, variables: Mapping[str, Variable]) -> Iterator[Boundary]:
    """Where a value may be zero: where one of its factors is."""
    if is_positive(node, variables):
        return
    match node:
        case Binary("*" | "/"):
            first, rest = chain(node)
            for factor in (first, *(factor for _, factor in rest)):
                yield from _zeros(factor, variables)
        case Binary("**", base, _):
            yield from _zeros(base, variables)
        case _:
            yield Boundary(node)
