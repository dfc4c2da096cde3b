"""The figures of training in parallel are what their oracles say."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from mpmath import mp

from tests.oracles.lines import light, recompute, title


@pytest.mark.parametrize("line", light("training-parallelism"), ids=title)
def test_figure_is_what_the_oracle_says(line: dict[str, Any]) -> None:
    value = recompute(line, "training_parallelism")
    if isinstance(value, Fraction):
        assert value == Fraction(line["value"])
    else:
        with mp.workdps(40):
            assert mp.nstr(value, 30) == line["value"]
