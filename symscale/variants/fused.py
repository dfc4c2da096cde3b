"""The fast path: one generated function a task, from a combination to the finished JSON line.

It draws on tables of parameter values, evaluates in integers, and joins text that was escaped
beforehand. The plain path (`sequence`, `rows`) says what a line is; this one gives the same bytes.
The generated source holds numbered names and integers only: texts stand in tables.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from symscale.catalog.protocol import answer_instructions
from symscale.catalog.tasks import PLACEHOLDER
from symscale.expressions.kernel import Irrational, compile_kernel
from symscale.expressions.nodes import Node
from symscale.variants.luck import Coincidence, Luck
from symscale.variants.order import Order
from symscale.variants.rows import SCHEMA, columns, row, to_json
from symscale.variants.sequence import Variants
from symscale.variants.tables import Texts, Values, escaped, number_cell, word_cell


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
        compiled = compile_lines(self.variants)
        return Order(
            self.variants.region, self.variants.seed, make=compiled.line, valid=compiled.valid
        )


class Compiled(NamedTuple):
    """The two functions of a task; a combination is told by its rank."""

    line: Callable[[int, int, int], str | None]
    """The line at a rank, an index and a surface word; None where there is no variant."""
    valid: Callable[[int], bool]
    """Whether there is a variant at a rank."""


def compile_lines(variants: Variants) -> Compiled:
    """Generate and compile the functions of a task."""
    writer = _Writer(variants)
    solving = list(writer.solve())
    line = ["def line(rank, index, word):", "given = rank, index, word", *solving]
    valid = ["def valid(rank):", "given = rank,", *solving, "return True"]
    return Compiled(
        _define("line", [*line, *writer.write()], {**writer.tables, "plain": writer.plain}),
        _define("valid", valid, {**writer.tables, "plain": variants.valid}),
    )


def _define(name: str, lines: list[str], tables: dict[str, Any]) -> Any:
    exec(compile("\n    ".join(lines), "<variants>", "exec"), tables)
    return tables[name]


class _Name(str):
    """The name of a variable or constant of the generated source, where other strings are text."""


class _Writer:
    """Writes the source, and fills the tables that its names stand for."""

    def __init__(self, variants: Variants) -> None:
        self.variants = variants
        self.task = variants.task
        self.values = [Values(values) for values in variants.region.space.values]
        self.tables: dict[str, Any] = {
            "__builtins__": {},
            "Irrational": Irrational,
            "ZeroDivisionError": ZeroDivisionError,
            "cell": number_cell,
            "words": {},
            "sha256": hashlib.sha256,
        }

    def plain(self, rank: int, index: int, word: int) -> str | None:
        """The line by the plain path, for what the integer kernel leaves open."""
        variants = self.variants
        instance = variants.make(rank, index, word)
        if instance is None:
            return None
        return to_json(row(instance, variants.split, variants.seed, index)) + "\n"

    def solve(self) -> Iterator[str]:
        """From the rank to the exact cells, or out where the combination is no variant."""
        for number, values in enumerate(self.values):
            self.tables[f"values{number}"] = values.numbers
            size = len(values.numbers)
            yield f"d{number} = rank % {size}; rank //= {size}"
            yield f"{', '.join(self.inputs(number))} = values{number}[d{number}]"
        yield from self.evaluate()

    def write(self) -> Iterator[str]:
        """From there to the line."""
        parameters = self.task.parameters.values()
        for number, parameter in enumerate(parameters):
            texts = Texts(parameter, self.variants.region.space.values[number])
            self.tables[f"texts{number}"] = texts
            yield f"x{number}, s{number} = texts{number}[d{number}]"
        yield from self.choose()
        yield from self.cells()
        yield from self.join()

    def inputs(self, number: int) -> list[str]:
        """The kernel's arguments for a parameter."""
        return [f"v{number}"] if self.values[number].integer else [f"v{number}", f"w{number}"]

    def evaluate(self) -> Iterator[str]:
        """The constraints, then the columns, then whether a mistake is right by luck."""
        task = self.task
        if task.where:
            conditions = task.conditions
            held = [f"h{number}" for number in range(len(conditions))]
            yield from self.run("holds", held, conditions)
            yield f"if not ({' and '.join(held)}): return None"
        mistakes = [] if self.variants.unfair else list(task.mistakes.values())
        luck = Luck(task, dict(zip(task.parameters, (v.ends for v in self.values), strict=True)))
        found = [luck.coincidences(mistake) for mistake in mistakes]
        lucks = [each for each in found if each is not None]
        if not all(lucks):
            yield "return None"
            return
        # The first test of each mistake goes with the columns, because they share their parts.
        firsts = [first for first, *_ in lucks]
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
            integers=[
                name
                for name, values in zip(self.task.parameters, self.values, strict=True)
                if values.integer
            ],
        ).run
        arguments = [name for number in range(len(self.values)) for name in self.inputs(number)]
        yield f"try: {', '.join(results)}, = {name}({', '.join(arguments)})"
        yield "except (Irrational, ZeroDivisionError): return plain(*given)"

    def choose(self) -> Iterator[str]:
        """The phrasing and the shown units, from the digits of the word."""
        phrasings = len(self.task.prompts)
        yield f"phrasing = word % {phrasings}; word //= {phrasings}"
        for number, parameter in enumerate(self.task.parameters.values()):
            units = len(parameter.shown)
            if units > 1:
                yield f"s{number} = s{number}[word % {units}]; word //= {units}"
        end = f"\n\n{answer_instructions(self.task.columns)}"
        places = {name: f"s{number}" for number, name in enumerate(self.task.parameters)}
        for number, prompt in enumerate(self.task.prompts):
            pieces = PLACEHOLDER.split(escaped(prompt + end))
            question = self.joined(
                _Name(places[piece]) if place % 2 else piece for place, piece in enumerate(pieces)
            )
            yield f"if phrasing == {number}: question = {question}"

    def cells(self) -> Iterator[str]:
        """The answer's cells in text."""
        for number, column in enumerate(self.task.columns):
            target = f"t{number}, e{number}"
            if column.kind == "number":
                yield f"{target} = cell(*a{number})"
            else:
                words: tuple[str | bool, ...] = (*column.labels, True, False)
                self.tables["words"] |= {word: word_cell(word) for word in words}
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
        start, end = f'{{"schema":{SCHEMA},', escaped("]]}")
        body = [
            '"question":"',
            _Name("question"),
            '","answer":"' + escaped('{"rows": [['),
            *_between(", ", [_Name(f"t{number}") for number in range(len(task.columns))]),
            end + '","exact":[["',
            *_between('","', [_Name(f"e{number}") for number in range(len(task.columns))]),
            f'"]],"columns":{to_json(columns(task))},"parameters":[',
            *_between(",", [_Name(f"x{number}") for number in range(len(task.parameters))]),
            f'],"difficulty":{task.difficulty.level}',
        ]
        yield f"body = {self.joined(body)}"
        yield f"content = {self.joined([start, head, ',', _Name('body'), '}'])}"
        yield "digest = sha256(content.encode()).hexdigest()"
        id_ = escaped(f"{task.id}/{variants.split}/{variants.seed}/")
        index = _Name("index")
        line = [start, '"id":"', id_, index, '",', head, ',"index":', index, ","]
        line += [_Name("body"), ',"hash":"', _Name("digest"), '"}\n']
        yield f"return {self.joined(line)}"

    def joined(self, pieces: Iterable[str]) -> str:
        """The source of an f-string of texts and names; a run of texts is one constant."""
        source = ""
        for is_name, run in groupby(pieces, key=lambda piece: isinstance(piece, _Name)):
            found = list(run)
            names = found if is_name else [self.constant("".join(found))]
            source += "".join(f"{{{name}}}" for name in names)
        return f"f'{source}'"

    def constant(self, text: str) -> _Name:
        name = _Name(f"c{len(self.tables)}")
        self.tables[name] = text
        return name


def _between(comma: str, names: list[_Name]) -> list[str]:
    return [piece for name in names for piece in (comma, name)][1:]
