"""Answers graded per second, and who accepts what: symscale beside Math-Verify, in one run.

    pip install 'symscale[bench]'
    python benchmarks/grading.py

Both get the same answers, a new one every time so that no cache helps, in rounds that take turns;
the figure is the median of the rounds. Math-Verify gets its gold parsed beforehand, and its answer
bare; symscale reads the whole text with the object in it. The table of agreement says for each
answer what is right and what each decides.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
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
COUNT = 32 * (4 * 4096**2 + 3 * 4096 * 11008) + 32000 * 4096 + 32
GOLD_FORM = "$L(4D^2 + 3DF) + VD + H$"


@dataclass(frozen=True, slots=True)
class Kind:
    """Answers of one kind: `key` for both, and the answers as each of the two reads them."""

    name: str
    unit: str
    key: str
    gold: str
    right: bool
    ours: Callable[[int], str]
    theirs: Callable[[int], str]


KINDS = (
    Kind("number", "1", str(COUNT), str(COUNT), True, *(2 * (lambda i: f"{COUNT}.{'0' * i}",))),
    Kind(
        "wrong number", "1", "7/360", "0.0194444444444", False,
        *(2 * (lambda i: f"0.0194{i + 45000}",)),
    ),
    Kind(
        "number with unit", "byte", "3500000000", "3500000000", True,
        lambda i: f'"3500000000.{"0" * i} bytes"', lambda i: f"3500000000.{'0' * i} bytes",
    ),
    Kind(
        "closed form", "", "", GOLD_FORM, True,
        lambda i: f'"4*L*D**2 + 3*L*D*F + D*V + H + {i} - {i}"',
        lambda i: f"$4LD^2 + 3LDF + DV + H + {i} - {i}$",
    ),
)  # fmt: skip

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
    """Math-Verify, its gold parsed once a key."""

    def __init__(self) -> None:
        import math_verify

        self.parse, self.verify = math_verify.parse, math_verify.verify

    def grader(self, gold: str) -> Callable[[str], bool]:
        parsed = self.parse(gold)
        return lambda text: bool(self.verify(parsed, self.parse(text)))


def ours(kind: Kind, instance: Instance) -> Callable[[str], bool]:
    key = row(kind.key, kind.unit) if kind.key else instance
    return lambda text: grade(key, text).correct


def rate(work: Callable[[str], bool], texts: Sequence[str], right: bool) -> float:
    """Texts a second of processor time; stops where one is decided wrongly."""
    began = time.process_time()
    for text in texts:
        if work(text) != right:
            print(f"  decided wrongly: {text[:60]}", file=sys.stderr)
    return len(texts) / (time.process_time() - began)


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
    print(f"{'answers a second':20} {'symscale':>10} {'Math-Verify':>12} {'ratio':>8}")
    for kind in KINDS:
        mine, other = ours(kind, instance), theirs.grader(kind.gold)
        form = '{{"closed_form": [{}]}}' if kind.name == "closed form" else '{{"rows": [[{}]]}}'
        rates: list[tuple[float, float]] = []
        for number in range(options.rounds):
            first = number * options.theirs
            texts = [form.format(kind.ours(i % 900)) for i in range(options.ours)]
            rates.append(
                (
                    rate(mine, texts, kind.right),
                    rate(
                        other,
                        [kind.theirs(i) for i in range(first, first + options.theirs)],
                        kind.right,
                    ),
                )
            )
        fast, slow = (statistics.median(side) for side in zip(*rates, strict=True))
        print(f"{kind.name:20} {fast:10,.0f} {slow:12,.0f} {fast / slow:8,.0f}")
    return agreement(theirs)


def agreement(theirs: Theirs) -> int:
    """Print who accepts what; 1 if symscale decides anything wrongly."""
    print(f"\n{'answer':16} {'key':14} {'unit':5} {'right':6} {'symscale':9} Math-Verify")
    wrong = other_wrong = 0
    for answer, key, unit, right in AGREEMENT:
        mine = grade(row(key, unit), f'{{"rows": [[{answer}]]}}').correct
        gold = key if unit == "1" else f"{key} {unit}"
        other = theirs.grader(gold)(str(json.loads(answer)) if '"' in answer else answer)
        wrong += mine != right
        other_wrong += other != right
        said = ("yes" if verdict else "no" for verdict in (right, mine, other))
        print("{:16} {:14} {:5} {:6} {:9} {}".format(answer.strip('"'), key, unit, *said))
    print(f"decided wrongly: symscale {wrong}, Math-Verify {other_wrong} of {len(AGREEMENT)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
