"""TRL: a reward function for GRPO, and prompts. It imports nothing of TRL.

    trainer = GRPOTrainer(model, reward_funcs=reward, train_dataset=rows.map(prompt))

with rows of a data set that `symscale export hf` wrote. The reward needs the columns `task`,
`parameters`, `columns` and `exact`, which TRL passes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from symscale.adapters.completions import completion_text
from symscale.catalog.loader import Catalog
from symscale.errors import CatalogError
from symscale.export.chat import messages
from symscale.export.keys import KEY
from symscale.grading import REASONS, grade


class Reward(Protocol):
    """The reward function that TRL's GRPOTrainer calls, with the columns of the data set."""

    def __call__(
        self, prompts: Sequence[Any], completions: Sequence[Any], **columns: Any
    ) -> list[float]: ...


def reward_function(
    *, reasoning_prefilled: bool = False, catalog: Catalog | None = None, secret: bytes = b""
) -> Reward:
    """A reward function with the options of `symscale.grade`."""

    def reward(
        prompts: Sequence[Any],
        completions: Sequence[Any],
        *,
        log_metric: Callable[[str, float], None] | None = None,
        log_extra: Callable[[str, list[Any]], None] | None = None,
        **columns: Any,
    ) -> list[float]:
        """1.0 or 0.0 for each completion, plain or conversational, never NaN.

        The reasons are logged: each as a share of the batch, and beside each completion. Raises
        CatalogError where the columns hold no keys.
        """
        grades = [
            grade(
                key,
                completion_text(completion),
                reasoning_prefilled=reasoning_prefilled,
                catalog=catalog,
                secret=secret,
            )
            for key, completion in zip(_keys(columns), completions, strict=True)
        ]
        reasons = [grade.reason for grade in grades]
        if log_extra is not None:
            log_extra("reason", list(reasons))
        if log_metric is not None:
            for reason in REASONS:
                log_metric(f"reason/{reason}", reasons.count(reason) / max(len(reasons), 1))
        return [grade.reward for grade in grades]

    return reward


reward = reward_function()
"""The reward function with the usual options."""


def _keys(columns: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    for name in KEY:
        if name not in columns:
            raise CatalogError(f"the data set has no column {name!r}")
    cells = zip(*(columns[name] for name in KEY), strict=True)
    return [dict(zip(KEY, row, strict=True)) for row in cells]


def prompt(row: Mapping[str, Any]) -> dict[str, Any]:
    """The column that a trainer prompts with, for `Dataset.map`."""
    return {"prompt": messages(row["question"])}
