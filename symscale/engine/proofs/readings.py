"""Expressions without choices, read as quotients of polynomials, and the signs of their values."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from symscale.algebra.polynomials import TooComplexError
from symscale.algebra.quotients import Quotient, Quotients, Terms
from symscale.engine.proofs.facts import ANY, NEGATIVE, NOT_NEGATIVE, POSITIVE, Facts, Signs
from symscale.engine.proofs.lowest import is_positive
from symscale.engine.variables import Variable
from symscale.errors import SymscaleError
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import Binary, Node, Number, is_natural, names, number
from symscale.expressions.shape import literal_value
from symscale.expressions.values import Enclosure, exact_power


class Readings:
    """Of expressions in the letters of `variables`."""

    def __init__(self, variables: Mapping[str, Variable]) -> None:
        self.variables = variables
        self.letters = list(variables)
        self._reader = Quotients.of(self.letters)
        self.one = self._reader.one

    def quotient(self, node: Node) -> Quotient | None:
        """What an expression is, None where it is no quotient of polynomials or a large one."""
        try:
            found = self._reader.read(node)
        except TooComplexError:
            return None
        return found[0] if found and found[0].under else None

    def constant(self, value: Fraction | int) -> Quotient:
        return self._reader.constant(Fraction(value))

    def letter(self, place: int, less: Fraction | int = 0) -> Terms:
        """A letter less a number."""
        (unit,) = self.one
        terms = {(*unit[:place], 1, *unit[place + 1 :]): Fraction(1)}
        return {**terms, unit: -Fraction(less)} if less else terms

    def used(self, terms: Terms) -> list[int]:
        """The places of the letters of a polynomial."""
        return [i for i in range(len(self.letters)) if any(powers[i] for powers in terms)]

    def difference(self, left: Node, right: Node, facts: Facts) -> Terms | None:
        """A polynomial with the sign of a difference, of a**2 - b**2 the one of a - b where neither
        is below zero."""
        bases = _bases(left, right)
        if bases is not None and all(self.signs(base, facts) <= NOT_NEGATIVE for base in bases):
            left, right = bases
        quotient = self.quotient(Binary("-", left, right))
        return None if quotient is None else self.polynomial(quotient, facts)

    def polynomial(self, quotient: Quotient, facts: Facts) -> Terms | None:
        """A polynomial with the sign of a quotient, where that has a value."""
        signs = facts.signs(quotient.under)
        if signs == POSITIVE:
            return quotient.over
        if signs == NEGATIVE:
            return (-quotient).over
        try:
            return (Quotient(quotient.over, self.one) * Quotient(quotient.under, self.one)).over
        except TooComplexError:
            return None

    def signs(self, node: Node, facts: Facts) -> Signs:
        """The signs that a value may have."""
        quotient = self.quotient(node)
        terms = None if quotient is None else self.polynomial(quotient, facts)
        if terms is not None:
            return facts.signs(terms)
        if not names(node):
            return _signs_of_constant(node)
        return POSITIVE if is_positive(node, self.variables) else ANY


def _bases(left: Node, right: Node) -> tuple[Node, Node] | None:
    """What is raised to the same power on both sides, where it rises with that; a number may be
    such a power."""
    match left, right:
        case Binary("**", a, power), Binary("**", b, other) if power == other:
            return (a, b) if _raises(power) else None
        case Binary("**", a, power), _:
            root = _root(literal_value(right), power)
            return None if root is None else (a, number(root))
        case _, Binary("**", b, power):
            root = _root(literal_value(left), power)
            return None if root is None else (number(root), b)
        case _:
            return None


def _raises(power: Node) -> bool:
    """Whether it is a natural number, but not zero."""
    return isinstance(power, Number) and is_natural(power) and power.value > 0


def _root(value: Fraction | None, power: Node) -> Fraction | None:
    if value is None or value < 0 or not isinstance(power, Number) or not _raises(power):
        return None
    return exact_power(value, 1 / power.value)


def _signs_of_constant(node: Node) -> Signs:
    try:
        value = evaluate(node, {})
    except SymscaleError:
        return ANY
    ends = (value.low, value.high) if isinstance(value, Enclosure) else (value, value)
    signs = {(end > 0) - (end < 0) for end in ends if isinstance(end, Fraction)}
    return frozenset(signs) if len(signs) == 1 else ANY
