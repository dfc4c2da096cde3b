"""Answers that fool or break graders, each with what is right here."""

from __future__ import annotations

import pytest

from symscale.catalog.instances import Instance
from symscale.grading import Reason, grade
from tests.grading.making import one, quoted, row, rows

CELLS: list[tuple[str, str, str, Reason]] = [
    # cell as JSON, key, unit, reason
    ("1.2e9", "1200000000", "flop", "ok"),
    (quoted("1.2e9"), "1200000000", "flop", "ok"),
    (quoted("1.2 x 10^9"), "1200000000", "flop", "ok"),
    (quoted("1.2 × 10⁹"), "1200000000", "flop", "ok"),
    (quoted("1.2E9 FLOPs"), "1200000000", "flop", "ok"),
    (quoted("−5"), "-5", "1", "ok"),
    (quoted("12%"), "12", "1", "wrong_value"),
    (quoted("12%"), "3/25", "1", "ok"),
    ("0.0000002", "1/10000000", "1", "wrong_value"),
    ("0.1000001", "1/10", "1", "wrong_value"),
    ("0.333333", "1/3", "1", "wrong_value"),
    (quoted("1/3"), "1/3", "1", "ok"),
    ("123456789012345679", "123456789012345678", "1", "ok"),
    (quoted("16000 MB"), "16", "GB", "ok"),
    (quoted("16 GiB"), "16", "GB", "scale_slip"),
    (quoted("16 GFLOP"), "16", "GB", "wrong_unit"),
    (quoted("not 7"), "7", "1", "malformed"),
    (quoted("5 or 7"), "7", "1", "malformed"),
    ("101", "100", "1", "wrong_value"),
    (quoted("nan"), "7", "1", "malformed"),
    ("NaN", "7", "1", "malformed"),
    ("Infinity", "7", "1", "malformed"),
    ("true", "1", "1", "wrong_type"),
    ("null", "1", "1", "wrong_type"),
    ("[1]", "1", "1", "wrong_type"),
    (quoted("1"), "1", "1", "ok"),
    ("[" * 100_000, "1", "1", "malformed"),
    ("1" * 5001, "1", "1", "too_large"),
    ("1e999999999", "1", "1", "too_large"),
    ("1e-999999999", "1", "1", "too_large"),
    ("1e" + "9" * 5000, "1", "1", "too_large"),
    ("58,500", "58500", "1", "wrong_shape"),
    (quoted("58,500"), "58500", "1", "ok"),
    (quoted("58,50"), "5850", "1", "malformed"),
    (quoted("5,8500"), "58500", "1", "malformed"),
    (quoted("0,123"), "123", "1", "malformed"),
    ("1/3", "1/3", "1", "malformed"),
    ("1e9", "1", "GB", "scale_slip"),
    ("0", "0", "1", "ok"),
    ("-0.0", "0", "1", "ok"),
    ("1e-300", "0", "1", "wrong_value"),
]


@pytest.mark.parametrize(("cell", "key", "unit", "reason"), CELLS)
def test_one_cell(cell: str, key: str, unit: str, reason: Reason) -> None:
    grade = one(key, cell, unit)
    assert grade.reason == reason
    assert grade.reward == (1.0 if reason == "ok" else 0.0)
    assert grade.cells[0].reason == reason


def test_a_column_marked_exact_matches_to_the_last_digit() -> None:
    key = "123456789012345678"
    assert one(key, "123456789012345679").reward == 1.0
    assert one(key, "123456789012345679", exact=True).reason == "wrong_value"
    assert one(key, key, exact=True).reward == 1.0
    assert one(key, quoted("123456789012345678e0"), exact=True).reward == 1.0


