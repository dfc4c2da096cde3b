"""The catalog's answers against reference solutions written from the questions alone."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from symscale.catalog.loader import Catalog, load
from symscale.errors import DomainError
from tests.oracles.task_references import REFERENCES

TASKS = sorted(load().tasks)
PUBLISHED = Path(__file__).parents[1] / "tasks" / "published" / "scaling-tasks-v1.jsonl"
WANTED = 200
DRAWS = 2000
VALID = 100

# Where equality decides: a tie with the critical intensity, memory that is filled exactly
TIES: dict[str, tuple[dict[str, Any], tuple[Any, ...]]] = {
    "sc-000": ({"P": 4 * 10**14, "W": 16 * 10**11, "I": 250}, (250, "memory")),
    "sc-006": (
        {"D": 4096, "F": 4096, "b": 2, "I": Fraction("409.6")},
        (513, Fraction(2 * 513 * 4096, 2 * (2 * 513 + 4096))),
    ),
    "sc-018": (
        {"N": 2**33, "b_w": 4, "b_o": 12, "H": 16, "u": 50},
        (2**33, 16),
    ),
    "sc-020": ({"H": 80, "C": 320, "R": 10}, (4, Fraction(1, 8))),
    "sc-025": (
        {"n": 2, "N": 10**10, "b": 2, "W": 10**11, "t": Fraction("0.2")},
        (1, "compute"),
    ),
    "sc-029": (
        {"N": 7 * 10**10, "B": 250, "b": 2, "I": 250},
        (35 * 10**12, 250, "memory"),
    ),
    "sc-031": ({"b": 2, "I": 250}, (251,)),
}


@pytest.fixture(scope="module")
def published_keys() -> dict[str, list[Any]]:
    records = [json.loads(line) for line in PUBLISHED.read_text(encoding="utf-8").splitlines()]
    return {record["task_id"]: record["expected_output"]["rows"] for record in records}


def test_references_cover_the_catalog(catalog: Catalog) -> None:
    assert sorted(REFERENCES) == sorted(catalog.tasks)


def test_references_cover_the_published_keys(published_keys: dict[str, list[Any]]) -> None:
    assert sorted(REFERENCES) == sorted(published_keys)


@pytest.mark.parametrize("name", TASKS)
def test_published_values(catalog: Catalog, name: str) -> None:
    instance = catalog.tasks[name].instance()
    assert instance.answer.rows == (REFERENCES[name](**instance.parameters),)


@pytest.mark.parametrize("name", TASKS)
def test_random_values(catalog: Catalog, name: str) -> None:
    task = catalog.tasks[name]
    source = random.Random(task.id)
    valid = 0
    for _ in range(DRAWS):
        if valid == WANTED:
            break
        values = {
            letter: source.choice(parameter.range.values)
            for letter, parameter in task.parameters.items()
        }
        try:
            instance = task.instance(**values)
        except DomainError:
            continue
        valid += 1
        assert instance.parameters == values
        assert len(instance.answer.rows) == 1
        answer, reference = instance.answer.rows[0], REFERENCES[name](**instance.parameters)
        assert answer == reference, values
        assert [type(cell) for cell in answer] == [type(cell) for cell in reference]
    assert valid >= VALID


@pytest.mark.parametrize("name", TIES)
def test_ties(catalog: Catalog, name: str) -> None:
    values, expected = TIES[name]
    instance = catalog.tasks[name].instance(**values)
    assert instance.answer.rows == (expected,)
    assert REFERENCES[name](**instance.parameters) == expected


@pytest.mark.parametrize("name", TASKS)
def test_published_keys(catalog: Catalog, published_keys: dict[str, list[Any]], name: str) -> None:
    (key,) = published_keys[name]
    reference = REFERENCES[name](**catalog.tasks[name].published)
    assert len(key) == len(reference)
    for cell, expected in zip(reference, key, strict=True):
        if isinstance(cell, Fraction):
            assert float(cell) == pytest.approx(expected, rel=1e-9, abs=0)
        else:
            assert cell == expected
