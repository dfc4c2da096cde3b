"""The one family of errors. Each says where, what was found, and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import ClassVar, Self


class SymscaleError(Exception):
    """Anything that symscale refuses, with the place it was found.

    The place grows on the way up: a dimension error found in an expression is raised again
    `at` its key, and then `at` its file.
    """

    exit_status: ClassVar[int] = 2

    def __init__(self, what: str, *, where: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where

    def at(self, where: str) -> Self:
        """The same error, found inside `where`."""
        self.where = f"{where}: {self.where}" if self.where else where
        return self

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


class ExpressionError(SymscaleError):
    """Text that is not an expression of the notation, or a tree that is not well formed."""


class TooLargeError(ExpressionError):
    """An expression or a number past the bounds that keep its evaluation cheap."""


class UnitError(SymscaleError):
    """A unit that is unknown or ambiguous, or a quantity that cannot be read."""


class DimensionError(UnitError):
    """Two dimensions that should be the same and are not."""


class DomainError(SymscaleError):
    """A value outside what its quantity, function or formula admits."""


class UndecidedError(SymscaleError):
    """A comparison or rounding of irrational values that the highest precision leaves open, or an
    equivalence that points cannot decide."""


class CatalogError(SymscaleError):
    """A catalog, key or answer file that does not say what it must."""

    exit_status = 3


class UnknownNameError(SymscaleError):
    """A name that is not there, with the nearest ones that are."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        near = difflib.get_close_matches(name[:100], list(known), n=3)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        super().__init__(f"no {kind} is called {name[:100]!r}{hint}")


class MissingExtraError(SymscaleError):
    """An optional library that is not installed, with the command that brings it."""

    def __init__(self, extra: str) -> None:
        super().__init__(f"this needs an optional library: pip install 'symscale[{extra}]'")
