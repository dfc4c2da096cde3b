"""The derivation of least cost: a shortest path whose steps need several inputs at once.

The cost of a quantity is the cost of its step and of every input, each counted where it is used.
The search settles quantities in the order of their cost (Knuth's generalisation of Dijkstra's
algorithm), so the first step that reaches one is the cheapest. Ties go by the formula's id.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from symscale.engine.graph import Edge, Graph

MAX_CONFLICTS = 200
"""Partial choices between rival formulas that are looked at before giving up."""

Reached: TypeAlias = Mapping[str, tuple[int, Edge | None]]
"""The cost of each quantity that can be had, and the step that gives it; None if it is given."""


@dataclass(frozen=True)
class Question:
    """What is asked of the graph."""

    target: str
    given: frozenset[str]
    last: str | None = None
    """The formula that must give the target, if one is asked for."""
    chosen: tuple[str, ...] = ()
    """The formulas that the user decided for."""


@dataclass(frozen=True)
class Route:
    """The steps to a target, each after what it needs."""

    cost: int
    steps: tuple[Edge, ...]

    @property
    def formulas(self) -> frozenset[str]:
        return frozenset(edge.formula for edge in self.steps)

    @property
    def last(self) -> Edge:
        return self.steps[-1]


def reach(graph: Graph, question: Question, banned: Collection[str] = ()) -> Reached:
    """Everything that can be had from what is given without the target itself.

    What a chosen formula gives is had from that formula alone. A formula that needs no input
    (a particular model's constant) is used only if it is chosen.
    """
    allowed = {
        graph.formulas[id].result.id: id
        for id in question.chosen
        if graph.formulas[id].result.id not in question.given
    }
    settled: dict[str, tuple[int, Edge | None]] = {}
    waiting: dict[Edge, int] = {}
    heap: list[tuple[int, tuple[bool, bool, str, str], str, Edge | None]] = [
        (0, (False, False, "", id), id, None) for id in sorted(question.given)
    ]
    heap += [
        (edge.cost, edge.key, edge.target, edge)
        for id in question.chosen
        for edge in graph.edges
        if edge.formula == id and not edge.inputs
    ]
    heapq.heapify(heap)
    while heap:
        cost, _, id, step = heapq.heappop(heap)
        if id in settled or id == question.target:
            continue
        if step is not None and graph.solution(step) is None:
            continue
        settled[id] = (cost, step)
        for edge in graph.out_of[id]:
            if edge.formula in banned or edge.target in settled:
                continue
            if allowed.get(edge.target, edge.formula) != edge.formula:
                continue
            left = waiting.get(edge, len(edge.inputs)) - 1
            waiting[edge] = left
            if not left:
                total = edge.cost + sum(settled[other][0] for other in edge.inputs)
                heapq.heappush(heap, (total, edge.key, edge.target, edge))
    return settled


def routes(
    graph: Graph, question: Question, reached: Reached, banned: Collection[str]
) -> list[Route]:
    """The best route over each last step, cheapest first."""
    found = []
    for edge in _last_steps(graph, question, banned):
        if all(id in reached for id in edge.inputs) and graph.solution(edge) is not None:
            cost = edge.cost + sum(reached[id][0] for id in edge.inputs)
            found.append((cost, edge.key, edge))
    return [
        Route(cost, _steps(edge, reached)) for cost, _, edge in sorted(found, key=lambda f: f[:2])
    ]


def best_routes(graph: Graph, question: Question, banned: Collection[str] = ()) -> Iterator[Route]:
    """Routes that mix no rival formulas, the cheapest first, then those over other last steps.

    Where the cheapest mixes two, it is looked for again without the one and without the other.
    """
    start = frozenset(banned) | _rivals_of_chosen(graph, question)
    tree = reach(graph, question, start)
    first = routes(graph, question, tree, start)
    best = _without_conflict(graph, question, start, first)
    if best is None:
        return
    yield best
    told = {graph.solution(best.last)}
    for route in first:
        says = graph.solution(route.last)
        if says not in told and conflict(graph, route) is None:
            told.add(says)
            yield route


def _without_conflict(
    graph: Graph, question: Question, start: frozenset[str], first: list[Route]
) -> Route | None:
    queue: list[tuple[int, list[str], list[Route]]] = []
    if first:
        heapq.heappush(queue, (first[0].cost, sorted(start), first))
    for _ in range(MAX_CONFLICTS):
        if not queue:
            return None
        _, banned, found = heapq.heappop(queue)
        pair = conflict(graph, found[0])
        if pair is None:
            return found[0]
        for id in pair:
            fewer = frozenset((*banned, id))
            again = routes(graph, question, reach(graph, question, fewer), fewer)
            if again and not any(item[1] == sorted(fewer) for item in queue):
                heapq.heappush(queue, (again[0].cost, sorted(fewer), again))
    return None


def conflict(graph: Graph, route: Route) -> tuple[str, str] | None:
    """Two formulas of a route that give the same quantity in different conventions."""
    for id in sorted(route.formulas):
        for rival in sorted(graph.rivals(id) & route.formulas):
            return id, rival
    return None


def _rivals_of_chosen(graph: Graph, question: Question) -> frozenset[str]:
    return frozenset(rival for id in question.chosen for rival in graph.rivals(id))


def _last_steps(graph: Graph, question: Question, banned: Collection[str]) -> Iterator[Edge]:
    wanted = question.last
    for id in question.chosen:
        if graph.formulas[id].result.id == question.target:
            wanted = id
    for edge in graph.into[question.target]:
        if edge.formula in banned or (not edge.inputs and edge.formula not in question.chosen):
            continue
        if wanted is None or (edge.formula == wanted and not edge.backwards):
            yield edge


def _steps(last: Edge, reached: Reached) -> tuple[Edge, ...]:
    """The steps that lead to an edge, and it, in the order they are taken."""
    ordered: dict[str, Edge] = {}

    def visit(edge: Edge) -> None:
        for id in sorted(edge.inputs, key=lambda id: (reached[id][0], id)):
            step = reached[id][1]
            if step is not None and id not in ordered:
                visit(step)
        ordered[edge.target] = edge

    visit(last)
    return tuple(ordered.values())
