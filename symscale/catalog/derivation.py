"""A derivation: the ordered steps that lead from what is given to what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symscale.expressions.nodes import Node
from symscale.expressions.values import Value
from symscale.units import Unit


@dataclass(frozen=True)
class DerivationStep:
    """`name = expression`, with its value in `unit`."""

    name: str
    expression: Node
    unit: Unit
    value: Value


@dataclass(frozen=True)
class Derivation:
    """Steps in the order that they are taken; each uses what stands above it."""

    steps: tuple[DerivationStep, ...]

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, str]:
        from symscale.catalog.documents import derivation_document

        return derivation_document(self).mimebundle
