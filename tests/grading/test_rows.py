"""Keys from rows: what they must say, and errors that say where they do not."""

from __future__ import annotations

from typing import Any

import pytest

from symscale.errors import CatalogError
from symscale.grading import grade
from tests.grading.making import column, row


def test_several_rows_are_graded_in_order() -> None:
    key = row("1")
    key["exact"] = [["1"], ["2"]]
    assert grade(key, '{"rows": [[1], [2]]}').reward == 1.0
    verdict = grade(key, '{"rows": [[2], [1]]}')
    assert [cell.reason for cell in verdict.cells] == ["wrong_value", "wrong_value"]
    assert grade(key, '{"rows": [[1]]}').reason == "wrong_shape"


@pytest.mark.parametrize(
    ("kind", "expected", "cell", "reason"),
    [
        ("truth", "true", "true", "ok"),
        ("truth", "true", "false", "wrong_value"),
        ("truth", "false", "0", "wrong_type"),
        ("truth", "true", '"true"', "wrong_type"),
        ("truth", "false", "null", "wrong_type"),
        ("truth", "null", "null", "ok"),
        ("number", "null", "null", "ok"),
        ("number", "null", "0", "wrong_type"),
        ("label", "compute", '"compute"', "ok"),
        ("label", "compute", '"Compute"', "wrong_label"),
        ("label", "compute", '"compute "', "wrong_label"),
        ("label", "compute", '"memory"', "wrong_label"),
        ("label", "compute", "7", "wrong_type"),
        ("label", "7", "7", "wrong_type"),
        ("label", "7", '"7"', "ok"),
        ("label", "null", "null", "wrong_type"),
        ("label", "true", "true", "wrong_type"),
    ],
)
def test_values_match_by_type(kind: str, expected: str, cell: str, reason: str) -> None:
    key = row(expected, columns=[column(kind=kind)])
    assert grade(key, f'{{"rows": [[{cell}]]}}').reason == reason


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"exact": None}, "row: is not a key"),
        ({"exact": []}, "row: is not a key: it has no cell"),
        ({"exact": [[]]}, "row: is not a key"),
        ({"exact": [["0.5"]]}, "'0.5' is not an exact number p or p/q"),
        ({"exact": [["1/0"]]}, "'1/0' is not an exact number p or p/q"),
        ({"exact": [[7]]}, "7 is not a text"),
        ({"exact": [["7", "8"]]}, "row: is not a key"),
        ({"columns": []}, "row: is not a key"),
        ({"columns": [{"name": "x"}]}, "row: has no 'kind'"),
        ({"columns": [column(kind="colour")]}, "row: has no 'colour'"),
        ({"parameters": [{"name": "n", "value": 7}]}, "7 is not a text"),
        ({"task": 7}, "7 is not a text"),
    ],
)
def test_bad_rows(change: dict[str, Any], message: str) -> None:
    with pytest.raises(CatalogError, match=message):
        grade({**row("7"), **change}, '{"rows": [[7]]}')


@pytest.mark.parametrize("missing", ["task", "exact", "columns", "parameters"])
def test_missing_parts(missing: str) -> None:
    key = row("7")
    del key[missing]
    with pytest.raises(CatalogError, match=f"row: has no '{missing}'"):
        grade(key, "")
