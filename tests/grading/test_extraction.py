"""Which object in a text decides."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symscale.grading import grade
from symscale.grading.extraction import extract
from symscale.grading.json_scan import MAX_DEPTH, read_object
from symscale.grading.markers import REASONING
from tests.grading.making import row

RIGHT, WRONG = '{"rows": [[7]]}', '{"rows": [[8]]}'


def found(text: str, *, reasoning_prefilled: bool = False) -> str | None:
    """The text of a whole candidate, "!" and the text of a faulty one, None for none."""
    candidate = extract(text, reasoning_prefilled=reasoning_prefilled)
    if candidate is None:
        return None
    return ("!" if candidate.fault else "") + candidate.text


@pytest.mark.parametrize("block", REASONING, ids=lambda block: block.opening)
def test_every_reasoning_block(block: object) -> None:
    assert block in REASONING
    for kind in REASONING:
        if kind is block:
            for closing in kind.closings:
                for opening, close in (
                    (kind.opening, closing),
                    (kind.opening.upper(), closing.upper()),
                ):
                    text = f"{opening} first {RIGHT} {close}"
                    assert found(text) is None
                    assert found(text + WRONG) == WRONG
                    assert found(f"{WRONG} {text}") == WRONG
                    assert found(f"first {RIGHT} {close}{WRONG}", reasoning_prefilled=True) == WRONG
            assert found(f"{kind.opening} {RIGHT}") is None
            assert found(f"{RIGHT} {kind.opening} {WRONG}") == RIGHT


def test_prefilled_reasoning() -> None:
    assert found(RIGHT, reasoning_prefilled=True) is None
    assert found(f"{WRONG}</think>{RIGHT}", reasoning_prefilled=True) == RIGHT
    assert found(f"{WRONG}</think>{RIGHT}<think>{WRONG}", reasoning_prefilled=True) == RIGHT
    assert found(f"{WRONG}[/THINK]", reasoning_prefilled=True) is None
    assert found(f"{WRONG}</think>") == WRONG


@pytest.mark.parametrize("space", [" ", "\n", "  \t"])
def test_a_tag_may_have_spaces_before_its_closing_bracket(space: str) -> None:
    assert found(f"<think{space}>{WRONG}") is None
    assert found(f"<think{space}>{WRONG}</think{space}>{RIGHT}") == RIGHT
    assert found(f"<think>{WRONG}</think{space}>{RIGHT}") == RIGHT
    assert found(f"{WRONG}<answer{space}>{RIGHT}</answer{space}>{WRONG}") == RIGHT
    assert found(f"{WRONG}</think{space}>{RIGHT}", reasoning_prefilled=True) == RIGHT


def test_stripped_channels() -> None:
    assert found(f"analysisWe need {WRONG}. So {RIGHT}") is None
    assert found(f"analysisWe need {WRONG}.assistantfinal{RIGHT}") == RIGHT
    assert found(f"Analysis: {RIGHT}") == RIGHT
    assert found(f"An analysis gives {RIGHT}") == RIGHT
    assert found(f"analysis{WRONG}</think>{RIGHT}", reasoning_prefilled=True) == RIGHT


def test_blocks_do_not_nest() -> None:
    assert found(f"<think>of <think> tags {WRONG}</think>{RIGHT}") == RIGHT


def test_a_closing_mark_ends_what_is_no_object() -> None:
    for begun in ("{", "{[", '{"a": [', '{"a', '{"a": {"b": [1, '):
        assert found(f"[THINK]{begun}[/THINK]{RIGHT}") == RIGHT
        assert found(f"<think>{begun}</think>{RIGHT}") == RIGHT


def test_marks_of_other_letters_are_text() -> None:
    assert found(f"<thin\u212a>{RIGHT}") == RIGHT
    assert found(f"<an\u017fwer>{WRONG}</answer>{RIGHT}") == RIGHT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"<answer>{RIGHT}</answer>{WRONG}", RIGHT),
        (f"{WRONG}<answer>{RIGHT}", RIGHT),
        (f"<answer>{WRONG}</answer><Answer>{RIGHT}</Answer>", RIGHT),
        (f"<answer>{WRONG} no {RIGHT}</answer>", RIGHT),
        (f"<answer>{RIGHT}</answer> in <answer> tags", RIGHT),
        (f"<answer></answer>{RIGHT}", RIGHT),
        (f"<answer>7</answer>{RIGHT}", RIGHT),
        (f"put it in <answer> tags: {RIGHT}", RIGHT),
        (f"<answer>{{x}}</answer>{RIGHT}", None),
        ("<answer>{...}</answer>" + RIGHT, RIGHT),
        ('<answer>{"rows": [[...]]}</answer>' + RIGHT, RIGHT),
        (f"<answer>{RIGHT[:-1]}</answer>", "!" + RIGHT[:-1]),
        (f"<think><answer>{WRONG}</answer></think>{RIGHT}", RIGHT),
        (f"<answer><think>{WRONG}</think>{RIGHT}</answer>", RIGHT),
    ],
)
def test_answer_tags(text: str, expected: str | None) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('\\frac{a}{b} \\text{of "n"} ' + RIGHT, RIGHT),
        ("\\boxed{" + RIGHT + "}", RIGHT),
        ("$$\\boxed{ " + RIGHT + " }$$", RIGHT),
        ("\\boxed" + RIGHT, RIGHT),
        ("\\boxed{\\text{ " + RIGHT + " }}", RIGHT),
        ("\\boxed{\\text{" + RIGHT + "}}", RIGHT),
        ('\\boxed{\\{"rows": [[7]]\\}}', RIGHT),
        ('\\{"rows": [[7]] \\}', RIGHT),
        ("\\boxed{```json\n" + RIGHT + "\n```}", RIGHT),
        ("{" + RIGHT + "}", "{" + RIGHT + "}"),
        ("the set {1, 2, 3} " + RIGHT, RIGHT),
        ("the case \\left\\{ x > 0 " + RIGHT, RIGHT),
        ("a lone } and " + RIGHT, RIGHT),
        (RIGHT + " }", RIGHT),
        (RIGHT + " {", RIGHT),
        (RIGHT + " {x", RIGHT),
        (RIGHT + ' {"x": 1}', RIGHT),
        (RIGHT + ' {x: "rows"}', '!{x: "rows"}'),
        (RIGHT + ' {x: "rows"', '!{x: "rows"'),
        (f'{{"answer": {RIGHT}}}', f'{{"answer": {RIGHT}}}'),
        (f"{{answer: {RIGHT}}}", f"!{{answer: {RIGHT}}}"),
        (f'{{"rows": [[8]], "draft": {RIGHT}', f'!{{"rows": [[8]], "draft": {RIGHT}'),
        (f'{{"rows": [[8]], draft: {RIGHT}}}', f'!{{"rows": [[8]], draft: {RIGHT}}}'),
        ('{"rows": [["a\n' + RIGHT, RIGHT),
        ('{"rows": [["a\\"}"]]}', '{"rows": [["a\\"}"]]}'),
        ('{"rows": [["a\\\\"]]}', '{"rows": [["a\\\\"]]}'),
        ('{"rows": [[7}', '!{"rows": [[7}'),
        ('{"rows": [[7]]} {"rows": [[...]]}', RIGHT),
        ('{"rows": [[7]]} { "rows" : [ [ … ] ] }', RIGHT),
        ('{"rows": [[7]]} {"rows": [[..., 8]]}', '{"rows": [[..., 8]]}'),
        ('{"rows": [[7]]} {"rows": [[..., ...]]}', RIGHT),
        ('{"rows": [[7]]} {"rows": [["...", ...], ...]}', RIGHT),
        ('{"rows": [[7]]} {"rows": [[name, name]]}', RIGHT),
        ('{"rows": [[7]]} {"rows": [[seven]]}', '!{"rows": [[seven]]}'),
        ('{"rows": [[7]]} {"closed_form": [x, y]}', RIGHT),
        ('{"rows": [[7]]} {"rows": [[x, 8]]}', '!{"rows": [[x, 8]]}'),
        ('{"rows": [[7]]} {"rows": [[true]]}', '{"rows": [[true]]}'),
        ('{"rows": [[7]]} {"rows": [[NaN]]}', '{"rows": [[NaN]]}'),
        ('{"rows": [[7]]} {"rows": [[None]]}', '!{"rows": [[None]]}'),
        ('{"rows": [[7]]} {"rows": [["x"]]}', '{"rows": [["x"]]}'),
        ('{"rows": [[7]]} {"rows": [[]]}', '{"rows": [[]]}'),
        ('{"rows": [[<think></think>7]]}', '!{"rows": [['),
        ('{"r\\u006fws": [[7]]}', None),
        ("{'rows': [[7]]}", None),
        ("{“rows”: [[7]]}", None),
    ],
)
def test_braces(text: str, expected: str | None) -> None:
    assert found(text) == expected


def test_names_of_columns_without_quotes_are_a_quotation() -> None:
    text = RIGHT + ' as {"rows": [[sent_gb, seconds]]}'
    for names, expected in ((["sent_gb", "seconds"], RIGHT), (["seconds"], None)):
        candidate = extract(text, names=names)
        assert candidate is not None
        assert (None if candidate.fault else candidate.text) == expected


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)


@given(st.dictionaries(st.text(max_size=4), values, max_size=3), st.text(max_size=20))
def test_a_whole_object_is_read_to_its_end(value: object, behind: str) -> None:
    text = json.dumps(value, ensure_ascii=False)
    depth = max(text.count("{") + text.count("["), 1)
    reading = read_object(text + behind, 0)
    if depth <= MAX_DEPTH:
        assert reading == ("whole", len(text))
    for end in range(1, len(text)):
        assert read_object(text[:end], 0).state != "whole"


prose = st.lists(
    st.sampled_from(
        ["so ", "7", "\n", '"', "'", "`", "$", "*", "<", "answer", "rows", ":", "[[7]]", "}", "]",
         "...", "\\", "<think>x</think>", "</think>", "</answer>", "\\frac{a}{b}", "{x}", "≈"]
    )
    | st.text(st.characters(exclude_characters="{<[◁"), max_size=10),
    max_size=8,
).map("".join)  # fmt: skip


@given(prose, prose)
def test_prose_around_an_object_changes_nothing(before: str, behind: str) -> None:
    assert found(before + RIGHT + behind) == RIGHT


@given(prose, prose)
def test_text_without_a_candidate_never_earns_a_reward(before: str, behind: str) -> None:
    assert grade(row("7"), before + behind).reward == 0.0
    assert grade(row("7"), f"{before}{WRONG}{behind}").reward == 0.0
    assert grade(row("7"), f"{before}{RIGHT[:-1]} {behind}").reward == 0.0 or "}" in behind


@given(st.integers(0, len(RIGHT) - 1), prose)
def test_a_broken_object_after_a_right_one_decides(cut: int, between: str) -> None:
    broken = RIGHT[:cut]
    grade_ = grade(row("7"), f"{RIGHT} {between} {broken}")
    assert grade_.reward == (0.0 if len(broken) > 1 else 1.0)


@pytest.mark.parametrize(
    "broken", ['{"', '{"ro', '{"rows', '{ "rows', '{"ro\n', '{"closed', '{\n "c']
)
def test_an_answer_cut_off_in_its_key_decides(broken: str) -> None:
    assert grade(row("7"), f"{RIGHT}\nCorrection: {broken}").reason == "malformed"


@pytest.mark.parametrize("prose", ["{", "{ ", '{"x', '{"a row', "{rows", "{'rows"])
def test_what_could_not_become_an_answer_does_not(prose: str) -> None:
    assert grade(row("7"), f"{RIGHT}\nso {prose}").reward == 1.0


@pytest.mark.parametrize("unread", range(3, 30))
def test_braces_more_than_eight_deep_are_prose(unread: int) -> None:
    """Of braces around an object only those within which it is at most eight deep are its own; the
    outermost of these begins what decides."""
    answer = '{"rows": [[1]]}'
    around = min(unread, 7)
    found = extract("{x" * unread + answer + "}" * unread)
    assert found is not None
    assert found.text == "{x" * around + answer + "}" * around
    left_open = extract("{x" * unread + answer)
    assert left_open is not None
    assert left_open.text == answer
    nothing = extract("{x" * unread + "}" * unread)
    assert nothing is None
