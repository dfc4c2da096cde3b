"""The figures of GPUs are what their oracles say."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.oracles.lines import light, recompute, title


@pytest.mark.parametrize("line", light("gpu"), ids=title)
def test_figure_is_what_the_oracle_says(line: dict[str, Any]) -> None:
    assert recompute(line, "gpu") == Fraction(line["value"])
