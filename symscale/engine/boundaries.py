"""Where an expression changes its rule.

A piecewise expression changes its rule where the sides of a comparison, two arguments of max or
min, or the argument of abs are equal, and where the argument of ceil or floor is an integer; a
quotient has no value where its divisor is zero.

Most such distances are quotients of polynomials, or a choice between some of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from symscale.algebra.polynomials import TooComplexError
from symscale.algebra.quotients import Quotient, Quotients, Terms, primitive, shifted
from symscale.engine.sampling import Variable
from symscale.errors import TooLargeError
from symscale.expressions.nodes import Binary, Call, Compare, Name, Node, Number, chain, names
from symscale.expressions.text import text

MAX_BOUNDARIES, MAX_CURVATURE = 16, 24
_CURVATURE_OF_VALUES = 6


@dataclass(frozen=True, slots=True, eq=False)
class Boundary:
    """The rule changes where `distance` is zero or, if `steps`, where it is an integer."""

    part: Node
    """Whose rule it is."""
    distance: Node
    steps: bool = False
    quotient: Quotient | None = None
    """What the distance is, or one of what it can be; None where it is no such thing."""


def boundaries(
    parts: Sequence[Node], variables: Mapping[str, Variable]
) -> dict[Hashable, Boundary]:
    """The boundaries at the nodes of expressions, each once, under keys that tell their places.

    Raises TooLargeError for more than 16, for polynomials of more than 64 terms and for too many
    of a high degree.
    """
    places = [boundary for part in parts for boundary in _of_part(part, variables)]
    if not places:
        return {}
    reader = Quotients.of(variables)
    all_variables = list(variables.values())
    found: dict[Hashable, Boundary] = {}
    for boundary in places:
        for choice in _choices(boundary, reader):
            if not _is_never_met(choice, all_variables):
                found.setdefault(_key(choice, all_variables), choice)
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
    return [
        replace(boundary, quotient=quotient)
        for quotient in quotients
        if quotient.over and quotient.constant is None
    ]


def _key(boundary: Boundary, variables: Sequence[Variable]) -> Hashable:
    """The same for boundaries at the same places."""
    quotient = boundary.quotient
    if quotient is None:
        return boundary.steps, text(boundary.distance)
    if boundary.steps:
        return frozenset(quotient.over.items()), frozenset(quotient.under.items())
    return frozenset(primitive(_without_shared_letters(quotient.over, variables)).items())


def _without_shared_letters(terms: Terms, variables: Sequence[Variable]) -> Terms:
    """The polynomial divided by the letters that all terms have and that are never zero."""
    shared = [
        min(powers) if variable.domain.positive else 0
        for variable, powers in zip(variables, zip(*terms, strict=True), strict=True)
    ]
    return {tuple(map(int.__sub__, powers, shared)): c for powers, c in terms.items()}


def _is_never_met(boundary: Boundary, variables: Sequence[Variable]) -> bool:
    """Whether the distance cannot be zero; or nothing varies in it."""
    if boundary.quotient is None:
        return not names(boundary.distance)
    return not boundary.steps and is_never_zero(boundary.quotient.over, variables)


def is_never_zero(terms: Terms, variables: Sequence[Variable]) -> bool:
    """Whether a polynomial is not zero anywhere in the domains, because its terms have one sign
    where every letter is counted from the lower end of its domain."""
    lowest = [variable.lowest for variable in variables]
    for letter, low in enumerate(lowest):
        if low:
            terms = shifted(terms, letter, low)
    if len({c > 0 for c in terms.values()}) > 1:
        return False
    if any(low is None and any(powers[i] for powers in terms) for i, low in enumerate(lowest)):
        return False
    positive = [not low and of.domain.positive for low, of in zip(lowest, variables, strict=True)]
    return any(
        all(sure or not power for sure, power in zip(positive, powers, strict=True))
        for powers in terms
    )


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
            yield Boundary(node, Binary("-", left, right))
        case Binary("/", _, divisor):
            yield from _zeros(node, divisor, variables)
        case Binary("**", base, exponent) if not _is_natural(exponent):
            yield from _zeros(node, base, variables)
        case Call("max" | "min", arguments):
            for left, right in combinations(arguments, 2):
                yield Boundary(node, Binary("-", left, right))
        case Call("ceil" | "floor", (argument,)):
            yield Boundary(node, argument, steps=True)
        case Call("abs" | "sqrt" | "log" | "log2", (argument,)):
            yield from _zeros(node, argument, variables)


def _zeros(part: Node, node: Node, variables: Mapping[str, Variable]) -> Iterator[Boundary]:
    """Where a value in a part may be zero: where one of its factors is."""
    if is_positive(node, variables):
        return
    match node:
        case Binary("*" | "/"):
            first, rest = chain(node)
            for factor in (first, *(factor for _, factor in rest)):
                yield from _zeros(part, factor, variables)
        case Binary("**", base, _):
            yield from _zeros(part, base, variables)
        case _:
            yield Boundary(part, node)


def is_positive(node: Node, variables: Mapping[str, Variable]) -> bool:
    """Whether the value is above zero wherever the names are in their domains, as far as signs
    alone show it."""
    match node:
        case Number():
            return node.value > 0
        case Name():
            return variables[node.id].domain.positive
        case Binary("**", base, _):
            return is_positive(base, variables)
        case Binary():
            first, rest = chain(node)
            return is_positive(first, variables) and all(
                op != "-" and is_positive(operand, variables) for op, operand in rest
            )
        case Call("max" | "min" | "sqrt" | "count" | "ceil", arguments):
            return all(is_positive(argument, variables) for argument in arguments)
        case _:
            return False


def _is_natural(node: Node) -> bool:
    return isinstance(node, Number) and node.value.denominator == 1
