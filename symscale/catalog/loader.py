"""The catalog: what the files of one or more directories say, read when it is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from symscale.catalog.formulas import Formula
from symscale.catalog.hardware import Hardware
from symscale.catalog.mistakes import FormulaMistake
from symscale.catalog.models import Model
from symscale.catalog.proofs import Figure, Identity
from symscale.catalog.quantities import Quantity
from symscale.catalog.reading import Table, read_toml
from symscale.catalog.stated import Given
from symscale.catalog.tasks import Task
from symscale.errors import CatalogError, UnknownNameError
from symscale.units import UnitSystem

if TYPE_CHECKING:
    from symscale.engine.derive import Derived
    from symscale.engine.graph import Graph

T = TypeVar("T")

_ID_LINE = re.compile(r"""^id\s*=\s*["']([^"']*)["']""", re.MULTILINE)
_TABLE_LINE = re.compile(r"^\[\s*([A-Za-z0-9_-]+)\s*\]", re.MULTILINE)


class Lazy(Mapping[str, T], Generic[T]):
    """A mapping whose values are read when they are first asked for."""

    def __init__(self, kind: str, places: Mapping[str, Path], read: Callable[[str], T]) -> None:
        self._kind = kind
        self._places = places
        self._read = read
        self._values: dict[str, T] = {}

    def __getitem__(self, key: str) -> T:
        if key not in self._values:
            if key not in self._places:
                raise _Missing(self._kind, key, self._places)
            self._values[key] = self._read(key)
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, key: object) -> bool:
        return key in self._places


class _Missing(UnknownNameError, KeyError):
    """Raised by a mapping, so that it is a KeyError as well."""

    __str__ = UnknownNameError.__str__


@dataclass(frozen=True)
class Catalog:
    """Units, quantities, formulas and tasks of the given directories, later ones over earlier."""

    roots: tuple[Path, ...]
    _being_read: list[str] = field(default_factory=list, repr=False, compare=False)

    @cached_property
    def units(self) -> UnitSystem:
        merged: dict[str, dict[str, object]] = {"prefixes": {}, "units": {}}
        bases: list[str] = []
        place = ""
        for path in self._files("units.toml"):
            table = read_toml(path, place := self._place(path))
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
        for path in self._files("quantities.toml"):
            for id, table in read_toml(path, self._place(path)).tables():
                quantities[id] = Quantity.from_table(id, table, self.units)
        return quantities

    @cached_property
    def formulas(self) -> Mapping[str, Formula]:
        places = {}
        for path in self._files("formulas/*.toml"):
            for id in _TABLE_LINE.findall(self._text(path)):
                places[id] = path
        return Lazy("formula", places, lambda id: self._read_formula(id, places[id]))

    @cached_property
    def tasks(self) -> Mapping[str, Task]:
        """The tasks by id, in the order of their ids."""
        files = self._files("*/*.toml")
        ordered = self._by_id(path for path in files if path.parent.name not in _OTHER_FOLDERS)
        return Lazy("task", ordered, lambda id: self._read_task(ordered[id]))

    @cached_property
    def models(self) -> Mapping[str, Model]:
        """Public architectures by id."""
        places = self._by_id(self._files("models/*.toml"))
        return Lazy("model", places, lambda id: self._read_named(Model.from_table, places[id]))

    @cached_property
    def hardware(self) -> Mapping[str, Hardware]:
        """Accelerators by id."""
        places = self._by_id(self._files("hardware/*.toml"))
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

    def _by_id(self, paths: Iterable[Path]) -> dict[str, Path]:
        """The files, each with an `id` of its own, in the order of their ids."""
        places: dict[str, Path] = {}
        for path in paths:
            match = _ID_LINE.search(self._text(path))
            if match is None:
                read_toml(path, self._place(path))
                raise CatalogError("is missing", where=f"{self._place(path)}: id")
            taken = places.get(match[1])
            if taken is not None and self._root(taken) == self._root(path):
                raise CatalogError(
                    f"{match[1]!r} is also the id of {self._place(taken)}",
                    where=f"{self._place(path)}: id",
                )
            places[match[1]] = path
        return dict(sorted(places.items()))

    @property
    def published(self) -> list[Path]:
        """The files of published keys that come with the catalog."""
        return self._files("published/*.jsonl")

    @cached_property
    def figures(self) -> dict[str, list[Figure]]:
        """What is known from elsewhere of the value of each formula."""
        figures: dict[str, list[Figure]] = {}
        for path in self._files("proofs/*.jsonl"):
            for number, line in enumerate(self._text(path).splitlines(), 1):
                figure = Figure.from_line(line, f"{self._place(path)}:{number}")
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
            for path in self._files("identities.toml")
            for id, table in read_toml(path, self._place(path)).tables()
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
            for path in self._files("mistakes.toml")
            for id, table in read_toml(path, self._place(path)).tables()
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
        return {path.stem for path in self._files("formulas/*.toml")}

    @cached_property
    def refs(self) -> dict[str, str]:
        """Formula ids by the row of the literature that they are."""
        refs = {}
        for path in self._files("formulas/*.toml"):
            for id, entry in self._area(path).values.items():
                written = entry.get("ref", []) if isinstance(entry, dict) else []
                refs.update(dict.fromkeys([written] if isinstance(written, str) else written, id))
        return refs

    @cached_property
    def _area_tables(self) -> dict[Path, Table]:
        return {}

    def _area(self, path: Path) -> Table:
        if path not in self._area_tables:
            self._area_tables[path] = read_toml(path, self._place(path))
        return self._area_tables[path]

    def _read_formula(self, id: str, path: Path) -> Formula:
        if id in self._being_read:
            circle = " -> ".join([*self._being_read[self._being_read.index(id) :], id])
            raise CatalogError(f"formulas call each other in a circle: {circle}")
        self._being_read.append(id)
        try:
            return Formula.from_table(
                id,
                path.stem,
                Table(self._area(path).values[id], self._place(path), f"{id}."),
                units=self.units,
                quantities=self.quantities,
                formulas=self.formulas.__getitem__,
                given=self.given,
            )
        finally:
            self._being_read.pop()

    def _read_task(self, path: Path) -> Task:
        return Task.from_table(
            read_toml(path, self._place(path)),
            category=path.parent.name,
            units=self.units,
            quantities=self.quantities,
            formulas=self.formulas.__getitem__,
        )

    def _read_named(self, read: Callable[..., T], path: Path) -> T:
        return read(
            read_toml(path, self._place(path)), units=self.units, quantities=self.quantities
        )

    def _files(self, pattern: str) -> list[Path]:
        return [path for root in self.roots for path in sorted(root.glob(pattern))]

    def _root(self, path: Path) -> Path:
        return next(root for root in self.roots if path.is_relative_to(root))

    def _place(self, path: Path) -> str:
        root = self._root(path)
        return f"{root.name}/{path.relative_to(root).as_posix()}"

    def _text(self, path: Path) -> str:
        try:
            return path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CatalogError(f"cannot be read: {error}", where=self._place(path)) from None


_OTHER_FOLDERS = frozenset({"formulas", "hardware", "models", "proofs", "published"})


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
    return Catalog(tuple(roots))


def packaged_tasks() -> Path:
    """The checkout's `tasks/`, or the copy inside an installed package."""
    package = Path(__file__).resolve().parents[1]
    checkout = package.parent / "tasks"
    return checkout if (checkout / "units.toml").is_file() else package / "_tasks"
