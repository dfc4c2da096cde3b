"""Any text at all gets a grade: no exception, no reward that is not 0.0 or 1.0."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symscale.catalog.instances import Instance
from symscale.grading import REASONS, Grade, grade
from symscale.numbers import TOLERANCE
from tests.grading.making import column, quoted, row

KEY = row(
    "7",
    "compute",
    "true",
    columns=[column("x", "byte"), column("y", kind="label"), column("z", kind="truth")],
)


def check(verdict: Grade) -> None:
    assert verdict.reward in (0.0, 1.0)
    assert math.copysign(1, verdict.reward) == 1
    assert (verdict.reward == 1.0) == (verdict.reason == "ok") == (not verdict.message)
    assert verdict.reason in REASONS
    assert all(cell.reason in REASONS for cell in verdict.cells)
    assert (verdict.reward == 1.0) == all(cell.reason == "ok" for cell in verdict.cells)
    assert verdict.to_json()["reward"] == verdict.reward


TEXTS = [
    "\ud800",
    "\x00",
    "\ud83d{\ude00",
    '{"rows": [["\ud800", "\x00", 1]]}',
    '{"rows": [["\\ud800", "\\u0000", 1]]}',
    '{"rows": [["7 \\ud800", "compute", true]]}',
    '{"\\ud800": 1, "rows": [[7, "compute", true]]}',
    '{"rows": {"rows": [[7]]}}',
    '{"rows": [[{"rows": 1}, {"a": [1, 2.5, {"b": null}]}, [[]]]]}',
    '{"rows": [[-0, "", false]]}',
    '{"rows": [[01, "compute", true]]}',
    '{"rows": [[1., "compute", true]]}',
    '{"rows": [[.5, "compute", true]]}',
    '{"rows": [[+7, "compute", true]]}',
    '{"rows": [[7 "compute" true]]}',
    '{"rows": [[7, "compute", true],]}',
    '{"rows": [[7, "compute", True]]}',
    '{"rows" [[7]]}',
    '{"rows":}',
    '{"rows"}',
    '{"rows": [[7, "compute", true]]} {"closed_form": 7}',
    '{"closed_form": null}',
    '{"closed_form": [null, 1, {}]}',
    '{"closed_form": ["7", "compute", "true"]}',
    '{"closed_form": {"rows": 1}}',
    "{" * 7 + '"rows"' + "}" * 7,
    '{"rows": [["' + "9" * 45_000 + '", "compute", true]]}',
    '{"rows": [[1e4000, "compute", true]]}',
    '{"rows": [[1e-4000, "compute", true]]}',
    '{"rows": [["1/' + "9" * 4000 + '", "compute", true]]}',
    "\u2028" * 1000 + '{"rows": [[7, "compute", true]]}',
    "x" * 3_000_000,
    "{" * 1_000_000,
    '{"rows": [[' * 100_000,
    "<think>" * 200_000,
    '{"rows": "' + "\\" * 1_000_000,
]


@pytest.mark.parametrize(
    "text", TEXTS, ids=lambda text: text[:40].encode("unicode-escape").decode()
)
@pytest.mark.parametrize("prefilled", [False, True])
def test_corpus(text: str, prefilled: bool) -> None:
    check(grade(KEY, text, reasoning_prefilled=prefilled))


pieces = st.sampled_from(
    ['{"rows": [[', "]]}", '{"closed_form": ["', '"]}', "7", "7 B", '"', "compute", "true", ", ",
     "{", "}", "[", "]", ":", "\\", "\n", "\x00", "\ud800", "<think>", "</think>", "<answer>",
     "</answer>", "[THINK]", "<|channel|>analysis", "<|end|>", "1e9", "-", "/", "e", "^", "(", ")",
     "n", "V", "max(", "where(", ">", "[GB]", "V*(n-1)/n"]
)  # fmt: skip


@given(st.lists(pieces | st.text(max_size=5), max_size=25).map("".join), st.booleans())
def test_any_text(text: str, prefilled: bool) -> None:
    check(grade(KEY, text, reasoning_prefilled=prefilled))


@given(st.lists(pieces | st.text(max_size=5), max_size=8).map("".join))
def test_any_cell_and_formula(ring: Instance, text: str) -> None:
    check(grade(ring, f'{{"rows": [[{quoted(text)}, {quoted(text)}, {quoted(text)}]]}}'))
    check(grade(ring, f'{{"closed_form": [{quoted(text)}, {quoted(text)}, {quoted(text)}]}}'))


def test_the_tolerance_is_what_the_question_asks_for() -> None:
    assert TOLERANCE == 10**9
