"""Every deliberate error in a formula is noticed by a proof on record."""

from __future__ import annotations

import pytest

from symscale.catalog.loader import Catalog, load
from tests.catalog.mutation import survivors

AREAS = sorted(load().areas)


@pytest.mark.parametrize("area", AREAS)
def test_no_wrong_version_survives(catalog: Catalog, area: str) -> None:
    alive = {
        formula.id: wrong
        for formula in catalog.formulas.values()
        if formula.area == area and (wrong := survivors(formula, catalog))
    }
    assert not alive
