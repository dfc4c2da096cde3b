"""Tasks in turn, by index."""

from __future__ import annotations

import pytest

from symscale.catalog.loader import Catalog
from symscale.errors import SymscaleError, UnknownNameError
from symscale.export.mixture import Mixture, rows_of, tasks_of
from symscale.variants.sequence import Variants


def test_rows_are_the_variants_in_turn(catalog: Catalog) -> None:
    tasks = tasks_of(catalog, tasks="sc-021, sc-031")
    rows = rows_of(tasks, split="test", seed=4, n=90)
    for task, start in zip(tasks, (0, 1), strict=True):
        assert rows[start::2] == list(Variants(task, "test", 4).rows(0, 45))


def test_any_index_alone(catalog: Catalog) -> None:
    tasks = tasks_of(catalog, categories=["sharding"])
    mixture = Mixture.of(tasks)
    rows = rows_of(tasks, n=3 * len(tasks))
    assert [mixture[index] for index in reversed(range(len(rows)))] == rows[::-1]


def test_the_published_rows(catalog: Catalog) -> None:
    rows = rows_of(tasks_of(catalog), split="published", n=1000)
    assert [row["id"] for row in rows] == [f"{id}/published/0/0" for id in catalog.tasks]


def test_selection(catalog: Catalog) -> None:
    every = tasks_of(catalog)
    assert [task.id for task in every] == sorted(catalog.tasks)
    two = tasks_of(catalog, categories="memory,flops")
    assert {task.category for task in two} == {"memory", "flops"}
    assert tasks_of(catalog, categories=("flops", "memory")) == two
    more = tasks_of(catalog, categories="memory", tasks="sc-000")
    assert {task.category for task in more} == {"memory", "roofline"}
    easy = tasks_of(catalog, difficulty="1..2")
    assert 0 < len(easy) < len(every)


def test_what_is_not_there(catalog: Catalog) -> None:
    with pytest.raises(UnknownNameError, match="did you mean"):
        tasks_of(catalog, categories="memry")
    with pytest.raises(SymscaleError, match="a split is one of"):
        rows_of(tasks_of(catalog, tasks="sc-021"), split="validation", n=1)
    with pytest.raises(SymscaleError, match="one task or more"):
        Mixture.of([])
    (task,) = tasks_of(catalog, tasks="sc-031")
    with pytest.raises(SymscaleError, match="variants here, so no number"):
        Mixture.of([task])[Variants(task).size]
