"""The figures of every area are what their oracles say."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from mpmath import mp

from tests.oracles.lines import PROOFS, heavy, light, recompute, title

AREAS = sorted(path.stem for path in PROOFS.glob("*.jsonl"))
HEAVY = [line for area in AREAS for line in heavy(area)]
LINES = [(area, line) for area in AREAS for line in light(area)]


@pytest.mark.parametrize(
    ("area", "line"), LINES, ids=[f"{area}-{title(line)}" for area, line in LINES]
)
def test_figure_is_what_the_oracle_says(area: str, line: dict[str, Any]) -> None:
    value, figure = recompute(line, area), Fraction(line["value"])
    if isinstance(value, Fraction):
        assert value == figure
    else:
        with mp.workdps(40):
            exact = mp.mpf(figure.numerator) / figure.denominator
            assert mp.almosteq(value, exact, rel_eps=mp.mpf(10) ** -28)


def test_figures_of_other_packages_say_their_versions() -> None:
    assert HEAVY
    for line in HEAVY:
        assert re.fullmatch(r"torch [0-9.]+, transformers [0-9.]+", line["with"]), title(line)


def test_oracles_that_need_other_packages_exist() -> None:
    """Told from the source: importing it would take the packages."""
    here = Path(__file__).parent
    for oracle in {line["oracle"] for line in HEAVY}:
        module, _, name = oracle.rpartition(".")
        source = (here / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
        assert f"\ndef {name}(" in source, f"{module}.{name}"
