from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from symscale.catalog.loader import Catalog
from symscale.variants.worth import percent, worth
from tests.variants.catalogs import ring


def test_every_task_is_worth_varying(catalog: Catalog) -> None:
    failures = {id: worth(task).failures for id, task in catalog.tasks.items()}
    assert not any(failures.values()), failures


def test_what_makes_variants_worthless_is_said(tmp_path: Path) -> None:
    found = worth(
        ring(tmp_path, where=("n < 4",), n="{ integers = [2, 40] }", V='{ choices = ["1e5"] }')
    )
    assert found.space == 39 * 2
    assert found.valid < Fraction(1, 5)
    assert found.unused == ()
    assert found.labels["long"] == {"True": 0, "False": 1}
    said = " | ".join(found.failures)
    assert "the space has 78 combinations, fewer than 10,000" in said
    assert "of the combinations meet the constraints, fewer than 20%" in said
    assert "of the valid combinations tell every mistake from the answer, fewer than 90%" in said
    assert "long is True in 0% of the variants, fewer than 5%" in said


def test_shares_are_shown_to_a_tenth_of_a_percent() -> None:
    assert [percent(Fraction(n, 7)) for n in (0, 1, 7)] == ["0%", "14.3%", "100%"]
