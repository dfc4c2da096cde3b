"""Public models as data: their architectures, and figures to check counts against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from symscale.catalog.architecture import KINDS, Architecture
from symscale.catalog.quantities import Quantity, take_quantity
from symscale.catalog.reading import Table
from symscale.catalog.stated import Stated, read_stated
from symscale.errors import CatalogError, SymscaleError
from symscale.units import UnitSystem


@dataclass(frozen=True)
class Model:
    """One public model: its architecture, and what is stated of it."""

    id: str
    title: str
    source: str
    architecture: Architecture
    values: Mapping[str, Stated]
    """Published parameter counts and the storage of its checkpoint, by quantity."""

    @property
    def given(self) -> dict[str, Fraction]:
        """Sizes and stated values, by quantity."""
        sizes = {id: Fraction(size) for id, size in self.architecture.sizes.items()}
        return sizes | {id: stated.value for id, stated in self.values.items()}

    @property
    def not_for_flops(self) -> dict[str, str]:
        """Why `n_params` of a mixture of experts is not what its FLOPs follow."""
        if not self.architecture.is_sparse:
            return {}
        return {
            "n_params": f"bytes of {self.id} follow all its parameters, FLOPs the active ones, "
            "so say how many"
        }

    @classmethod
    def from_table(
        cls, table: Table, *, units: UnitSystem, quantities: Mapping[str, Quantity]
    ) -> Model:
        """Read and check one file. Raises CatalogError with its key."""
        model = cls(
            id=table.text("id"),
            title=table.text("title"),
            source=table.text("source"),
            architecture=_architecture(table, quantities),
            values=read_stated(table.table("values"), units=units, quantities=quantities),
        )
        table.finish()
        return model


def _architecture(table: Table, quantities: Mapping[str, Quantity]) -> Architecture:
    sizes = {}
    written = table.table("sizes")
    for id in list(written.values):
        quantity = take_quantity(Table({id: id}, written.place, written.prefix), id, quantities)
        sizes[id] = written.integer(id)
        written.convert(id, partial(quantity.check, unit=quantity.unit), Fraction(sizes[id]))
    kinds: dict[str, Any] = {name: table.text(name) for name in KINDS if name in table.values}
    try:
        return Architecture(
            sizes=sizes,
            biases=frozenset(table.texts("biases", ())),
            attention_sinks=table.flag("attention_sinks"),
            shared_expert_gate=table.flag("shared_expert_gate"),
            **kinds,
        )
    except SymscaleError as error:
        key = error.where if error.where in ("biases", *KINDS) else f"sizes.{error.where}"
        raise CatalogError(error.what, where=f"{table.place}: {key}") from None
