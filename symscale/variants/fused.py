"""The fast path: one generated function a task, from a combination to the finished JSON line.

It draws on tables of parameter values, evaluates in integers, and joins text that was escaped
beforehand. The plain path (`sequence`, `rows`) says what a line is; this one gives the same bytes.
The generated source holds numbered names and integers only: texts stand in tables.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from symscale.catalog.protocol import answer_instructions
from symscale.expressions.kernel import Irrational, compile_kernel
from symscale.expressions.nodes import Node
from symscale.expressions.numeric import in_units
from symscale.variants.difficulty import difficulty
from symscale.variants.luck import Coincidence, coincidences
from symscale.variants.order import Order
from symscale.variants.rows import SCHEMA, columns, row, to_json
from symscale.variants.sequence import Variants
from symscale.variants.tables import Entries, escaped, number_cell, word_cell

_PLACEHOLDER = re.compile(r"\{(\w+)\}")


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
    source = "\n    ".join(["def line(rank, index, word):", *writer.body()])
    exec(compile(source, "<line>", "exec"), writer.tables)
    line: Callable[[int, int, int], str | None] = writer.tables["line"]
    return line


class _Writer:
    """Writes the source, and fills the tables that its names stand for."""

    def __init__(self, variants: Variants) -> None:
        self.variants = variants
        self.task = variants.task
        self.entries = [
            Entries(parameter, values)
            for parameter, values in zip(
                self.task.parameters.values(), variants.region.space.values, strict=True
            )
        ]
        self.tables: dict[str, Any] = {
            "__builtins__": {},
            "Irrational": Irrational,
            "ZeroDivisionError": ZeroDivisionError,
            "cell": number_cell,
            "words": {},
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

    def constant(self, text: str) -> str:
        """The name, ready for an f-string, of a text."""
        name = f"c{len(self.tables)}"
        self.tables[name] = text
        return f"{{{name}}}"

    def body(self) -> Iterator[str]:
        yield "rest = rank"
        for number, entries in enumerate(self.entries):
            self.tables[f"entries{number}"] = entries
            size = len(entries.range)
            names = [*self.inputs(number), f"x{number}", f"s{number}"]
            yield f"{', '.join(names)} = entries{number}[rest % {size}]; rest //= {size}"
        yield from self.evaluate()
        yield from self.choose()
        yield from self.cells()
        yield from self.join()

    def inputs(self, number: int) -> list[str]:
        """The kernel's arguments for a parameter."""
        return [f"v{number}"] if self.entries[number].integer else [f"v{number}", f"w{number}"]

    def evaluate(self) -> Iterator[str]:
        """The constraints, then the columns, then whether a mistake is right by luck."""
        task = self.task
        if task.where:
            conditions = [in_units(condition, task.parameter_units) for condition in task.where]
            held = [f"h{number}" for number in range(len(conditions))]
            yield from self.run("holds", held, conditions)
            yield f"if not ({' and '.join(held)}): return None"
        mistakes = [] if self.variants.unfair else list(task.mistakes.values())
        lucks = [coincidences(task, mistake) for mistake in mistakes]
        # The first test of each mistake goes with the columns, because they share their parts.
        firsts = [luck[0] for luck in lucks]
        answers = [f"a{number}" for number in range(len(task.columns))]
        tried = [f"m{number}" for number in range(len(firsts))]
        nodes = [*task.numeric.values(), *(first.node for first in firsts)]
        yield from self.run("solve", answers + tried, nodes)
        for number, (first, *others) in enumerate(lucks):
            happens = self.happens(f"m{number}", first)
            if not others:
                yield f"if {happens}: return None"
                continue
            names = [f"n{place}" for place in range(len(others))]
            yield f"if {happens}:"
            for line in self.run(f"more{number}", names, [other.node for other in others]):
                yield f"    {line}"
            tests = map(self.happens, names, others)
            yield f"    if {' and '.join(tests)}: return None"

    def happens(self, result: str, coincidence: Coincidence) -> str:
        column = coincidence.column
        is_number = self.task.columns[column].kind == "number"
        return result if is_number else f"{result} == a{column}"

    def run(self, name: str, results: list[str], nodes: Sequence[Node]) -> Iterator[str]:
        """A kernel under a name, called with the parameters."""
        self.tables[name] = compile_kernel(
            nodes,
            tuple(self.task.parameters),
            positive=[p.name for p in self.task.parameters.values() if p.positive],
            integers=[entries.parameter.name for entries in self.entries if entries.integer],
        ).run
        arguments = [name for number in range(len(self.entries)) for name in self.inputs(number)]
        yield f"try: {', '.join(results)}, = {name}({', '.join(arguments)})"
        yield "except (Irrational, ZeroDivisionError): return plain(rank, index, word)"

    def choose(self) -> Iterator[str]:
        """The phrasing and the shown units, from the digits of the word."""
        phrasings = len(self.task.prompts)
        yield f"phrasing = word % {phrasings}; word //= {phrasings}"
        for number, entries in enumerate(self.entries):
            units = len(entries.parameter.shown)
            if units > 1:
                yield f"s{number} = s{number}[word % {units}]; word //= {units}"
        end = f"\n\n{answer_instructions(self.task.columns)}"
        for number, prompt in enumerate(self.task.prompts):
            question = self.template(escaped(prompt + end))
            yield f"if phrasing == {number}: question = f'{question}'"

    def template(self, prompt: str) -> str:
        """The inside of an f-string that puts the values into an escaped prompt."""
        places = {name: f"{{s{number}}}" for number, name in enumerate(self.task.parameters)}
        pieces = _PLACEHOLDER.split(prompt)
        return "".join(
            places[piece] if number % 2 else self.constant(piece)
            for number, piece in enumerate(pieces)
        )

    def cells(self) -> Iterator[str]:
        for number, column in enumerate(self.task.columns):
            target = f"t{number}, e{number}"
            if column.kind == "number":
                yield f"{target} = cell(*a{number})"
            else:
                self.tables["words"] |= {word: word_cell(word) for word in (*column.labels, True, False)}
                yield f"{target} = words[a{number}]"

    def join(self) -> Iterator[str]:
        """The content, its hash, and the line around it."""
        task, variants = self.task, self.variants
        head = to_json(
            {
                "task": task.id,
                "category": task.category,
                "task_hash": task.digest,
                "split": variants.split,
                "seed": variants.seed,
            }
        )[1:-1]
        schema = f'{{"schema":{SCHEMA},'
        answers = range(len(task.columns))
        answer = ", ".join(f"{{t{number}}}" for number in answers)
        exact = self.constant('","').join(f"{{e{number}}}" for number in answers)
        values = "".join(
            self.constant(f'{"," if number else ""}{{"name":{to_json(name)},"value":"')
            + f"{{x{number}}}"
            + self.constant(f'","unit":{to_json(unit.text)}}}')
            for number, (name, unit) in enumerate(task.parameter_units.items())
        )
        body = "".join(
            [
                self.constant('"question":"'),
                "{question}",
                self.constant('","answer":"' + escaped('{"rows": [[')),
                answer,
                self.constant(escaped("]]}") + '","exact":[["'),
                exact,
                self.constant(f'"]],"columns":{to_json(columns(task))},"parameters":['),
                values,
                self.constant(f'],"difficulty":{difficulty(task).level}'),
            ]
        )
        yield f"body = f'{body}'"
        yield f"content = f'{self.constant(f'{schema}{head},')}{{body}}{self.constant('}')}'"
        id_ = escaped(f"{task.id}/{variants.split}/{variants.seed}/")
        before, between = self.constant(f'{schema}"id":"{id_}'), self.constant(f'",{head},"index":')
        comma, hash_, end = self.constant(","), self.constant(',"hash":"'), self.constant('"}\n')
        yield "digest = sha256(content.encode()).hexdigest()"
        yield (
            f"return f'{before}{{index}}{between}{{index}}{comma}{{body}}{hash_}{{digest}}{end}'"
        )
