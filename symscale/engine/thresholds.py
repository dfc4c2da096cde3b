"""Thresholds in closed form: a comparison solved for one letter, with when there is a solution."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

from symscale.algebra.factored import Factored, from_terms, raised
from symscale.algebra.normal_form import factored
from symscale.algebra.polynomials import Polynomial, TooComplexError
from symscale.errors import SymscaleError
from symscale.expressions.nodes import Binary, Call, Compare, Name, Node, Number, names, number

_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@dataclass(frozen=True, slots=True)
class Threshold:
    """`letter op bound`, where `condition` holds; None says that it always does."""

    op: str
    bound: Node
    condition: Compare | None

    @property
    def integer(self) -> Node | None:
        """The first or the last integer that meets it."""
        match self.op:
            case ">":
                return Binary("+", Call("floor", (self.bound,)), Number("1"))
            case ">=":
                return Call("ceil", (self.bound,))
            case "<":
                return Binary("-", Call("ceil", (self.bound,)), Number("1"))
            case "<=":
                return Call("floor", (self.bound,))
        return None


def threshold(condition: Compare, letter: str, *, positive: Collection[str]) -> Threshold | None:
    """A comparison that is linear-fractional in a letter, or in one power of it, solved for it.

    All factors but the one that decides must be positive by their shape. None where that is not
    so.
    """
    try:
        form = factored(Binary("-", condition.left, condition.right), positive=positive)
        return _solve(form, condition.op, letter, frozenset(positive))
    except (TooComplexError, ZeroDivisionError, SymscaleError):
        return None


def _solve(form: Factored, op: str, letter: str, positive: frozenset[str]) -> Threshold | None:
    deciding = [
        (base, power) for base, power in form.factors.items() if not _is_positive(base, positive)
    ]
    if len(deciding) != 1 or deciding[0][1] != 1 or not form.coefficient:
        return None
    base = deciding[0][0]
    if not isinstance(base, Polynomial):
        return None
    others = {atom for atom in base.atoms if letter in names(atom)}
    if others != {Name(letter)}:
        return None
    powers = base.in_powers_of(Name(letter))
    degrees = [power for power in powers if power]
    if len(degrees) != 1 or degrees[0] < 0 or len(powers) != 2:
        return None
    slope = from_terms(powers[degrees[0]])
    offset = from_terms(powers[Fraction(0)])
    bound = raised(-offset / slope, 1 / degrees[0], lambda node: _is_positive(node, positive))
    upwards = form.coefficient > 0
    sign, other = _sign(slope, positive), _sign(offset, positive)
    condition = None
    if sign is None:
        # Of the two cases, the one in which the bound is positive.
        sign = -1 if other == 1 else 1
        condition = _above_zero(slope if sign > 0 else -slope)
    if sign < 0:
        upwards = not upwards
    return Threshold(op if upwards else _TURNED[op], bound.node(), condition)


def _is_positive(base: Polynomial | Node, positive: frozenset[str]) -> bool:
    match base:
        case Polynomial():
            return min(base.terms.values()) > 0 and all(
                _is_positive(atom, positive) for atom in base.atoms
            )
        case Name(id):
            return id in positive
        case Number():
            return base.value > 0
        case Binary("**", inner, _):
            return _is_positive(inner, positive)
        case Binary("+" | "*" | "/", left, right):
            return _is_positive(left, positive) and _is_positive(right, positive)
        case Call("max" | "min" | "ceil" | "sqrt" | "exp", arguments):
            return base.function == "exp" or all(_is_positive(a, positive) for a in arguments)
    return False


def _sign(form: Factored, positive: frozenset[str]) -> int | None:
    if not all(_is_positive(base, positive) for base in form.factors):
        return None
    return 1 if form.coefficient > 0 else -1


def _above_zero(form: Factored) -> Compare:
    """`form > 0`, with what is subtracted on the other side."""
    differences = [base for base in form.factors if isinstance(base, Polynomial)]
    if len(differences) != 1:
        return Compare(">", form.node(), number(Fraction(0)))
    terms = differences[0].terms
    plus = from_terms({monomial: c for monomial, c in terms.items() if c > 0})
    minus = from_terms({monomial: -c for monomial, c in terms.items() if c < 0})
    sides = (plus, minus) if form.coefficient > 0 else (minus, plus)
    return Compare(">", sides[0].node(), sides[1].node())
