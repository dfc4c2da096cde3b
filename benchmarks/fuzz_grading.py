"""Mutated model output through the grader, to find what raises, lingers or is paid wrongly.

    python benchmarks/fuzz_grading.py --count 1000000 --seed 1 --found found.jsonl

Texts are made from shapes that models really write (prose, fences, reasoning blocks, answer tags,
channels, boxes, cut-off objects) around right, nearly right and hostile cells and formulas, then
mutated a few times. Every text must get a grade whose reward is 0.0 or 1.0, the same one twice,
with reasons from the closed list; a reward of 1.0 must be lost when the key is moved by a
millionth; and no text may take longer than `--milliseconds` per 4 kB of processor time (formulas:
ten times that). What breaks a rule is written to `--found`, one JSON object a line with the
text, and makes the exit status 1. Keep it as a case of tests/grading/test_hostile.py.

The same seed gives the same texts; run several seeds side by side to use several cores.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from symscale.catalog.instances import Instance
from symscale.catalog.loader import load
from symscale.grading import REASONS, Grade, grade

ROW: dict[str, Any] = {
    "task": "fuzz",
    "parameters": [],
    "columns": [
        {"name": "bytes", "kind": "number", "unit": "byte", "exact": False},
        {"name": "bound", "kind": "label", "unit": "1", "exact": False},
        {"name": "fits", "kind": "truth", "unit": "1", "exact": False},
    ],
    "exact": [["3500000000", "memory", "true"]],
}
MOVED: dict[str, Any] = {**ROW, "exact": [["3500003500", "memory", "true"]]}

NUMBERS = (
    "3500000000", "3.5e9", "3500000000.0", "35e8", "3499999999.9", "3500000004", "3.6e9", "-3.5e9",
    "3.5e-9", "1e400", "1e99999", "true", "null", "NaN", "-Infinity", "3500000000000", "[]", "{}",
    "03", '"3.5 GB"', '"3500 MB"', '"28 Gb"', '"3.5 GiB"', '"3.5e9"', '"3,500,000,000"',
    '"3.5 x 10^9"', '"3.5 × 10⁹"', '"7/2 GB"', '"7000000000/2"', '"3.5 GB or 4 GB"', '"$3.5e9"',
    '"3.5 GFLOP"', '"−3.5e9"', '"３.５e9"', '"350%"', '""', '"\\u0033.5 GB"', '"3.5e9 B/s"',
    '"3.5"', '"3\\n.5"',
)  # fmt: skip
LABELS = ('"memory"', '"compute"', '"Memory"', '" memory"', "true", '"mem\\u006fry"', "7", "memory")
TRUTHS = ("true", "false", '"true"', "1", "True", "null")
FORMULAS = (
    "V*(n-1)/n", "V-V/n", "(V-V/n)/W", "V", "V/n", "V*7/8", "3500000000", "max(V,0)*(n-1)/n",
    "where(n>2,V*(n-1)/n,V/2)", "ceil(V/n)", "floor(V*(n-1)/n)+1", "V*(n-1)/n*(n-2)/(n-2)",
    "10^(10^10)", "((V^64)^64)^64", "V^-n", "2**n", "sqrt(V*V)", "log(V)", "exp(n)", "abs(-V)",
    "V/(n-n)", "1e400*V", "__import__('os')", "V>n", '\\"a\\"', "f(V)", "V [GB]", "[GB]",
    "1 [GB]*V/V", "min(V,W,n)", "-V", "-(-V)", "V**0.5", "V**n**n", "where(V>W,V,W)*1",
    "ceil(log2(n))", "((((V))))", "V*",
)  # fmt: skip
SHAPES = (
    "{answer}",
    "The answer is {answer}.",
    "So we have {draft}, no, wait.\n\n{answer}",
    "```json\n{answer}\n```",
    "**{answer}**",
    "$$\\boxed{{{answer}}}$$",
    "<think>\nFirst {draft}. Let me check $\\frac{{V(n-1)}}{{n}}$.\n</think>\n\n{answer}",
    "<think>{draft}",
    "{draft}</think>{answer}",
    "<think></think>\n<answer>{answer}</answer>",
    "<answer>{answer}",
    "I put it between <answer></answer> as {template}.\n<answer>{answer}</answer>",
    "[THINK]{draft}[/THINK]{answer}",
    "<|channel|>analysis<|message|>{draft}<|end|><|start|>assistant<|channel|>final<|message|>"
    "{answer}<|return|>",
    "<|channel>thought\n{draft}<channel|>{answer}",
    "◁think▷{draft}◁/think▷{answer}",
    "{template}\n{answer}",
    "{answer}\n{template}",
    "{answer} Correction: {draft}",
    "| step | value |\n|---|---|\n| sent | 3.5e9 |\n\n{answer}",
    'x = {{"V": 4e9, "n": 8}}\nprint(x["V"] * 7 / 8)  # 3.5e9\n\n{answer}',
    "Let S = {{1, 2, ..., n}} and \\left\\{{ x. Then {answer}",
    '{{"answer": {answer}}}',
    "{answer}{answer}",
    "",
)
TOKENS = (
    "{", "}", "[", "]", '"', "'", ",", ":", "\\", "\n", " ", "\x00", "\ud800", "\u202e", "\ufeff",
    "<think>", "</think>", "<THINK>", "<answer>", "</answer>", "[THINK]", "[/THINK]", "<|end|>",
    "<|channel|>analysis", "<|channel|>final", "\\boxed{", '"rows"', '"closed_form"', '{"rows": [[',
    "]]}", "...", "…", "null", "true", "NaN", "1e999999999", "e", "E", "-", "−", "+", "/", "*", "^",
    "×", "10^", "⁹", "٧", "７", "0", "9", ".", "%", "$", " GB", " GiB", " b", " per ", "(", ")",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """A text, and whether formulas may stand in it."""

    text: str
    formulas: bool


def cases(random: Random) -> Iterator[Case]:
    """Texts without end, the same for the same seed."""
    while True:
        formulas = random.random() < 0.25
        text = shaped(random, formulas)
        for _ in range(random.choice((0, 0, 1, 1, 2, 3, 6))):
            text = mutated(text, random)
        yield Case(text, "closed_form" in text)


def shaped(random: Random, formulas: bool) -> str:
    shape = random.choice(SHAPES)
    template = '{"closed_form": ["..."]}' if formulas else '{"rows": [[...]]}'
    made = [answer(random, formulas), answer(random, formulas)]
    return shape.format(answer=made[0], draft=made[1], template=template)


def answer(random: Random, formulas: bool) -> str:
    right = random.random() < 0.5
    if formulas:
        chosen = FORMULAS[1:3] if right else random.choices(FORMULAS, k=random.choice((2, 2, 2, 1)))
        return f"""{{"closed_form": [{", ".join(f'"{formula}"' for formula in chosen)}]}}"""
    cells = [
        NUMBERS[0] if right else random.choice(NUMBERS),
        LABELS[0] if right else random.choice(LABELS),
        TRUTHS[0] if right else random.choice(TRUTHS),
    ]
    return f"""{{"rows": [[{", ".join(cells)}]]}}"""


def mutated(text: str, random: Random) -> str:
    """One change: of a character, a span, the length, the case or the order."""
    start, end = sorted(random.randint(0, len(text)) for _ in range(2))
    token = random.choice(TOKENS)
    match random.randrange(10):
        case 0:
            return text[:start] + text[end:]
        case 1:
            return text[:start] + text[start:end] * random.choice((2, 3, 20)) + text[end:]
        case 2 | 3:
            return text[:start] + token + text[start:]
        case 4:
            return text[:start] + token + text[start + 1 :]
        case 5:
            return text[:end]
        case 6:
            return text[:start] + token * random.choice((10, 100, 1000)) + text[start:]
        case 7:
            return text[:start] + text[start:end].swapcase() + text[end:]
        case 8:
            return text[end:] + text[:start]
        case _:
            other = chr(random.choice((random.randrange(128), random.randrange(0x110000))))
            return text[:start] + other + text[start + 1 :]


def faults(case: Case, ring: Instance, milliseconds: float) -> Iterator[str]:
    """The rules that the grader breaks on a text, in words."""
    key: Any = ring if case.formulas else ROW
    began = time.thread_time()
    try:
        verdict = grade(key, case.text)
    except Exception as error:
        yield f"raised {type(error).__name__}: {error}"
        return
    spent = (time.thread_time() - began) * 1000
    most = milliseconds * (10 if case.formulas else 1) * max(1, len(case.text) / 4096)
    if spent > most:
        yield f"took {spent:.1f} ms for {len(case.text)} characters"
    yield from _inconsistencies(verdict)
    if grade(key, case.text) != verdict:
        yield "was graded in two ways"
    if verdict.reward and not case.formulas and grade(MOVED, case.text).reward:
        yield "was paid for another key too"


def _inconsistencies(verdict: Grade) -> Iterator[str]:
    reasons = [verdict.reason, *(cell.reason for cell in verdict.cells)]
    if verdict.reward not in (0.0, 1.0) or not set(reasons) <= set(REASONS):
        yield f"got {verdict}"
    if (verdict.reward == 1.0) != all(reason == "ok" for reason in reasons):
        yield f"got {verdict.reward} for {reasons}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--milliseconds", type=float, default=20.0)
    parser.add_argument("--found", default="found.jsonl")
    options = parser.parse_args()
    ring = load().tasks["sc-021"].instance()
    grade(ROW, '{"rows": [["1 GB", "memory", true]]}')  # the units are read once
    reasons: Counter[str] = Counter()
    broken = characters = 0
    began = time.perf_counter()
    texts = cases(Random(options.seed))
    with open(options.found, "a", encoding="utf-8") as found:
        for _ in range(options.count):
            case = next(texts)
            characters += len(case.text)
            for fault in faults(case, ring, options.milliseconds):
                broken += 1
                found.write(json.dumps({"fault": fault, "text": case.text}) + "\n")
            reasons[grade(ring if case.formulas else ROW, case.text).reason] += 1
    seconds = time.perf_counter() - began
    print(f"{options.count} texts, {characters} characters, {seconds:.0f} s, {broken} faults")
    print(", ".join(f"{reason} {count}" for reason, count in reasons.most_common()))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
