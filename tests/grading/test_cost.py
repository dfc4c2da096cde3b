"""Doubling a text about doubles the work at most: counted in lines run, not in seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

import pytest

from symscale.catalog.instances import Instance
from symscale.grading import grade
from symscale.grading.extraction import extract
from tests.grading.making import row

SHAPES: dict[str, Callable[[int], str]] = {
    "prose": lambda n: "so it is " * n,
    "spaces": lambda n: " " * n,
    "braces": lambda n: "{" * n,
    "closing braces": lambda n: "}" * n,
    "pairs": lambda n: "{}" * n,
    "prose braces": lambda n: "{x" * n,
    "prose pairs": lambda n: "{x}" * n,
    "open pairs": lambda n: "{x" * 7 + "{x}" * n,
    "brackets": lambda n: '{"rows": ' + "[" * n,
    "all brackets": lambda n: '{"rows": ' + "[" * n + "]" * n + "}",
    "flat and open": lambda n: '{"a": ' * 7 + "[" + "1, " * n,
    "objects in open ones": lambda n: '{"a": [' * 3 + '{"a": 1}, ' * n,
    "keys": lambda n: '{"rows" ' * n,
    "broken keys": lambda n: '{x "rows" ' * n,
    "quotes": lambda n: '{"' * n,
    "open strings": lambda n: '{"a' * n,
    "lines of open strings": lambda n: '{"a\n' * n,
    "escapes": lambda n: '{"' + "\\" * n,
    "escaped quotes": lambda n: '{"' + '\\"{' * n,
    "escaped quotes, lines": lambda n: '{"\\"{\\"\n' * n,
    "both parities": lambda n: '{"{",' + '",",' * n,
    "think": lambda n: "<think>" * n,
    "unthink": lambda n: "</think>" * n,
    "thoughts": lambda n: "<think>{x</think>" * n,
    "objects in thought": lambda n: "<think>" + '{"a": "</think>"}' * n,
    "open objects in thought": lambda n: "<think>" + '{"a": [' * n,
    "strings in thought": lambda n: "<think>" + '{"</think' * n,
    "answers": lambda n: "<answer>" * n,
    "empty answers": lambda n: "<answer></answer>" * n,
    "answers with braces": lambda n: "<answer>{x</answer>" * n,
    "braces and marks": lambda n: "{x<answer>" * n,
    "templates": lambda n: '{"rows": [[...]]}' * n,
    "right answers": lambda n: '{"rows": [[7]]}' * n,
    "wide rows": lambda n: '{"rows": [[' + "7, " * n + "7]]}",
    "many rows": lambda n: '{"rows": [' + "[7], " * n + "[7]]}",
    "boxes": lambda n: "\\boxed{" * n,
    "boxes and spaces": lambda n: "\\boxed{ " * n + " " * n,
    "angles": lambda n: "<" * n,
    "channels": lambda n: "<|channel|>analysis" * n,
    "long number": lambda n: '{"rows": [[' + "7" * n + "]]}",
    "long string": lambda n: '{"rows": [["' + "7," * n + '"]]}',
    "groups": lambda n: '{"rows": [["7' + ",777" * n + '"]]}',
    "spaces in a number": lambda n: '{"rows": [["7' + " " * n + '/ 7"]]}',
    "hyphens": lambda n: '{"rows": [["7 a' + "-a" * n + '"]]}',
    "pers": lambda n: '{"rows": [["7 ' + "per " * n + '"]]}',
}


def steps(work: Callable[[], object]) -> int:
    """How many lines of Python run."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Callable[..., Any]:
        nonlocal count
        count += event == "line"
        return trace

    outer = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(outer)
    return count


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("prefilled", [False, True])
def test_linear(shape: str, prefilled: bool) -> None:
    key = row("7")
    short, long = (
        steps(partial(grade, key, SHAPES[shape](n), reasoning_prefilled=prefilled))
        for n in (500, 1000)
    )
    assert long <= 2.1 * short + 100
    assert long <= 60 * len(SHAPES[shape](1000)) + 2000


@pytest.mark.parametrize("shape", SHAPES)
def test_linear_with_a_right_answer_behind(shape: str) -> None:
    short, long = (
        steps(partial(extract, SHAPES[shape](n) + '\n{"rows": [[7]]}')) for n in (500, 1000)
    )
    assert long <= 2.1 * short + 100


FORMS: dict[str, Callable[[int], str]] = {
    "sum": lambda n: "V" + "+V" * n,
    "product": lambda n: "V" + "*n" * n,
    "quotient": lambda n: "V" + "/(n+1)" * n,
    "signs": lambda n: "-" * n + "V",
    "powers": lambda n: "V" + "**1" * n,
    "tower": lambda n: "2" + "**n" * n,
    "parentheses": lambda n: "(" * n + "V" + ")" * n,
    "max": lambda n: "max(" + "V," * n + "n)",
    "nested max": lambda n: "max(V," * n + "n" + ")" * n,
    "where": lambda n: "where(V>n,V," * n + "n" + ")" * n,
    "wide where": lambda n: "+".join(["where(V>n,V,n)"] * n),
    "ceil": lambda n: "+".join(f"ceil(V/{k}*n)" for k in range(1, n + 1)),
    "logs": lambda n: "+".join(["log(V)"] * n),
    "roots": lambda n: "sqrt(" * n + "V" + ")" * n,
    "exp": lambda n: "exp(" * n + "n" + ")" * n,
    "units": lambda n: "+".join(["1 [GB]"] * n),
    "padding": lambda n: "V" + "".join(f"+0*max(n,{k}*V)" for k in range(n)),
    "bilinear padding": lambda n: "V" + "".join(f"+0*max(V*n,{k}*W)" for k in range(n)),
    "squares": lambda n: "V" + "".join(f"+0*max((V-{k})**2,n)" for k in range(n)),
    "high degrees": lambda n: f"V+0*max((V-n)**{n},n)",
    "dense": lambda n: f"V+0*max((V+W+n+1)**{n},n)",
    "root padding": lambda n: "V" + "".join(f"+0*max(sqrt(V+{k}),n)" for k in range(n)),
    "curved steps": lambda n: "V" + "".join(f"+0*ceil(n**2/{1009 + k})" for k in range(n)),
    "digits": lambda n: "7" * n,
    "spaces": lambda n: "V" + " " * n + "*(n-1)/n",
}

MOST_STEPS = 2_000_000
"""A second or two; only a formula that is right so far comes anywhere near."""


@pytest.mark.parametrize("shape", FORMS)
def test_formulas_are_bounded(ring: Instance, shape: str) -> None:
    for n in (10, 100, 1000, 10_000):
        answer = f'{{"closed_form": ["{FORMS[shape](n)}", "V", "V"]}}'
        assert steps(partial(grade, ring, answer)) < MOST_STEPS
