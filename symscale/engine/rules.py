"""The rules that one side of a comparison has and the other has not.

Two expressions that agree at hundreds of points can still differ where a rule of one of them holds
that no point met: `where(V**2 + W**2 == 25e18, 0, V)` is V nearly everywhere. So a rule that only
the compared side has is not left to points. If it depends on one letter, the domain is cut where
the rule changes, and each part is compared by itself, without it; any other is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from symscale.algebra.integer_roots import TooFineError
from symscale.algebra.quotients import Terms
from symscale.engine.boundaries import Boundary, boundaries, roots_in
from symscale.engine.lowest import is_positive
from symscale.engine.sampling import Point, Region
from symscale.engine.sides import Side
from symscale.engine.variables import Variable
from symscale.errors import ExpressionError, UndecidedError
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import Binary, Call, Node, Sign, names, rewrite, walk
from symscale.expressions.shape import literal_value
from symscale.expressions.text import text
from symscale.expressions.values import Enclosure

MAX_CUTS, MAX_SEARCHED = 6, 3
"""How many places the rules in one letter may change in; and how many boundaries are looked for
along lines where that can only tell why a formula is not accepted."""

FEW = 4
"""A letter with so few values is given each of them."""

_CONTINUOUS = ("max", "min", "abs")


@dataclass(frozen=True)
class Rules:
    """The boundaries of both sides, by what is known of them."""

    searched: list[Boundary]
    """All whose places points are laid at."""
    foreign: Mapping[Hashable, Boundary]
    """Those that only the compared side has, and that the conditions do not hold fixed."""
    own: bool
    """Whether the reference changes its rule anywhere, zeros of divisors aside."""
    rewritten: list[Boundary]
    """The reference's, where the compared side has a rule that is not continuous and not one of the
    reference's own: on them the two may differ."""

    @classmethod
    def of(
        cls, reference: Side, other: Side, region: Region, settled: Collection[Hashable]
    ) -> Rules:
        """The boundaries, those that are `settled` left out: the region is on one side of them."""
        if not reference.turns and not other.turns:
            return _NONE
        own = reference.boundaries(region)
        theirs = other.boundaries(region)
        fixed = _edges(region) if theirs else {}
        alone = {key: each for key, each in theirs.items() if key not in own}
        foreign = {
            key: each for key, each in alone.items() if key not in fixed and key not in settled
        }
        # At the edge of a condition two arguments of max are equal: either will do.
        edges = {
            key: each
            for key, each in alone.items()
            if key in fixed and not all(map(_is_continuous, each.parts))
        }
        rewritten = [
            own[key]
            for key, each in theirs.items()
            if key in own and key not in fixed
            if not any(map(_divides, own[key].parts))
            if any(p not in reference.turns and not _is_continuous(p) for p in each.parts)
        ]
        searched = [*own.values(), *edges.values(), *foreign.values()]
        changes = any(not all(map(_divides, each.parts)) for each in own.values())
        return cls(searched, foreign, changes or bool(edges), rewritten)

    @property
    def lines_help(self) -> bool:
        """Whether there is anything to be found along lines that no cut finds, and soon."""
        if not self.foreign:
            return self.own
        few = len(self.searched) <= MAX_SEARCHED and all(each.quotient for each in self.searched)
        return few and not all(map(is_cut, self.foreign.values()))


def _edges(region: Region) -> Mapping[Hashable, Boundary]:
    """The boundaries of the conditions."""
    if "edges" not in region.kept:
        parts = [part for condition in region.where for part in walk(condition)]
        region.kept["edges"] = boundaries(parts, region.variables)
    edges: Mapping[Hashable, Boundary] = region.kept["edges"]
    return edges


_NONE = Rules([], {}, False, [])


def _divides(part: Node) -> bool:
    """Whether there is no value on the boundary."""
    return isinstance(part, Binary) and part.op == "/"


def _is_continuous(part: Node) -> bool:
    return isinstance(part, Call) and part.function in _CONTINUOUS


def _exponent(part: Node) -> Node | None:
    match part:
        case Binary("**", _, Call("count", (exponent,)) | exponent):
            return exponent
        case _:
            return None


_TRANSCENDENTAL = ("exp", "log", "log2")


def check_functions(reference: Side, other: Side) -> None:
    """Raises UndecidedError for exponentials and logarithms where the reference has none."""
    if any(map(_is_transcendental, other.turns)) and not any(
        map(_is_transcendental, reference.turns)
    ):
        raise UndecidedError("the formula has an exponential or logarithm, the right one has none")


def _is_transcendental(part: Node) -> bool:
    return isinstance(part, Call) and part.function in _TRANSCENDENTAL


def check_powers(reference: Side, other: Side, region: Region) -> None:
    """Raises UndecidedError for a power whose exponent varies, as none of the reference's does, and
    whose base may be zero or below: 0**x is 1 where x is zero, (-1)**x where it is even."""
    exponents = [_exponent(part) for part in reference.turns]
    for part in other.turns:
        if not isinstance(part, Binary) or part.op != "**" or _exponent(part) in exponents:
            continue
        varies = literal_value(part.right) is None
        if varies and not is_positive(part.left, region.variables):
            raise UndecidedError(
                f"in {text(part)} the exponent varies, so {text(part.left)} must be above zero"
            )


