"""How fast variants are generated, by every path and beside others: one run, one table.

    pip install 'symscale[bench,parquet,ray]'
    python benchmarks/generation.py

On one core, in rounds that take turns, for every task:

- subs: the same rows as the next two, with SymPy's `subs` in place of kernels: in the conditions,
  in every closed form, and in those of every mistake, which must not be right
- answers alone: a random combination, `subs` in every closed form, a short row through `json`
- plain: kernels and `json`, the path that the fused one is held against
- fused: the generated function of the task, to lines in memory
- reasoning-gym's chain_sum and gsm_symbolic, where it is installed

Then to disk: JSON lines and Parquet, one worker and two, Ray with two, and the memory of a process
that writes more and more rows. A figure is the median of the rounds, a ratio the median of the
ratios within the rounds. Times on one core are of the processor, the others of the clock; each row
of a round is a new one.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import sympy
from sympy.core.symbol import Str

from symscale.catalog.instances import Instance
from symscale.catalog.loader import load
from symscale.catalog.tasks import Task
from symscale.expressions.numeric import in_units
from symscale.expressions.tree import symbol, sympy_tree
from symscale.expressions.values import Value
from symscale.numbers import agrees
from symscale.variants.engines import Engine
from symscale.variants.formats import Format
from symscale.variants.fused import Lines
from symscale.variants.generate import generate_parts
from symscale.variants.order import Order
from symscale.variants.parts import lines_of
from symscale.variants.plan import make_plan
from symscale.variants.rows import row, to_json
from symscale.variants.sequence import Variants
from symscale.variants.substitution import substituted
from symscale.variants.surface import surface_of


@dataclass(frozen=True)
class Contender:
    """A way to make rows: `make(start, stop)` makes those of these indices."""

    name: str
    make: Callable[[int, int], object]
    rows: int
    """Made in a round."""

    def seconds_per_row(self, number: int) -> float:
        """In the round of a number, on the processor."""
        start = time.process_time()
        self.make(number * self.rows, (number + 1) * self.rows)
        return (time.process_time() - start) / self.rows


class Substituted:
    """The rows of a task by way of SymPy's `subs`."""

    def __init__(self, variants: Variants) -> None:
        task = variants.task
        self.variants = variants
        self.conditions = [sympy_tree(condition) for condition in task.conditions]
        self.closed_forms = [task.closed_form(column.name) for column in task.columns]
        units = task.parameter_units
        self.mistakes = [
            [
                sympy_tree(in_units(mistake.expanded[column.name], units, column.unit))
                for column in task.columns
            ]
            for mistake in task.mistakes.values()
        ]
        self.order = Order(variants.region, variants.seed, self.make, variants.valid)

    def make(self, rank: int, index: int, word: int) -> str | None:
        variants = self.variants
        surface = surface_of(variants.task, word)
        values = variants.region.space.unrank(rank)
        instance = Instance(variants.task, values, surface.phrasing, surface.shown)
        given = {symbol(name): rational(value) for name, value in values.items()}
        if not all(condition.subs(given) == sympy.true for condition in self.conditions):
            return None
        found = tuple(_plain(form.subs(given)) for form in self.closed_forms)
        instance.__dict__["values"] = found  # what the row is written from
        for forms in self.mistakes:
            wrong = (_plain(form.subs(given)) for form in forms)
            pairs = zip(wrong, found, variants.task.columns, strict=True)
            if all(_accepted(value, key, exact=column.exact) for value, key, column in pairs):
                return None
        return to_json(row(instance, variants.split, variants.seed, index)) + "\n"

    def rows(self, start: int, stop: int) -> list[str]:
        return [line for slot in self.order.items(start, stop) for line in slot]


def rational(value: Fraction) -> Any:
    return sympy.Rational(value.numerator, value.denominator)


def _plain(tree: Any) -> Value:
    if tree.is_Rational:
        return Fraction(int(tree.p), int(tree.q))
    return tree.name if isinstance(tree, Str) else bool(tree)


def _accepted(value: Value, key: Value, *, exact: bool) -> bool:
    if isinstance(value, Fraction) and isinstance(key, Fraction):
        return agrees(value.numerator, value.denominator, key, exact=exact)
    return value == key


def answers_alone(task: Task, start: int, stop: int) -> list[str]:
    draw = random.Random(f"{task.id} {start}")
    lines = []
    for index in range(start, stop):
        values = {name: draw.choice(p.range.values) for name, p in task.parameters.items()}
        instance = Instance(task, values)
        answer = [str(substituted(instance, column.name)) for column in task.columns]
        parameters = {name: str(value) for name, value in values.items()}
        cells = {"index": index, "question": instance.question, "answer": answer}
        lines.append(to_json({**cells, "parameters": parameters}))
    return lines


def plain_rows(variants: Variants, start: int, stop: int) -> list[str]:
    return [to_json(row) for row in variants.rows(start, stop)]


