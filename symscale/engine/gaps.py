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

    def note_all(gap: Gap, backwards: bool) -> None:
        """A gap, and those that would fill it where it is a single quantity."""
        note(gap, backwards)
        if len(gap.missing) == 1 and len(gap.formulas) <= MAX_STEPS_BACK:
            for edge in graph.into[gap.missing[0]]:
                needs = tuple(id for id in edge.inputs if id not in known)
                if not edge.backwards and edge.formula not in banned and len(needs) == 1:
                    note_all(Gap(needs, (edge.formula, *gap.formulas)), backwards)

    for edge in graph.into[question.target]:
        if edge.formula in banned or graph.solution(edge) is None or not edge.inputs:
            continue
        if question.last is None or (edge.formula == question.last and not edge.backwards):
            missing = tuple(id for id in edge.inputs if id not in reached)
            note_all(Gap(missing, (edge.formula,)), edge.backwards)
    return [gap for _, _, gap in sorted(found.values(), key=_order)[:MAX_GAPS]]


def _order(rank: tuple[int, bool, Gap]) -> tuple[int, bool, int, tuple[str, ...], tuple[str, ...]]:
    count, backwards, gap = rank
    return count, backwards, len(gap.formulas), gap.formulas, gap.missing
