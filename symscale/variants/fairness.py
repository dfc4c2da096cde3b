"""Which combinations make a variant: they meet the task's constraints and tell right from wrong."""

from __future__ import annotations

from symscale.catalog.instances import Instance
from symscale.errors import SymscaleError


def valid(instance: Instance) -> bool:
    """Whether the constraints of the task hold and every column has a value."""
    try:
        return all(instance.task.constraint_kernel(instance.parameters)) and bool(instance.values)
    except SymscaleError:
        return False


def fair(instance: Instance) -> bool:
    """Whether no known mistake gives the right answer, in all columns, by luck."""
    return instance.fair


def lucky(instance: Instance, mistake: str) -> bool:
    """Whether a mistake of the task gives the right answer at these values."""
    return instance.lucky(mistake)
