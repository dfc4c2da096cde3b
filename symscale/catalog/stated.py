"""Values that a published work states of a quantity, and what they bind in a formula."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from symscale.catalog.quantities import Quantity, read_value, take_quantity
from symscale.catalog.reading import Table
from symscale.errors import DomainError
from symscale.units import UnitSystem

if TYPE_CHECKING:
    from symscale.catalog.hardware import Hardware
    from symscale.catalog.models import Model


@dataclass(frozen=True, slots=True)
class Stated:
    """A value of a quantity, with the work that states it."""

    quantity: Quantity
    value: Fraction
    """In the quantity's unit."""
    text: str
    """As the file writes it, in the unit of the work."""
    source: str

    @classmethod
    def from_table(cls, key: str, table: Table, *, quantity: Quantity, units: UnitSystem) -> Stated:
        """Read one entry, `{ value = "80 GB/device", source = "..." }`.

        Raises CatalogError, with its key, for a value that the quantity does not admit.
        """
        written = table.take("value")
        value = table.convert("value", lambda v: read_value(v, quantity.unit, units), written)
        table.convert("value", lambda v: quantity.check(v, quantity.unit), value)
        stated = cls(quantity, value, str(written), table.text("source"))
        table.finish()
        return stated


def read_stated(
    table: Table, *, units: UnitSystem, quantities: Mapping[str, Quantity]
) -> dict[str, Stated]:
    """The entries of a table, by the quantities that their keys name."""
    stated = {}
    for id, entry in table.tables():
        quantity = take_quantity(Table({id: id}, table.place, table.prefix), id, quantities)
        stated[id] = Stated.from_table(id, entry, quantity=quantity, units=units)
    return stated


@dataclass(frozen=True, slots=True)
class Given:
    """What a model and a device state, by quantity, in the quantities' units."""

    values: Mapping[str, Fraction] = field(default_factory=dict)
    ambiguous: Mapping[str, str] = field(default_factory=dict)
    """Quantities that are stated in several ways, with what would choose one."""
    not_for_flops: Mapping[str, str] = field(default_factory=dict)
    """Quantities whose stated value is not the one that FLOPs follow, with the reason."""

    @classmethod
    def of(cls, model: Model | None, hardware: Hardware | None, precision: str | None) -> Given:
        """Raises DomainError for a precision that the hardware, or no hardware, has."""
        if precision is not None and hardware is None:
            raise DomainError("a precision chooses among the peaks of hardware; name the hardware")
        values = {
            **(model.given if model else {}),
            **(hardware.given(precision) if hardware else {}),
        }
        return cls(
            values,
            {} if hardware is None else {"peak_flops": hardware.how_to_choose},
            {} if model is None else model.not_for_flops,
        )

    def bind(self, symbols: Mapping[str, Quantity], *, counts_flops: bool) -> dict[str, Fraction]:
        """The letters of a formula whose quantities are stated."""
        withheld = self.not_for_flops if counts_flops else {}
        return {
            letter: self.values[quantity.id]
            for letter, quantity in symbols.items()
            if quantity.id in self.values and quantity.id not in withheld
        }

    def why(self, id: str) -> str:
        """For a quantity that was not bound, `: ` and the reason, if there is one to say."""
        reason = self.ambiguous.get(id) or self.not_for_flops.get(id)
        return f": {reason}" if reason else ""


GivenLookup: TypeAlias = Callable[
    ["str | Model | None", "str | Hardware | None", str | None], Given
]


def nothing_given(
    model: str | Model | None, hardware: str | Hardware | None, precision: str | None
) -> Given:
    """The lookup of a formula that stands outside a catalog: entries, and no ids.

    Raises DomainError for an id.
    """
    if isinstance(model, str) or isinstance(hardware, str):
        raise DomainError("this formula is of no catalog that could know a model or a device")
    return Given.of(model, hardware, precision)
