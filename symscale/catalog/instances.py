"""Instances: a task with every parameter given a value, and the exact answer key."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from symscale.catalog.columns import Column, Step
from symscale.catalog.derivation import Derivation, DerivationStep
from symscale.catalog.protocol import answer_instructions, closed_form_instructions
from symscale.catalog.tasks import PLACEHOLDER, Task
from symscale.errors import DomainError, SymscaleError
from symscale.expressions.nodes import names
from symscale.expressions.numeric import in_units
from symscale.expressions.text import text
from symscale.expressions.values import Value, key_of
from symscale.numbers import exact_text, plain_decimal, terminates, within_tolerance
from symscale.units import Unit, convert

Cell: TypeAlias = Fraction | str | bool | None

MAX_JSON_DIGITS = 30

_PLURAL = re.compile(r"^(\w*(?:byte|bit|token|param|parameter|FLOP|hour|day|second))s\b")


@dataclass(frozen=True, slots=True)
class Answer:
    """The exact answer key: rows of rationals, labels, truth values and null."""

    rows: tuple[tuple[Cell, ...], ...]

    @property
    def json(self) -> str:
        """The canonical JSON object, which the grader accepts. A number without a short decimal
        expansion stands as `"p/q"`."""
        rows = ", ".join(f"[{', '.join(map(_json_cell, row))}]" for row in self.rows)
        return f'{{"rows": [{rows}]}}'

    @property
    def exact(self) -> list[list[str]]:
        """The rows as texts: numbers as `p` or `p/q`, labels as they are, `true` and `false`."""
        return [[_exact_cell(cell) for cell in row] for row in self.rows]


def _exact_cell(cell: Cell) -> str:
    if isinstance(cell, Fraction):
        return exact_text(cell)
    return cell if isinstance(cell, str) else json.dumps(cell)


def _json_cell(cell: Cell) -> str:
    if not isinstance(cell, Fraction):
        return json.dumps(cell)
    if terminates(cell):
        digits = plain_decimal(cell)
        if cell.denominator == 1 or len(digits) <= MAX_JSON_DIGITS:
            return digits
    return f'"{exact_text(cell)}"'


@dataclass(frozen=True)
class Instance:
    """One question and its exact answer."""

    task: Task
    parameters: Mapping[str, Fraction]
    """The numbers, in the parameters' units."""
    phrasing: int = 0
    """Which of the task's prompts asks."""
    shown: Mapping[str, Unit] = field(default_factory=dict)
    """The units that the question states values in, where they are not the usual ones."""

    @cached_property
    def question(self) -> str:
        """The prompt with its values, and how to answer."""
        return f"{self.prompt}\n\n{answer_instructions(self.task.columns)}"

    @cached_property
    def closed_form_question(self) -> str:
        """The same prompt, with formulas asked for instead of numbers."""
        task = self.task
        how = closed_form_instructions(task.columns, task.parameters.values())
        return f"{self.prompt}\n\n{how}"

    @cached_property
    def prompt(self) -> str:
        values = {name: self.shown_value(name) for name in self.task.parameters}
        template = self.task.prompts[self.phrasing]
        return PLACEHOLDER.sub(lambda match: values[match[1]], template)

    def shown_value(self, name: str) -> str:
        """A parameter's value and unit as the question states them."""
        parameter = self.task.parameters[name]
        unit = self.shown.get(name, parameter.shown[0])
        return value_text(convert(self.parameters[name], parameter.unit, unit), unit)

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """The exact values of the columns, in their units."""
        return self.task.kernel(self.parameters)

    @cached_property
    def answer(self) -> Answer:
        return Answer((tuple(key_of(value) for value in self.values),))

    @cached_property
    def fair(self) -> bool:
        """Whether no known mistake gives the right answer, in all columns, by luck."""
        return not any(map(self.lucky, self.task.mistakes))

    def lucky(self, mistake: str) -> bool:
        """Whether a mistake of the task gives an answer here that the grader accepts."""
        try:
            values = self.task.mistake_kernels[mistake](self.parameters)
        except SymscaleError:
            return False
        (key,) = self.answer.rows
        return all(
            _accepted(key_of(value), cell, column)
            for value, cell, column in zip(values, key, self.task.columns, strict=True)
        )

    @cached_property
    def derivation(self) -> Derivation:
        """The steps that lead from the parameters to the answer, each with its value."""
        task = self.task
        parts: list[Step | Column] = [*task.steps.values(), *task.columns]
        nodes = [in_units(part.expanded, task.parameter_units, part.unit) for part in parts]
        values = task.compile(dict(enumerate(nodes)))(self.parameters)
        return Derivation(
            tuple(
                DerivationStep(part.name, part.expression, part.unit, value)
                for part, value in zip(parts, values, strict=True)
            )
        )

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, str]:
        from symscale.catalog.documents import instance_document

        return instance_document(self).mimebundle

    def check_constraints(self) -> None:
        """Raise DomainError, naming the condition, where one of the task does not hold."""
        held = self.task.constraint_kernel(self.parameters)
        for condition, holds in zip(self.task.conditions, held, strict=True):
            if not holds:
                shown = ", ".join(
                    f"{name} = {value_text(self.parameters[name], self.task.parameters[name].unit)}"
                    for name in names(condition)
                )
                raise DomainError(f"{self.task.id} needs {text(condition)}; here {shown}")


def _accepted(value: Cell, key: Cell, column: Column) -> bool:
    if isinstance(value, Fraction) and isinstance(key, Fraction) and not column.exact:
        return within_tolerance(value, key)
    return value == key


def value_text(value: Fraction, unit: Unit) -> str:
    """An exact value with its unit as a question states it.

    >>> from symscale.units import UNITLESS
    >>> [value_text(Fraction(n), UNITLESS) for n in ("8192", "4e14", "0.4", "1e-6", "7/3")]
    ['8,192', '4.0e14', '0.4', '1.0e-6', '7/3']
    """
    number = _number_text(value)
    match unit.text:
        case "1":
            return number
        case "%":
            return f"{number}%"
        case _ if value == 1:
            return f"{number} " + _PLURAL.sub(r"\1", unit.text)
        case _:
            return f"{number} {unit}"


def _number_text(value: Fraction) -> str:
    if not terminates(value):
        return exact_text(value)
    digits = plain_decimal(abs(value))
    significant = digits.replace(".", "").strip("0")
    whole = digits.partition(".")[0]
    sign = "-" if value < 0 else ""
    if (len(whole) > 7 or abs(value) < Fraction(1, 10000)) and len(significant) <= 4 and value:
        exponent = len(whole) - 1 if whole != "0" else -len(digits) + 1 + len(significant)
        return f"{sign}{significant[0]}.{significant[1:] or '0'}e{exponent}"
    return f"{sign}{int(whole):,}{digits[len(whole) :]}"
