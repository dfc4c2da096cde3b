"""A distance along a line, known by its values alone: what leads to its zeros."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from symscale.engine.points.curves import Curve
from symscale.engine.sampling import Point
from symscale.errors import SymscaleError
from symscale.expressions.kernel import Kernel
from symscale.expressions.values import key_of
from symscale.numbers import round_to_digits

_STRIDE = Fraction(1, 2**40)
_HALVINGS, _THIRDS, _ROUND_DIGITS, _PLAIN_DIGITS = 45, 60, 15, 10


@dataclass(frozen=True, slots=True)
class Trace:
    """The distance from a boundary as a function of one number."""

    kernel: Kernel
    base: Point
    name: str

    def distance(self, place: Fraction) -> Fraction | None:
        """An irrational one to 30 digits; None where it has no value."""
        try:
            value = key_of(self.kernel({**self.base, self.name: place})[0])
        except SymscaleError:
            return None
        return value if isinstance(value, Fraction) else None

    def curve(self, start: Fraction, step: Fraction | None) -> Curve | None:
        stride = step or (abs(start) or 1) * _STRIDE
        places = (start, start + stride, start + 2 * stride)
        distances = [self.distance(place) for place in places]
        values = [distance for distance in distances if distance is not None]
        return Curve.through(places, values) if len(values) == len(places) else None

    def crossings(self, ladder: Sequence[Fraction]) -> list[Fraction]:
        """Places close to where the distance changes its sign, between the rungs of a ladder, and
        where it comes closest to zero."""
        rungs = [(place, self.distance(place)) for place in ladder]
        known = [(place, distance) for place, distance in rungs if distance is not None]
        closest = [
            self._closest(low, high, 1 if least > 0 else -1)
            for (low, before), (_, least), (high, behind) in zip(
                known, known[1:], known[2:], strict=False
            )
            if abs(least) < min(abs(before), abs(behind)) and before * least > 0 < least * behind
        ]
        known += [(place, self.distance(place) or Fraction(0)) for place in closest]
        return closest + [
            self._bisected(low, high, below > 0)
            for (low, below), (high, above) in pairwise(sorted(known))
            if (below > 0) != (above > 0)
        ]

    def _closest(self, low: Fraction, high: Fraction, sign: int) -> Fraction:
        """Where a distance of this sign is least, or the first place found where it is not of
        this sign: a search by thirds."""
        for _ in range(_THIRDS):
            places = [
                round_to_digits((low * (3 - k) + high * k) / 3, _ROUND_DIGITS) for k in (1, 2)
            ]
            left, right = places
            if not low < left < right < high:
                break
            sizes = [sign * (self.distance(place) or 0) for place in places]
            if min(sizes) <= 0:
                return places[sizes.index(min(sizes))]
            low, high = (low, right) if sizes[0] <= sizes[1] else (left, high)
        return self._plain((low + high) / 2)

    def _bisected(self, low: Fraction, high: Fraction, falling: bool) -> Fraction:
        for _ in range(_HALVINGS):
            middle = round_to_digits((low + high) / 2, _ROUND_DIGITS)
            distance = self.distance(middle)
            if distance == 0:
                return middle
            if distance is None or not low < middle < high:
                break
            if (distance > 0) == falling:
                low = middle
            else:
                high = middle
        return self._plain(high)

    def _plain(self, place: Fraction) -> Fraction:
        plain = round_to_digits(place, _PLAIN_DIGITS)
        return plain if self.distance(plain) == 0 else place
