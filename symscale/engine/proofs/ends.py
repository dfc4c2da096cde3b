"""The ends of what letters can be, and the signs that the terms of a polynomial show then."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

from symscale.algebra.quotients import Powers
from symscale.engine.proofs.counts import ZERO_END, Counting, Counts, End, Shape, shifted

MAX_SHIFTED = 64
"""Terms of a polynomial whose letters are counted from other ends."""


@dataclass(frozen=True)
class Ends:
    """Of letters, among the lower ends of more."""

    counting: Counting
    lows: Mapping[Shape, End]
    spend: Callable[[int], None] = field(repr=False, compare=False)
    """Counts the terms that are looked at."""

    def low(self, place: int) -> End | None:
        """The lower end of the count that a letter is."""
        return self.lows.get(self.counting.letters[place])

    def high(self, place: int) -> End | None:
        """The upper end, in the same way."""
        low = self.lows.get(self.counting.negatives[place])
        return None if low is None else (-low[0], low[1])

    @cached_property
    def positive(self) -> list[bool]:
        """Whether each letter is always above zero."""
        return [low is not None and low > ZERO_END for low in self._lows]

    @cached_property
    def at_least_zero(self) -> list[bool]:
        return [low is not None and low >= ZERO_END for low in self._lows]

    def is_at_least_zero(self, powers: Powers) -> bool:
        """Whether a product of letters is never below zero."""
        sure = self.at_least_zero
        return not any(power % 2 and not sure[place] for place, power in enumerate(powers))

    def shared(self, terms: Mapping[Powers, object]) -> Powers:
        """The letters above zero that all terms have."""
        columns = zip(*terms, strict=True)
        return tuple(
            min(column) if sure else 0 for column, sure in zip(columns, self.positive, strict=False)
        )

    def level(self, counts: Counts) -> int:
        """2 where a polynomial is above zero, 1 where it is never below, as its terms show it, each
        letter as it is or counted from an end; 0 where they do not."""
        self.spend(len(counts))
        level = self._level_at_zero(counts, self.positive, self.at_least_zero)
        if level == 2 or max(counts.values()) < 0:
            return level
        places = [place for place in self._moved if any(powers[place] for powers in counts)]
        size = sum(prod(powers[place] + 1 for place in places) for powers in counts)
        if not places or size > MAX_SHIFTED:
            return level
        self.spend(2 * size)
        for place in places:
            end = self._from[place]
            if self._lows[place] is None:
                counts = {p: -c if p[place] % 2 else c for p, c in counts.items()}
            if end is not None and end[0]:
                counts = shifted(counts, place, end[0])
        return max(level, self._level_at_zero(counts, self._above, self._known))

    def _level_at_zero(
        self, counts: Counts, positive: Sequence[bool], at_least_zero: Sequence[bool]
    ) -> int:
        """By the signs of the terms, where some letters are above zero and some never below."""
        level = 1
        for powers, c in counts.items():
            letters = [i for i, power in enumerate(powers) if power]
            if c < 0 or any(powers[i] % 2 and not at_least_zero[i] for i in letters):
                return 0
            if all(positive[i] for i in letters):
                level = 2
        return level

    @cached_property
    def _lows(self) -> list[End | None]:
        return [self.lows.get(letter) for letter in self.counting.letters]

    @cached_property
    def _from(self) -> list[End | None]:
        """The end that each letter is counted from: its lower one, or the one of its negative."""
        pairs = zip(self._lows, self.counting.negatives, strict=True)
        return [low or self.lows.get(turned) for low, turned in pairs]

    @cached_property
    def _moved(self) -> list[int]:
        """The letters that are not counted from zero up."""
        return [
            place
            for place, end in enumerate(self._from)
            if end is not None and (end[0] or self._lows[place] is None)
        ]

    @cached_property
    def _above(self) -> list[bool]:
        return [end is not None and end[1] for end in self._from]

    @cached_property
    def _known(self) -> list[bool]:
        return [end is not None for end in self._from]
