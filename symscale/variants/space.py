"""The finite product of a task's ranges, counted exactly and numbered from 0."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod

from symscale.catalog.tasks import Task
from symscale.errors import DomainError, SymscaleError


@dataclass(frozen=True)
class Space:
    """Every combination of the parameters' values, constraints aside.

    A combination's rank is its number in a mixed radix, the first parameter the fastest.
    """

    names: tuple[str, ...]
    values: tuple[tuple[Fraction, ...], ...]
    """The distinct values of each parameter, in its unit."""
    units: tuple[str, ...]

    @classmethod
    def of(cls, task: Task) -> Space:
        """The usual values of a task's parameters."""
        parameters = task.parameters.values()
        return cls(
            tuple(task.parameters),
            tuple(parameter.range.values for parameter in parameters),
            tuple(parameter.unit.text for parameter in parameters),
        )

    @classmethod
    def beyond(cls, task: Task) -> Space:
        """The values to extrapolate to, and the usual ones of parameters that have none.

        No combination is also in the usual space. Raises SymscaleError for a task that gives no
        parameter any value to extrapolate to.
        """
        parameters = task.parameters.values()
        if not extrapolates(task):
            raise SymscaleError(f"{task.id} gives no parameter values to extrapolate to")
        return cls(
            tuple(task.parameters),
            tuple((parameter.extrapolate or parameter.range).values for parameter in parameters),
            tuple(parameter.unit.text for parameter in parameters),
        )

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        return tuple(len(values) for values in self.values)

    @cached_property
    def size(self) -> int:
        """How many combinations there are."""
        return prod(self.sizes)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the parameters' names, units and values, and of nothing else."""
        says = [
            [name, unit, [str(value) for value in values]]
            for name, unit, values in zip(self.names, self.units, self.values, strict=True)
        ]
        return hashlib.sha256(repr(says).encode()).hexdigest()

    def unrank(self, rank: int) -> dict[str, Fraction]:
        """The combination of a rank in [0, size)."""
        combination = {}
        for name, values in zip(self.names, self.values, strict=True):
            rank, digit = divmod(rank, len(values))
            combination[name] = values[digit]
        return combination

    def rank(self, combination: Mapping[str, Fraction]) -> int:
        """The rank of a combination. Raises DomainError for a value that is not in the space."""
        rank = 0
        for name, digits in reversed(list(zip(self.names, self._digits, strict=True))):
            value = combination[name]
            if value not in digits:
                raise DomainError(f"{name} = {value} is not among the values it varies over")
            rank = rank * len(digits) + digits[value]
        return rank

    def __contains__(self, combination: Mapping[str, Fraction]) -> bool:
        return all(
            combination[name] in digits
            for name, digits in zip(self.names, self._digits, strict=True)
        )

    @cached_property
    def _digits(self) -> tuple[dict[Fraction, int], ...]:
        return tuple({value: digit for digit, value in enumerate(values)} for values in self.values)


def extrapolates(task: Task) -> bool:
    """Whether any parameter has values to extrapolate to."""
    return any(parameter.extrapolate for parameter in task.parameters.values())
