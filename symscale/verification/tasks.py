"""Each task on two independent paths, and the grader against the keys it wrote."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from symscale.catalog.documents import value_decimal, value_exact
from symscale.catalog.formulas import Formula
from symscale.catalog.instances import Instance
from symscale.catalog.loader import Catalog
from symscale.catalog.tasks import Task
from symscale.engine.robustness import audit_instance
from symscale.errors import DomainError, SymscaleError
from symscale.expressions.nodes import Call, Node
from symscale.expressions.values import key_of
from symscale.grading import grade
from symscale.numbers import decimal_text
from symscale.units import convert
from symscale.variants.substitution import agrees, substituted
from symscale.variants.worth import worth
from symscale.verification.report import TaskReport


def verify_task(task: Task, catalog: Catalog, *, variants: int) -> TaskReport:
    """Check one task, and measure what its variants are worth."""
    try:
        instance = task.instance()
        values, measures = instance.values, worth(task)
        failures = [*_paths_disagree(instance), *_grader_errs(instance), *measures.failures]
        tried = list(sample(task, variants))
        for variant in tried:
            failures += [*_paths_disagree(variant), *_grader_errs(variant)]
        if len(tried) < variants:
            failures.append(
                f"only {len(tried)} of {variants} variants that meet its conditions found"
            )
        if len(task.mistakes) < 2:
            failures.append("names fewer than two mistakes")
        findings = tuple(_findings(instance, catalog))
    except SymscaleError as error:
        return TaskReport(task.id, task.title, failures=(f"at the published values: {error}",))
    return TaskReport(
        task=task.id,
        title=task.title,
        columns=tuple(column.name for column in task.columns),
        exact=tuple(map(value_exact, values)),
        decimal=tuple(map(value_decimal, values)),
        worth=measures,
        failures=tuple(failures),
        findings=findings,
    )


def sample(task: Task, count: int) -> Iterator[Instance]:
    """Valid instances with values drawn from the parameters' ranges, the same ones every time."""
    draw = random.Random(task.id)
    for _ in range(1000 * count):
        if count == 0:
            return
        values = {name: draw.choice(p.range.values) for name, p in task.parameters.items()}
        try:
            yield task.instance(**values)
        except DomainError:
            continue
        count -= 1


def _paths_disagree(instance: Instance) -> Iterator[str]:
    for column, value in zip(instance.task.columns, instance.values, strict=True):
        other = substituted(instance, column.name)
        if not agrees(value, other):
            yield (
                f"{column.name}: the kernel gives {value_exact(value)} and SymPy {other} "
                f"at {_at(instance)}"
            )


def _grader_errs(instance: Instance) -> Iterator[str]:
    """The grader must accept the key, and refuse it slightly changed or as a mistake gives it."""
    if grade(instance, instance.answer.json).reward != 1.0:
        yield f"the grader refuses the key {instance.answer.json}"
    (row,) = instance.answer.rows
    for position, cell in enumerate(row):
        if isinstance(cell, Fraction) and cell:
            changed = [*row]
            changed[position] = cell * (1 + Fraction(1, 10**6))
            if grade(instance, _submission(changed)).reward != 0.0:
                yield f"the grader accepts {instance.task.columns[position].name} changed by 1e-6"
    for name, kernel in instance.task.mistake_kernels.items():
        try:
            mistaken = _submission([key_of(value) for value in kernel(instance.parameters)])
        except SymscaleError:
            continue
        if not instance.lucky(name) and grade(instance, mistaken).reward != 0.0:
            yield f"the grader accepts the mistake {name}"


def _submission(cells: Sequence[Any]) -> str:
    row = [str(cell) if isinstance(cell, Fraction) else cell for cell in cells]
    return json.dumps({"rows": [row]})


def _findings(instance: Instance, catalog: Catalog) -> Iterator[str]:
    yield from list(_impossible(instance, catalog)) or _excluded(instance)
    for name, audit in audit_instance(instance).items():
        for flip in audit.flips:
            yield (
                f"{name} is {audit.answer}, and {flip.answer} if {flip.name} is read as "
                f"{decimal_text(flip.value)}: {flip.reading}"
            )
    for name in instance.task.mistakes:
        if instance.lucky(name):
            yield f"the mistake {name} gives the right answer at the published values"


def _impossible(instance: Instance, catalog: Catalog) -> Iterator[str]:
    """Published values, and what follows from them, outside the domain of their quantity."""
    for name, parameter in instance.task.parameters.items():
        quantity = parameter.quantity
        own = convert(parameter.value, parameter.unit, quantity.unit)
        if own not in quantity.domain:
            yield f"{name} is {decimal_text(own)}, and {quantity.id} is {quantity.domain}"
    for step in instance.derivation.steps:
        formula = _called(step.expression, catalog)
        if formula is not None and isinstance(step.value, Fraction):
            own = convert(step.value, step.unit, formula.result.unit)
            if own not in formula.result.domain:
                yield (
                    f"{step.name} is {decimal_text(own)}, and {formula.result.id} is "
                    f"{formula.result.domain}"
                )


def _excluded(instance: Instance) -> Iterator[str]:
    """Published values that no variant could have, for no reason of a quantity's."""
    try:
        instance.check_constraints()
    except DomainError as error:
        yield f"the published values are not among the variants: {error.what}"


def _called(node: Node, catalog: Catalog) -> Formula | None:
    """The formula that the whole expression calls, if it is one call."""
    if isinstance(node, Call) and node.function in catalog.formulas:
        return catalog.formulas[node.function]
    return None


def _at(instance: Instance) -> str:
    return ", ".join(f"{name} = {value}" for name, value in instance.parameters.items())
