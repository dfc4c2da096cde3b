"""Points of a constrained domain, chosen by hash: typical ones, its edges, and far beyond."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b
from math import ceil, floor
from typing import Any, TypeAlias

from symscale.catalog.columns import Parameter
from symscale.catalog.quantities import Domain
from symscale.catalog.tasks import Task
from symscale.errors import SymscaleError
from symscale.expressions.kernel import Kernel, compile_kernel
from symscale.expressions.nodes import Node, names, number, substitute
from symscale.expressions.values import Enclosure
from symscale.units import convert

Point: TypeAlias = Mapping[str, Fraction]

MANTISSA_BITS = 48
"""Random bits of a number far out: two different polynomials of degree d agree at such a point
with a probability of about d/2**48."""

_MANTISSAS = (1 << MANTISSA_BITS) - 1

_MAGNITUDES = (-20, 40)
_WIDER = 12
"""How many powers of two the extension reaches beyond the usual values, or beyond `_MAGNITUDES`
where there are none."""

_Way: TypeAlias = Callable[["Variable", "Draws"], Fraction]

_SMALL = (
    *map(Fraction, (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 25, 27, 36, 64)),
    *map(Fraction, ("1/4", "1/3", "1/2", "3/2", "9/4")),
)
_DIVISIBLE = (2**6 * 3**2 * 5 * 7 * 11 * 13) ** 2
_TRIES = 8
_MAX_NARROWED = 64
_SOME = 64
"""Usual values that a part of a domain keeps."""


class Draws:
    """Integers that follow from a seed by hashing."""

    def __init__(self, *seed: bytes) -> None:
        self._seed = blake2b()
        for part in seed:
            self._seed.update(len(part).to_bytes(8, "big") + part)
        self._blocks = 0
        self._pool = self._left = 0

    def below(self, bound: int) -> int:
        """An integer from 0 to below `bound`, which is at most 2**100."""
        if self._left < 128:
            block = self._seed.copy()
            block.update(self._blocks.to_bytes(8, "big"))
            self._blocks += 1
            self._pool, self._left = int.from_bytes(block.digest(), "big"), 512
        self._pool, value = divmod(self._pool, bound)
        self._left -= bound.bit_length()
        return value


@dataclass(frozen=True)
class Variable:
    """The numbers that a name can stand for: `scale` times one is in `domain`.

    `values` are usual ones; the extension goes some powers of two beyond the first and the last.
    """

    domain: Domain
    scale: Fraction = Fraction(1)
    values: tuple[Fraction, ...] = ()

    @classmethod
    def of(cls, parameter: Parameter) -> Variable:
        own, unit = parameter.quantity.unit, parameter.unit
        scale = Fraction(1) if own == unit else convert(Fraction(1), unit, own)
        return cls(parameter.quantity.domain, scale, parameter.range.values)

    def admits(self, value: Fraction) -> bool:
        return value * self.scale in self.domain

    @property
    def step(self) -> Fraction | None:
        """The distance of neighbours, where there are such."""
        return 1 / self.scale if self.domain.integer else None

    @cached_property
    def lowest(self) -> Fraction | None:
        """The lower end of the domain, whether a value itself or not; None where there is none. In
        a domain of integers it is the least of them."""
        return None if self._lower is None else self._lower / self.scale

    @cached_property
    def highest(self) -> Fraction | None:
        """The upper end, in the same way."""
        return None if self._upper is None else self._upper / self.scale

    def surrounds(self, root: Fraction | Enclosure) -> bool:
        """Whether a number is a value, or has values on both sides, as far as it is known."""
        if isinstance(root, Fraction) and self.admits(root):
            return True
        low, high = (root, root) if isinstance(root, Fraction) else (root.low, root.high)
        if low == high:
            return self.holds(low, high)
        above = self.highest is None or low <= self.highest
        return above and (self.lowest is None or high >= self.lowest)

    def holds(self, low: Fraction, high: Fraction) -> bool:
        """Whether there are values on both sides of two numbers."""
        above = self.lowest is None or self.lowest < low
        return above and (self.highest is None or high < self.highest)

    def within(self, low: Fraction | None, high: Fraction | None) -> Variable:
        """The values strictly between two numbers, where these are given."""
        ends = ((">", low), ("<", high))
        more = tuple((op, end * self.scale) for op, end in ends if end is not None)
        domain = replace(self.domain, bounds=(*self.domain.bounds, *more))
        some = self.values[:: 1 + len(self.values) // _SOME]
        values = tuple(value for value in some if value * self.scale in domain)
        return Variable(domain, self.scale, values)

    @property
    def is_finite(self) -> bool:
        """Whether there is an end to its values, all of which have to be tried then."""
        return self.domain.integer and None not in (self._lower, self._upper)

    @cached_property
    def edges(self) -> list[Fraction]:
        """The outermost values that the domain holds, where it has any."""
        edges = []
        for op, bound in self.domain.bounds:
            lower = op[0] == ">"
            edge = bound
            if self.domain.integer:
                edge = Fraction(ceil(bound) if lower else floor(bound))
                if edge not in self.domain:
                    edge += 1 if lower else -1
            if edge in self.domain:
                edges.append(edge / self.scale)
        return edges

    @cached_property
    def ladder(self) -> list[Fraction]:
        """Values that climb through the domain and its extension, a few to a power of ten."""
        least, most = self._magnitudes
        sizes = [Fraction(2) ** power for power in range(least, most + 1, 3)]
        lower, upper = self._lower, self._upper
        if lower is not None and upper is not None:
            values = [lower + (upper - lower) * Fraction(rung, 24) for rung in range(25)]
        elif upper is not None:
            values = [upper - size for size in reversed(sizes)]
        elif lower is not None:
            values = [lower + size for size in sizes]
        else:
            values = [-size for size in reversed(sizes)] + sizes
        return sorted({*self.edges, *(value / self.scale for value in values)})

    def unbounded(self) -> Variable:
        """The same without an upper end."""
        bounds = tuple((op, bound) for op, bound in self.domain.bounds if op[0] == ">")
        return Variable(replace(self.domain, bounds=bounds), self.scale, self.values)

    def usual(self, draws: Draws) -> Fraction:
        return self.values[draws.below(len(self.values))] if self.values else self.wide(draws)

    def small(self, draws: Draws) -> Fraction:
        """A small number, or one at a small distance from the lower end."""
        value = self._small[draws.below(len(_SMALL))]
        return self.usual(draws) if value is None else value

    @cached_property
    def _small(self) -> list[Fraction | None]:
        lower = self._lower or 0
        pairs = [[value, value + lower] for value in _SMALL]
        found = [next((value for value in pair if value in self.domain), None) for pair in pairs]
        return [None if value is None else value / self.scale for value in found]

    def divisible(self, draws: Draws) -> Fraction:
        """A square that all small numbers divide, where the domain has room for one: from there
        many boundaries between counts are met in whole numbers."""
        value = self._divisible[draws.below(len(self._divisible))]
        return self.small(draws) if value is None else value

    @cached_property
    def _divisible(self) -> list[Fraction | None]:
        squares = [Fraction(_DIVISIBLE << 2 * k) for k in range(8)]
        return [square / self.scale if square in self.domain else None for square in squares]

    def edge(self, draws: Draws) -> Fraction:
        edges = self.edges
        return edges[draws.below(len(edges))] if edges else self.small(draws)

    def wide(self, draws: Draws) -> Fraction:
        """A number with many random digits, of any magnitude that the extension reaches."""
        if self._upper is not None:
            return self._below_upper(draws)
        size = self._size(draws)
        if self._lower is None:
            size = -size if draws.below(2) else size
        value = (self._lower or 0) + size
        return Fraction(value) if self._is_own else Fraction(value) / self.scale

    def _below_upper(self, draws: Draws) -> Fraction:
        lower, upper = self._lower, Fraction(self._upper or 0)
        if lower is None:
            value = upper - self._size(draws)
        elif self.domain.integer:
            value = Fraction(lower + draws.below(max(floor(upper - lower) + 1, 1)))
        else:
            value = lower + (upper - lower) * Fraction(1 + draws.below(_MANTISSAS), 1 + _MANTISSAS)
        if self.domain.integer:
            value = Fraction(floor(value))
        return value / self.scale if value in self.domain else self.edge(draws)

    def _size(self, draws: Draws) -> int | Fraction:
        """A distance from the end of the domain, a whole one if the domain is of integers."""
        power, mantissa = divmod(draws.below(self._sizes), _MANTISSAS)
        shift = self._magnitudes[0] + power - MANTISSA_BITS
        if shift >= 0:
            return (1 + mantissa) << shift
        if self.domain.integer:
            return 1 + (mantissa >> -shift)
        return Fraction(1 + mantissa, 1 << -shift)

    @cached_property
    def _sizes(self) -> int:
        """How many sizes are drawn from."""
        least, most = self._magnitudes
        return (most - least + 1) * _MANTISSAS

    @cached_property
    def _is_own(self) -> bool:
        """Whether the numbers are those of the domain."""
        return self.scale == 1

    @cached_property
    def _lower(self) -> int | Fraction | None:
        """The bound from below; the least integer in a domain of integers."""
        lower = max((bound for op, bound in self.domain.bounds if op[0] == ">"), default=None)
        if lower is None:
            return None
        if not self.domain.integer:
            return lower.numerator if lower.denominator == 1 else lower
        return floor(lower) + 1 if (">", lower) in self.domain.bounds else ceil(lower)

    @cached_property
    def _upper(self) -> Fraction | None:
        """The bound from above; the greatest integer in a domain of integers."""
        upper = min((bound for op, bound in self.domain.bounds if op[0] == "<"), default=None)
        if upper is None or not self.domain.integer:
            return upper
        return Fraction(ceil(upper) - 1 if ("<", upper) in self.domain.bounds else floor(upper))

    @cached_property
    def _magnitudes(self) -> tuple[int, int]:
        """The powers of two between which sizes are drawn."""
        sizes = [
            value.numerator.bit_length() - value.denominator.bit_length()
            for value in (value * self.scale for value in (*self.values[:1], *self.values[-1:]))
            if value
        ]
        least, most = (min(sizes), max(sizes)) if sizes else _MAGNITUDES
        return (1 if self.domain.integer else least - _WIDER), most + _WIDER


_MIXED: tuple[_Way, ...] = (
    Variable.usual,
    Variable.usual,
    Variable.wide,
    Variable.wide,
    Variable.small,
    Variable.small,
    Variable.edge,
)


@dataclass(frozen=True)
class Region:
    """The points that expressions are compared at."""

    variables: Mapping[str, Variable]
    where: tuple[Node, ...] = ()
    """Comparisons that every point meets, between the numbers."""
    known: tuple[Point, ...] = ()
    """Some points that do."""
    kept: dict[str, Any] = field(default_factory=dict[str, Any], repr=False, compare=False)
    """What others have found out about it."""
    _narrowed: dict[frozenset[str], Region] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, task: Task) -> Region:
        """The values that the parameters of a task admit, as numbers of their units."""
        variables = {name: Variable.of(parameter) for name, parameter in task.parameters.items()}
        where = task.conditions
        known = (task.published,) if cls(variables, where).admits(task.published) else ()
        return cls(variables, where, known)

    @cached_property
    def freed(self) -> Region:
        """The same without conditions and upper ends: where identities hold if they hold at all."""
        if self.is_free and all(of.highest is None for of in self.variables.values()):
            return self
        return Region({name: of.unbounded() for name, of in self.variables.items()})

    def within(self, letter: str, low: Fraction | None, high: Fraction | None) -> Region:
        """The part of it with a letter strictly between two numbers, where these are given."""
        variable = self.variables[letter].within(low, high)
        known = tuple(point for point in self.known if variable.admits(point[letter]))
        return Region({**self.variables, letter: variable}, self.where, known)

    def at(self, letter: str, value: Fraction) -> Region:
        """The part of it with a number in the place of a letter. Raises TooLargeError."""
        variables = {name: of for name, of in self.variables.items() if name != letter}
        where = tuple(substitute(each, {letter: number(value)}) for each in self.where)
        return Region(variables, where, tuple(p for p in self.known if p[letter] == value))

    def narrowed(self, letters: Iterable[str]) -> Region:
        """The same in some of the letters, and in those that the conditions are about."""
        kept = frozenset(letters).union(*map(names, self.where))
        if len(kept) == len(self.variables):
            return self
        if kept not in self._narrowed:
            if len(self._narrowed) >= _MAX_NARROWED:
                self._narrowed.clear()
            variables = {name: of for name, of in self.variables.items() if name in kept}
            self._narrowed[kept] = Region(variables, self.where, self.known)
        return self._narrowed[kept]

    @cached_property
    def is_free(self) -> bool:
        """Whether every number can be any of infinitely many, whatever the others are."""
        finite = any(variable.is_finite for variable in self.variables.values())
        return not self.where and not finite

    def admits(self, point: Point) -> bool:
        """Whether every number is in its domain, and the conditions hold."""
        return self.meets(point) and all(
            variable.admits(point[name]) for name, variable in self.variables.items()
        )

    def far(self, draws: Draws) -> Point | None:
        """A point with many random digits, or None where the conditions leave none to be found."""
        for _ in range(_TRIES):
            point = {name: of.wide(draws) for name, of in self.variables.items()}
            if self.meets(point):
                return point
        return self._changed(draws, (Variable.wide,)) if self.known else None

    def near(self, draws: Draws) -> Point | None:
        """A point each of whose numbers is usual, small, at an edge or far out."""
        return self._draw(draws, _MIXED)

    def whole(self, draws: Draws) -> Point | None:
        """A point whose numbers have many divisors."""
        return self._draw(draws, (Variable.divisible,))

    def corners(self, draws: Draws) -> Iterator[Point]:
        """Points with one number, or all, at an edge."""
        every = {name: variable.edge(draws) for name, variable in self.variables.items()}
        for point in [every, *self._one_at_an_edge(draws)]:
            if self.meets(point):
                yield point

    def _one_at_an_edge(self, draws: Draws) -> Iterator[Point]:
        for name, variable in self.variables.items():
            for edge in variable.edges:
                others = {other: of.usual(draws) for other, of in self.variables.items()}
                yield {**others, name: edge}

    def _draw(self, draws: Draws, ways: tuple[_Way, ...]) -> Point | None:
        for _ in range(_TRIES):
            point = {
                name: ways[draws.below(len(ways))](of, draws) for name, of in self.variables.items()
            }
            if self.meets(point):
                return point
        return self._changed(draws, ways) if self.known else None

    def _changed(self, draws: Draws, ways: tuple[_Way, ...]) -> Point | None:
        """A known point with some of its numbers redrawn: for conditions that few points meet."""
        for _ in range(_TRIES):
            point = dict(self.known[draws.below(len(self.known))])
            for name, variable in self.variables.items():
                if not draws.below(2):
                    point[name] = ways[draws.below(len(ways))](variable, draws)
            if self.meets(point):
                return point
        return None

    @cached_property
    def _conditions(self) -> Kernel:
        return compile_kernel(self.where, tuple(self.variables))

    def meets(self, point: Point) -> bool:
        """Whether the conditions hold."""
        if not self.where:
            return True
        try:
            return all(self._conditions(point))
        except SymscaleError:
            return False
