"""Nodes to a generated Python function over integers, its values in lowest terms."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from symscale.expressions.draft import HELPERS, Code, Draft, Irrational
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import Node
from symscale.expressions.sharing import share
from symscale.expressions.values import Value

Cell: TypeAlias = tuple[int, int] | str | bool
"""A kernel's output: numerator and denominator, a label, or a truth value."""


@dataclass(frozen=True)
class Kernel:
    """A compiled list of expressions over the same inputs."""

    outputs: tuple[Node, ...]
    inputs: tuple[str, ...]
    source: str = field(repr=False)
    positive: tuple[str, ...] = field(repr=False, compare=False)
    integers: tuple[str, ...] = field(repr=False, compare=False)
    run: Callable[..., tuple[Cell, ...]] = field(repr=False, compare=False)
    """Takes numerator and denominator of each input in turn (an input declared integer: its
    numerator alone). Raises Irrational where the value is not a rational of modest size."""

    def __call__(self, values: Mapping[str, Fraction]) -> tuple[Value, ...]:
        """The exact values of the outputs, in order.

        Where one leaves the rationals, all are found in intervals. Raises what `evaluate` raises.
        """
        try:
            cells = self.cells(values)
        except (Irrational, ZeroDivisionError):
            return tuple(evaluate(node, values) for node in self.outputs)
        return tuple(Fraction(*cell) if isinstance(cell, tuple) else cell for cell in cells)

    def cells(self, values: Mapping[str, Fraction]) -> tuple[Cell, ...]:
        """The outputs as `run` gives them. Raises Irrational and ZeroDivisionError."""
        arguments: list[int] = []
        for name in self.inputs:
            arguments += values[name].as_integer_ratio()
        return self.run(*arguments)

    def __reduce__(self) -> tuple[Any, ...]:
        """A kernel travels as what it was compiled from."""
        return _recompile, (self.outputs, self.inputs, self.positive, self.integers)


def compile_kernel(
    outputs: Sequence[Node],
    inputs: Sequence[str],
    *,
    positive: Collection[str] = (),
    integers: Collection[str] = (),
) -> Kernel:
    """Compile expressions that share their inputs, and with them their common parts.

    `positive` names the inputs that are never zero or negative, which saves checks; `integers`
    those that are passed to `run` without a denominator.
    """
    draft = Draft(inputs, positive=positive, integers=integers)
    results = [_canonical(draft, draft.output(node)) for node in share(outputs)]
    body = [*draft.lines, f"return ({''.join(f'{result}, ' for result in results)})"]
    source = "\n    ".join([f"def kernel({', '.join(draft.arguments)}):", *body])
    return Kernel(
        outputs=tuple(outputs),
        inputs=tuple(inputs),
        source=source,
        positive=tuple(positive),
        integers=tuple(integers),
        run=_define(source, draft.labels),
    )


def _recompile(
    outputs: tuple[Node, ...],
    inputs: tuple[str, ...],
    positive: tuple[str, ...],
    integers: tuple[str, ...],
) -> Kernel:
    return compile_kernel(outputs, inputs, positive=positive, integers=integers)


def _canonical(draft: Draft, found: Code | str) -> str:
    if isinstance(found, str):
        return found
    reduced = draft.reduced(found)
    return f"({reduced.over}, {reduced.under})"


def _define(source: str, labels: Mapping[str, str]) -> Callable[..., tuple[Cell, ...]]:
    namespace: dict[str, Any] = {**HELPERS, **labels}
    exec(compile(source, "<kernel>", "exec"), namespace)
    kernel: Callable[..., tuple[Cell, ...]] = namespace["kernel"]
    return kernel
