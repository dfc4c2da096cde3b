"""Which combinations are for training and which for testing, once and for all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, TypeAlias, get_args

from symscale.catalog.tasks import Task
from symscale.errors import DomainError, SymscaleError
from symscale.variants.permutation import Permutation
from symscale.variants.space import Space, extrapolates

Split: TypeAlias = Literal["train", "test", "extrapolate"]
SPLITS: tuple[Split, ...] = get_args(Split)

TEST_SHARE = 10
"""One position in so many is for testing."""


@dataclass(frozen=True)
class Partition:
    """A task's space in a fixed order: the first `n_test` positions test, the others train.

    The order is keyed by the task's id and its values, never by prose, constraints or a seed. The
    published combination changes places with the last test position, if it is not in test already.
    """

    task: Task

    @cached_property
    def space(self) -> Space:
        return Space.of(self.task)

    @cached_property
    def n_test(self) -> int:
        return -(-self.space.size // TEST_SHARE)

    @cached_property
    def _order(self) -> Permutation:
        return Permutation(self.space.size, "space", self.task.id, self.space.digest)

    @cached_property
    def _exchanged(self) -> dict[int, int]:
        """The two positions that change places, if any do."""
        published = self._order.inverse(self.space.rank(self.task.published))
        last = self.n_test - 1
        return {published: last, last: published} if published > last else {}

    def ranks(self, start: int, stop: int) -> list[int]:
        """The ranks of the combinations at the positions from `start` up to `stop`."""
        ranks = self._order.images(start, stop)
        for position, other in self._exchanged.items():
            if start <= position < stop:
                ranks[position - start] = self._order(other)
        return ranks

    def position(self, rank: int) -> int:
        """The position of a combination; the inverse of `ranks`."""
        own = self._order.inverse(rank)
        return self._exchanged.get(own, own)

    def split_of(self, parameters: Mapping[str, Fraction]) -> Split:
        """The split of a combination, values in the parameters' units. Raises DomainError."""
        if parameters in self.space:
            position = self.position(self.space.rank(parameters))
            return "test" if position < self.n_test else "train"
        if extrapolates(self.task) and parameters in Space.beyond(self.task):
            return "extrapolate"
        raise DomainError(f"no variant of {self.task.id} has these values")


@dataclass(frozen=True)
class Region:
    """The positions of one split of a task: `size` of them, each with its own combination."""

    task: Task
    split: Split

    @cached_property
    def space(self) -> Space:
        return Space.beyond(self.task) if self.split == "extrapolate" else Space.of(self.task)

    @cached_property
    def _partition(self) -> Partition:
        return Partition(self.task)

    @cached_property
    def _beyond(self) -> Permutation:
        return Permutation(self.space.size, "beyond", self.task.id, self.space.digest)

    @cached_property
    def size(self) -> int:
        match self.split:
            case "test":
                return self._partition.n_test
            case "train":
                return self.space.size - self._partition.n_test
            case "extrapolate":
                return self.space.size

    def ranks(self, start: int, stop: int) -> list[int]:
        """The ranks, in `space`, of the combinations at positions from `start` up to `stop`."""
        match self.split:
            case "test":
                return self._partition.ranks(start, stop)
            case "train":
                offset = self._partition.n_test
                return self._partition.ranks(offset + start, offset + stop)
            case "extrapolate":
                return self._beyond.images(start, stop)


def split_of(task: Task, parameters: Mapping[str, Fraction]) -> Split:
    """The split that a combination is in, whatever the seed.

    Values are in the parameters' units. Raises DomainError for a combination that no variant has.
    """
    return Partition(task).split_of(parameters)


def as_split(name: str) -> Split:
    """A split by its name. Raises SymscaleError for any other name."""
    for split in SPLITS:
        if split == name:
            return split
    raise SymscaleError(f"a split is one of {', '.join(SPLITS)}, not {name!r}")
