"""A catalog with a task of known answers."""

from __future__ import annotations

import pytest

from symscale.catalog.instances import Instance
from symscale.catalog.loader import Catalog
from tests.grading.making import made_catalog


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    return made_catalog(tmp_path_factory.mktemp("catalog"))


@pytest.fixture(scope="session")
def ring(made: Catalog) -> Instance:
    """8 devices, 4e9 bytes, 1.8e11 bytes/s: 3.5 GB, 7/360 s, "large"."""
    return made.tasks["made-ring"].instance()
