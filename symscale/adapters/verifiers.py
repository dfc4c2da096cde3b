"""verifiers: a taskset of variants with the exact reward, and a metric for each reason.

The package in `environments/symscale_scaling` exports it under the id `symscale-scaling`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from symscale.catalog.protocol import SYSTEM_PROMPT
from symscale.errors import MissingExtraError
from symscale.export.mixture import rows_of, tasks_of
from symscale.grading import REASONS, Grade, grade
from symscale.grading.keys import packaged_catalog
from symscale.variants.check import Checker

try:
    import verifiers.v1 as vf
    from pydantic import Field
except ImportError:
    raise MissingExtraError("verifiers") from None


class ScalingData(vf.TaskData):
    """A question, with its row."""

    row: dict[str, Any]


class ScalingTaskConfig(vf.TaskConfig):
    """How completions are read."""

    reasoning_prefilled: bool = False
    """Whether the opening mark of reasoning stands in the prompt."""


class ScalingTask(vf.Task[ScalingData, vf.State, ScalingTaskConfig]):
    """One question. Its reward is 1.0 or 0.0."""

    @property
    def key(self) -> str:
        """The content of the row, wherever it stands in the taskset."""
        return str(self.data.row["hash"])

    @vf.reward(weight=1.0)
    async def correct(self, trace: vf.Trace) -> float:
        return self._grade(trace.last_reply).reward

    @vf.metric
    async def reasons(self, trace: vf.Trace) -> dict[str, float]:
        """For each reason, whether it is the one."""
        reason = self._grade(trace.last_reply).reason
        return {f"reason_{name}": float(name == reason) for name in REASONS}

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether SymPy's substitution derives the same row, and its key is graded as right."""
        row = self.data.row
        return not any(_checker().problems(row)) and grade(row, row["answer"]).correct

    def _grade(self, text: str) -> Grade:
        return grade(self.data.row, text, reasoning_prefilled=self.config.reasoning_prefilled)


class ScalingConfig(vf.TasksetConfig):
    """Which questions. Without categories and tasks, all of them, in turn."""

    task: ScalingTaskConfig = ScalingTaskConfig()
    categories: list[str] = Field(default_factory=list)
    tasks: list[str] = Field(default_factory=list)
    difficulty: str | None = None
    """A level or a range of levels, such as 3 or 2..4."""
    split: str = "train"
    """train, test, extrapolate or published."""
    seed: int = 0
    """What orders the variants."""
    size: int = 1000
    """How many questions."""


class ScalingTaskset(vf.Taskset[ScalingTask, ScalingConfig]):
    """Questions about the arithmetic of scaling, each with an exact key."""

    def load(self) -> Iterator[ScalingTask]:
        config = self.config
        tasks = tasks_of(
            packaged_catalog(),
            categories=config.categories,
            tasks=config.tasks,
            difficulty=config.difficulty,
        )
        for row in rows_of(tasks, split=config.split, seed=config.seed, n=config.size):
            data = ScalingData(
                id=row["id"],
                name=row["id"],
                prompt=row["question"],
                system_prompt=SYSTEM_PROMPT,
                row=row,
            )
            yield ScalingTask(data, config.task)


@cache
def _checker() -> Checker:
    return Checker(packaged_catalog())
