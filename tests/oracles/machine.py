"""A machine that counts the arithmetic it runs: scalars, dot products, and their gradients.

It is an automatic differentiator of scalars that keeps no values, only whether a number needs a
gradient. A multiply-add is two FLOPs; its backward pass gives each factor that needs a gradient
the product of the other factor and the result's gradient, again a multiply and an add.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isqrt
from typing import TypeAlias

Number: TypeAlias = bool
"""Whether it needs a gradient."""
Matrix: TypeAlias = list[list[Number]]
Visible: TypeAlias = Sequence[Iterable[int]]
"""For each query, the positions of the keys that it meets."""


class Machine:
    """Runs multiply-adds; `flops` says how many FLOPs that took so far."""

    def __init__(self) -> None:
        self.flops = 0
        self._tape: list[tuple[Number, Number]] = []

    def dot(self, left: Sequence[Number], right: Sequence[Number]) -> Number:
        needs_gradient = False
        for x, y in zip(left, right, strict=True):
            self.flops += 2
            self._tape.append((x, y))
            needs_gradient = needs_gradient or x or y
        return needs_gradient

    def matmul(self, left: Matrix, right: Matrix) -> Matrix:
        columns = [list(column) for column in zip(*right, strict=True)]
        return [[self.dot(row, column) for column in columns] for row in left]

    def scores(self, queries: Matrix, keys: Matrix, visible: Visible) -> Matrix:
        """One row a query, with one score for each key that it meets."""
        return [
            [self.dot(query, keys[position]) for position in positions]
            for query, positions in zip(queries, visible, strict=True)
        ]

    def weighted_sums(self, weights: Matrix, values: Matrix, visible: Visible) -> Matrix:
        """One row a query: each column of the values that it meets, weighted by its scores."""
        sums = []
        for row, positions in zip(weights, visible, strict=True):
            met = [values[position] for position in positions]
            sums.append([self.dot(row, list(column)) for column in zip(*met, strict=True)])
        return sums

    def attention(self, queries: Matrix, keys: Matrix, values: Matrix, visible: Visible) -> Matrix:
        """One head, softmax left out."""
        return self.weighted_sums(self.scores(queries, keys, visible), values, visible)

    def backward(self) -> int:
        """Pass gradients back through all that ran since the last time; say the FLOPs it took."""
        before = self.flops
        for x, y in reversed(self._tape):
            self.flops += 2 * (x + y)
        self.forget()
        return self.flops - before

    def forget(self) -> None:
        """Keep nothing for a backward pass of what ran so far."""
        self._tape.clear()


def matrix(rows: int, columns: int, number: Number = True) -> Matrix:
    return [[number] * columns for _ in range(rows)]


def every_key(queries: int, keys: int) -> Visible:
    return [range(keys)] * queries


def causal(positions: int) -> Visible:
    return [range(position + 1) for position in range(positions)]


def causal_without_itself(positions: int) -> Visible:
    return [range(position) for position in range(positions)]


def window(positions: int, width: int) -> Visible:
    return [range(max(position - width + 1, 0), position + 1) for position in range(positions)]


def squares_of(total: int) -> list[int]:
    """Numbers whose squares add up to the total, the largest first."""
    sides = []
    while total:
        sides.append(isqrt(total))
        total -= sides[-1] ** 2
    return sides
