"""Which combinations make a variant: they meet the task's constraints and tell right from wrong."""

from __future__ import annotations

from fractions import Fraction

from symscale.catalog.columns import Column
from symscale.catalog.instances import Cell, Instance
from symscale.errors import SymscaleError
from symscale.expressions.values import key_of
from symscale.numbers import within_tolerance


def valid(instance: Instance) -> bool:
    """Whether the constraints of the task hold and every column has a value."""
    try:
        return all(instance.task.constraint_kernel(instance.parameters)) and bool(instance.values)
    except SymscaleError:
        return False


def fair(instance: Instance) -> bool:
    """Whether no known mistake gives the right answer, in all columns, by luck."""
    return not any(lucky(instance, mistake) for mistake in instance.task.mistakes)


def lucky(instance: Instance, mistake: str) -> bool:
    """Whether a mistake of the task gives the right answer at these values."""
    try:
        values = instance.task.mistake_kernels[mistake](instance.parameters)
    except SymscaleError:
        return False
    (key,) = instance.answer.rows
    return all(
        _accepted(key_of(value), cell, column)
        for value, cell, column in zip(values, key, instance.task.columns, strict=True)
    )


def _accepted(value: Cell, key: Cell, column: Column) -> bool:
    """Whether the grader takes a value for the key."""
    if isinstance(value, Fraction) and isinstance(key, Fraction) and not column.exact:
        return within_tolerance(value, key)
    return value == key
