"""Thresholds: the values of one quantity for which a comparison holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from symscale.algebra.normal_form import factored
from symscale.algebra.polynomials import TooComplexError
from symscale.algebra.roots import Root
from symscale.catalog.quantities import Quantity
from symscale.engine.bindings import Bound, bind
from symscale.engine.signs import Signs, first_integer, last_integer, signs
from symscale.engine.thresholds import Threshold, threshold
from symscale.errors import DomainError, ExpressionError, SymscaleError, UnknownNameError
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import Binary, Call, Compare, Node, names, number, substitute
from symscale.expressions.values import Value
from symscale.units import Unit

if TYPE_CHECKING:
    from symscale.catalog.loader import Catalog

_WANTED = {
    ">": {1},
    ">=": {0, 1},
    "<": {-1},
    "<=": {-1, 0},
    "==": {0},
    "!=": {-1, 1},
}


@dataclass(frozen=True, slots=True)
class Interval:
    """The values from `low` to `high`; None stands for no end."""

    low: Root | None
    high: Root | None
    includes_low: bool
    includes_high: bool


@dataclass(frozen=True, slots=True)
class Check:
    """Both sides of the comparison at one value."""

    at: Fraction
    left: Value | None
    right: Value | None
    holds: bool


@dataclass(frozen=True)
class Solution:
    """For which values of one quantity a comparison holds."""

    bound: Bound
    condition: Compare
    for_: str
    given: Mapping[str, Fraction]
    integer: bool
    """Whether whole numbers are asked for."""
    threshold: Threshold | None
    """The closed form, where the comparison is linear-fractional."""
    exists: bool | None
    """Whether the threshold's condition holds at the given values."""
    intervals: tuple[Interval, ...] | None
    """None where some values are not given. Of integers, the outermost ones."""
    checks: tuple[Check, ...]
    """The comparison at the outermost integers and just outside of them."""
    method: str
    tried: Fraction | None = None
    """The last integer that was tried, where nothing is claimed beyond it."""

    @property
    def quantity(self) -> Quantity:
        return self.bound.quantities[self.for_]

    @property
    def unit(self) -> Unit:
        return self.quantity.unit

    @property
    def smallest(self) -> Root | None:
        """The least value that meets it; for real values, the bound that they stay above."""
        return self.intervals[0].low if self.intervals else None

    @property
    def largest(self) -> Root | None:
        """The greatest value that meets it; for real values, the bound that they stay below."""
        return self.intervals[-1].high if self.intervals else None

    @property
    def data(self) -> dict[str, Any]:
        from symscale.engine.data import solution_data

        return solution_data(self)

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, str]:
        from symscale.engine.documents import solution_document

        return solution_document(self).mimebundle


def solve(
    catalog: Catalog,
    condition: str,
    *,
    for_: str,
    given: Mapping[str, Any] | None = None,
    integer: bool | None = None,
) -> Solution:
    """The values of `for_` for which a comparison holds, exactly.

    Names are what the formulas that take them say, or quantity ids; bare numbers are in the
    quantities' units. With every other name given, the intervals; for a quantity that counts (or
    with `integer=True`) their outermost integers, checked there and one beyond. Where the
    comparison is linear-fractional, the closed form of the threshold and when it exists.
    Raises ExpressionError, UnknownNameError, UnitError and DomainError.

    >>> import symscale
    >>> given = {"D": 4096, "F": 4096, "s": 2, "I": 250}
    >>> solve(symscale.load(), "matmul_intensity(B, D, F, s) > I", for_="B", given=given).smallest
    Fraction(285, 1)
    """
    bound = bind(catalog, condition, kept={for_, *(given or {})})
    numeric = bound.numeric
    if not isinstance(numeric, Compare) or not isinstance(bound.written, Compare):
        raise ExpressionError(f"{condition[:80]!r} is not a comparison, such as 'n*t > 8'")
    if for_ not in bound.quantities:
        raise UnknownNameError("name in the comparison", for_, bound.quantities)
    values = bound.read(given or {}, catalog)
    if for_ in values:
        raise DomainError(f"{for_} is what is asked for, and it is given")
    closed = threshold(numeric, for_, positive=bound.positive)
    numeric = _without_idle(numeric, for_, values, bound)
    missing = [name for name in names(numeric) if name not in values and name != for_]
    if missing and closed is None:
        raise DomainError(
            f"no closed form in {for_}: give a value for {', '.join(missing)} as well"
        )
    whole = bound.quantities[for_].domain.integer if integer is None else integer
    solution = Solution(
        bound=bound,
        condition=bound.written,
        for_=for_,
        given=values,
        integer=whole,
        threshold=closed,
        exists=None,
        intervals=None,
        checks=(),
        method="closed form",
    )
    return solution if missing else _with_values(solution, numeric, values, whole)


