"""Which combinations can be asked: those that meet the constraints and have an answer."""

from __future__ import annotations

from symscale.catalog.instances import Instance
from symscale.errors import SymscaleError


def valid(instance: Instance) -> bool:
    """Whether the constraints of the task hold and every column has a value."""
    try:
        return all(instance.task.constraint_kernel(instance.parameters)) and bool(instance.values)
    except SymscaleError:
        return False