@dataclass(frozen=True)
class Part:
    """A part of a region, on one side of a cut or on it."""

    region: Region
    letter: str
    value: Fraction | None
    """The letter's number on a cut; the letter is no longer in the region then."""


def few_values(region: Region) -> Iterator[Part]:
    """The parts of a region at each of the few values that a letter has, if one has few."""
    for letter, variable in region.variables.items():
        low, high = variable.lowest, variable.highest
        if variable.is_finite and low is not None and high is not None:
            count = int((high - low) * variable.scale) + 1
            if count <= FEW:
                for k in range(count):
                    value = low + k / variable.scale
                    yield Part(region.at(letter, value), letter, value)
                return


def letter_of(boundary: Boundary) -> str | None:
    """The one letter whose polynomial a boundary is, if it is such a one."""
    if boundary.quotient is None or boundary.steps or boundary.rounds:
        return None
    letters = names(boundary.distance)
    return next(iter(letters)) if len(letters) == 1 else None


def is_cut(boundary: Boundary) -> bool:
    return letter_of(boundary) is not None


def letter_to_cut(foreign: Iterable[Boundary]) -> str:
    """A letter that a region is to be cut in. Raises UndecidedError where any foreign boundary is
    not one in one letter."""
    letters = []
    for boundary in foreign:
        letter = letter_of(boundary)
        if letter is None:
            raise UndecidedError(
                f"the formula has a rule that the right one has not: {_changes(boundary)}"
            )
        letters.append(letter)
    return letters[0]


def cut(region: Region, letter: str, found: Iterable[Boundary]) -> Iterator[Part]:
    """The parts of a region in which boundaries in one letter are met everywhere or nowhere.

    Raises UndecidedError where they are too many or too close to each other.
    """
    variable, place = region.variables[letter], list(region.variables).index(letter)
    cuts: set[tuple[Fraction, Fraction]] = set()
    for boundary in found:
        if boundary.quotient is not None:
            cuts |= _ends(boundary, boundary.quotient.over, place, variable)
    if not 0 < len(cuts) <= MAX_CUTS:
        raise UndecidedError("rules of the formula change in too many places")
    if any(high >= low for (_, high), (low, _) in pairwise(sorted(cuts))):
        raise UndecidedError("rules of the formula change in places too close to each other")
    low: Fraction | None = None
    for below, above in sorted(cuts):
        yield from _between(region, letter, low, below)
        if below == above and variable.admits(below):
            yield Part(region.at(letter, below), letter, below)
        low = above
    yield from _between(region, letter, low, None)


def _ends(
    boundary: Boundary, terms: Terms, letter: int, variable: Variable
) -> set[tuple[Fraction, Fraction]]:
    """The roots within a letter's domain, an irrational one by the ends of its enclosure."""
    too_fine = UndecidedError(f"a rule of the formula is too fine: {_changes(boundary)}")
    found = set()
    try:
        roots = roots_in(terms, letter)
    except TooFineError:
        raise too_fine from None
    for root in filter(variable.surrounds, roots):
        ends = (root, root) if isinstance(root, Fraction) else (root.low, root.high)
        if ends[0] < ends[1] and not variable.holds(*ends):
            raise too_fine
        found.add(ends)
    return found


def _between(
    region: Region, letter: str, low: Fraction | None, high: Fraction | None
) -> Iterator[Part]:
    """What lies strictly between two numbers, if anything does."""
    variable = region.variables[letter].within(low, high)
    first, last = variable.lowest, variable.highest
    if first is not None and last is not None and first >= last:
        if first == last and variable.admits(first):
            yield Part(region.at(letter, first), letter, first)
        return
    yield Part(region.within(letter, low, high), letter, None)


def _changes(boundary: Boundary) -> str:
    what = "is an integer" if boundary.steps else "is zero"
    return f"it changes where {text(boundary.distance)} {what}"


def resolved(node: Node, point: Point) -> Node:
    """The expression with every choice made as it is made at a point.

    Raises SymscaleError where one has no value there.
    """

    def chosen(part: Node) -> Node:
        match part:
            case Call("where", (condition, then, otherwise)):
                return then if evaluate(condition, point) is True else otherwise
            case Call("max" | "min", arguments):
                order = 1 if part.function == "max" else -1
                return max(arguments, key=lambda each: order * _number(each, point))
            case Call("abs", (argument,)):
                return argument if _number(argument, point) >= 0 else Sign("-", argument)
            case _:
                return part

    return rewrite(node, chosen)


def _number(node: Node, point: Point) -> Fraction:
    value = evaluate(node, point)
    match value:
        case Fraction():
            return value
        case Enclosure():
            return value.low
        case _:
            raise ExpressionError(f"{text(node)} is not a number")
