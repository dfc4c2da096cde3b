"""Expressions in one letter, all else numbers: their rational pieces and where those meet.

`max`, `min`, `abs` and `where` choose between rational functions. The choice can change only
where two of these are equal, and the sign only at a root or a pole: between those places, which
are roots of polynomials, nothing changes, so one exact value tells all of an interval.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product

from symscale.algebra import roots
from symscale.algebra.factored import Factored
from symscale.algebra.normal_form import factored
from symscale.algebra.polynomials import Polynomial, TooComplexError
from symscale.algebra.roots import Coefficients, Root
from symscale.errors import SymscaleError
from symscale.expressions.nodes import Binary, Call, Compare, Name, Node, Sign, children, rebuild
from symscale.expressions.values import Enclosure

MAX_PIECES = 64


@dataclass(frozen=True, slots=True)
class Rational:
    """A quotient of polynomials in one letter."""

    over: Coefficients
    under: Coefficients


def rational(node: Node, letter: str) -> Rational | None:
    """An expression in one letter as a quotient of polynomials; None where it is not one."""
    try:
        form = factored(node)
        over, under = Factored(form.coefficient), Factored(Fraction(1))
        for base, power in form.factors.items():
            if power > 0:
                over *= Factored(Fraction(1), {base: power})
            else:
                under *= Factored(Fraction(1), {base: -power})
        sides = [_coefficients(side, letter) for side in (over, under)]
    except (TooComplexError, ZeroDivisionError, SymscaleError):
        return None
    if sides[0] is None or sides[1] is None:
        return None
    return Rational(sides[0], sides[1])


def _coefficients(form: Factored, letter: str) -> Coefficients | None:
    polynomial: Coefficients = (form.coefficient,) if form.coefficient else ()
    for base, power in form.factors.items():
        if power.denominator != 1 or power > roots.MAX_DEGREE:
            return None
        if isinstance(base, Polynomial):
            factor = _dense(base, letter)
        else:
            factor = (Fraction(0), Fraction(1)) if base == Name(letter) else None
        if factor is None:
            return None
        for _ in range(power.numerator):
            polynomial = roots.product(polynomial, factor)
    return polynomial if len(polynomial) <= roots.MAX_DEGREE + 1 else None


def _dense(polynomial: Polynomial, letter: str) -> Coefficients | None:
    if polynomial.atoms - {Name(letter)}:
        return None
    powers = polynomial.in_powers_of(Name(letter))
    if any(power.denominator != 1 or power < 0 or power > roots.MAX_DEGREE for power in powers):
        return None
    found = [Fraction(0)] * (int(max(powers)) + 1)
    for power, terms in powers.items():
        found[int(power)] = sum(terms.values(), Fraction(0))
    return roots.trimmed(found)


def critical_points(
    nodes: Iterable[Node], letter: str, low: Fraction | None, high: Fraction | None
) -> list[Root] | None:
    """Everywhere between the bounds that one of the expressions may change its sign or its
    piece; None where that cannot be told (a rounding, a root, a logarithm of the letter)."""
    found: list[Root] = []
    try:
        for node in nodes:
            pieces, boundaries = _pieces(node)
            for part in dict.fromkeys([*pieces, *boundaries]):
                quotient = rational(part, letter)
                if quotient is None:
                    return None
                for side in (quotient.over, quotient.under):
                    if side:
                        found += roots.real_roots(side, low, high)
    except (TooComplexError, ValueError):
        return None
    return _distinct(found)


def _pieces(node: Node) -> tuple[list[Node], list[Node]]:
    """The expressions that a node can be, and what is zero where it turns from one to another."""
    parts = [_pieces(part) for part in children(node)]
    boundaries = [boundary for _, found in parts for boundary in found]
    options = [found for found, _ in parts]
    match node:
        case Call("max" | "min"):
            pieces = [piece for found in options for piece in found]
            for one, other in combinations(options, 2):
                boundaries += [Binary("-", a, b) for a, b in product(one, other)]
        case Call("abs"):
            pieces = [piece for inner in options[0] for piece in (inner, Sign("-", inner))]
            boundaries += options[0]
        case Call("where", (Compare(), _, _)):
            pieces = [*options[1], *options[2]]
            boundaries += [
                Binary("-", choice.left, choice.right)
                for choice in options[0]
                if isinstance(choice, Compare)
            ]
        case _:
            pieces = [rebuild(node, chosen) for chosen in product(*options)]
    if len(pieces) > MAX_PIECES or len(boundaries) > MAX_PIECES:
        raise TooComplexError
    return pieces, boundaries


def _distinct(found: list[Root]) -> list[Root]:
    ordered = sorted(found, key=_middle)
    kept: list[Root] = ordered[:1]
    for before, root in pairwise(ordered):
        if not _meet(before, root):
            kept.append(root)
    return kept


def _meet(a: Root, b: Root) -> bool:
    (low, high), (other_low, other_high) = ends(a), ends(b)
    return low <= other_high and other_low <= high


def ends(root: Root) -> tuple[Fraction, Fraction]:
    return (root.low, root.high) if isinstance(root, Enclosure) else (root, root)


def _middle(root: Root) -> Fraction:
    return sum(ends(root), Fraction(0)) / 2


def between(points: list[Root], low: Fraction | None, high: Fraction | None) -> Iterator[Fraction]:
    """One value inside of each interval that the points leave, in order."""
    edges: list[tuple[Fraction | None, Fraction | None]] = [(low, low)]
    edges += [ends(point) for point in points]
    edges += [(high, high)]
    for (_, left), (right, _) in pairwise(edges):
        if left is None and right is None:
            yield Fraction(0)
        elif left is None and right is not None:
            yield right - 1 - abs(right)
        elif right is None and left is not None:
            yield left + 1 + abs(left)
        elif left is not None and right is not None and left < right:
            yield (left + right) / 2
