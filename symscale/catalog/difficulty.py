"""How hard a task is, as a count of what has to be done."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from symscale.catalog.columns import Column, Parameter, Step
from symscale.expressions.nodes import Call, Compare, walk


@dataclass(frozen=True, slots=True)
class Difficulty:
    """What the way from the question to the answer takes."""

    steps: int
    """Derivation steps."""
    formulas: int
    """Formulas that the steps and columns call."""
    conversions: int
    """Parameters, as usually shown, and columns in units that are not base units."""
    kinds: int
    """Of threshold (a comparison), piecewise (max, min, where) and rounding (ceil, floor), how
    many stand in the closed form."""

    @property
    def level(self) -> int:
        """A level more for each doubling of the sum: 1, 2-3, 4-7, 8-15, 16-31, ..."""
        return (self.steps + self.formulas + self.conversions + self.kinds).bit_length()


_KINDS = {
    "max": "piecewise",
    "min": "piecewise",
    "where": "piecewise",
    "ceil": "rounding",
    "floor": "rounding",
}


def difficulty(
    parameters: Mapping[str, Parameter],
    steps: Mapping[str, Step],
    columns: Collection[Column],
    formulas: Collection[str],
) -> Difficulty:
    """The difficulty of a task of these parts, the same for all its variants."""
    nodes = [node for column in columns for node in walk(column.expanded)]
    functions = {node.function for node in nodes if isinstance(node, Call)}
    kinds = {_KINDS[function] for function in functions & _KINDS.keys()}
    if any(isinstance(node, Compare) for node in nodes):
        kinds.add("threshold")
    units = [parameter.shown[0] for parameter in parameters.values()]
    units += [column.unit for column in columns]
    return Difficulty(
        steps=len(steps),
        formulas=len(formulas),
        conversions=sum(unit.scale != 1 for unit in units),
        kinds=len(kinds),
    )
