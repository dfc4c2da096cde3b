"""What a data set holds: the first variants of some tasks, for training and for testing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from symscale.catalog.tasks import Task
from symscale.errors import SymscaleError
from symscale.variants.parts import lines_of, slots
from symscale.variants.plan import Plan, make_plan
from symscale.variants.rows import published_row, to_json
from symscale.variants.splits import Split

SPLITS: tuple[Split, ...] = ("train", "test")


@dataclass(frozen=True)
class Content:
    """The first `n` training and `n_test` test variants of each task, and the published ones."""

    tasks: tuple[Task, ...]
    n: int = 1000
    n_test: int = 100
    seed: int = 0
    unfair: bool = False
    """Whether variants are let in where a known mistake gives the right answer."""
    catalogs: tuple[str, ...] = ()
    """The directories that are layered over the catalog that comes with symscale."""

    def __post_init__(self) -> None:
        if not self.tasks:
            raise SymscaleError("a data set is of one task or more")

    @property
    def categories(self) -> dict[str, list[Task]]:
        """The tasks by category, in the order of their names."""
        found: dict[str, list[Task]] = {}
        for task in sorted(self.tasks, key=lambda task: (task.category, task.id)):
            found.setdefault(task.category, []).append(task)
        return found

    def plan(self, split: Split, tasks: Sequence[Task] | None = None) -> Plan:
        """What is written of a split, of all tasks or of some of them."""
        lines = [
            lines_of(self.catalogs, task.id, split, self.seed, self.unfair)
            for task in self.tasks
            if tasks is None or task in tasks
        ]
        return make_plan(lines, self.n if split == "train" else self.n_test)

    def lines(self, plan: Plan, part: int) -> Iterator[list[str]]:
        """The JSON lines of a part of a plan, each with its newline."""
        return slots(plan, part, self.catalogs)

    def published(self) -> Iterator[list[str]]:
        """The JSON lines of the tasks at their published values."""
        yield [to_json(published_row(task)) + "\n" for task in self.tasks]
