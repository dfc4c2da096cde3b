from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symscale.catalog.instances import Instance
from symscale.catalog.loader import Catalog
from symscale.variants.sequence import Variants
from symscale.variants.space import Space
from symscale.variants.splits import split_of
from symscale.variants.validity import valid
from tests.variants.catalogs import ring

SEEDS = (0, 1, 2**63 - 1)


def ranks(variants: Variants) -> list[int]:
    space = variants.region.space
    return [space.rank(i.parameters) for i in variants.instances(0, variants.size)]


def test_all_variants_are_there_once_for_every_seed(tmp_path: Path) -> None:
    task = ring(tmp_path, where=("V*n > 20 [MB]",))
    space = Space.of(task)
    expected = {
        rank
        for rank in range(space.size)
        for instance in [Instance(task, space.unrank(rank))]
        if instance.parameters["V"] * instance.parameters["n"] > 20_000_000
        and instance.parameters["n"] != 2
    }
    orders = {
        seed: [ranks(Variants(task, split, seed)) for split in ("train", "test")] for seed in SEEDS
    }
    for train, test in orders.values():
        assert len(train) == len(set(train))
        assert not set(train) & set(test)
        assert set(train) | set(test) == expected
    firsts = [tuple(train[:10]) for train, _ in orders.values()]
    assert len(set(firsts)) == len(SEEDS)


def test_no_train_variant_is_in_test_under_any_two_seeds(tmp_path: Path) -> None:
    task = ring(tmp_path, n="{ integers = [2, 600] }")
    for a, b in combinations(SEEDS, 2):
        assert not set(ranks(Variants(task, "train", a))) & set(ranks(Variants(task, "test", b)))


@given(st.sampled_from(SEEDS), st.integers(0, 10**5))
@settings(max_examples=25)
def test_each_index_is_where_its_neighbours_say(catalog: Catalog, seed: int, index: int) -> None:
    variants = Variants(catalog.tasks["sc-021"], "train", seed)
    around = list(variants.instances(index, index + 3))
    assert [variants[index + place].parameters for place in range(3)] == [
        instance.parameters for instance in around
    ]
    assert all(split_of(instance.task, instance.parameters) == "train" for instance in around[:1])


def test_every_variant_is_valid_and_fair(catalog: Catalog) -> None:
    for task in catalog.tasks.values():
        for instance in Variants(task, "train", 3).instances(0, 20):
            instance.check_constraints()
            for name, parameter in task.parameters.items():
                parameter.quantity.check(instance.parameters[name], parameter.unit)
            assert valid(instance)
            assert instance.fair


def test_values_are_about_equally_frequent(catalog: Catalog) -> None:
    task = catalog.tasks["sc-000"]
    instances = list(Variants(task).instances(0, 4000))
    for name, parameter in task.parameters.items():
        place = {value: number for number, value in enumerate(parameter.range.values)}
        parts = Counter(
            place[i.parameters[name]] * 10 // len(parameter.range.values) for i in instances
        )
        assert all(300 < parts[part] < 500 for part in range(10))


def test_an_unfair_combination_is_let_in_only_when_asked(tmp_path: Path) -> None:
    task = ring(tmp_path, n="{ choices = [2, 8] }")
    two, eight = (
        Instance(task, {**task.published, "n": task.published["n"] * k / 4}) for k in (1, 4)
    )
    assert two.lucky("squared")
    assert not two.fair
    assert eight.fair
    both = [Variants(task, split, 0, unfair=True).size for split in ("train", "test")]
    fairs = [Variants(task, split, 0).size for split in ("train", "test")]
    assert sum(both) == 14
    assert sum(fairs) == 7


def test_extrapolation_takes_values_from_beyond(tmp_path: Path) -> None:
    task = ring(tmp_path, extrapolate="{ powers_of_two = [64, 1024] }")
    values = {i.parameters["n"] for i in Variants(task, "extrapolate").instances(0, 35)}
    assert sorted(values) == [64, 128, 256, 512, 1024]


def test_another_phrasing_moves_no_index(tmp_path: Path) -> None:
    a, b = (
        Variants(ring(tmp_path / name, prompts=prompts), "train", 1)
        for name, prompts in (("a", ("{n} {V}",)), ("b", ("{V} {n}", "{n}, {V}", "({V}) ({n})")))
    )
    assert ranks(a) == ranks(b)


def test_phrasings_and_shown_units_all_occur(tmp_path: Path) -> None:
    variants = Variants(ring(tmp_path), "train", 0)
    instances = list(variants.instances(0, variants.size))
    seen = Counter((i.phrasing, i.shown["V"].text) for i in instances)
    assert len(seen) == 4
    assert min(seen.values()) > len(instances) // 8
    assert all(i.shown["V"].text in i.question for i in instances)


@pytest.mark.parametrize("index", [0, 1, 10**6 - 1])
def test_a_far_index_is_as_near_as_the_first(catalog: Catalog, index: int) -> None:
    assert Variants(catalog.tasks["sc-003"], "train", 9)[index].answer.rows
