"""Whole generations: the same bytes by every way, whole or not there, resumed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from symscale.catalog.loader import Catalog
from symscale.errors import CatalogError, SymscaleError
from symscale.variants import generate
from symscale.variants.generate import generate_file, generate_parts
from symscale.variants.manifest import missing_parts, part_files, read_manifest
from symscale.variants.parts import Job, lines_of, write_part
from symscale.variants.plan import Plan, make_plan
from symscale.variants.writers import digest_of
from tests.variants.catalogs import ring

GOLDEN = ["948b4da1e21afe4a", "a96dd632e3b4d295"]

SOME = ("sc-005", "sc-021", "sc-025")


def plan_of(n: int = 100, parts: int | None = 4, seed: int = 0) -> Plan:
    return make_plan([lines_of((), id, "train", seed, False) for id in SOME], n, parts=parts)


def digests(directory: Path) -> dict[str, str]:
    return {path.name: digest_of(path) for path in sorted(directory.glob("part-*"))}


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines()


def test_a_plan_cuts_every_task_into_equal_shares() -> None:
    plan = plan_of(n=10, parts=3)
    assert plan.rows == 30
    for number in range(3):
        assert [stop - start for _, start, stop in plan.ranges(number)] == [3 + (number == 2)] * 3
    assert plan_of(n=100_000, parts=None).parts == 3
    assert plan_of(n=1, parts=None).parts == 1


def test_a_task_gives_all_that_it_has(catalog: Catalog) -> None:
    some = lines_of((), "sc-031", "test", 0, False)
    plan = make_plan([some], 10**9)
    assert plan.rows == some.size < 10_000
    with pytest.raises(SymscaleError, match=r"there are no such variants"):
        make_plan([], 5)


def test_parts_put_together_are_the_tasks_rows(tmp_path: Path) -> None:
    plan = plan_of()
    outcome = generate_parts(plan, tmp_path / "parts")
    assert [file.file for file in outcome.files] == [f"part-0000{n}.jsonl" for n in range(4)]
    rows = [line for path in part_files(tmp_path / "parts") for line in lines(path)]
    whole = tmp_path / "whole.jsonl"
    generate_file(plan_of(parts=1), whole)
    assert sorted(rows) == sorted(lines(whole))
    assert len(set(rows)) == 300


def test_workers_write_the_same_bytes(tmp_path: Path) -> None:
    seen: list[int] = []
    generate_parts(plan_of(), tmp_path / "one")
    generate_parts(plan_of(), tmp_path / "two", workers=2, progress=seen.append)
    assert digests(tmp_path / "one") == digests(tmp_path / "two")
    manifests = [(tmp_path / name / "manifest.json").read_bytes() for name in ("one", "two")]
    assert manifests[0] == manifests[1]
    assert sum(seen) == 300


def test_the_manifest_says_what_is_there(tmp_path: Path) -> None:
    plan = plan_of()
    generate_parts(plan, tmp_path)
    content, files = read_manifest(tmp_path)
    assert content["rows"] == 300
    assert [portion["task"] for portion in content["portions"]] == list(SOME)
    assert (content["split"], content["seed"], content["parts"]) == ("train", 0, 4)
    assert {file.file: file.sha256 for file in files} == digests(tmp_path)
    assert sum(file.rows for file in files) == 300
    assert list(missing_parts(tmp_path)) == []


def test_finished_parts_are_kept_and_others_written_again(tmp_path: Path) -> None:
    generate_parts(plan_of(), tmp_path)
    before = digests(tmp_path)
    kept, changed, short, lost = part_files(tmp_path)
    for path in (kept, changed, short):
        os.utime(path, (1, 1))
    changed.write_bytes(changed.read_bytes().replace(b"e", b"f"))
    short.write_bytes(short.read_bytes()[:-1])
    lost.unlink()
    assert len(list(missing_parts(tmp_path))) == 3
    (tmp_path / ".part-00003.jsonl.1.tmp").write_text("left by a kill")
    outcome = generate_parts(plan_of(), tmp_path)
    assert outcome.kept == 1
    assert digests(tmp_path) == before
    assert kept.stat().st_mtime == 1
    assert not list(tmp_path.glob(".*"))


def test_another_generation_is_not_mixed_in(tmp_path: Path) -> None:
    generate_parts(plan_of(), tmp_path)
    before = digests(tmp_path)
    with pytest.raises(SymscaleError, match=r"holds another generation \(seed differ\)"):
        generate_parts(plan_of(seed=1), tmp_path)
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(CatalogError, match=r"manifest\.json: is not a manifest"):
        generate_parts(plan_of(), tmp_path)
    assert digests(tmp_path) == before


def test_a_changed_catalog_is_noticed_by_whoever_writes(tmp_path: Path) -> None:
    plan = plan_of()
    portion = plan.portions[0]
    other = Plan(
        (type(portion)(portion.task, "0" * 64, portion.count),),
        *(plan.split, plan.seed, plan.unfair, plan.format, 1),
    )
    with pytest.raises(SymscaleError, match=r"sc-005 is not the task that the plan was made with"):
        write_part(Job(other, (), str(tmp_path)), 0)
    with pytest.raises(SymscaleError, match=r"sc-005 is not the task"):
        generate_parts(other, tmp_path / "pool", workers=2)


def test_what_is_finished_before_an_interrupt_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(job: Job, parts: list[int], progress: object) -> object:
        yield write_part(job, parts[0])
        raise KeyboardInterrupt

    monkeypatch.setattr(generate, "in_process", interrupted)
    with pytest.raises(KeyboardInterrupt):
        generate_parts(plan_of(), tmp_path)
    assert [file.file for file in read_manifest(tmp_path)[1]] == ["part-00000.jsonl"]
    monkeypatch.undo()
    assert generate_parts(plan_of(), tmp_path).kept == 1


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_kill_leaves_whole_parts_only(tmp_path: Path, workers: str) -> None:
    command = [
        *(sys.executable, "-c", "from symscale.cli import main; main()", "generate", *SOME),
        *("-n", "6000", "--shards", "12", "--out", str(tmp_path / "killed"), "--workers", workers),
    ]
    process = subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not list((tmp_path / "killed").glob("part-*")) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    found = digests(tmp_path / "killed")
    assert found
    generate_parts(plan_of(n=6_000, parts=12), tmp_path / "whole")
    whole = digests(tmp_path / "whole")
    assert found.items() <= whole.items()
    generate_parts(plan_of(n=6_000, parts=12), tmp_path / "killed")
    assert digests(tmp_path / "killed") == whole
    assert not list((tmp_path / "killed").glob(".*"))


def test_a_file_is_the_same_for_all_time(tmp_path: Path) -> None:
    """Another Python, platform or engine must write these bytes.

    They change with the schema, with what a question says about answering, and with the test's own
    catalog; nothing else may change them.
    """
    ring(tmp_path / "catalog")
    catalogs = (str(tmp_path / "catalog"),)
    plan = make_plan([lines_of(catalogs, "ring", "train", 1, False)], 100, parts=2)
    outcome = generate_parts(plan, tmp_path / "out", catalogs=catalogs)
    assert [file.sha256[:16] for file in outcome.files] == GOLDEN
