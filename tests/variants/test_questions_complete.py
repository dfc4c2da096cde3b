"""Whoever reads a question, and nothing else, can answer it.

A reader takes the numbers and units out of the text; solutions that were written from the
questions alone, at those numbers, give the key.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from fractions import Fraction

import pytest

from symscale.catalog.instances import Instance
from symscale.catalog.loader import Catalog, load
from symscale.catalog.tasks import Task
from symscale.variants.space import Space, extrapolates
from symscale.variants.validity import valid
from tests.oracles.task_references import REFERENCES
from tests.variants.question_reader import Reader, read_list, read_unit

TASKS = sorted(load().tasks)
VARIANTS = 120


def surfaces(task: Task, number: int) -> Instance:
    """The task at its published values, in a phrasing and units that turn with the number."""
    number, phrasing = divmod(number, len(task.prompts))
    shown = {
        name: parameter.shown[(number + place) % len(parameter.shown)]
        for place, (name, parameter) in enumerate(task.parameters.items())
    }
    return Instance(task, task.published, phrasing, shown)


def instances(task: Task) -> Iterator[Instance]:
    """Published values in every phrasing and unit, then values of the space, and beyond it."""
    source = random.Random(task.id)
    spaces = [Space.of(task), *([Space.beyond(task)] if extrapolates(task) else [])]
    number = 0
    while number < VARIANTS:
        surface = surfaces(task, number)
        if number < 12:
            number += 1
            yield surface
            continue
        space = spaces[number % len(spaces)]
        values = space.unrank(source.randrange(space.size))
        instance = Instance(task, values, surface.phrasing, surface.shown)
        if valid(instance):
            number += 1
            yield instance


@pytest.mark.parametrize("name", TASKS)
def test_the_text_alone_yields_the_key(catalog: Catalog, name: str) -> None:
    task = catalog.tasks[name]
    readers = [Reader(template) for template in task.prompts]
    units = {letter: parameter.unit.text for letter, parameter in task.parameters.items()}
    for instance in instances(task):
        prompt, _, instructions = instance.question.partition("\n\n")
        (read,) = [found for reader in readers if (found := reader.read(prompt)) is not None]
        assert read.keys() == units.keys()
        numbers = {letter: read[letter].in_unit(unit) for letter, unit in units.items()}
        answer = REFERENCES[name](**numbers)
        assert instance.answer.exact == [list(map(_text, answer))], prompt
        _check_columns(task, instructions)


def _text(cell: Fraction | str | bool) -> str:
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def _check_columns(task: Task, instructions: str) -> None:
    """The question says the names of the cells in order, and the unit of each or its labels."""
    said = read_list(instructions)
    assert list(said) == [column.name for column in task.columns]
    for column in task.columns:
        words = said[column.name]
        if column.kind == "number":
            unit = re.sub(r"^a (?:pure )?number(?: in )?|, an exact integer$", "", words)
            assert read_unit(unit) == read_unit(column.unit.text), words
        elif column.kind == "label":
            assert set(re.findall(r'"(\w+)"', words)) == set(column.labels)


@pytest.mark.parametrize("name", TASKS)
def test_every_phrasing_and_unit_is_among_them(catalog: Catalog, name: str) -> None:
    task = catalog.tasks[name]
    seen = list(instances(task))
    assert {instance.phrasing for instance in seen} == set(range(len(task.prompts)))
    for letter, parameter in task.parameters.items():
        assert {instance.shown[letter] for instance in seen} == set(parameter.shown)


@pytest.mark.parametrize("name", TASKS)
def test_a_question_for_formulas_lists_every_letter_with_its_unit(
    catalog: Catalog, name: str
) -> None:
    task = catalog.tasks[name]
    said = read_list(task.instance().closed_form_question)
    assert list(said) == [*task.parameters, *(column.name for column in task.columns)]
    for letter, parameter in task.parameters.items():
        meaning, _, unit = said[letter].rpartition(", in ")
        assert (meaning or unit) == parameter.quantity.meaning
        assert read_unit(unit if meaning else "") == read_unit(parameter.unit.text)


def test_the_reader_reads() -> None:
    reader = Reader("{n} chips of {W}, {u} of them busy; {n} in all.")
    read = reader.read("1,024 chips of 1.5 TB/s, 40% of them busy; 1,024 in all.")
    assert read is not None
    assert read["n"].in_unit("1") == 1024
    assert read["W"].in_unit("bytes/s") == 15 * 10**11
    assert read["W"].in_unit("Gbit/s") == 12_000
    assert read["u"].in_unit("1") == Fraction(2, 5)
    assert read["u"].in_unit("%") == 40
    assert reader.read("1,024 chips of 1.5 TB/s, most of them busy; 1,024 in all.") is None
    with pytest.raises(AssertionError, match="two things"):
        reader.read("8 chips of 1 GB/s, 40% of them busy; 9 in all.")
    with pytest.raises(AssertionError, match="is not in"):
        read["W"].in_unit("FLOPs/byte")
