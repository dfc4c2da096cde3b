"""Whole-number answers under other readings of what was given."""

from __future__ import annotations

from fractions import Fraction as F
from math import ceil

import pytest

from symscale.catalog.loader import Catalog
from symscale.engine.robustness import audit_derived, audit_instance


def test_gb_for_gib_can_cost_a_chip(catalog: Catalog) -> None:
    """1000 GB on 64 GB devices take 16; on 64 GiB devices 15 would do."""
    given = {"resident_bytes": "1000 GB", "usable_memory_per_device": "64 GB"}
    audit = audit_derived(catalog.derive("min_devices_for_bytes", given=given))
    assert audit is not None
    assert audit.answer == ceil(F(1000, 64)) == 16
    assert not audit.robust
    flips = {(flip.name, flip.reading): flip.answer for flip in audit.flips}
    binary = "binary bytes for decimal ones (GiB for GB)"
    assert flips["usable_memory_per_device", binary] == ceil(F(1000 * 10**9, 64 * 2**30)) == 15
    assert flips["resident_bytes", binary] == ceil(F(1000 * 2**30, 64 * 10**9)) == 17


def test_an_answer_far_from_a_step_is_robust(catalog: Catalog) -> None:
    given = {"resident_bytes": "1.0e9", "usable_memory_per_device": "80 GB"}
    audit = audit_derived(catalog.derive("min_devices_for_bytes", given=given))
    assert audit is not None
    assert audit.robust
    assert audit.readings > 2
    assert audit.data["robust"] is True


def test_a_length_in_k(catalog: Catalog) -> None:
    given = {"seq_len": 128000, "cache_block_tokens": 16, "kv_cache_bytes_per_token": 1}
    audit = audit_derived(catalog.derive("paged_kv_cache_bytes", given=given))
    assert audit is not None
    (flip,) = [flip for flip in audit.flips if flip.name == "seq_len"]
    assert (flip.value, flip.answer) == (F(131072), F(131072))
    assert flip.reading == "128k as a power of 1024"


def test_printed_digits(catalog: Catalog) -> None:
    """0.43 may be anything from 0.425 to 0.435."""
    given = {"train_flops": "3.15e23", "peak_flops": "4e14", "mfu": "0.43", "deadline": "30 day"}
    audit = audit_derived(catalog.derive("devices_for_deadline", given=given))
    assert audit is not None
    seconds = 30 * 86400
    for flip in audit.flips:
        if flip.name == "mfu":
            assert flip.value in (F("0.425"), F("0.435"))
            assert flip.answer == ceil(F("3.15e23") / (F("4e14") * flip.value * seconds))


def test_only_rounded_answers_are_audited(catalog: Catalog) -> None:
    derived = catalog.derive("train_flops", given={"n_params": "7e10", "n_tokens": "2e12"})
    assert audit_derived(derived) is None
    assert derived.data["robustness"] is None
    symbolic = catalog.derive(
        "min_devices_for_bytes", given=["resident_bytes", "usable_memory_per_device"]
    )
    assert audit_derived(symbolic) is None


def test_it_is_part_of_a_derivation_as_shown(catalog: Catalog) -> None:
    given = {"resident_bytes": "1000 GB", "usable_memory_per_device": "64 GB"}
    derived = catalog.derive("min_devices_for_bytes", given=given)
    assert "Not robust" in derived._repr_mimebundle_()["text/plain"]
    assert derived.data["robustness"]["robust"] is False


@pytest.mark.parametrize("task", ["sc-018", "sc-020", "sc-006", "sc-031"])
def test_tasks(catalog: Catalog, task: str) -> None:
    """Every flip is what the task itself gives at the other value."""
    instance = catalog.tasks[task].instance()
    audits = audit_instance(instance)
    assert audits
    columns = [column.name for column in instance.task.columns]
    for name, audit in audits.items():
        position = columns.index(name)
        assert instance.values[position] == audit.answer
        for flip in audit.flips:
            values = {**instance.parameters, flip.name: flip.value}
            assert instance.task.kernel(values)[position] == flip.answer != audit.answer
