"""Solving an expression for one of its letters, and proving the solution on values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction

from symscale.algebra.factored import ONE, ZERO, Base, Factored, atom, expand, from_terms, raised
from symscale.algebra.normal_form import factored
from symscale.algebra.polynomials import Polynomial, Terms, TooComplexError
from symscale.catalog.quantities import Quantity
from symscale.engine.samples import sample
from symscale.errors import SymscaleError
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import Binary, Call, Compare, Name, Node, names, number, substitute
from symscale.expressions.shape import check_shape
from symscale.expressions.text import text
from symscale.expressions.values import Enclosure, Value
from symscale.units import Unit

CHECKS = 3
"""Points at which an inverse is put back into what it inverts."""

_AGREE = Fraction(1, 10**20)


def solve_for(node: Node, letter: str, value: str, *, positive: Collection[str]) -> Node | None:
    """The expression of `letter` for which `node` is `value`; None where algebra finds none.

    What it finds is a candidate: `holds_back` verifies it.
    """
    try:
        form = factored(node, positive=positive)
        solution = _solve(form, atom(Name(value)), letter, positive)
        if solution is None:
            return None
        found = solution.node()
        check_shape(found)
    except (TooComplexError, ZeroDivisionError, SymscaleError):
        return None
    return found


def _solve(
    form: Factored, value: Factored, letter: str, positive: Collection[str]
) -> Factored | None:
    """Undo the outermost function of the letter, again and again."""
    unknowns = [part for part in form.atoms if letter in names(part)]
    if len(unknowns) != 1:
        return None
    (unknown,) = unknowns
    solved = _solve_atom(form, value, unknown)
    if solved is None or unknown == Name(letter):
        return solved
    match unknown:
        case Call("exp", (inner,)):
            argument = atom(Call("log", (solved.node(),)))
        case Call("log", (inner,)):
            argument = atom(Call("exp", (solved.node(),)))
        case Call("log2", (inner,)):
            argument = atom(Binary("**", number(Fraction(2)), solved.node()))
        case Binary("**", inner, exponent) if letter not in names(exponent):
            power = (ONE / factored(exponent, positive=positive)).node()
            argument = atom(Binary("**", solved.node(), power))
        case Binary("**", base, inner) if letter not in names(base):
            logarithms = [Call("log", (part,)) for part in (solved.node(), base)]
            argument = atom(logarithms[0]) / atom(logarithms[1])
        case _:
            return None
    return _solve(factored(inner, positive=positive), argument, letter, positive)


def _solve_atom(form: Factored, value: Factored, unknown: Node) -> Factored | None:
    """Solve `form = value` for an atom X that it depends on as (a*X**p + b)/(c*X**p + d)."""
    free: dict[Base, Fraction] = {}
    bound: dict[Base, Fraction] = {}
    for base, power in form.factors.items():
        parts = base.atoms if isinstance(base, Polynomial) else {base}
        (bound if unknown in parts else free)[base] = power
    value = value / Factored(form.coefficient, free)
    outer = {abs(p) for base, p in bound.items() if isinstance(base, Polynomial)}
    if not outer:
        return raised(value, 1 / bound[unknown], lambda _: True)
    if len(outer) > 1:
        return None
    (degree,) = outer
    value = raised(value, 1 / degree, lambda _: True)
    over, under = _sides({base: power / degree for base, power in bound.items()}, unknown)
    lowest = min([*over, *under])
    over = {power - lowest: terms for power, terms in over.items()}
    under = {power - lowest: terms for power, terms in under.items()}
    powers = {*over, *under} - {Fraction(0)}
    if len(powers) != 1:
        return None
    (power,) = powers
    a, b = over.get(power, ZERO), over.get(Fraction(0), ZERO)
    c, d = under.get(power, ZERO), under.get(Fraction(0), ZERO)
    return raised((d * value - b) / (a - c * value), 1 / power, lambda _: True)


def _sides(
    bound: Mapping[Base, Fraction], unknown: Node
) -> tuple[dict[Fraction, Factored], dict[Fraction, Factored]]:
    """Numerator and denominator in powers of the unknown."""
    over, under = ONE, ONE
    for base, power in bound.items():
        if power > 0:
            over *= Factored(Fraction(1), {base: power})
        else:
            under *= Factored(Fraction(1), {base: -power})
    return _powers(expand(over), unknown), _powers(expand(under), unknown)


def _powers(terms: Terms, unknown: Node) -> dict[Fraction, Factored]:
    grouped = Polynomial.of(terms).in_powers_of(unknown)
    return {power: from_terms(coefficient) for power, coefficient in grouped.items()}


def holds_back(
    node: Node,
    letter: str,
    value: str,
    solution: Node,
    quantities: Mapping[str, Quantity],
    units: Mapping[str, Unit],
    *,
    guards: Iterable[Compare] = (),
) -> bool:
    """Whether the solution, at values that the expression takes, gives back the input exactly.

    The points are of the inputs' domains and meet the guards. Where a root or a logarithm is
    irrational, both enclosures must hold the same number to 20 digits.
    """
    back = substitute(solution, {value: node})
    agreed = 0
    for point in sample(quantities, units, where=guards, salt=text(solution)):
        try:
            found = evaluate(back, point)
        except SymscaleError:
            continue
        if not _same(found, point[letter]):
            return False
        agreed += 1
        if agreed == CHECKS:
            return True
    return agreed > 0


def _same(found: Value, wanted: Fraction) -> bool:
    if isinstance(found, Enclosure):
        return abs(found.key - wanted) <= _AGREE * abs(wanted)
    return found == wanted
