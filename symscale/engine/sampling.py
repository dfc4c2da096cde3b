"""Points of a constrained domain, chosen by hash: typical ones, its edges, and far beyond."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from symscale.catalog.tasks import Task
from symscale.engine.variables import Draws, Variable
from symscale.errors import SymscaleError
from symscale.expressions.kernel import Kernel, compile_kernel
from symscale.expressions.nodes import Node, names

Point: TypeAlias = Mapping[str, Fraction]

_Way: TypeAlias = Callable[[Variable, Draws], Fraction]

_TRIES = 8
_MAX_NARROWED = 64

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
    _narrowed: dict[frozenset[str], Region] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, task: Task) -> Region:
        """The values that the parameters of a task admit, as numbers of their units."""
        variables = {name: Variable.of(parameter) for name, parameter in task.parameters.items()}
        where = task.conditions
        known = (task.published,) if cls(variables, where).admits(task.published) else ()
        return cls(variables, where, known)

    def narrowed(self, letters: Iterable[str]) -> Region:
        """The same in some of the letters, and in those that the conditions are about."""
        kept = frozenset(letters).union(*map(names, self.where))
        if len(kept) == len(self.variables):
            return self
        found = self._narrowed.get(kept)
        if found is None:
            if len(self._narrowed) >= _MAX_NARROWED:
                self._narrowed.clear()
            variables = {name: of for name, of in self.variables.items() if name in kept}
            found = self._narrowed[kept] = Region(variables, self.where, self.known)
        return found

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
