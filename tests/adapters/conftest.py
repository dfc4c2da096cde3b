"""Rows, and what symscale gives for right, wrong, malformed and hostile answers to them."""

from __future__ import annotations

from typing import Any

import pytest

from symscale.catalog.loader import Catalog
from symscale.export.mixture import tasks_of
from symscale.variants.rows import Row, published_row
from tests.adapters.answers import completions


@pytest.fixture(scope="session")
def asked(catalog: Catalog) -> list[tuple[Row, str, float]]:
    """Every answer to every task at its published values, with the reward it must get."""
    rows: list[Any] = [published_row(task) for task in tasks_of(catalog)]
    return [(row, text, reward) for row in rows for text, reward in completions(row)]
