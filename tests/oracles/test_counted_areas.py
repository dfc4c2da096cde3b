"""The figures of kernels, runs, pipelines, mixtures and serving are what their oracles say."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from mpmath import mp

from tests.oracles.clock import real
from tests.oracles.lines import light, recompute, title

AREAS = (
    "roofline",
    "hardware",
    "cost",
    "reliability",
    "scaling-laws",
    "moe",
    "pipeline",
    "inference",
)
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
            assert mp.almosteq(value, real(figure), rel_eps=mp.mpf(10) ** -29)
