"""The fast path: one generated function a task, from a combination to the finished JSON line.

It draws on tables of parameter values, evaluates in integers, and joins text that was escaped
beforehand. The plain path (`sequence`, `rows`) says what a line is; this one gives the same bytes.
The generated source holds numbered names and integers only: texts stand in tables.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from symscale.catalog.columns import Column, Parameter
from symscale.catalog.instances import MAX_JSON_DIGITS, value_text
from symscale.catalog.protocol import answer_instructions
from symscale.catalog.tasks import Task
from symscale.expressions.kernel import Irrational, compile_kernel
from symscale.expressions.nodes import Binary, Call, Compare, Node, number
from symscale.expressions.numeric import in_units
from symscale.numbers import TOLERANCE, exact_text
from symscale.units import convert
from symscale.variants.difficulty import difficulty
from symscale.variants.order import Order
from symscale.variants.rows import SCHEMA, columns, row, to_json
from symscale.variants.sequence import Variants

MOST_ENTRIES = 4096
"""A parameter with more values than this has no table: its entries are made each time."""

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_POWER = 10**MAX_JSON_DIGITS
_INDENT = "\n    "


@dataclass(frozen=True)
class Lines:
    """The JSON lines of a task's variants, each with its newline."""

    variants: Variants

    @property
    def size(self) -> int:
        """How many there are."""
        return self._order.capacity

    def slots(self, start: int, stop: int) -> Iterator[list[str]]:
        """The lines with the indices from `start` up to `stop`, a slot's at a time."""
        return self._order.items(start, stop)

    @cached_property
    def _order(self) -> Order[str]:
        return Order(self.variants.region, self.variants.seed, compile_line(self.variants))


def compile_line(variants: Variants) -> Callable[[int, int, int], str | None]:
    """The function from rank, index and surface word to a line; None where there is no variant."""
    writer = _Writer(variants)
    source = _INDENT.join(["def line(rank, index, word):", *writer.body()])
    exec(compile(source, "<line>", "exec"), writer.tables)
    line: Callable[[int, int, int], str | None] = writer.tables["line"]
    return line


class _Writer:
    """Writes the function's source, and fills the tables that its names stand for."""

    def __init__(self, variants: Variants) -> None:
        self.variants = variants
        self.task = variants.task
        self.space = variants.region.space
        self.tables: dict[str, Any] = {
            "__builtins__": {},
            "Irrational": Irrational,
            "ZeroDivisionError": ZeroDivisionError,
            "cell": number_cell,
            "plain": self.plain,
            "sha256": hashlib.sha256,
        }

    def plain(self, rank: int, index: int, word: int) -> str | None:
        """The line by the plain path, for what the integer kernel leaves open."""
        variants = self.variants
        instance = variants.make(rank, index, word)
        if instance is None:
            return None
        return to_json(row(instance, variants.split, variants.seed, index)) + "\n"

    def body(self) -> Iterator[str]:
        yield "rest = rank"
        for number, (parameter, values) in enumerate(self.parameters()):
            entries = _Entries(parameter, values)
            self.tables[f"entries{number}"] = entries
            names = [f"v{number}"] if entries.integer else [f"v{number}", f"w{number}"]
            yield (
                f"{', '.join(names)}, x{number}, s{number} = "
                f"entries{number}[rest % {len(values)}]; rest //= {len(values)}"
            )
        yield from self.evaluation()
        yield from self.question()
        yield from self.answer()
        yield from self.line()

    def parameters(self) -> Iterator[tuple[Parameter, tuple[Fraction, ...]]]:
        return zip(self.task.parameters.values(), self.space.values, strict=True)

    def evaluation(self) -> Iterator[str]:
        """Constraints, columns and mistakes in one kernel, so that they share their parts."""
        task = self.task
        integers = [p.name for p, values in self.parameters() if _are_integers(values)]
        conditions = [in_units(condition, task.parameter_units) for condition in task.where]
        witnesses = [] if self.variants.unfair else list(self.witnesses())
        kernel = compile_kernel(
            [*conditions, *task.numeric.values(), *(node for node, _ in witnesses)],
            tuple(task.parameters),
            positive=[name for name, parameter in task.parameters.items() if parameter.positive],
            integers=integers,
        )
        self.tables["run"] = kernel.run
        arguments = [
            name
            for number, parameter in enumerate(task.parameters)
            for name in ([f"v{number}"] if parameter in integers else [f"v{number}", f"w{number}"])
        ]
        held = [f"h{number}" for number in range(len(conditions))]
        answers = [f"a{number}" for number in range(len(task.columns))]
        seen = [f"m{number}" for number in range(len(witnesses))]
        yield f"try: {''.join(f'{name}, ' for name in held + answers + seen)}= run({', '.join(arguments)})"
        yield "except (Irrational, ZeroDivisionError): return plain(rank, index, word)"
        if held:
            yield f"if not ({' and '.join(held)}): return None"
        if seen:
            yield f"if {' or '.join(test for _, test in witnesses)}: return plain(rank, index, word)"


class _Entries(dict[int, tuple[Any, ...]]):
    """A parameter's values by digit: exact, as `p/q`, and as the question shows them.

    An entry is numerator, denominator (left out where all values are integers), the text of the
    exact value, and the escaped text in the one shown unit, or a tuple of those in each.
    """

    def __init__(self, parameter: Parameter, values: Sequence[Fraction]) -> None:
        self.parameter = parameter
        self.values_ = values
        self.integer = _are_integers(values)
