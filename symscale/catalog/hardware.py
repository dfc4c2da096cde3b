"""Accelerators as data: what datasheets state of one device."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from symscale.catalog.quantities import Quantity
from symscale.catalog.reading import Table
from symscale.catalog.stated import Stated, read_stated
from symscale.errors import DomainError
from symscale.units import UnitSystem

SIXTEEN_BITS = ("bf16", "fp16")


@dataclass(frozen=True)
class Hardware:
    """One device: its dense peak at each precision, its memory, its links."""

    id: str
    title: str
    peaks: Mapping[str, Stated]
    """Dense peak by precision; a rate that a datasheet prints with sparsity stands halved."""
    values: Mapping[str, Stated]
    """Everything else, by quantity."""

    def peak(self, precision: str) -> Stated:
        """The dense peak at a precision. Raises DomainError, naming those it has."""
        if precision not in self.peaks:
            known = ", ".join(self.peaks)
            raise DomainError(f"{self.id} has no peak at {precision[:40]!r}; it has {known}")
        return self.peaks[precision]

    @property
    def how_to_choose(self) -> str:
        """What to say to choose among its peaks."""
        return f"{self.id} states one for each precision: {', '.join(self.peaks)}"

    def given(self, precision: str | None = None) -> dict[str, Fraction]:
        """The values by quantity; `peak_flops` is the one at the precision, if that is said."""
        values = {id: stated.value for id, stated in self.values.items()}
        for name in SIXTEEN_BITS:
            if name in self.peaks:
                values["peak_flops_16bit"] = self.peaks[name].value
                break
        if precision is not None:
            values["peak_flops"] = self.peak(precision).value
        return values

    @classmethod
    def from_table(
        cls, table: Table, *, units: UnitSystem, quantities: Mapping[str, Quantity]
    ) -> Hardware:
        """Read and check one file. Raises CatalogError with its key."""
        peaks = {}
        for precision, entry in table.table("peak_flops").tables():
            peaks[precision] = Stated.from_table(
                precision, entry, quantity=quantities["peak_flops"], units=units
            )
        written = table.table("values")
        if "peak_flops" in written.values:
            raise written.error("peak_flops", "stands in the table peak_flops, by precision")
        values = read_stated(written, units=units, quantities=quantities)
        hardware = cls(id=table.text("id"), title=table.text("title"), peaks=peaks, values=values)
        table.finish()
        return hardware
