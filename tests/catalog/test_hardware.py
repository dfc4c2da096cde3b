"""Accelerators as data: known figures, and devices as values of formulas."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from symscale.catalog.loader import Catalog, load
from symscale.errors import CatalogError, DomainError, UnknownNameError

DEVICES = sorted(load().hardware)

MINE = """
id = "mine"
title = "My accelerator"

[peak_flops]
bf16 = { value = "100 Tflop/s/device", source = "a test" }

[values]
hbm_bandwidth = { value = "2 TB/s", source = "a test" }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "hardware").mkdir()
    return tmp_path


def wrong(folder: Path, old: str, new: str) -> str:
    """What is said of the file with something in it replaced."""
    assert old in MINE
    (folder / "hardware" / "mine.toml").write_text(MINE.replace(old, new), encoding="utf-8")
    with pytest.raises(CatalogError) as error:
        load(folder).hardware["mine"]
    return str(error.value)


class TestFigures:
    @pytest.mark.parametrize("id", DEVICES)
    def test_a_device_states_what_a_roofline_needs(self, catalog: Catalog, id: str) -> None:
        device = catalog.hardware[id]
        assert device.peaks
        assert {"hbm_capacity", "hbm_bandwidth"} <= set(device.values)
        assert all(stated.source for stated in (*device.peaks.values(), *device.values.values()))

    @pytest.mark.parametrize("id", DEVICES)
    def test_narrower_formats_are_never_slower(self, catalog: Catalog, id: str) -> None:
        peaks = catalog.hardware[id].peaks
        order = [["tf32"], ["bf16", "fp16"], ["fp8", "int8"], ["fp4"]]
        rates = [{peaks[p].value for p in group if p in peaks} for group in order]
        known = [rate for rate in rates if rate]
        assert all(len(rate) == 1 for rate in known)
        in_order = [min(rate) for rate in known]
        assert in_order == sorted(in_order)

    @pytest.mark.parametrize("id", DEVICES)
    def test_links_in_both_directions_carry_twice_as_much(self, catalog: Catalog, id: str) -> None:
        values = catalog.hardware[id].values
        if "link_bandwidth_both_ways" in values:
            both = values["link_bandwidth_both_ways"].value
            assert both == 2 * values["link_bandwidth_one_way"].value

    @pytest.mark.parametrize("id", DEVICES)
    def test_what_is_printed_with_sparsity_stands_halved(self, catalog: Catalog, id: str) -> None:
        for stated in catalog.hardware[id].peaks.values():
            _, printed, number = stated.source.partition("; printed ")
            if printed and "Pflop" not in number:
                assert 2 * stated.value == Fraction(number.split()[0]) * 10**12

    @pytest.mark.parametrize(
        ("id", "precision", "peak"),
        [
            ("a100-80gb-sxm", "bf16", "312e12"),
            ("h100-sxm", "bf16", "989.5e12"),
            ("b200", "fp8", "4500e12"),
            ("mi300x", "fp16", "1307.4e12"),
            ("tpu-v5e", "bf16", "197e12"),
            ("tpu-v7", "fp8", "4614e12"),
        ],
    )
    def test_dense_peaks(self, catalog: Catalog, id: str, precision: str, peak: str) -> None:
        assert catalog.hardware[id].peak(precision).value == Fraction(peak)

    def test_gigabytes_and_gibibytes_are_kept_apart(self, catalog: Catalog) -> None:
        assert catalog.hardware["h100-sxm"].values["hbm_capacity"].value == 80 * 10**9
        assert catalog.hardware["tpu-v4"].values["hbm_capacity"].value == 32 * 2**30


class TestAsValues:
    def test_ridge_point(self, catalog: Catalog) -> None:
        ridge = catalog.formula("critical_intensity")
        assert ridge.evaluate(hardware="tpu-v5e", precision="bf16") == Fraction(197_000, 819)
        assert ridge.evaluate(hardware="h100-sxm", precision="fp8") == Fraction(39580, 67)

    def test_explicit_values_win(self, catalog: Catalog) -> None:
        ridge = catalog.formula("critical_intensity")
        given = {"hardware": "h100-sxm", "precision": "bf16"}
        assert ridge.evaluate(**given, hbm_bandwidth="1 TB/s") == Fraction("989.5")
        assert ridge.evaluate(**given, P="5 Tflop/s", W="1 TB/s") == 5

    def test_an_entry_serves_as_well_as_its_id(self, catalog: Catalog) -> None:
        ridge = catalog.formula("critical_intensity")
        device = catalog.hardware["a100-40gb-sxm"]
        by_id = ridge.evaluate(hardware="a100-40gb-sxm", precision="bf16")
        assert ridge.evaluate(hardware=device, precision="bf16") == by_id

    def test_a_peak_needs_a_precision(self, catalog: Catalog) -> None:
        with pytest.raises(DomainError) as error:
            catalog.formula("critical_intensity").evaluate(hardware="tpu-v5e")
        assert "P (peak_flops: tpu-v5e states one for each precision: bf16, int8)" in str(
            error.value
        )

    def test_a_precision_that_a_device_has_not(self, catalog: Catalog) -> None:
        with pytest.raises(DomainError, match="tpu-v5e has no peak at 'fp4'; it has bf16, int8"):
            catalog.formula("critical_intensity").evaluate(hardware="tpu-v5e", precision="fp4")

    def test_a_precision_without_a_device(self, catalog: Catalog) -> None:
        with pytest.raises(DomainError, match="name the hardware"):
            catalog.formula("critical_intensity").evaluate(precision="bf16", P=1, W=1)

    def test_an_unknown_device(self, catalog: Catalog) -> None:
        with pytest.raises(UnknownNameError, match="did you mean h100-sxm"):
            catalog.formula("critical_intensity").evaluate(hardware="h100-smx", precision="bf16")

    def test_what_is_missing_is_named(self, catalog: Catalog) -> None:
        with pytest.raises(DomainError, match=r"needs a value for C \(kernel_flops\)$"):
            catalog.formula("compute_seconds").evaluate(hardware="tpu-v4", precision="bf16")


class TestFiles:
    def test_a_file_in_a_directory_of_ones_own(self, folder: Path) -> None:
        (folder / "hardware" / "mine.toml").write_text(MINE, encoding="utf-8")
        catalog = load(folder)
        assert "h100-sxm" in catalog.hardware
        ridge = catalog.formula("critical_intensity")
        assert ridge.evaluate(hardware="mine", precision="bf16") == 50

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ("hbm_bandwidth", "hbm_bandwith", "values.hbm_bandwith: no quantity is called"),
            ('"2 TB/s"', '"2 TB"', "values.hbm_bandwidth.value: TB measures byte"),
            ('"2 TB/s"', '"0 TB/s"', "values.hbm_bandwidth.value: hbm_bandwidth is > 0"),
            ("hbm_bandwidth", "peak_flops", "values.peak_flops: stands in the table peak_flops"),
            ('title = "My accelerator"', "", "title: is missing"),
            (', source = "a test" }\n\n', " }\n\n", "peak_flops.bf16.source: is missing"),
            ("[peak_flops]", "[peaks]", "peak_flops: is missing"),
            ("[values]", "price = 3\n[values]", "peak_flops.price: is a table"),
        ],
    )
    def test_what_is_wrong_is_said_with_file_and_key(
        self, folder: Path, old: str, new: str, message: str
    ) -> None:
        said = wrong(folder, old, new)
        assert said.startswith(f"{folder.name}/hardware/mine.toml: ")
        assert message in said
