"""The numbers that a name can stand for, and ways to draw one of them by hash."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b
from math import floor

from symscale.catalog.columns import Parameter
from symscale.catalog.quantities import Domain
from symscale.expressions.values import Enclosure
from symscale.units import convert

MANTISSA_BITS = 48
"""Random bits of a number far out: two different polynomials of degree d agree at such a point
with a probability of about d/2**48."""

_MANTISSAS = (1 << MANTISSA_BITS) - 1

_MAGNITUDES = (-20, 40)
_WIDER = 12
"""How many powers of two the extension reaches beyond the usual values, or beyond `_MAGNITUDES`
where there are none."""

_SMALL = (
    *map(Fraction, (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 25, 27, 36, 64)),
    *map(Fraction, ("1/4", "1/3", "1/2", "3/2", "9/4")),
)
_DIVISIBLE = (2**6 * 3**2 * 5 * 7 * 11 * 13) ** 2


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

    @cached_property
    def is_positive(self) -> bool:
        """Whether every value is above zero."""
        return self.domain.positive

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

    @cached_property
    def edges(self) -> list[Fraction]:
        """The outermost values that the domain holds, where it has any."""
        ends = (end for end in self.domain.ends if end is not None)
        return [end / self.scale for end in ends if end in self.domain]

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
        """The lower end of the domain, an int where it is one."""
        lower = self.domain.ends[0]
        return lower.numerator if lower is not None and lower.denominator == 1 else lower

    @cached_property
    def _upper(self) -> Fraction | None:
        return self.domain.ends[1]

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
