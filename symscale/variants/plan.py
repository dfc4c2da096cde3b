"""What a generation is to write: tasks, ranges of indices, parts. It decides every byte."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from symscale.errors import SymscaleError
from symscale.variants.formats import Format
from symscale.variants.fused import Lines
from symscale.variants.rows import SCHEMA
from symscale.variants.splits import Split

ROWS_PER_PART = 100_000
"""What a part holds at most, unless the number of parts is given."""


@dataclass(frozen=True, slots=True)
class Portion:
    """The first `count` variants of a task."""

    task: str
    hash: str
    """The task's digest: with another one, it is another generation."""
    count: int


@dataclass(frozen=True, slots=True)
class Plan:
    """A generation: the same bytes wherever, and by however many workers, it is carried out."""

    portions: tuple[Portion, ...]
    split: Split
    seed: int
    unfair: bool
    format: Format
    parts: int

    @property
    def rows(self) -> int:
        return sum(portion.count for portion in self.portions)

    def name(self, part: int) -> str:
        """The file name of a part."""
        return f"part-{part:05d}.{self.format}"

    def ranges(self, part: int) -> list[tuple[Portion, int, int]]:
        """The indices that a part holds: an equal share of every task's."""
        return [
            (portion, portion.count * part // self.parts, portion.count * (part + 1) // self.parts)
            for portion in self.portions
        ]

    def record(self) -> dict[str, Any]:
        """The plan as a manifest states it."""
        return {"schema": SCHEMA, "rows": self.rows, **asdict(self)}


def make_plan(
    lines: Sequence[Lines], n: int, *, format: Format = "jsonl", parts: int | None = None
) -> Plan:
    """The plan for the first `n` variants of each task, or all where a task has fewer.

    The lines are of one split and seed. Raises SymscaleError where there is nothing to write.
    """
    portions = tuple(
        Portion(task.id, task.digest, min(n, some.size))
        for some in lines
        for task in [some.variants.task]
    )
    rows = sum(portion.count for portion in portions)
    if not rows:
        raise SymscaleError("there are no such variants")
    of = lines[0].variants
    return Plan(portions, of.split, of.seed, of.unfair, format, parts or -(-rows // ROWS_PER_PART))
