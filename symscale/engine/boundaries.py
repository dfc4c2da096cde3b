"""Where an expression changes its rule.

A piecewise expression changes its rule where the sides of a comparison, two arguments of max or
min, or the argument of abs are equal, and where the argument of ceil or floor is an integer; a
quotient has no value where its divisor is zero.

Most such distances are quotients of polynomials, or a choice between some of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from symscale.algebra.polynomials import TooComplexError
from symscale.algebra.quotients import Quotient, Quotients, primitive
from symscale.engine.sampling import Variable
from symscale.errors import TooLargeError
from symscale.expressions.nodes import Binary, Call, Compare, Name, Node, Number, chain
from symscale.expressions.text import text

MAX_BOUNDARIES, MAX_CURVATURE = 16, 24
_CURVATURE_OF_VALUES = 6


@dataclass(frozen=True, slots=True, eq=False)
class Boundary:
    """The rule changes where `distance` is zero or, if `steps`, where it is an integer."""

    distance: Node
    steps: bool = False
    quotient: Quotient | None = None
    """What the distance is, or one of what it can be; None where it is no such thing."""


def boundaries(parts: Sequence[Node], variables: Mapping[str, Variable]) -> list[Boundary]:
    """The boundaries at the nodes of expressions, each once.

    Raises TooLargeError for more than 16, for polynomials of more than 64 terms and for too many
    of a high degree.
    """
    places = [boundary for part in parts for boundary in _of_part(part, variables)]
    if not places:
        return []
    reader = Quotients.of(variables)
    positive = [variable.domain.positive for variable in variables.values()]
    found: dict[Hashable, Boundary] = {}
    for boundary in places:
        for choice in _choices(boundary, reader):
            if not _is_never_met(choice, positive):
                found.setdefault(_key(choice), choice)
        if len(found) > MAX_BOUNDARIES:
            raise TooLargeError(f"more than {MAX_BOUNDARIES} places change the rule")
    if sum(map(_curvature, found.values())) > MAX_CURVATURE:
        raise TooLargeError("the places that change the rule are of too high a degree")
    return list(found.values())


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


def _key(boundary: Boundary) -> Hashable:
    """The same for boundaries at the same places."""
    quotient = boundary.quotient
    if quotient is None:
        return boundary.steps, text(boundary.distance)
    if boundary.steps:
        return frozenset(quotient.over.items()), frozenset(quotient.under.items())
    return frozenset(primitive(quotient.over).items())


def _is_never_met(boundary: Boundary, positive: Sequence[bool]) -> bool:
    """Whether the distance cannot be zero, because its terms have one sign and its letters are
    above zero; which letters are, `positive` says."""
    quotient = boundary.quotient
    if quotient is None or boundary.steps or len({c > 0 for c in quotient.over.values()}) > 1:
        return False
    return all(
        sure or not power
        for powers in quotient.over
        for sure, power in zip(positive, powers, strict=True)
    )


def _curvature(boundary: Boundary) -> int:
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
        case Binary("**", base, exponent) if not _is_natural(exponent):
            yield from _zeros(base, variables)
        case Call("max" | "min", arguments):
            for left, right in combinations(arguments, 2):
                yield Boundary(Binary("-", left, right))
        case Call("ceil" | "floor", (argument,)):
            yield Boundary(argument, steps=True)
        case Call("abs" | "sqrt" | "log" | "log2", (argument,)):
            yield from _zeros(argument, variables)


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
