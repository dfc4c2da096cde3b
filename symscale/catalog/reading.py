"""TOML files read exactly, and their values taken key by key with errors that name the place."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from symscale.errors import CatalogError, SymscaleError, TooLargeError
from symscale.numbers import read_rational

T = TypeVar("T")
_MISSING = object()
MAX_BITS = 10_000
"""Of a number that is given as such; its text is bounded more tightly."""


def read_toml(path: Path, place: str) -> Table:
    """The table of a file. A decimal stays the text it was written as, so no float is made."""
    try:
        content = path.read_bytes().decode("utf-8")
        return Table(tomllib.loads(content, parse_float=lambda text: text.replace("_", "")), place)
    except OSError as error:
        raise CatalogError(f"cannot be read: {error.strerror}", where=place) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, ValueError, RecursionError) as error:
        raise CatalogError(f"is not a TOML file: {error}", where=place) from None


class Table:
    """A TOML table at a place, such as `tasks/roofline/matmul.toml: parameters.B`.

    Every reader takes the key away, so that `finish` can refuse what nobody asked for.
    """

    def __init__(self, values: Mapping[str, Any], place: str, prefix: str = "") -> None:
        self.values = dict(values)
        self.place = place
        self.prefix = prefix
        self.known: list[str] = []

    def error(self, key: str, what: str) -> CatalogError:
        return CatalogError(what, where=f"{self.place}: {self.prefix}{key}")

    def take(self, key: str, default: Any = _MISSING) -> Any:
        self.known.append(key)
        value = self.values.pop(key, default)
        if value is _MISSING:
            raise self.error(key, "is missing")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        value = self.take(key, _MISSING if default is None else default)
        if not isinstance(value, str):
            raise self.error(key, f"is a text in quotes, not {value!r}")
        return value

    def texts(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """A list of texts; one text stands for a list of one."""
        value = self.take(key, _MISSING if default is None else default)
        values = [value] if isinstance(value, str) else list(value) if _is_list(value) else [None]
        if not all(isinstance(item, str) for item in values):
            raise self.error(key, f"is a list of texts in quotes, not {value!r}")
        return tuple(values)

    def rational(self, key: str) -> Fraction:
        return self.convert(key, exact, self.take(key))

    def rationals(self, key: str) -> tuple[Fraction, ...]:
        value = self.take(key)
        if not _is_list(value):
            raise self.error(key, f"is a list of numbers, not {value!r}")
        return tuple(self.convert(key, exact, item) for item in value)

    def integer(self, key: str, default: int | None = None) -> int:
        value = self.take(key, _MISSING if default is None else default)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.error(key, f"is an integer, not {value!r}")
        return value

    def flag(self, key: str) -> bool:
        value = self.take(key, False)
        if not isinstance(value, bool):
            raise self.error(key, f"is true or false, not {value!r}")
        return value

    def table(self, key: str, default: Mapping[str, Any] | None = None) -> Table:
        value = self.take(key, _MISSING if default is None else default)
        if not isinstance(value, Mapping):
            raise self.error(key, f"is a table, not {value!r}")
        return Table(value, self.place, f"{self.prefix}{key}.")

    def tables(self) -> Iterator[tuple[str, Table]]:
        """All values, each a table, with their keys in the file's order."""
        for key in list(self.values):
            yield key, self.table(key)

    def convert(self, key: str, read: Callable[[Any], T], value: Any) -> T:
        """`read(value)`, with the place in its error."""
        try:
            return read(value)
        except SymscaleError as error:
            where = f"{error.where}: " if error.where else ""
            raise self.error(key, f"{where}{error.what}") from None

    def finish(self) -> None:
        if self.values:
            known = ", ".join(dict.fromkeys(self.known))
            raise self.error(min(self.values), f"is not a key here; known are {known}")


def exact(value: Any) -> Fraction:
    """An exact number: an integer, a decimal or a fraction in text, a Fraction.

    A float is refused: what it holds is not what was written.
    """
    if isinstance(value, Fraction | int) and not isinstance(value, bool):
        if max(abs(part).bit_length() for part in value.as_integer_ratio()) > MAX_BITS:
            raise TooLargeError(f"a number has at most {MAX_BITS} bits")
        return Fraction(value)
    if isinstance(value, str):
        return read_rational(value)
    hint = f"; write it in quotes, as '{value!r}'" if isinstance(value, float) else ""
    raise CatalogError(f"{value!r} is not an exact number{hint}")


def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object whose keys stand once; ValueError for any other."""
    table = dict(pairs)
    if len(table) < len(pairs):
        raise ValueError("a key stands twice")
    return table


def no_constant(name: str) -> NoReturn:
    """NaN and Infinity, which Python's JSON would read: ValueError."""
    raise ValueError(f"{name} is not a number")


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)
