from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from symscale.catalog.loader import Catalog
from symscale.errors import CatalogError
from symscale.variants.rows import (
    instance_of,
    published_row,
    read_row,
    row,
    to_json,
)
from symscale.variants.sequence import Variants
from tests.variants.catalogs import ring

KEYS = [
    *("schema", "id", "task", "category", "task_hash", "split", "seed", "index", "question"),
    *("answer", "exact", "columns", "parameters", "difficulty", "hash"),
]


def test_a_row_says_all_of_the_schema(tmp_path: Path) -> None:
    task = ring(tmp_path)
    found = published_row(task)
    assert list(found) == KEYS
    assert found["id"] == "ring/published/0/0"
    assert found["task_hash"] == task.digest
    assert found["question"] == task.instance().question
    assert json.loads(found["answer"]) == {"rows": [[3500000000, "large", False]]}
    assert found["exact"] == [["3500000000", "large", "false"]]
    assert found["columns"] == [
        {"name": "bytes", "kind": "number", "unit": "byte", "exact": False},
        {"name": "size", "kind": "label", "unit": "1", "exact": False},
        {"name": "long", "kind": "truth", "unit": "1", "exact": False},
    ]
    assert found["parameters"] == [
        {"name": "n", "value": "8", "unit": "1"},
        {"name": "V", "value": "4000000000", "unit": "byte"},
    ]


def test_the_hash_is_of_the_content_without_the_index(tmp_path: Path) -> None:
    instance = ring(tmp_path).instance()
    a, b = (row(instance, "train", 3, index) for index in (4, 5))
    assert a["hash"] == b["hash"]
    assert a["id"] != b["id"]
    content = {key: value for key, value in a.items() if key not in ("id", "index", "hash")}
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    assert a["hash"] == hashlib.sha256(text.encode()).hexdigest()
    assert row(instance, "train", 2, 4)["hash"] != a["hash"]


def test_a_row_leads_back_to_its_instance(catalog: Catalog) -> None:
    for task in catalog.tasks.values():
        for split in ("train", "test"):
            for found in Variants(task, split, 7).rows(3, 6):
                instance = instance_of(read_row(to_json(found)), catalog)
                assert row(instance, split, 7, found["index"]) == found
        instance = instance_of(published_row(task), catalog)
        assert instance.question == task.instance().question
        assert instance.answer == task.instance().answer


def test_a_changed_task_has_another_hash(tmp_path: Path) -> None:
    a, b = (ring(tmp_path / name, where=where) for name, where in (("a", ()), ("b", ("n > 3",))))
    assert published_row(a)["task_hash"] != published_row(b)["task_hash"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"task_hash": "0"}, "sc-021 has changed since the row was written"),
        ({"task": "sc-999"}, "no task is called 'sc-999'"),
        ({"parameters": []}, "is not a row of schema 1"),
        ({"parameters": [{"name": "n", "value": "eight", "unit": "1"}] * 3}, "eight"),
        ({"seed": None}, "is not a row of schema 1"),
        ({"index": -1}, "is not a row of schema 1"),
    ],
)
def test_a_row_that_does_not_fit_is_refused(
    catalog: Catalog, change: dict[str, object], message: str
) -> None:
    found = next(Variants(catalog.tasks["sc-021"]).rows(0, 1))
    with pytest.raises(CatalogError, match=message):
        instance_of({**found, **change}, catalog)


@pytest.mark.parametrize("line", ["", "{", "[1]", "{}", '{"schema": 2}', "[" * 100_000])
def test_a_line_that_is_no_row_is_refused(line: str) -> None:
    with pytest.raises(CatalogError, match=r"is not a (JSON object|row of schema 1)"):
        read_row(line)
