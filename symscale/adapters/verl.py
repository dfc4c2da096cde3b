"""verl: the reward of the files that `symscale export verl` writes. It imports nothing of verl.

custom_reward_function.path=$(python -m symscale.adapters.verl)
custom_reward_function.name=compute_score
"""

from __future__ import annotations

from typing import Any

from symscale.adapters.completions import completion_text
from symscale.export.keys import read_key_text
from symscale.grading import grade


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: str,
    extra_info: Any = None,
    *,
    reasoning_prefilled: bool = False,
    **_more: Any,
) -> dict[str, Any]:
    """The reward as `score`, 1.0 or 0.0, with the reason.

    Raises CatalogError for a ground truth that is no key.
    """
    verdict = grade(
        read_key_text(ground_truth),
        completion_text(solution_str),
        reasoning_prefilled=reasoning_prefilled,
    )
    return {"score": verdict.reward, "reason": verdict.reason}


if __name__ == "__main__":
    print(__file__)
