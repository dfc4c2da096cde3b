"""One side of a comparison, analysed once."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from symscale.engine.proofs.case import Case
from symscale.engine.proofs.cases import Cases
from symscale.engine.ratios import rational_value, stays_rational
from symscale.engine.sampling import Point, Region
from symscale.errors import SymscaleError
from symscale.expressions.enclosure import evaluate
from symscale.expressions.kernel import Kernel, compile_kernel
from symscale.expressions.nodes import (
    Binary,
    Call,
    Compare,
    Label,
    Name,
    Node,
    Number,
    Sign,
    is_natural,
    walk,
)
from symscale.expressions.shape import Kind
from symscale.expressions.text import text
from symscale.expressions.values import Value

_SMOOTH = ("+", "-", "*")
_PIECEWISE = frozenset({"max", "min", "ceil", "floor", "abs", "where"})


@dataclass(frozen=True)
class Side:
    """One side of a comparison, and what is known about it."""

    node: Node
    source: str | None = None
    """The text that it was read from, if it was."""
    _opened: dict[int, tuple[Region, list[Case]]] = field(
        default_factory=dict[int, "tuple[Region, list[Case]]"], repr=False, compare=False
    )

    @cached_property
    def kind(self) -> Kind:
        node = self.node
        while isinstance(node, Call) and node.function == "where":
            node = node.arguments[1]
        match node:
            case Label():
                return "label"
            case Compare():
                return "truth"
            case _:
                return "number"

    @property
    def names(self) -> list[str]:
        """Each once."""
        return self._contents.names

    @property
    def turns(self) -> list[Node]:
        """The parts that may change their rule, or have no value, somewhere."""
        return self._contents.turns

    @property
    def has_units(self) -> bool:
        """Whether a literal carries a unit."""
        return self._contents.has_units

    def opened(self, cases: Cases, region: Region) -> list[Case]:
        """Its cases as a reference, kept for the next comparison in the same region."""
        letters = len(cases.spare)
        if letters not in self._opened or self._opened[letters][0] is not region:
            self._opened[letters] = region, cases.opened(self.node, region.where)
        return self._opened[letters][1]

    @property
    def rational(self) -> bool:
        return not self.piecewise and not self.irrational

    @property
    def irrational(self) -> int:
        """How many parts leave the rational numbers."""
        return self._contents.irrational

    @property
    def piecewise(self) -> bool:
        return self._contents.piecewise

    @cached_property
    def _contents(self) -> _Contents:
        names: dict[str, None] = {}
        turns: list[Node] = []
        irrational, piecewise, has_units = 0, False, False
        for part in walk(self.node):
            if isinstance(part, Name):
                names[part.id] = None
            elif isinstance(part, Number):
                has_units = has_units or part.unit is not None
            elif isinstance(part, Sign) or (isinstance(part, Binary) and _is_smooth(part)):
                continue
            else:
                turns.append(part)
                if _changes_rule(part):
                    piecewise = True
                elif not stays_rational(part):
                    irrational += 1
        return _Contents(list(names), turns, irrational, piecewise, has_units)

    @cached_property
    def text(self) -> bytes:
        return (self.source or text(self.node)).encode()

    @cached_property
    def kernel(self) -> Kernel:
        return compile_kernel([self.node], self.names)

    @cached_property
    def raised(self) -> Side:
        """The same with 1 added."""
        return Side(Binary("+", self.node, Number("1")))

    def value(self, point: Point, *, often: bool) -> Value | None:
        """The value at a point, None where there is none; a kernel pays off if asked `often`."""
        try:
            if often:
                return self.kernel(point)[0]
            plain = self.rational and self.kind == "number"
            return (rational_value if plain else evaluate)(self.node, point)
        except (SymscaleError, ZeroDivisionError):
            return None


class _Contents(NamedTuple):
    names: list[str]
    turns: list[Node]
    irrational: int
    piecewise: bool
    has_units: bool


def _is_smooth(part: Binary) -> bool:
    """Whether it has a value everywhere, by one rule: a sum, a product or a natural power."""
    return part.op in _SMOOTH or (part.op == "**" and is_natural(part.right))


def _changes_rule(part: Node) -> bool:
    return isinstance(part, Compare) or (isinstance(part, Call) and part.function in _PIECEWISE)
