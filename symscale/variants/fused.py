"""The fast path: one generated function a task, from a combination to the finished JSON line.

It draws on tables of parameter values, evaluates in integers, and joins text that was escaped
beforehand. The plain path (`sequence`, `rows`) says what a line is; this one gives the same bytes.
The generated source holds numbered names and integers only: texts stand in tables.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from symscale.catalog.protocol import answer_instructions
from symscale.catalog.tasks import PLACEHOLDER
from symscale.expressions.draft import HELPERS, Code, Draft, Irrational
from symscale.expressions.nodes import Node
from symscale.expressions.sharing import share
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
    line = ["def line(rank, index, word):", "given = rank, index, word"]
    line += [*writer.draw(texts=True), *solving, *writer.write()]
    valid = ["def valid(rank):", "given = rank,", *writer.draw(texts=False), *solving]
    valid += ["return True"]
    tables = {**HELPERS, **writer.tables, **writer.draft.labels}
    return Compiled(
        _define("line", line, {**tables, "plain": writer.plain}),
        _define("valid", valid, {**tables, "plain": variants.valid}),
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
        parameters = list(self.task.parameters.values())
        self.draft = Draft(
            list(self.task.parameters),
            positive=[parameter.name for parameter in parameters if parameter.positive],
            integers=[
                parameter.name
                for parameter, values in zip(parameters, self.values, strict=True)
                if values.integer
            ],
        )
        self.answers: list[Code | str] = []
        """What stands for the columns' values."""
        self.tables: dict[str, Any] = {
            "Irrational": Irrational,
            "ZeroDivisionError": ZeroDivisionError,
            "cell": number_cell,
            "str": str,
            "words": {},
            "sha256": hashlib.sha256,
        }

    def plain(self, rank: int, index: int, word: int) -> str | None:
        """The line by the plain path, for what integers leave open."""
        variants = self.variants
        instance = variants.make(rank, index, word)
        if instance is None:
            return None
        return to_json(row(instance, variants.split, variants.seed, index)) + "\n"

    def draw(self, *, texts: bool) -> Iterator[str]:
        """From the rank to the values, with their texts or without."""
        parameters = self.task.parameters.values()
        for number, (parameter, values) in enumerate(zip(parameters, self.values, strict=True)):
            size = len(values.numbers)
            found = f"v{number}" if values.integer else f"v{number}, w{number}"
            yield f"d = rank % {size}; rank //= {size}"
            if texts:
                self.tables[f"texts{number}"] = Texts(parameter, values)
                yield f"{found}, x{number}, s{number} = texts{number}[d]"
            else:
                self.tables[f"values{number}"] = values.numbers
                yield f"{found} = values{number}[d]"

    def solve(self) -> Iterator[str]:
        """From there to the columns' values, or out where the combination is no variant."""
        yield "try:"
        yield from _indented(self.evaluate())
        yield "except (Irrational, ZeroDivisionError): return plain(*given)"

    def evaluate(self) -> Iterator[str]:
        """The constraints, then the columns, then whether a mistake is right by luck."""
        task, draft = self.task, self.draft
        luck = Luck(task, dict(zip(task.parameters, (v.ends for v in self.values), strict=True)))
        mistakes = [] if self.variants.unfair else list(task.mistakes.values())
        found = [luck.coincidences(mistake) for mistake in mistakes]
        chances = [each for each in found if each is not None]
        nodes = [each.node for chance in chances for each in chance]
        shared = iter(share([*task.conditions, *task.numeric.values(), *nodes]))
        for _ in task.conditions:
            held = draft.output(next(shared))
            yield from draft.taken()
            yield f"if not {held}: return None"
        self.answers = [draft.output(next(shared)) for _ in task.columns]
        yield from draft.taken()
        for chance in chances:
            tests = [(each, next(shared)) for each in chance]
            yield from self.refuse(tests)

    def refuse(self, tests: list[tuple[Coincidence, Node]]) -> Iterator[str]:
        """Out where all tests hold; each is only made where those before it do."""
        if not tests:
            yield "return None"
            return
        (coincidence, node), *others = tests
        draft = self.draft
        found = draft.output(node)
        is_number = self.task.columns[coincidence.column].kind == "number"
        happens = found if is_number else f"{found} == {self.answers[coincidence.column]}"
        yield from draft.taken()
        yield f"if {happens}:"
        with draft.apart():
            yield from _indented(self.refuse(others))

    def write(self) -> Iterator[str]:
        """From there to the line."""
        yield from self.cells()
        yield from self.choose()
        yield from self.join()

    def cells(self) -> Iterator[str]:
        """The answer's cells in text: as they stand in the answer, and exactly."""
        for number, column in enumerate(self.task.columns):
            found = self.answers[number]
            if isinstance(found, Code):
                code = self.draft.reduced(found)
                yield from self.draft.taken()
                if code.under == "1":
                    yield f"a{number} = e{number} = str({code.over})"
                else:
                    yield f"a{number}, e{number} = cell({code.over}, {code.under})"
            else:
                words: tuple[str | bool, ...] = (*column.labels, True, False)
                self.tables["words"] |= {word: word_cell(word) for word in words}
                yield f"a{number}, e{number} = words[{found}]"

    def choose(self) -> Iterator[str]:
        """The phrasing and the shown units, from the digits of the word; then the body."""
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
            question = [
                _Name(places[piece]) if place % 2 else piece for place, piece in enumerate(pieces)
            ]
            yield f"if phrasing == {number}: body = {self.joined(self.body(question))}"

    def body(self, question: list[str]) -> list[str]:
        """What stands both in the content and in the line."""
        task = self.task
        columns_ = range(len(task.columns))
        return [
            '"question":"',
            *question,
            '","answer":"' + escaped('{"rows": [['),
            *_between(", ", [_Name(f"a{number}") for number in columns_]),
            escaped("]]}") + '","exact":[["',
            *_between('","', [_Name(f"e{number}") for number in columns_]),
            f'"]],"columns":{to_json(columns(task))},"parameters":[',
            *_between(",", [_Name(f"x{number}") for number in range(len(task.parameters))]),
            f'],"difficulty":{task.difficulty.level}',
        ]

    def join(self) -> Iterator[str]:
        """The content, its hash, and the line around the body."""
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
        start = f'{{"schema":{SCHEMA},'
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


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"    {line}" for line in lines)
