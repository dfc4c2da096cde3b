from __future__ import annotations

from typing import Any

import pytest

from symscale.catalog.loader import Catalog
from symscale.variants.check import Checker
from symscale.variants.rows import content_hash, published_row
from symscale.variants.sequence import Variants


def test_rows_of_every_task_hold(catalog: Catalog) -> None:
    checker = Checker(catalog)
    for task in catalog.tasks.values():
        for split in ("train", "test"):
            for row in Variants(task, split, 11).rows(0, 2):
                assert list(checker.problems(row)) == []
        assert list(checker.problems(published_row(task))) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"exact": [["1", "1/3"]]}, "exact is"),
        ({"answer": '{"rows": [[1, 2]]}'}, "answer is"),
        ({"question": "How much?"}, "question is"),
        ({"difficulty": 9}, "difficulty is 9, and should be"),
        ({"hash": "0"}, "hash is"),
        ({"id": "sc-021/train/0/1"}, "id is"),
        ({"more": 1}, "more is 1, and should be None"),
        ({"split": "test"}, "the values are of the split train, not test"),
        ({"task_hash": "0"}, "sc-021 has changed since the row was written"),
    ],
)
def test_a_changed_row_does_not_hold(
    catalog: Catalog, change: dict[str, Any], problem: str
) -> None:
    row = {**next(Variants(catalog.tasks["sc-021"]).rows(0, 1)), **change}
    found = list(Checker(catalog).problems(row))
    assert any(what.startswith(problem) for what in found)


def test_a_false_key_with_a_right_hash_does_not_hold(catalog: Catalog) -> None:
    row = next(Variants(catalog.tasks["sc-021"]).rows(0, 1))
    row["exact"] = [["7", "7"]]
    row["hash"] = content_hash(row)
    assert [what.split()[0] for what in Checker(catalog).problems(row)] == ["exact", "hash"]
