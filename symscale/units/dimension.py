"""Dimensions: products of powers of the base units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

COUNTS = frozenset({"token", "param"})
"""The bases that only count: `count(x)` drops them, and `T + 1` is allowed in them."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """A product of powers of the base units, without zero exponents.

    >>> print(Dimension.of("flop") / Dimension.of("byte"))
    flop/byte
    """

    exponents: tuple[tuple[str, Fraction], ...] = ()

    @classmethod
    def of(cls, base: str) -> Dimension:
        return cls(((base, Fraction(1)),))

    @classmethod
    def _from(cls, exponents: Mapping[str, Fraction]) -> Dimension:
        return cls(tuple(sorted((base, power) for base, power in exponents.items() if power)))

    def __mul__(self, other: Dimension) -> Dimension:
        powers = dict(self.exponents)
        for base, power in other.exponents:
            powers[base] = powers.get(base, Fraction(0)) + power
        return self._from(powers)

    def __truediv__(self, other: Dimension) -> Dimension:
        return self * other ** Fraction(-1)

    def __pow__(self, power: Fraction) -> Dimension:
        return self._from({base: exponent * power for base, exponent in self.exponents})

    @property
    def is_one(self) -> bool:
        return not self.exponents

    @property
    def is_count(self) -> bool:
        """Whether it is a product of powers of token and param, 1 included."""
        return all(base in COUNTS for base, _ in self.exponents)

    def __str__(self) -> str:
        over = [_power_text(base, power) for base, power in self.exponents if power > 0]
        under = [_power_text(base, -power) for base, power in self.exponents if power < 0]
        return "/".join(["*".join(over) or "1", *under])


ONE = Dimension()


def _power_text(base: str, power: Fraction) -> str:
    if power == 1:
        return base
    return f"{base}**{power}" if power.denominator == 1 else f"{base}**({power})"
