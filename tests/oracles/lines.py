"""The lines of tasks/proofs, and the oracles that they name."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

from mpmath import mp

PROOFS = Path(__file__).parents[2] / "tasks" / "proofs"


def read(area: str) -> list[dict[str, Any]]:
    """The lines of an area, as written."""
    text = (PROOFS / f"{area}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def light(area: str) -> list[dict[str, Any]]:
    """The lines whose oracle needs plain Python alone."""
    return [line for line in read(area) if line["kind"] == "oracle" and "with" not in line]


def heavy(area: str) -> list[dict[str, Any]]:
    """The lines whose oracle needs other packages: it says which."""
    return [line for line in read(area) if line["kind"] == "oracle" and "with" in line]


def recompute(line: dict[str, Any], area: str) -> Any:
    """What the oracle says now.

    `name` is a function of the area's own module, `module.name` one of another module here.
    """
    module, _, name = line["oracle"].rpartition(".")
    module = module or area.replace("-", "_")
    oracle: Callable[..., Any] = getattr(import_module(f"tests.oracles.{module}"), name)
    return oracle(**{letter: Fraction(value) for letter, value in line["inputs"].items()})


def written(value: Any) -> str:
    """A value as a line has it: p/q, or 30 significant digits where it is irrational."""
    if isinstance(value, Fraction):
        return str(value)
    with mp.workdps(40):
        return str(mp.nstr(value, 30))


def title(line: dict[str, Any]) -> str:
    inputs = "-".join(f"{letter}{value}" for letter, value in line["inputs"].items())
    return f"{line['formula']}-{inputs}"
