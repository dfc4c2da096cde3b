"""The figures of FLOPs, parameters and memory are what their oracles say."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracles.lines import light, recompute, title, written

LINES = [(area, line) for area in ("flops", "params", "memory") for line in light(area)]


@pytest.mark.parametrize(
    ("area", "line"), LINES, ids=[f"{area}-{title(line)}" for area, line in LINES]
)
def test_figure_is_what_the_oracle_says(area: str, line: dict[str, Any]) -> None:
    assert written(recompute(line, area)) == line["value"]
