"""Exact symbolic derivations for the arithmetic of scaling machine-learning models.

>>> import symscale
>>> task = symscale.load().tasks["sc-021"]
>>> task.instance(n=16, V="2 GB").answer.exact
[['1875000000', '1/96']]
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symscale.catalog.derivation import Derivation as Derivation
    from symscale.catalog.formulas import Formula as Formula
    from symscale.catalog.instances import Instance as Instance
    from symscale.catalog.loader import Catalog as Catalog
    from symscale.catalog.loader import load as load
    from symscale.catalog.quantities import Quantity as Quantity
    from symscale.catalog.tasks import Task as Task
    from symscale.engine.compare import check as check
    from symscale.engine.derive import derive as derive
    from symscale.engine.identities import prove as prove
    from symscale.engine.solve import solve as solve
    from symscale.errors import SymscaleError as SymscaleError
    from symscale.grading import Grade as Grade
    from symscale.grading import grade as grade
    from symscale.verification import Report as Report
    from symscale.verification import verify as verify

_HOMES = {
    "Catalog": "catalog.loader",
    "Derivation": "catalog.derivation",
    "Formula": "catalog.formulas",
    "Grade": "grading",
    "Instance": "catalog.instances",
    "Quantity": "catalog.quantities",
    "Report": "verification",
    "SymscaleError": "errors",
    "Task": "catalog.tasks",
    "check": "engine.compare",
    "derive": "engine.derive",
    "grade": "grading",
    "load": "catalog.loader",
    "prove": "engine.identities",
    "solve": "engine.solve",
    "verify": "verification",
}
"""Where each public name lives; it is loaded when it is first asked for."""

__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("symscale")
    if name not in _HOMES:
        raise AttributeError(f"module 'symscale' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"symscale.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
