"""Which mistake a wrong answer made, and what the messages say."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symscale.catalog.instances import Instance
from symscale.catalog.loader import Catalog
from symscale.errors import SymscaleError
from symscale.grading import grade
from tests.grading.making import column, one, quoted, row, rows


def test_a_mistake_is_named(ring: Instance) -> None:
    verdict = grade(ring, rows("4", "0.0222222222222", quoted("large")))
    assert [(cell.reason, cell.mistake) for cell in verdict.cells] == [
        ("mistake", "every_shard"),
        ("mistake", "every_shard"),
        ("ok", ""),
    ]
    assert verdict.reason == "mistake"
    assert verdict.cells[0].relative_error == Fraction(1, 7)
    assert "a factor (n - 1)/n is missing" in verdict.message
    assert "sent_gb" in verdict.message


def test_a_mistake_in_another_unit_is_the_same_mistake(ring: Instance) -> None:
    verdict = grade(ring, rows(quoted("4000 MB"), quoted("7/360"), quoted("large")))
    assert [cell.mistake for cell in verdict.cells] == ["every_shard", "", ""]


def test_a_wrong_label_follows_from_a_wrong_number(ring: Instance) -> None:
    together = grade(ring, rows("0.5", quoted("1/360"), quoted("small")))
    assert [cell.mistake for cell in together.cells] == ["one_shard"] * 3
    alone = grade(ring, rows("3.5", quoted("7/360"), quoted("small")))
    assert [cell.reason for cell in alone.cells] == ["ok", "ok", "wrong_label"]


def test_a_label_alone_is_explained_by_no_mistake(ring: Instance) -> None:
    verdict = grade(ring, rows("4.1", quoted("7/360"), quoted("small")))
    assert [cell.reason for cell in verdict.cells] == ["wrong_value", "ok", "wrong_label"]


def test_other_values_are_no_mistake(ring: Instance) -> None:
    verdict = grade(ring, rows("4.1", "3500", quoted("Large")))
    assert [cell.reason for cell in verdict.cells] == ["wrong_value", "wrong_value", "wrong_label"]
    slip = grade(ring, rows("3500", quoted("7/360"), quoted("large")))
    assert slip.reason == "scale_slip"


def test_every_mistake_of_every_task_is_named(catalog: Catalog) -> None:
    """At the published values, where the mistake does not give the right answer by luck."""
    for task in catalog.tasks.values():
        instance = task.instance()
        for name, kernel in task.mistake_kernels.items():
            if instance.lucky(name):
                continue
            try:
                values = kernel(instance.parameters)
            except SymscaleError:
                continue
            cells = [quoted(v) if isinstance(v, str) else quoted(str(v)) for v in values]
            verdict = grade(instance, rows(*cells))
            assert verdict.reward == 0.0, (task.id, name)
            found = {cell.mistake for cell in verdict.cells} - {""}
            others = {cell.reason for cell in verdict.cells} - {"ok", "mistake"}
            assert found or others == {"wrong_label"}, (task.id, name)


@pytest.mark.parametrize(
    ("cell", "key", "message"),
    [
        ("2", "1", "x: the value is 2 times the right one"),
        ("-1", "1", "x: the value has the wrong sign"),
        ("1", "0", "x: the value is zero"),
        (
            "1.00001",
            "1",
            "x: the value is off by one part in 1e5; it must hold to one part in 10^9",
        ),
        ("1e300", "1", "x: the value is of quite another magnitude"),
        ("1000000", "1", "x: the value is off by a factor 1000^2: see the units"),
        ("true", "1", "x: a number is needed, not true or false"),
        ("null", "1", "x: a number is needed, not null"),
        ("[1]", "1", "x: a number is needed, not an array"),
        ("{}", "1", "x: a number is needed, not an object"),
        ('"1/0"', "1", "x: a fraction does not divide by zero"),
        ('"7 or 8"', "7", "x: '7 or 8' is not a number with at most a unit behind it"),
        (quoted("seven"), "7", "x: 'seven' is not a number"),
        (quoted("7 s"), "7", "x: s measures s, where 1 (1) is needed"),
        (quoted("7 xyz"), "7", "x: unit 'xyz': 'xyz' is not a known unit"),
        ("1e9999", "7", "x: a decimal exponent is at most 4000"),
    ],
)
def test_messages(cell: str, key: str, message: str) -> None:
    assert one(key, cell).message.replace("100000", "1e5") == message


@pytest.mark.parametrize(
    ("cell", "kind", "key", "message"),
    [
        ("7", "label", "a", "x: a label in quotes is needed, not a number"),
        ('"b"', "label", "a", "x: this is not the right label"),
        ("null", "truth", "true", "x: true or false is needed, not null"),
        ("false", "truth", "true", "x: this is not the right truth value"),
        ('"a"', "truth", "null", "x: null is needed, not a label in quotes"),
    ],
)
def test_messages_for_labels_and_truths(cell: str, kind: str, key: str, message: str) -> None:
    assert grade(row(key, columns=[column(kind=kind)]), rows(cell)).message == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no JSON object with the answer was found"),
        ('{"rows": [[7', "the last object is cut off before its closing brace"),
        ('{"rows": [[7]], "rows": [[7]]}', "the last object is not JSON: a key stands twice"),
        ('{"rows": [[NaN]]}', "the last object is not JSON: NaN is not a number"),
        ('{"rows": [[7, 8]]}', "a row holds 1 value (x0), not 2"),
        ('{"rows": [[7], [8]]}', "there must be 1 row, not 2"),
    ],
)
def test_messages_for_the_whole(text: str, message: str) -> None:
    verdict = grade(row("7"), text)
    assert verdict.message == message
    assert all(cell.message == message for cell in verdict.cells)


def test_what_a_cell_says(ring: Instance) -> None:
    verdict = grade(ring, rows(quoted("3.6 GB"), quoted("7/360"), quoted("large")))
    cell = verdict.cells[0]
    assert (cell.column, cell.expected, cell.submitted) == ("sent_gb", "7/2", "3.6 GB")
    assert cell.relative_error == Fraction(1, 35)
    assert cell.to_json() == {
        "column": "sent_gb",
        "reason": "wrong_value",
        "expected": "7/2",
        "submitted": "3.6 GB",
        "relative_error": "0.0286",
        "mistake": None,
        "message": "the value is 1.029 times the right one",
    }
    assert [cell.expected for cell in verdict.cells] == ["7/2", "7/360", "large"]
    assert [cell.relative_error for cell in verdict.cells[1:]] == [0, None]
