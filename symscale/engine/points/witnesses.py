"""Points at which a case that could not be proved may show a difference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import chain, islice

from symscale.engine.points.boundaries import boundaries
from symscale.engine.points.lines import Lines
from symscale.engine.proofs.case import Case
from symscale.engine.proofs.facts import Facts
from symscale.engine.sampling import Point, Region
from symscale.engine.variables import Draws, Variable
from symscale.errors import SymscaleError
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import Call

POINTS = 16
"""Of each sort in a case."""

SOME = 64
"""Usual values of a letter that are looked through."""


def witnesses(
    case: Case, variables: Mapping[str, Variable], region: Region, draws: Draws
) -> Iterator[Point]:
    """Points of the region that are in a case: letters within what is known of them are drawn, and
    those that are solved for follow."""
    solved = [letter for letter, _ in case.solved]
    free = {
        letter: narrowed(variable, case.facts, place)
        for place, (letter, variable) in enumerate(variables.items())
        if letter not in solved
    }
    drawn = Region(free)
    bases = (draw(draws) for draw in (drawn.near, drawn.whole) for _ in range(POINTS))
    known = [{each: point.get(each, Fraction(1)) for each in free} for point in region.known]
    steps = _stepped(case, drawn, [*known, drawn.near(draws), drawn.whole(draws)])
    for point in chain(steps, bases):
        filled = _filled(point, case)
        if filled is not None:
            own = {letter: filled[letter] for letter in region.variables}
            if region.admits(own):
                yield own


def _stepped(case: Case, drawn: Region, bases: Iterable[Point | None]) -> Iterator[Point]:
    """Points at which something that is rounded is an integer, where it is one in the case."""
    solved = {letter for letter, _ in case.solved}
    whole = [Call("floor", (each.argument,)) for each in case.roundings if each.letter in solved]
    try:
        lines = Lines.of(drawn, list(boundaries(whole[-1:], drawn.variables).values()))
        for base in bases:
            if base is not None:
                met = (point for boundary, point in lines.points(base) if boundary is not None)
                yield from islice(met, POINTS)
    except SymscaleError:
        return


def narrowed(variable: Variable, facts: Facts, place: int) -> Variable:
    """A variable within what is known of its letter."""
    low, high = variable.domain.ends
    ends = (facts.ends.low(place), facts.ends.high(place))
    if all(known is None or known[0] == end for known, end in zip(ends, (low, high), strict=True)):
        return variable
    more = tuple(
        (op if strict else f"{op}=", end)
        for op, known in zip("><", ends, strict=True)
        if known is not None
        for end, strict in [known]
    )
    domain = replace(variable.domain, bounds=(*variable.domain.bounds, *more))
    some = variable.values[:: 1 + len(variable.values) // SOME]
    usual = tuple(value for value in some if value * variable.scale in domain)
    return Variable(domain, variable.scale, usual)


def _filled(point: Point | None, case: Case) -> dict[str, Fraction] | None:
    """A point with the letters that others give."""
    if point is None:
        return None
    found = dict(point)
    for letter, node in reversed(case.solved):
        try:
            value = evaluate(node, found)
        except SymscaleError:
            return None
        if not isinstance(value, Fraction):
            return None
        found[letter] = value
    return found
