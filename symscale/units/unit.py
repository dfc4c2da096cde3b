"""Units of exact scale, and conversion between them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from symscale.errors import DimensionError
from symscale.numbers import decimal_text
from symscale.units.dimension import ONE, Dimension


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as it was spelled, its exact scale in base units, and its dimension."""

    text: str
    scale: Fraction = Fraction(1)
    dimension: Dimension = ONE

    def measures(self, base: str) -> bool:
        """Whether a power of this base stands in its dimension."""
        return any(name == base for name, _ in self.dimension.exponents)

    def __str__(self) -> str:
        return self.text


UNITLESS = Unit("1")


def convert(value: Fraction, source: Unit, target: Unit) -> Fraction:
    """`value` of `source` as a number of `target`, exactly.

    Raises DimensionError when the two measure different things.
    """
    if source.dimension != target.dimension:
        raise DimensionError(
            f"{source} measures {source.dimension}, where {target} ({target.dimension}) is needed"
        )
    if source.scale == target.scale:
        return value
    return value * source.scale / target.scale


def quantity_text(value: Fraction, unit: Unit, digits: int = 12) -> str:
    """A number with its unit, for people: rounded to `digits` significant digits."""
    number = decimal_text(value, digits)
    return number if unit.text == "1" else f"{number} {unit}"
