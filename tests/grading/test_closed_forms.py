"""Formulas in the letters of a task."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from symscale.catalog.instances import Instance
from symscale.catalog.loader import Catalog
from symscale.catalog.protocol import closed_form_instructions
from symscale.expressions.nodes import (
    Binary,
    Call,
    Compare,
    Node,
    Number,
    children,
    rebuild,
)
from symscale.expressions.text import text
from symscale.grading import Grade, grade
from tests.grading.making import row

SENT, SECONDS, BOUND = "V*(n-1)/n/1e9", "V*(n-1)/n/W", 'where(V*(n-1)/n > 1e9, "large", "small")'


def forms(ring: Instance, *formulas: object, secret: bytes = b"") -> Grade:
    return grade(ring, json.dumps({"closed_form": formulas}), secret=secret)


@pytest.mark.parametrize("secret", [b"", b"a secret"])
@pytest.mark.parametrize(
    "formulas",
    [
        (SENT, SECONDS, BOUND),
        ("(V - V/n)/10**9", "(1 - 1/n)*V/W", 'where(V - V/n <= 10^9, "small", "large")'),
        ("V/1e9 - V/(1e9*n)", "V/(W*n/(n-1))", 'where(V*(n-1)/(1e9*n) > 1, "large", "small")'),
        ("max(0, V*(n-1)/n/1e9)", "abs(V/n-V)/W", BOUND),
        ("0.000000001*(n*V-V)/n", "sqrt((V/W)^2)*(n-1)/n", BOUND),
        ("V·(n−1)/n/1e9", "V×(n−1)/n/W", BOUND),
        ("V*(n-1)/n*1 [1]", SECONDS, 'where(V*(n-1)/n > 1 [GB], "large", "small")'),
    ],
)
def test_equal_forms_pass(ring: Instance, formulas: tuple[str, ...], secret: bytes) -> None:
    verdict = forms(ring, *formulas, secret=secret)
    assert verdict.reward == 1.0, verdict.message


@pytest.mark.parametrize(
    ("formulas", "reasons"),
    [
        (("3.5", "7/360", '"large"'), ["not_equivalent"] * 3),
        (("V*7/8/1e9", SECONDS, BOUND), ["not_equivalent", "ok", "ok"]),
        (("V*(n-1)/n", SECONDS, BOUND), ["not_equivalent", "ok", "ok"]),
        (("V*(n-1)/n/2**30", SECONDS, BOUND), ["not_equivalent", "ok", "ok"]),
        (("V/1e9", "V/W", BOUND), ["mistake", "mistake", "ok"]),
        (("V/n/1e9", "2*V/(n*W)/2", BOUND), ["mistake", "mistake", "ok"]),
        ((SENT, SECONDS, BOUND.replace(">", ">=")), ["ok", "ok", "not_equivalent"]),
        ((SENT, SECONDS, 'where(V > 1e9, "large", "small")'), ["ok", "ok", "mistake"]),
        ((f"where(n > 2, {SENT}, V/1e9)", SECONDS, BOUND), ["not_equivalent", "ok", "ok"]),
        ((f"{SENT}*(n-2)/(n-2)", SECONDS, BOUND), ["not_equivalent", "ok", "ok"]),
        (("ceil(V*(n-1)/n/1e9)", SECONDS, BOUND), ["not_equivalent", "ok", "ok"]),
        ((SENT, SECONDS, "V"), ["ok", "ok", "wrong_type"]),
        ((SENT, BOUND, "V > 1"), ["ok", "wrong_type", "wrong_type"]),
        ((3.5, None, ["V"]), ["wrong_type"] * 3),
        (("v/1e9", "sent/W", BOUND), ["malformed", "malformed", "ok"]),
        (("ring_all_gather_bytes(V, n)", "V [s]", "V/W s"), ["malformed"] * 3),
    ],
)
def test_other_forms_do_not(
    ring: Instance, formulas: tuple[object, ...], reasons: list[str]
) -> None:
    verdict = forms(ring, *formulas)
    assert [cell.reason for cell in verdict.cells] == reasons
    assert verdict.reward == 0.0


def test_a_difference_is_shown(ring: Instance) -> None:
    message = forms(ring, "V*7/8/1e9", SECONDS, BOUND).message
    assert message.startswith("sent_gb: at n = ")
    assert "it gives" in message
    assert message.endswith("is right")
    undefined = forms(ring, f"{SENT}*(n-2)/(n-2)", SECONDS, BOUND).message
    assert "at n = 2, " in undefined
    assert "it has no value" in undefined
    mistaken = forms(ring, "V/1e9", SECONDS, BOUND)
    assert mistaken.cells[0].mistake == "every_shard"
    assert "a factor (n - 1)/n is missing" in mistaken.message
    unknown = forms(ring, "q", SECONDS, BOUND).message
    assert unknown == "sent_gb: q is not one of the letters n, V, W"


@pytest.mark.parametrize("content", ["V", {}, None, [], [SENT], [SENT, SECONDS, BOUND, BOUND]])
def test_one_formula_a_column(ring: Instance, content: object) -> None:
    assert grade(ring, json.dumps({"closed_form": content})).reason == "wrong_shape"


def test_a_row_looks_its_task_up(made: Catalog, ring: Instance) -> None:
    columns = [
        {"name": c.name, "kind": c.kind, "unit": c.unit.text, "exact": c.exact}
        for c in ring.task.columns
    ]
    given = row("7/2", "7/360", "large", columns=columns)
    given["task"] = "made-ring"
    given["parameters"] = [
        {"name": name, "value": str(value), "unit": ring.task.parameters[name].unit.text}
        for name, value in ring.parameters.items()
    ]
    answer = json.dumps({"closed_form": [SENT, SECONDS, BOUND]})
    assert grade(given, answer, catalog=made).reward == 1.0
    unknown = grade(given, answer)
    assert unknown.reason == "not_equivalent"
    assert "no task that gives this key" in unknown.message
    given["exact"] = [["7/2", "7/361", "large"]]
    assert grade(given, answer, catalog=made).reason == "not_equivalent"


def test_the_question_lists_the_letters(ring: Instance) -> None:
    question = ring.closed_form_question
    assert question.startswith(ring.prompt)
    assert closed_form_instructions(ring.task.columns, ring.task.parameters.values()) in question
    for letter, parameter in ring.task.parameters.items():
        assert f"- {letter}: {parameter.quantity.meaning}" in question
    assert ", in byte" in question
    assert '{"closed_form": ["sent_gb", "seconds", "bound"]}' in question


@pytest.mark.parametrize("place", range(4))
def test_every_task_accepts_its_own_closed_forms(catalog: Catalog, place: int) -> None:
    for task in list(catalog.tasks.values())[place::4]:
        own = [text(task.numeric[column.name]) for column in task.columns]
        verdict = grade(task.instance(), json.dumps({"closed_form": own}))
        assert verdict.reward == 1.0, (task.id, verdict.message)


FORMS = Path(__file__).with_name("forms.jsonl")
"""Formulas that people might write for the columns of the published tasks, by whether they are
equal to the column wherever the conditions hold: each was checked at thousands of points with
arithmetic of its own, and each that is not equal has a point at which it differs."""


@pytest.mark.parametrize("part", range(4))
def test_formulas_written_in_many_ways(catalog: Catalog, part: int) -> None:
    written = [json.loads(line) for line in FORMS.read_text(encoding="utf-8").splitlines()]
    assert len(written) > 1200
    wrong = []
    for each in written[part::4]:
        task = catalog.tasks[each["task"]]
        forms = {column.name: text(task.numeric[column.name]) for column in task.columns}
        forms[each["column"]] = each["form"]
        cells = grade(task.instance(), json.dumps({"closed_form": [*forms.values()]})).cells
        (reason,) = [cell.reason for cell in cells if cell.column == each["column"]]
        if (reason == "ok") != each["equal"]:
            wrong.append(each)
    assert not wrong


LOOSER = {">": ">=", ">=": ">", "<": "<=", "<=": "<"}


def off_by_an_edge(node: Node) -> Iterator[Node]:
    """The tree with one comparison strict where it was not, or one ceil for a floor."""
    match node:
        case Compare(op, left, right) if op in LOOSER:
            yield Compare(LOOSER[op], left, right)
        case Call("ceil", arguments):
            yield Binary("+", Call("floor", arguments), Number("1"))
        case Call("floor", arguments):
            yield Binary("-", Call("ceil", arguments), Number("1"))
    parts = children(node)
    for place, part in enumerate(parts):
        for other in off_by_an_edge(part):
            yield rebuild(node, (*parts[:place], other, *parts[place + 1 :]))


def test_forms_of_every_task_that_differ_at_an_edge_are_refused(catalog: Catalog) -> None:
    found = 0
    for task in catalog.tasks.values():
        right = {column.name: text(task.numeric[column.name]) for column in task.columns}
        for name, node in task.numeric.items():
            for other in off_by_an_edge(node):
                answer = json.dumps({"closed_form": [*({**right, name: text(other)}).values()]})
                verdict = grade(task.instance(), answer)
                reasons = {cell.column: cell.reason for cell in verdict.cells}
                assert reasons[name] in ("not_equivalent", "mistake"), (task.id, text(other))
                found += 1
    assert found > 5
