"""Sensitivity: exact elasticities of an expression, and its limits.

The elasticity of y in x is the exponent with which y goes as x. It is a closed form of its own,
constant for a power law. Where max, min, abs or where choose, it is that of the piece chosen, and
the surfaces where the choice turns are listed; across a rounding it is that of the value before
rounding, because the rounded value has steps and no slope.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from symscale.algebra.factored import ONE, ZERO, Factored, atom, expand, from_terms
from symscale.algebra.normal_form import compact, factored
from symscale.algebra.polynomials import Polynomial, TooComplexError
from symscale.errors import DomainError, SymscaleError
from symscale.expressions.nodes import (
    SUM,
    Binary,
    Call,
    Compare,
    Name,
    Node,
    Number,
    Sign,
    chain,
    children,
    names,
    number,
    rebuild,
    substitute,
)
from symscale.expressions.text import text

_ZERO, _ONE = Number("0"), Number("1")


@dataclass(frozen=True)
class Elasticity:
    """The exponent of one letter: a closed form over the same letters."""

    letter: str
    expression: Node
    surfaces: tuple[Compare, ...] = ()
    """Where another piece takes over, as equations."""
    rounded: bool = field(default=False)
    """Whether a rounding was passed over."""

    @property
    def constant(self) -> Fraction | None:
        """The exponent, where it is the same everywhere."""
        try:
            return factored(self.expression).constant
        except (TooComplexError, ZeroDivisionError, SymscaleError):
            return None


def elasticity(node: Node, letter: str, *, positive: Collection[str] = ()) -> Elasticity:
    """The elasticity of an expression between plain numbers in one of its letters.

    >>> from symscale.expressions.nodes import Binary, Name, Number
    >>> text(elasticity(Binary("/", Name("V"), Name("W")), "W").expression)
    '-1'
    """
    surfaces, rounded = _turns(node, letter)
    return Elasticity(
        letter, compact(_exponent(node, letter), positive=positive), surfaces, rounded
    )


def elasticities(node: Node, *, positive: Collection[str] = ()) -> dict[str, Elasticity]:
    """The elasticity in every letter."""
    return {letter: elasticity(node, letter, positive=positive) for letter in names(node)}


def _unrounded(node: Node) -> Node:
    if isinstance(node, Call) and node.function in ("ceil", "floor"):
        return _unrounded(node.arguments[0])
    parts = children(node)
    return rebuild(node, tuple(_unrounded(part) for part in parts)) if parts else node


def _turns(node: Node, letter: str) -> tuple[tuple[Compare, ...], bool]:
    surfaces: dict[Compare, None] = {}
    rounded = False
    pending = [node]
    while pending:
        part = pending.pop()
        pending += children(part)
        if not isinstance(part, Call) or letter not in names(part):
            continue
        arguments = part.arguments
        match part.function:
            case "max" | "min":
                for i, one in enumerate(arguments):
                    for other in arguments[i + 1 :]:
                        surfaces[Compare("==", compact(one), compact(other))] = None
            case "where" if isinstance(arguments[0], Compare):
                choice = arguments[0]
                surfaces[Compare("==", compact(choice.left), compact(choice.right))] = None
            case "abs":
                surfaces[Compare("==", compact(arguments[0]), _ZERO)] = None
            case "ceil" | "floor":
                rounded = True
    return tuple(surfaces), rounded


def _exponent(node: Node, letter: str) -> Node:
    """The elasticity, by the rules for products, sums and powers; choices are kept."""
    if letter not in names(node):
        return _ZERO
    match node:
        case Name():
            return _ONE
        case Sign():
            return _exponent(node.operand, letter)
        case Binary("**", base, power):
            power = _unrounded(power)
            by_base = Binary("*", power, _exponent(base, letter))
            by_power = Binary("*", power, _exponent(power, letter))
            return Binary("+", by_base, Binary("*", by_power, Call("log", (_unrounded(base),))))
        case Binary() if node.op in SUM:
            return _mean(node, letter)
        case Binary():
            first, rest = chain(node)
            total = _exponent(first, letter)
            for op, factor in rest:
                total = Binary("+" if op == "*" else "-", total, _exponent(factor, letter))
            return total
        case Call():
            return _of_function(node, letter)
    raise DomainError(f"{text(node)} has no exponent")


def _mean(node: Binary, letter: str) -> Node:
    """The exponents of the terms, each weighted by its term."""
    first, rest = chain(node)
    weighted = Binary("*", _unrounded(first), _exponent(first, letter))
    for op, term in rest:
        weighted = Binary(op, weighted, Binary("*", _unrounded(term), _exponent(term, letter)))
    return Binary("/", weighted, _unrounded(node))


def _of_function(node: Call, letter: str) -> Node:
    first = node.arguments[0]
    match node.function:
        case "count" | "ceil" | "floor" | "abs":
            return _exponent(first, letter)
        case "sqrt":
            return Binary("/", _exponent(first, letter), Number("2"))
        case "log":
            return Binary("/", _exponent(first, letter), Call("log", (_unrounded(first),)))
        case "log2":
            under = Binary("*", Call("log", (Number("2"),)), Call("log2", (_unrounded(first),)))
            return Binary("/", _exponent(first, letter), under)
        case "exp":
            return Binary("*", _unrounded(first), _exponent(first, letter))
        case "where":
            condition, then, otherwise = node.arguments
            return _choice(condition, _exponent(then, letter), _exponent(otherwise, letter))
        case _:
            return _of_extreme(node, letter)


def _of_extreme(node: Call, letter: str) -> Node:
    """The exponent of the argument that is chosen."""
    op = ">=" if node.function == "max" else "<="
    *others, last = node.arguments
    chosen = _exponent(last, letter)
    for position in range(len(others) - 1, -1, -1):
        here, after = node.arguments[position], node.arguments[position + 1 :]
        rest = after[0] if len(after) == 1 else Call(node.function, after)
        condition = Compare(op, _unrounded(here), _unrounded(rest))
        chosen = _choice(condition, _exponent(here, letter), chosen)
    return chosen


def _choice(condition: Node, then: Node, otherwise: Node) -> Node:
    return then if then == otherwise else Call("where", (condition, then, otherwise))


Limit = Literal["infinity"] | Fraction


def limit(node: Node, letter: str, to: Limit, *, positive: Collection[str] = ()) -> Node | None:
    """What an expression tends to as a letter goes to infinity or, from above, to a number.

    The closed form over the other letters, `0`, or None where it grows without bound. Common
    factors cancel first, so that `(n**2 - 1)/(n - 1)` has a limit at 1. Raises DomainError where
    it cannot be told: the letter stands inside of a function.
    """
    if to != "infinity":
        shifted = substitute(node, {letter: Binary("+", number(to), Name(letter))})
        inverted = substitute(shifted, {letter: Binary("/", _ONE, Name(letter))})
        return limit(inverted, letter, "infinity", positive=positive)
    try:
        form = factored(node, positive=positive)
    except (TooComplexError, ZeroDivisionError) as error:
        raise DomainError(f"the limit of {text(node)[:200]} cannot be told") from error
    degree, leading = Fraction(0), Factored(form.coefficient)
    for base, power in form.factors.items():
        own, part = _leading(base, letter)
        degree += own * power
        leading *= _raised(part, power)
    if degree > 0:
        return None
    return (ZERO if degree < 0 else leading).node()


def _leading(base: Polynomial | Node, letter: str) -> tuple[Fraction, Factored]:
    """The highest power of a letter and its coefficient."""
    if base == Name(letter):
        return Fraction(1), ONE
    atoms = base.atoms if isinstance(base, Polynomial) else frozenset((base,))
    if any(letter in names(part) and part != Name(letter) for part in atoms):
        raise DomainError(f"the limit in {letter} cannot be told: it stands inside of a function")
    if not isinstance(base, Polynomial):
        return Fraction(0), atom(base)
    powers = base.in_powers_of(Name(letter))
    highest = max(powers)
    return highest, from_terms(powers[highest])


def _raised(form: Factored, power: Fraction) -> Factored:
    if power.denominator == 1:
        coefficient = form.coefficient**power.numerator
        return Factored(coefficient, {base: p * power for base, p in form.factors.items()})
    return Factored(Fraction(1), {Polynomial.of(expand(form)): power})
