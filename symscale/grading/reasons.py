"""Why a cell, or a whole answer, is right or wrong: a closed list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

Reason: TypeAlias = Literal[
    "ok",
    "no_answer",
    "malformed",
    "too_large",
    "wrong_shape",
    "wrong_type",
    "wrong_label",
    "wrong_unit",
    "wrong_value",
    "scale_slip",
    "mistake",
    "not_equivalent",
]

REASONS: tuple[Reason, ...] = get_args(Reason)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that cannot be graded any further: the reason, and what is wrong in words."""

    reason: Reason
    message: str
