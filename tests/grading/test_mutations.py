"""Every change of a right answer fails, and every key that was written passes."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from symscale.catalog.instances import Instance
from symscale.catalog.loader import Catalog
from symscale.grading import grade
from tests.grading.making import column, row

numbers = st.fractions(max_denominator=10**6).filter(bool)
labels = st.sampled_from(["compute", "memory", "link", "true", "1", ""])
cells = st.one_of(
    st.tuples(st.just("number"), numbers),
    st.tuples(st.just("label"), labels),
    st.tuples(st.just("truth"), st.booleans()),
)
answers = st.lists(st.lists(cells, min_size=1, max_size=4), min_size=1, max_size=1)


def text_of(kind: str, value: object) -> str:
    """As the key writes it."""
    return json.dumps(value) if kind == "truth" else str(value)


def key_of(cells: list[tuple[str, object]]) -> dict[str, object]:
    columns = [column(f"c{i}", kind=kind) for i, (kind, _) in enumerate(cells)]
    return row(*(text_of(kind, value) for kind, value in cells), columns=columns)


def written(rows: list[list[tuple[str, object]]]) -> str:
    plain = [
        [str(value) if isinstance(value, Fraction) else value for _, value in cells]
        for cells in rows
    ]
    return json.dumps({"rows": plain})


@given(answers)
def test_the_right_answer_passes(rows: list[list[tuple[str, object]]]) -> None:
    verdict = grade(key_of(rows[0]), written(rows))
    assert verdict.reward == 1.0
    assert {cell.reason for cell in verdict.cells} == {"ok"}


@given(answers, st.data())
def test_a_change_of_one_cell_fails(
    rows: list[list[tuple[str, object]]], data: st.DataObject
) -> None:
    key = key_of(rows[0])
    place = data.draw(st.integers(0, len(rows[0]) - 1))
    kind, value = rows[0][place]
    changes: list[object] = [None, [], {"a": 1}]
    if isinstance(value, Fraction):
        changes += [-value, value * (1 + Fraction(1, 10**8)), value + 10**9 * abs(value), True]
        changes += [value * 1000, value / 1024, value * 2]
    elif isinstance(value, bool):
        changes += [not value, str(value).lower(), int(value)]
    else:
        changes += [f"{value}x", f" {value}", str(value).upper() + "_", 1, True]
    change = data.draw(st.sampled_from(changes))
    plain: list[object] = [v if not isinstance(v, Fraction) else str(v) for _, v in rows[0]]
    plain[place] = str(change) if isinstance(change, Fraction) else change
    verdict = grade(key, json.dumps({"rows": [plain]}))
    assert verdict.reward == 0.0
    for position, cell in enumerate(verdict.cells):
        assert (cell.reason == "ok") == (position != place), (kind, change)


@given(answers, st.data())
def test_a_change_of_shape_fails(rows: list[list[tuple[str, object]]], data: st.DataObject) -> None:
    (cells,) = rows
    others: list[list[list[tuple[str, object]]]] = [
        [],
        [[]],
        [cells, cells],
        [[*cells, cells[0]]],
        [cells[:-1]],
        [[], cells],
    ]
    other = data.draw(st.sampled_from(others))
    assert grade(key_of(cells), written(other)).reason == "wrong_shape"


@given(answers, st.data())
def test_a_change_of_order_fails(rows: list[list[tuple[str, object]]], data: st.DataObject) -> None:
    (cells,) = rows
    shuffled = data.draw(st.permutations(cells))
    same = all(
        type(a) is type(b) and (a == b) for (_, a), (_, b) in zip(cells, shuffled, strict=True)
    )
    close = all(
        isinstance(a, Fraction) and isinstance(b, Fraction) and abs(a - b) * 10**9 <= abs(a)
        for (_, a), (_, b) in zip(cells, shuffled, strict=True)
        if a != b
    )
    assume(same or not close)
    # a label may happen to be a number in a string, as "1" is
    assume(same or not any(kind == "label" for kind, _ in cells))
    assert grade(key_of(cells), written([shuffled])).reward == float(same)


@given(numbers, st.data())
def test_a_change_of_one_character_of_a_number_fails(key: Fraction, data: st.DataObject) -> None:
    text = str(key)
    place = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.sampled_from("0123456789-/.eE+ x٣"))
    changed = text[:place] + other + text[place + 1 :]
    try:
        value = Fraction(changed.replace(" ", "x"))
    except (ValueError, ZeroDivisionError):
        value = None
    right = changed.isascii() and value is not None and abs(value - key) * 10**9 <= abs(key)
    right = right or changed.strip() == text or (" " in changed and _with_spaces(changed) == key)
    assert grade(row(text), json.dumps({"rows": [[changed]]})).reward == float(right)


def _with_spaces(text: str) -> Fraction | None:
    """A fraction with a space beside its stroke, or around the number, is the same number."""
    try:
        return Fraction(text.replace(" /", "/").replace("/ ", "/").strip())
    except (ValueError, ZeroDivisionError):
        return None


def test_every_key_that_was_written_is_accepted(catalog: Catalog) -> None:
    for task in catalog.tasks.values():
        instance = task.instance()
        verdict = grade(instance, instance.answer.json)
        assert verdict.reward == 1.0, (task.id, verdict.message)


@pytest.mark.parametrize("off", ["1.000001", "0.999999"])
def test_every_key_off_by_a_millionth_is_refused(catalog: Catalog, off: str) -> None:
    for task in catalog.tasks.values():
        instance = task.instance()
        for place, cell in enumerate(instance.answer.rows[0]):
            if isinstance(cell, Fraction):
                cells = [str(c) if isinstance(c, Fraction) else c for c in instance.answer.rows[0]]
                cells[place] = str(cell * Fraction(off))
                verdict = grade(instance, json.dumps({"rows": [cells]}))
                assert verdict.reward == float(not cell), (task.id, verdict)


def test_an_instance_knows_whether_it_is_fair(ring: Instance) -> None:
    assert ring.fair
    pair = ring.task.instance(n=2)
    assert not pair.fair
    assert pair.lucky("one_shard")
    assert not pair.lucky("every_shard")
