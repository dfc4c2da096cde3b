from __future__ import annotations

from pathlib import Path

import pytest

from symscale.catalog.loader import Catalog
from symscale.catalog.tasks import Task
from symscale.errors import DomainError, SymscaleError
from symscale.variants.splits import SPLITS, Partition, Region, as_split, split_of
from tests.variants.catalogs import BYTES, ring


def sides(task: Task) -> dict[str, set[int]]:
    return {
        split: set(region.ranks(0, region.size))
        for split in ("train", "test")
        for region in [Region(task, as_split(split))]
    }


def test_a_space_falls_into_train_and_test(tmp_path: Path) -> None:
    task = ring(tmp_path)
    partition = Partition(task)
    found = sides(task)
    assert len(found["test"]) == 28  # a tenth of 39 * 7, rounded up
    assert not found["train"] & found["test"]
    assert found["train"] | found["test"] == set(range(partition.space.size))
    for split, ranks in found.items():
        for rank in ranks:
            assert split_of(task, partition.space.unrank(rank)) == split


@pytest.mark.parametrize("published", range(2, 41))
def test_the_published_combination_is_for_testing(tmp_path: Path, published: int) -> None:
    task = ring(tmp_path, n=f"{{ choices = [8, {published + 100}] }}", V=BYTES)
    assert split_of(task, task.published) == "test"
    partition = Partition(task)
    ranks = partition.ranks(0, partition.space.size)
    assert sorted(ranks) == list(range(partition.space.size))
    assert [partition.position(rank) for rank in ranks] == list(range(partition.space.size))
    pieces = [*partition.ranks(0, 3), *partition.ranks(3, 9), *partition.ranks(9, len(ranks))]
    assert pieces == ranks


def test_published_combinations_of_the_catalog_are_for_testing(catalog: Catalog) -> None:
    for task in catalog.tasks.values():
        assert split_of(task, task.published) == "test"


def test_prose_units_shown_and_constraints_move_nothing(tmp_path: Path) -> None:
    before = sides(ring(tmp_path))
    after = sides(
        ring(tmp_path / "b", prompts=("{V}, {n}: how much?",), where=("n > 4",), shown=("kB",))
    )
    assert after == before


def test_values_beyond_are_their_own_split(tmp_path: Path) -> None:
    task = ring(tmp_path, extrapolate="{ powers_of_two = [64, 1024] }")
    region = Region(task, "extrapolate")
    for rank in region.ranks(0, region.size):
        assert split_of(task, region.space.unrank(rank)) == "extrapolate"


def test_values_of_no_variant_have_no_split(tmp_path: Path) -> None:
    task = ring(tmp_path)
    with pytest.raises(DomainError, match=r"no variant of ring has these values"):
        split_of(task, {**task.published, "n": task.published["n"] * 1000})


def test_splits_go_by_their_names() -> None:
    assert [as_split(name) for name in SPLITS] == list(SPLITS)
    with pytest.raises(SymscaleError, match=r"a split is one of train, test, extrapolate"):
        as_split("validation")
