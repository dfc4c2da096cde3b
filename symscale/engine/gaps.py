"""What is missing for a derivation, nearest first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from symscale.engine.graph import Graph
from symscale.engine.search import Question, reach
from symscale.errors import SymscaleError

MAX_GAPS = 8
MAX_STEPS_BACK = 3


@dataclass(frozen=True, slots=True)
class Gap:
    """Quantities that, if they were given, would lead to the target over some formulas."""

    missing: tuple[str, ...]
    formulas: tuple[str, ...]
    """In the order they would be used, the last gives the target."""

    def __str__(self) -> str:
        return f"{' and '.join(self.missing)} (then {', '.join(self.formulas)})"


class NotDerivableError(SymscaleError):
    """A quantity that does not follow from what is given, with what is missing."""

    exit_status = 1

    def __init__(self, target: str, gaps: Sequence[Gap], notes: Iterable[str] = ()) -> None:
        self.target = target
        self.gaps = tuple(gaps)
        lines = [f"{target} does not follow from what is given", *notes]
        if gaps:
            lines.append("missing, nearest first:")
            lines += [f"  {gap}" for gap in gaps]
        else:
            lines.append("no formula of the catalog speaks of it")
        super().__init__("\n".join(lines))


def find_gaps(graph: Graph, question: Question, banned: Collection[str] = ()) -> list[Gap]:
    """The fewest quantities that would lead to the target, over each formula that does.

    A missing quantity that a formula gives from one other that is missing is also named by that.
    """
    reached = reach(graph, question, banned)
    known = {*reached, question.target}
    found: dict[tuple[str, ...], tuple[int, bool, Gap]] = {}

    def note(gap: Gap, backwards: bool) -> None:
        rank = (len(gap.missing), backwards, gap)
        key = tuple(sorted(gap.missing))
        if key not in found or _order(rank) < _order(found[key]):
            found[key] = rank

    for edge in graph.into[question.target]:
        unusable = edge.formula in banned or graph.solution(edge) is None
        other = question.last not in (None, edge.formula) or (question.last and edge.backwards)
        if unusable or other or not edge.inputs:
            continue
        missing = tuple(id for id in edge.inputs if id not in reached)
        formulas: tuple[str, ...] = (edge.formula,)
        note(Gap(missing, formulas), edge.backwards)
        for _ in range(MAX_STEPS_BACK):
            if len(missing) != 1:
                break
            nearer = _one_step_back(graph, missing[0], known, banned)
            if nearer is None:
                break
            missing, formula = nearer
            formulas = (formula, *formulas)
            note(Gap(missing, formulas), edge.backwards)
    return [gap for _, _, gap in sorted(found.values(), key=_order)[:MAX_GAPS]]


def _one_step_back(
    graph: Graph, id: str, known: Collection[str], banned: Collection[str]
) -> tuple[tuple[str, ...], str] | None:
    """What one formula still needs for a quantity, where that is a single other one."""
    candidates = []
    for edge in graph.into[id]:
        if edge.backwards or edge.formula in banned:
            continue
        missing = tuple(other for other in edge.inputs if other not in known)
        if len(missing) == 1:
            candidates.append((-len(edge.inputs), edge.formula, missing))
    if not candidates:
        return None
    _, formula, missing = min(candidates)
    return missing, formula


def _order(rank: tuple[int, bool, Gap]) -> tuple[int, bool, int, tuple[str, ...], tuple[str, ...]]:
    count, backwards, gap = rank
    return count, backwards, len(gap.formulas), gap.formulas, gap.missing
