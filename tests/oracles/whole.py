"""Oracles that loop over sizes, called with exact numbers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import wraps
from typing import Any

Oracle = Callable[..., Fraction]


def in_whole_numbers(oracle: Callable[..., Any]) -> Oracle:
    """Hand whole numbers over as int, which `range` wants, and the result back as a Fraction."""

    @wraps(oracle)
    def called(**inputs: Fraction) -> Fraction:
        sizes = {name: int(x) if x.denominator == 1 else x for name, x in inputs.items()}
        return Fraction(oracle(**sizes))

    return called