TEXTS: list[tuple[str, Reason]] = [
    # the whole text, for a key of 7
    ('{"rows": [[2]], "rows": [[7]]}', "malformed"),
    ('{"rows": [[7]], "note": 1}', "malformed"),
    ('{"rows": [[7]], "closed_form": ["7"]}', "malformed"),
    ('{"rows": [[7], [7]]}', "wrong_shape"),
    ('{"rows": [[7, 7]]}', "wrong_shape"),
    ('{"rows": [7]}', "wrong_shape"),
    ('{"rows": 7}', "wrong_shape"),
    ('{"rows": []}', "wrong_shape"),
    ('{"rows": [[]]}', "wrong_shape"),
    ('**{"rows": [[7]]}**', "ok"),
    ('`{"rows": [[7]]}`', "ok"),
    ('${"rows": [[7]]}$', "ok"),
    ('```json\n{"rows": [[7]]}\n```', "ok"),
    ('{"rows": [[7]]} no: {"rows": [[7]', "malformed"),
    ('{"rows": [[7]]} no: {"rows": [[7,]]}', "malformed"),
    ('{"rows": [[7]]} no: {"rows": [[seven]]}', "malformed"),
    ('{"rows": [[7]]} no: {"rows": [[8]]}', "wrong_value"),
    ('{"rows": [[8]]} no: {"rows": [[7]]}', "ok"),
    ('{"rows": [[8]] no: {"rows": [[7]]}', "ok"),
    ('<think>{"rows": [[7]]}', "no_answer"),
    ('<think>so {"rows": [[7]]}</thinking>', "no_answer"),
    ('[THINK]{"rows": [[7]]}', "no_answer"),
    ('I write it between <answer></answer>.\n{"rows": [[7]]}', "ok"),
    ('<ANSWER>{"rows": [[7]]}', "ok"),
    ('<answer>{"rows": [[8]]}</answer> or rather {"rows": [[7]]}', "wrong_value"),
    ('<answer>{"rows": [[7]]}</answer> <answer>none</answer>', "ok"),
    ('{"rows": [[7]]} in the form {"rows": [[...]]}', "ok"),
    ("7", "no_answer"),
    ("The answer is 7.", "no_answer"),
    ("", "no_answer"),
    ("[[7]]", "malformed"),
    ("[" * 100_000, "malformed"),
    ("{" * 100_000, "no_answer"),
    ("<think>" * 16_000 + '{"rows": [[7]]}', "no_answer"),
    ("<think>" * 16_000 + '</think>{"rows": [[7]]}', "ok"),
    ("<answer>" * 16_000 + '{"rows": [[7]]}', "ok"),
    ('{"rows": [[7]]}' + " " * 100_000, "ok"),
    ('{"rows": [[7' + " " * 60_000 + "]]}", "too_large"),
]


@pytest.mark.parametrize(("text", "reason"), TEXTS, ids=lambda value: str(value)[:50])
def test_one_text(text: str, reason: Reason) -> None:
    grade_ = grade(row("7"), text)
    assert (grade_.reason, grade_.reward) == (reason, 1.0 if reason == "ok" else 0.0)


def test_a_closing_mark_in_a_string_is_text() -> None:
    key = row("</think>", columns=[{"name": "x", "kind": "label", "unit": "1", "exact": False}])
    answer = rows(quoted("</think>"))
    assert grade(key, answer).reward == 1.0
    assert grade(key, f"<think>{answer}</think>{answer}").reward == 1.0
    assert grade(key, f"<think>{answer}").reason == "no_answer"


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        ("10^(10^10)", "too_large"),
        ("10^10^10", "too_large"),
        ("V*1e999999999", "too_large"),
        ("((V^64)^64)^64", "too_large"),
        ("(" * 100 + "V" + ")" * 100, "too_large"),
        ("V+" * 2000 + "V", "too_large"),
        ("__import__('os').system('true')", "malformed"),
        ("().__class__.__bases__[0]", "malformed"),
        ("lambda: 1", "malformed"),
        ("V*(n-1)/n if n else V", "malformed"),
        ("E*I", "malformed"),
        ("factorial(n)", "malformed"),
        ("ring_all_gather_bytes(V, n)", "malformed"),
        ("", "malformed"),
        ("V*(n", "malformed"),
        ('"large"', "wrong_type"),
        ("V > n", "wrong_type"),
    ],
)
def test_hostile_closed_forms(ring: Instance, form: str, reason: Reason) -> None:
    answer = f'{{"closed_form": [{quoted(form)}, "V*(n-1)/n/W", "V"]}}'
    assert grade(ring, answer).cells[0].reason == reason
