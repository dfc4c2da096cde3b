"""Generation on a real local Ray. Run by `make ray`; Ray is an extra, so it is not collected."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import ray

from symscale.errors import SymscaleError
from symscale.variants.generate import generate_parts
from symscale.variants.manifest import read_manifest
from symscale.variants.parts import lines_of
from symscale.variants.plan import Plan, make_plan
from symscale.variants.writers import digest_of

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture
def plan() -> Plan:
    tasks = ("sc-005", "sc-021", "sc-031")
    return make_plan([lines_of((), id, "train", 3, False) for id in tasks], 2000, parts=6)


@pytest.fixture
def whole(tmp_path: Path, plan: Plan) -> dict[str, str]:
    generate_parts(plan, tmp_path / "whole")
    return digests(tmp_path / "whole")


@pytest.fixture(autouse=True)
def no_ray_is_left() -> Iterator[None]:
    yield
    assert not ray.is_initialized()


def digests(directory: Path) -> dict[str, str]:
    return {path.name: digest_of(path) for path in sorted(directory.glob("part-*"))}


def test_ray_writes_the_same_bytes(tmp_path: Path, plan: Plan, whole: dict[str, str]) -> None:
    seen: list[int] = []
    outcome = generate_parts(plan, tmp_path / "ray", engine="ray", workers=2, progress=seen.append)
    assert len(outcome.files) == 6
    assert digests(tmp_path / "ray") == whole
    assert sum(seen) == plan.rows
    assert read_manifest(tmp_path / "ray") == read_manifest(tmp_path / "whole")


def test_a_rerun_over_half_finished_output_gives_the_same(
    tmp_path: Path, plan: Plan, whole: dict[str, str]
) -> None:
    directory = tmp_path / "half"
    generate_parts(plan, directory, engine="ray", workers=2)
    for number in (1, 3, 4):
        (directory / plan.name(number)).unlink()
    (directory / plan.name(5)).write_bytes(b"half a line")
    outcome = generate_parts(plan, directory, engine="ray", workers=2)
    assert outcome.kept == 2
    assert digests(directory) == whole


def test_an_error_of_a_worker_is_told_as_it_is(tmp_path: Path, plan: Plan) -> None:
    portion = plan.portions[0]
    strange = type(portion)(portion.task, "0" * 64, portion.count)
    other = Plan((strange,), plan.split, plan.seed, plan.unfair, plan.format, 1)
    with pytest.raises(SymscaleError, match=r"^sc-005 is not the task that the plan was made with"):
        generate_parts(other, tmp_path, engine="ray", workers=1)
