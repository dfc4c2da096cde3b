"""A stranger who follows CONTRIBUTING.md adds a unit, a quantity, a formula and a task."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from symscale.catalog.loader import Catalog, load
from symscale.verification import verify_formulas, verify_task

PAGE = (Path(__file__).resolve().parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def catalog_of_a_stranger(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """The page's blocks, each in the file that the page names."""
    folder = tmp_path_factory.mktemp("mine")
    unit, quantity, formula, task = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.M | re.S)
    (proof,) = re.findall(r"^```json\n(.*?)^```$", PAGE, re.M | re.S)
    for name, text in {
        "units.toml": unit,
        "quantities.toml": quantity,
        "formulas/racks.toml": formula,
        "proofs/racks.jsonl": proof,
        "racks/devices.toml": task,
    }.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return load(folder)


def test_the_unit_is_there(catalog_of_a_stranger: Catalog) -> None:
    assert catalog_of_a_stranger.units.parse("decades").scale == 86400 * 3652 + 43200


def test_the_formula_holds(catalog_of_a_stranger: Catalog) -> None:
    report = verify_formulas(catalog_of_a_stranger)
    (mine,) = [formula for formula in report.formulas if formula.area == "racks"]
    assert (mine.oracle, mine.failures) == (1, ())


def test_the_task_holds(catalog_of_a_stranger: Catalog) -> None:
    task = catalog_of_a_stranger.tasks["rack-1"]
    assert task.instance().answer.exact == [["57", "100"]]
    assert not verify_task(task, catalog_of_a_stranger, variants=20).failures
