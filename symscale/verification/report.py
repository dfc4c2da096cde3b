"""What a verification finds, as plain data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from symscale.variants.worth import Worth


@dataclass(frozen=True)
class TaskReport:
    """What was found of one task."""

    task: str
    title: str
    columns: tuple[str, ...] = ()
    exact: tuple[str, ...] = ()
    decimal: tuple[str, ...] = ()
    worth: Worth | None = None
    """Measures of its variants."""
    failures: tuple[str, ...] = ()
    """What does not hold."""
    findings: tuple[str, ...] = ()
    """What holds and is worth knowing."""


@dataclass(frozen=True)
class KeyReport:
    """What was found of one published key."""

    place: str
    task: str
    failures: tuple[str, ...]


@dataclass(frozen=True)
class FormulaReport:
    """How many proofs of each kind a formula has, and which of them fail."""

    formula: str
    area: str
    published: int
    oracle: int
    identities: int
    failures: tuple[str, ...]


@dataclass(frozen=True)
class Report:
    """The outcome of a verification. `passed` when nothing fails."""

    formulas: tuple[FormulaReport, ...] = ()
    tasks: tuple[TaskReport, ...] = ()
    keys: tuple[KeyReport, ...] = ()
    cells: int = 0
    """Published cells that were compared."""
    failures: tuple[str, ...] = ()
    """What fails outside any one task or key."""

    @property
    def passed(self) -> bool:
        parts: Iterable[FormulaReport | TaskReport | KeyReport]
        parts = (*self.formulas, *self.tasks, *self.keys)
        return not self.failures and not any(part.failures for part in parts)
