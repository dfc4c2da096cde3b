"""Arrays in memory, and the bytes they take."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import prod

Bytes = int | Fraction
WIDTH = {"bf16": 2, "fp32": 4, "mask": 1}


@dataclass(frozen=True)
class Tensor:
    """One array in memory."""

    shape: tuple[int, ...]
    width: Bytes
    """Bytes of an element."""

    @property
    def bytes(self) -> Bytes:
        return prod(self.shape) * self.width


def held(tensors: Iterable[Tensor]) -> Bytes:
    return sum((tensor.bytes for tensor in tensors), Fraction(0))