def fused_rows(lines: Lines, start: int, stop: int) -> None:
    for _ in lines.slots(start, stop):
        pass


def contenders(task: Task, rows: int) -> dict[str, Contender]:
    """The ways to make rows of a task, warmed up."""
    variants = Variants(task)
    lines = Lines(variants)
    slow = Substituted(variants)
    fused_rows(lines, 0, min(lines.size, 20 * rows))
    same = [line for slot in lines.slots(0, 3) for line in slot]
    assert slow.rows(0, 3) == same == [f"{line}\n" for line in plain_rows(variants, 0, 3)]
    answers_alone(task, 0, 2)
    found = (
        Contender("subs", slow.rows, max(rows // 400, 2)),
        Contender("answers alone", partial(answers_alone, task), max(rows // 200, 2)),
        Contender("plain", partial(plain_rows, variants), max(rows // 20, 2)),
        Contender("fused", partial(fused_rows, lines), rows),
    )
    return {contender.name: contender for contender in found}


def others(rows: int, rounds: int) -> Iterator[Contender]:
    """Data sets of reasoning-gym."""
    if find_spec("reasoning_gym") is None:
        return
    import reasoning_gym

    for name in ("chain_sum", "gsm_symbolic"):
        data = reasoning_gym.create_dataset(name, size=rows * rounds, seed=1)
        yield Contender(name, partial(_items, data), rows)


def _items(data: Any, start: int, stop: int) -> list[Any]:
    return [data[index] for index in range(start, stop)]


def one_core(rows: int, rounds: int) -> dict[str, Any]:
    tasks = {id: contenders(task, rows) for id, task in load().tasks.items()}
    gym = list(others(10 * rows, rounds))
    per_task: dict[str, dict[str, list[float]]] = {
        id: {name: [] for name in ways} for id, ways in tasks.items()
    }
    overall: dict[str, list[float]] = {}
    for number in range(rounds):
        for contender in gym:
            overall.setdefault(contender.name, []).append(contender.seconds_per_row(number))
        for name in ("subs", "answers alone", "plain", "fused"):
            seconds = {id: ways[name].seconds_per_row(number) for id, ways in tasks.items()}
            for id, second in seconds.items():
                per_task[id][name].append(second)
            overall.setdefault(name, []).append(statistics.mean(seconds.values()))
    ratios = {
        f"fused over {name}": statistics.median(
            other / fused for other, fused in zip(times, overall["fused"], strict=True)
        )
        for name, times in overall.items()
        if name != "fused"
    }
    return {
        "rows per second": _rates(overall),
        "ratios": {name: round(ratio, 2) for name, ratio in ratios.items()},
        "rows per second, by task": {id: _rates(times) for id, times in per_task.items()},
    }


def _rates(times: dict[str, list[float]]) -> dict[str, int]:
    return {name: round(1 / statistics.median(seconds)) for name, seconds in times.items()}


def to_disk(n: int) -> Iterator[tuple[str, float]]:
    """Rows per second of the clock, from a plan to finished files."""
    lines = [lines_of((), id, "train", 0, False) for id in load().tasks]
    ways: list[tuple[str, Format, int, Engine]] = [
        ("JSON lines, one worker", "jsonl", 1, "process"),
        ("JSON lines, two workers", "jsonl", 2, "process"),
    ]
    if find_spec("pyarrow") is not None:
        ways.append(("Parquet, one worker", "parquet", 1, "process"))
    if find_spec("ray") is not None:
        ways.append(("JSON lines, Ray with two workers", "jsonl", 2, "ray"))
    for name, format, workers, engine in ways:
        plan = make_plan(lines, n, format=format, parts=8)
        with tempfile.TemporaryDirectory() as directory:
            start = time.monotonic()
            generate_parts(plan, Path(directory), workers=workers, engine=engine)
            yield name, plan.rows / (time.monotonic() - start)


_MEMORY = """
import re, sys
from pathlib import Path
from symscale.variants.order import Order
from symscale.variants.parts import lines_of
rows = int(sys.argv[1])
lines = lines_of((), "sc-021", "train", 0, False)
for _ in lines.slots(0, rows):
    pass
print(re.search("VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])
"""


def memory(counts: list[int]) -> Iterator[tuple[str, float]]:
    """Most memory, in MB, of a process that makes so many rows of a task."""
    for count in counts:
        command = [sys.executable, "-c", _MEMORY, str(count)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        yield f"{count:,} rows", round(int(done.stdout) / 1024, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=1000, help="of each task in a round")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--disk-rows", type=int, default=50_000, help="of each task, to disk")
    parser.add_argument("--memory-rows", type=int, nargs="*", default=[10**4, 10**5, 10**6])
    options = parser.parse_args()
    result = one_core(options.rows, options.rounds)
    result["rows per second to disk"] = {
        name: round(rate) for name, rate in to_disk(options.disk_rows)
    }
    result["memory in MB"] = dict(memory(options.memory_rows))
    json.dump(result, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