def _without_idle(
    numeric: Compare, for_: str, values: Mapping[str, Fraction], bound: Bound
) -> Compare:
    """The comparison without what cancels: a letter that decides nothing needs no value."""
    try:
        form = factored(Binary("-", numeric.left, numeric.right), positive=bound.positive)
    except (TooComplexError, ZeroDivisionError, SymscaleError):
        return numeric
    left = names(form.node())
    idle = [name for name in names(numeric) if name not in (for_, *values, *left)]
    if not idle:
        return numeric
    return Compare(numeric.op, form.node(), number(Fraction(0)))


def _with_values(
    solution: Solution, numeric: Compare, values: Mapping[str, Fraction], whole: bool
) -> Solution:
    point = {name: number(value) for name, value in values.items()}
    compare = substitute(numeric, point)
    assert isinstance(compare, Compare)
    quantity = solution.quantity
    plain = unrounded(compare, solution.for_)
    found = signs(
        Binary("-", plain.left, plain.right), solution.for_, quantity.domain, integer=whole
    )
    pick = _integers if whole else _intervals
    intervals = tuple(pick(found, _WANTED[plain.op]))
    exists = None
    if solution.threshold is not None:
        condition = solution.threshold.condition
        exists = condition is None or evaluate(substitute(condition, point), {}) is True
    return Solution(
        bound=solution.bound,
        condition=solution.condition,
        for_=solution.for_,
        given=values,
        integer=whole,
        threshold=solution.threshold,
        exists=exists,
        intervals=intervals,
        checks=tuple(_checks(compare, solution, intervals)) if whole else (),
        method=found.method,
        tried=found.tried,
    )


def unrounded(compare: Compare, letter: str) -> Compare:
    """The same comparison without a rounding that stands alone on its left, where the right is a
    number: `ceil(u) <= 7` is `u <= 7`, and `floor(u) > 7` is `u >= 8`."""
    left, right = compare.left, compare.right
    if letter in names(right) or not isinstance(left, Call):
        return compare
    if left.function not in ("ceil", "floor") or letter not in names(left):
        return compare
    try:
        value = evaluate(right, {})
    except SymscaleError:
        return compare
    if not isinstance(value, Fraction):
        return compare
    down, up = Fraction(floor(value)), Fraction(ceil(value))
    rules: dict[tuple[str, str], tuple[str, Fraction]] = {
        ("ceil", "<="): ("<=", down),
        ("ceil", "<"): ("<=", up - 1),
        ("ceil", ">"): (">", down),
        ("ceil", ">="): (">", up - 1),
        ("floor", ">="): (">=", up),
        ("floor", ">"): (">=", down + 1),
        ("floor", "<"): ("<", up),
        ("floor", "<="): ("<", down + 1),
    }
    rule = rules.get((left.function, compare.op))
    if rule is None:
        return compare
    return unrounded(Compare(rule[0], left.arguments[0], number(rule[1])), letter)


def _intervals(found: Signs, wanted: set[int]) -> list[Interval]:
    """Neighbouring segments that meet the comparison, joined."""
    joined: list[Interval] = []
    touching = False
    for segment in found.segments:
        if segment.sign not in wanted:
            touching = False
            continue
        point = segment.is_point
        if touching:
            last = joined.pop()
            low, includes_low = last.low, last.includes_low
        else:
            low, includes_low = segment.low, point
        joined.append(Interval(low, segment.high, includes_low, point))
        touching = True
    return joined


def _integers(found: Signs, wanted: set[int]) -> list[Interval]:
    """The runs of integers that meet the comparison, by their ends."""
    runs: list[Interval] = []
    for segment in found.segments:
        if segment.sign not in wanted:
            continue
        low, high = first_integer(segment), last_integer(segment)
        if (low is None and segment.low is not None) or (high is None and segment.high is not None):
            continue
        if high == found.tried:
            high = None
        if runs and low is not None and runs[-1].high in (low - 1, low):
            before = runs.pop().low
            low = before if isinstance(before, Fraction) else None
        runs.append(Interval(low, high, low is not None, high is not None))
    return runs


def _checks(compare: Compare, solution: Solution, intervals: tuple[Interval, ...]) -> list[Check]:
    at: set[Fraction] = set()
    for interval in (intervals[0], intervals[-1]) if intervals else ():
        if isinstance(interval.low, Fraction):
            at |= {interval.low, interval.low - 1}
        if isinstance(interval.high, Fraction):
            at |= {interval.high, interval.high + 1}
    domain = solution.quantity.domain
    return [_check(compare, solution.for_, x) for x in sorted(at) if x in domain]


def _check(compare: Compare, letter: str, x: Fraction) -> Check:
    def value(node: Node) -> Value | None:
        try:
            return evaluate(node, {letter: x})
        except SymscaleError:
            return None

    return Check(x, value(compare.left), value(compare.right), value(compare) is True)
