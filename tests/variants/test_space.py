from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from symscale.catalog.loader import Catalog
from symscale.errors import CatalogError, DomainError, SymscaleError
from symscale.variants.space import Space
from tests.variants.catalogs import ring


def test_size_is_the_product_of_the_ranges(catalog: Catalog) -> None:
    for task in catalog.tasks.values():
        size = 1
        for parameter in task.parameters.values():
            size *= len(set(parameter.range.values))
        assert Space.of(task).size == size


def test_every_combination_has_its_own_rank(tmp_path: Path) -> None:
    space = Space.of(ring(tmp_path))
    combinations = [space.unrank(rank) for rank in range(space.size)]
    assert {tuple(c.values()) for c in combinations} == set(product(*space.values))
    assert [space.rank(c) for c in combinations] == list(range(space.size))


def test_what_is_not_in_the_space_has_no_rank(tmp_path: Path) -> None:
    space = Space.of(ring(tmp_path))
    strange = {"n": Fraction(8), "V": Fraction(17)}
    assert strange not in space
    with pytest.raises(DomainError, match=r"V = 17 is not among the values"):
        space.rank(strange)


def test_the_digest_is_of_names_units_and_values_alone(tmp_path: Path) -> None:
    digest = Space.of(ring(tmp_path)).digest
    same = ring(tmp_path / "b", prompts=("{V} and {n}",), where=("n > 2",), shown=("MB",))
    assert Space.of(same).digest == digest
    other = ring(tmp_path / "c", n="{ integers = [2, 41] }")
    assert Space.of(other).digest != digest


def test_extrapolation_shares_no_combination(tmp_path: Path) -> None:
    task = ring(tmp_path, extrapolate="{ powers_of_two = [64, 1024] }")
    usual, beyond = Space.of(task), Space.beyond(task)
    assert beyond.size == 5 * 7
    assert not any(beyond.unrank(rank) in usual for rank in range(beyond.size))


def test_values_to_extrapolate_to_are_not_usual_ones(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match=r"n.extrapolate: 40 is also a value of range"):
        ring(tmp_path, extrapolate="{ integers = [40, 50] }")
    with pytest.raises(CatalogError, match=r"n.extrapolate: ring_size is integer"):
        ring(tmp_path / "b", extrapolate="{ choices = [0] }")


def test_a_task_without_such_values_does_not_extrapolate(tmp_path: Path) -> None:
    with pytest.raises(SymscaleError, match=r"ring gives no parameter values to extrapolate to"):
        Space.beyond(ring(tmp_path))
