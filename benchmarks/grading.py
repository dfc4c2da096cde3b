"""Answers graded per second, and who accepts what: symscale beside Math-Verify, in one run.

    pip install 'symscale[bench]'
    python benchmarks/grading.py

Both get the same answers in rounds that take turns; the figure is the median of the rounds, in
processor time. Every number has a key of its own, which both read; a formula's key is one for
all, analysed beforehand by both. Math-Verify gets the bare answer, symscale the whole text with
the object in it. The table says for each answer what is right and what each decides.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symscale.catalog.instances import Instance
from symscale.catalog.loader import load
from symscale.grading import grade

TASK = """
id = "bench-params"
title = "Parameters of a small model"
source = "made up"
prompt = ["{L} {D} {F} {H} {V}"]

[parameters]
L = { quantity = "n_layers", value = 32, range = { integers = [1, 128] } }
D = { quantity = "d_model", value = 4096, range = { powers_of_two = [64, 16384] } }
F = { quantity = "d_ff", value = 11008, range = { integers = [64, 65536] } }
H = { quantity = "n_heads", value = 32, range = { integers = [1, 128] } }
V = { quantity = "vocab_size", value = 32000, range = { integers = [1000, 300000] } }

[answer]
count = { unit = "1", expression = "L*(4*D**2 + 3*D*F) + V*D + H" }
"""
GOLD = "$L(4D^2 + 3DF) + VD + H$"


@dataclass(frozen=True, slots=True)
class Kind:
    """Answers of one kind, by number: key and answer of symscale, gold and answer of the other."""

    name: str
    unit: str
    right: bool
    case: Callable[[int], tuple[str, str, str, str]]


def number(i: int) -> tuple[str, str, str, str]:
    value = str(6607077408 + 7919 * i)
    return value, value, value, value


def wrong_number(i: int) -> tuple[str, str, str, str]:
    gold = f"0.0194{i + 45000}"
    return f"194{i + 45000}/1000000000", f"0.0194{i + 45003}", gold, f"0.0194{i + 45003}"


def with_unit(i: int) -> tuple[str, str, str, str]:
    value = str(3500000000 + 7919 * i)
    return value, f'"{value} bytes"', value, f"{value} bytes"


def closed_form(i: int) -> tuple[str, str, str, str]:
    mine = f'"4*L*D**2 + 3*L*D*F + D*V + H + {i} - {i}"'
    return "", mine, GOLD, f"$4LD^2 + 3LDF + DV + H + {i} - {i}$"


def wrong_form(i: int) -> tuple[str, str, str, str]:
    return "", f'"4*L*D**2 + 3*L*D*F + {i + 2}*D*V + H"', GOLD, f"$4LD^2 + 3LDF + {i + 2}DV + H$"


KINDS = (
    Kind("number", "1", True, number),
    Kind("wrong number", "1", False, wrong_number),
    Kind("number with unit", "byte", True, with_unit),
    Kind("closed form", "", True, closed_form),
    Kind("wrong closed form", "", False, wrong_form),
)

AGREEMENT = (
    # answer, key, unit, whether it is right
    ("1.2e9", "1200000000", "flop", True),
    ('"1.2 x 10^9"', "1200000000", "flop", True),
    ('"1.2 × 10⁹"', "1200000000", "flop", True),
    ('"1.2E9 FLOPs"', "1200000000", "flop", True),
    ('"−5"', "-5", "1", True),
    ('"12%"', "12", "1", False),
    ('"12%"', "3/25", "1", True),
    ("0.0000002", "1/10000000", "1", False),
    ("0.1000001", "1/10", "1", False),
    ("0.333333", "1/3", "1", False),
    ('"1/3"', "1/3", "1", True),
    ('"16000 MB"', "16", "GB", True),
    ('"16 GiB"', "16", "GB", False),
    ('"16 GFLOP"', "16", "GB", False),
    ('"not 7"', "7", "1", False),
    ('"5 or 7"', "7", "1", False),
    ("101", "100", "1", False),
    ('"nan"', "7", "1", False),
    ('"58,500"', "58500", "1", True),
)


def row(key: str, unit: str) -> dict[str, Any]:
    column = {"name": "x", "kind": "number", "unit": unit, "exact": False}
    return {"task": "bench", "exact": [[key]], "columns": [column], "parameters": []}


class Theirs:
    """Math-Verify, with the gold of formulas parsed once."""

    def __init__(self) -> None:
        import math_verify

        self.parse, self.verify = math_verify.parse, math_verify.verify
        self.form = self.parse(GOLD)

    def accepts(self, gold: str, answer: str) -> bool:
        parsed = self.form if gold is GOLD else self.parse(gold)
        return bool(self.verify(parsed, self.parse(answer)))


def rate(accepts: Callable[[Any, str], bool], cases: list[tuple[Any, str]], right: bool) -> float:
    """Answers a second of processor time; says how many are decided wrongly."""
    began = time.process_time()
    verdicts = [accepts(key, answer) for key, answer in cases]
    spent = time.process_time() - began
    wrong = sum(verdict != right for verdict in verdicts)
    if wrong:
        print(f"  {wrong} of {len(verdicts)} decided wrongly", file=sys.stderr)
    return len(verdicts) / spent


def main() -> int:
    parser = argparse.ArgumentParser(description="Grading beside Math-Verify.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--theirs", type=int, default=20, help="Answers a round for Math-Verify.")
    parser.add_argument("--ours", type=int, default=1000, help="Answers a round for symscale.")
    options = parser.parse_args()
    theirs = Theirs()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "bench"
        place.mkdir()
        (place / "params.toml").write_text(TASK, encoding="utf-8")
        instance = load(folder).tasks["bench-params"].instance()
    print(f"{'answers a second':24} {'symscale':>10} {'Math-Verify':>12} {'ratio':>8}")
    rates = {kind: measured(kind, instance, theirs, options) for kind in KINDS}
    for kind, pair in rates.items():
        say(kind.name, *pair)
    say("as many of each number", *together([rates[kind] for kind in KINDS if kind.unit]))
    say("as many of each form", *together([rates[kind] for kind in KINDS if not kind.unit]))
    return agreement(theirs)


def say(name: str, fast: float, slow: float) -> None:
    print(f"{name:24} {fast:10,.0f} {slow:12,.0f} {fast / slow:8,.0f}")


def together(rates: list[tuple[float, float]]) -> tuple[float, float]:
    """The rates over as many answers of each kind."""
    fast, slow = (len(rates) / sum(1 / rate for rate in side) for side in zip(*rates, strict=True))
    return fast, slow


def measured(
    kind: Kind, instance: Instance, theirs: Theirs, options: argparse.Namespace
) -> tuple[float, float]:
    """The median rates of both."""
    form = '{{"rows": [[{}]]}}' if kind.unit else '{{"closed_form": [{}]}}'
    rates: list[tuple[float, float]] = []
    for place in range(options.rounds):
        ours, others = [], []
        for i in range(options.ours):
            key, answer, gold, other = kind.case(place * options.ours + i)
            ours.append((row(key, kind.unit) if key else instance, form.format(answer)))
            if i < options.theirs:
                others.append((gold, other))
        rates.append(
            (
                rate(lambda key, text: grade(key, text).correct, ours, kind.right),
                rate(theirs.accepts, others, kind.right),
            )
        )
    fast, slow = (statistics.median(side) for side in zip(*rates, strict=True))
    return fast, slow


def agreement(theirs: Theirs) -> int:
    """Print who accepts what; 1 if symscale decides anything wrongly."""
    print(f"\n{'answer':16} {'key':14} {'unit':5} {'right':6} {'symscale':9} Math-Verify")
    wrong = other_wrong = 0
    for answer, key, unit, right in AGREEMENT:
        mine = grade(row(key, unit), f'{{"rows": [[{answer}]]}}').correct
        gold = key if unit == "1" else f"{key} {unit}"
        other = theirs.accepts(gold, str(json.loads(answer)) if '"' in answer else answer)
        wrong += mine != right
        other_wrong += other != right
        said = ("yes" if verdict else "no" for verdict in (right, mine, other))
        print("{:16} {:14} {:5} {:6} {:9} {}".format(answer.strip('"'), key, unit, *said))
    print(f"decided wrongly: symscale {wrong}, Math-Verify {other_wrong} of {len(AGREEMENT)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
