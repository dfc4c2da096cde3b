"""reasoning_gym: the data set `symscale_scaling`, its curriculum, and the exact score.

Importing this module registers them. A data set is a block of one fixed order of the variants: of
a task with C variants and blocks of m, the seeds s and t share none of its variants while
s - t is less than C/m.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from symscale.errors import MissingExtraError
from symscale.export.chat import messages
from symscale.export.mixture import Mixture, tasks_of
from symscale.grading import grade
from symscale.grading.keys import packaged_catalog

try:
    from reasoning_gym.coaching import BaseCurriculum, RangeAttributeDefinition
    from reasoning_gym.dataset import ProceduralDataset
    from reasoning_gym.factory import register_dataset
except ImportError:
    raise MissingExtraError("reasoning-gym") from None

NAME = "symscale_scaling"

LEVELS = sorted({task.difficulty.level for task in packaged_catalog().tasks.values()})
"""The levels of difficulty that tasks have."""


@dataclass
class ScalingConfig:
    """Which questions: of all tasks or of some categories, in levels from least to most."""

    categories: list[str] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)
    min_difficulty: int = LEVELS[0]
    max_difficulty: int = LEVELS[-1]
    split: str = "train"
    seed: int | None = None
    size: int = 500

    def validate(self) -> None:
        """Raises AssertionError, as reasoning_gym has it, for what makes no data set."""
        assert self.size > 0, "size is positive"
        assert self.seed is None or self.seed >= 0, "seed is 0 or more"
        assert self.min_difficulty <= self.max_difficulty, "min_difficulty is the lower one"


class ScalingDataset(ProceduralDataset):
    """The tasks in turn, no variant twice. Items are made when they are asked for."""

    def __init__(self, config: ScalingConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)
        tasks = tasks_of(
            packaged_catalog(),
            categories=config.categories,
            tasks=config.tasks,
            difficulty=f"{config.min_difficulty}..{config.max_difficulty}",
        )
        self._mixture = Mixture.of(tasks, config.split)
        self._block = math.ceil(self.size / len(tasks))

    def __getitem__(self, idx: int) -> dict[str, Any]:
        if not 0 <= idx < self.size:
            raise IndexError(f"an index runs from 0 to {self.size - 1}, not to {idx}")
        variants = self._mixture.variants
        position, turn = divmod(idx, len(variants))
        position = (self.seed * self._block + position) % variants[turn].size
        row = self._mixture.row(turn, position)
        return {
            "question": row["question"],
            "answer": row["answer"],
            "metadata": {
                "source_dataset": NAME,
                "source_index": idx,
                "difficulty": {"difficulty": row["difficulty"]},
                "messages": messages(row["question"]),
                "row": row,
            },
        }

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """1.0 or 0.0, from the row in the entry. No answer scores 0.0."""
        return grade(entry["metadata"]["row"], answer or "").reward


class ScalingCurriculum(BaseCurriculum):
    """From the easiest tasks up to all of them."""

    def __init__(self) -> None:
        super().__init__(ScalingCurriculum.__name__, ScalingConfig)
        self._define_attributes(
            RangeAttributeDefinition(
                name="difficulty",
                levels=LEVELS,
                description="The level of difficulty of the tasks",
                lower_field_name="min_difficulty",
                upper_field_name="max_difficulty",
            )
        )


register_dataset(NAME, ScalingDataset, ScalingConfig, ScalingCurriculum)
