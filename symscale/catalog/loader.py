"""The catalog: what the files of one or more directories say, read when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from symscale.catalog.files import Files, Lazy
from symscale.catalog.formulas import Formula
from symscale.catalog.hardware import Hardware
from symscale.catalog.mistakes import FormulaMistake
from symscale.catalog.models import Model
from symscale.catalog.proofs import Figure, Identity
from symscale.catalog.quantities import Quantity
from symscale.catalog.reading import read_toml
from symscale.catalog.stated import Given
from symscale.catalog.task_reader import read_task
from symscale.catalog.tasks import Task
from symscale.errors import CatalogError
from symscale.units import UnitSystem

if TYPE_CHECKING:
    from symscale.engine.derive import Derived
    from symscale.engine.graph import Graph

T = TypeVar("T")


@dataclass(frozen=True)
class Catalog:
    """Units, quantities, formulas and tasks of the given directories, later ones over earlier."""

    files: Files
    _being_read: list[str] = field(default_factory=list, repr=False, compare=False)

    @cached_property
    def units(self) -> UnitSystem:
        merged: dict[str, dict[str, object]] = {"prefixes": {}, "units": {}}
        bases: list[str] = []
        place = ""
        for path in self.files.find("units.toml"):
            table = read_toml(path, place := self.files.place(path))
            bases += table.texts("base", ())
            for key, entries in merged.items():
                entries.update(table.table(key, {}).values)
            table.finish()
        try:
            return UnitSystem.from_table({"base": bases, **merged})
        except CatalogError as error:
            raise error.at(place) from None

    @cached_property
    def quantities(self) -> dict[str, Quantity]:
        quantities = {}
        for path in self.files.find("quantities.toml"):
            for id, table in read_toml(path, self.files.place(path)).tables():
                quantities[id] = Quantity.from_table(id, table, self.units)
        return quantities

    @cached_property
    def formulas(self) -> Mapping[str, Formula]:
        places = self.files.by_table("formulas/*.toml")
        return Lazy("formula", places, lambda id: self._read_formula(id, places[id]))

    @cached_property
    def tasks(self) -> Mapping[str, Task]:
        """The tasks by id, in the order of their ids."""
        places = self._task_places
        return Lazy("task", places, lambda id: self._read_task(places[id]))

    @cached_property
    def _task_places(self) -> dict[str, Path]:
        return self.files.by_id("*/*.toml")

    @cached_property
    def models(self) -> Mapping[str, Model]:
        """Public architectures by id."""
        places = self.files.by_id("models/*.toml")
        return Lazy("model", places, lambda id: self._read_named(Model.from_table, places[id]))

    @cached_property
    def hardware(self) -> Mapping[str, Hardware]:
        """Accelerators by id."""
        places = self.files.by_id("hardware/*.toml")
        return Lazy(
            "hardware", places, lambda id: self._read_named(Hardware.from_table, places[id])
        )

    def given(
        self, model: str | Model | None, hardware: str | Hardware | None, precision: str | None
    ) -> Given:
        """What a model and a device state, each an entry or its id.

        Raises UnknownNameError, and DomainError for a precision without hardware.
        """
        return Given.of(
            self.models[model] if isinstance(model, str) else model,
            self.hardware[hardware] if isinstance(hardware, str) else hardware,
            precision,
        )

    def root_of(self, task: str) -> Path:
        """The directory that a task is from."""
        return self.files.root(self._task_places[task])

    @property
    def published(self) -> list[Path]:
        """The files of published keys that come with the catalog."""
        return self.files.find("published/*.jsonl")

    @cached_property
    def figures(self) -> dict[str, list[Figure]]:
        """What is known from elsewhere of the value of each formula."""
        figures: dict[str, list[Figure]] = {}
        for path in self.files.find("proofs/*.jsonl"):
            for number, line in enumerate(self.files.text(path).splitlines(), 1):
                figure = Figure.from_line(line, f"{self.files.place(path)}:{number}")
                figures.setdefault(figure.formula, []).append(figure)
        return figures

    @cached_property
    def identities(self) -> dict[str, Identity]:
        """The identities that hold between the formulas."""
        return {
            id: Identity.from_table(
                id,
                table,
                units=self.units,
                quantities=self.quantities,
                formulas=self.formulas.__getitem__,
            )
            for path in self.files.find("identities.toml")
            for id, table in read_toml(path, self.files.place(path)).tables()
        }

    @cached_property
    def mistakes(self) -> dict[str, FormulaMistake]:
        """Wrong forms of formulas that people really write."""
        return {
            id: FormulaMistake.from_table(
                id,
                table,
                units=self.units,
                quantities=self.quantities,
                formulas=self.formulas.__getitem__,
            )
            for path in self.files.find("mistakes.toml")
            for id, table in read_toml(path, self.files.place(path)).tables()
        }

    def identities_of(self, id: str) -> list[Identity]:
        """The identities that speak of a formula."""
        return [identity for identity in self.identities.values() if id in identity.formulas]

    def formula(self, id: str) -> Formula:
        """A formula by its id, or by the row of the literature that it is (`RF14`)."""
        if id not in self.formulas and id in self.refs:
            return self.formulas[self.refs[id]]
        return self.formulas[id]

    @cached_property
    def graph(self) -> Graph:
        """The quantities and the formulas between them."""
        from symscale.engine.graph import Graph

        return Graph.of(self.formulas.values(), self.quantities, self.units)

    def derive(
        self, target: str, *, given: Mapping[str, Any] | Iterable[str], assume: Sequence[str] = ()
    ) -> Derived:
        """The derivation of least cost of a quantity or formula: see `symscale.engine.derive`."""
        from symscale.engine.derive import derive

        return derive(self, target, given=given, assume=assume)

    def used_by(self, id: str) -> list[str]:
        """The formulas that call this one."""
        return [formula.id for formula in self.formulas.values() if id in formula.uses]

    @cached_property
    def areas(self) -> set[str]:
        """The areas that formulas come in: the names of their files."""
        return {path.stem for path in self.files.find("formulas/*.toml")}

    @cached_property
    def refs(self) -> dict[str, str]:
        """Formula ids by the row of the literature that they are."""
        refs: dict[str, str] = {}
        for path in self.files.find("formulas/*.toml"):
            for id, entry in self.files.toml(path).values.items():
                written = entry.get("ref", []) if isinstance(entry, dict) else []
                for ref in [written] if isinstance(written, str) else written:
                    if refs.setdefault(ref, id) != id:
                        where = f"{self.files.place(path)}: {id}.ref"
                        raise CatalogError(f"{ref!r} is also that of {refs[ref]}", where=where)
        return refs

    def _read_formula(self, id: str, path: Path) -> Formula:
        if id in self._being_read:
            circle = " -> ".join([*self._being_read[self._being_read.index(id) :], id])
            raise CatalogError(f"formulas call each other in a circle: {circle}")
        self._being_read.append(id)
        try:
            return Formula.from_table(
                id,
                path.stem,
                self.files.table(path, id),
                units=self.units,
                quantities=self.quantities,
                formulas=self.formulas.__getitem__,
                given=self.given,
            )
        finally:
            self._being_read.pop()

    def _read_task(self, path: Path) -> Task:
        return read_task(
            read_toml(path, self.files.place(path)),
            category=path.parent.name,
            units=self.units,
            quantities=self.quantities,
            formulas=self.formulas.__getitem__,
        )

    def _read_named(self, read: Callable[..., T], path: Path) -> T:
        return read(
            read_toml(path, self.files.place(path)), units=self.units, quantities=self.quantities
        )


def load(*directories: str | Path) -> Catalog:
    """The catalog that comes with symscale, with the given directories layered over it in order.

    Raises CatalogError for a directory that is not there.

    >>> load().tasks["sc-021"].title
    'Ring all-gather: bytes sent and time'
    """
    roots = [packaged_tasks(), *(Path(directory).resolve() for directory in directories)]
    for root in roots:
        if not root.is_dir():
            raise CatalogError("is not a directory", where=str(root))
    files = Files(tuple(roots))
    files.check_layout()
    return Catalog(files)


def packaged_tasks() -> Path:
    """The checkout's `tasks/`, or the copy inside an installed package."""
    package = Path(__file__).resolve().parents[1]
    checkout = package.parent / "tasks"
    return checkout if (checkout / "units.toml").is_file() else package / "_tasks"
