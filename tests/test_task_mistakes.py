"""The catalog's known mistakes against wrong rows written from their messages alone."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from symscale.catalog.loader import Catalog, load
from symscale.errors import DomainError, SymscaleError
from tests.oracles.task_mistakes import MISTAKES
from tests.oracles.task_references import REFERENCES, Row

CASES = [(task, mistake) for task in sorted(MISTAKES) for mistake in MISTAKES[task]]
WANTED = 30
DRAWS = 1000


@cache
def instances(name: str) -> tuple[dict[str, Fraction], ...]:
    """The published values of a task's parameters, and random valid ones."""
    task = load().tasks[name]
    source = random.Random(task.id)
    valid = [dict(task.published)]
    for _ in range(DRAWS):
        if len(valid) > WANTED:
            return tuple(valid)
        values = {
            letter: source.choice(parameter.range.values)
            for letter, parameter in task.parameters.items()
        }
        try:
            valid.append(dict(task.instance(**values).parameters))
        except DomainError:
            continue
    raise AssertionError(f"{DRAWS} draws for {name} gave {len(valid) - 1} valid instances")


def row_or_none(wrong: Callable[..., Any], *values: Any, **letters: Any) -> Row | None:
    """A row, or None where it is undefined."""
    try:
        return tuple(wrong(*values, **letters))
    except (SymscaleError, ZeroDivisionError):
        return None


def test_every_mistake_has_an_oracle(catalog: Catalog) -> None:
    oracles = {name: sorted(mistakes) for name, mistakes in MISTAKES.items()}
    assert oracles == {name: sorted(task.mistakes) for name, task in catalog.tasks.items()}


@pytest.mark.parametrize(("name", "mistake"), CASES)
def test_rows(catalog: Catalog, name: str, mistake: str) -> None:
    kernel, oracle = catalog.tasks[name].mistake_kernels[mistake], MISTAKES[name][mistake]
    for values in instances(name):
        row, expected = row_or_none(kernel, values), row_or_none(oracle, **values)
        assert row == expected, values
        if row is not None and expected is not None:
            assert [type(cell) for cell in row] == [type(cell) for cell in expected]


@pytest.mark.parametrize(("name", "mistake"), CASES)
def test_rows_are_wrong_somewhere(name: str, mistake: str) -> None:
    right, wrong = REFERENCES[name], MISTAKES[name][mistake]
    assert any(row_or_none(wrong, **values) != right(**values) for values in instances(name))
