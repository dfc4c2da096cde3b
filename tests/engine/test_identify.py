"""Figures that public calculators printed, and where they came from."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import pytest

from symscale.catalog.loader import Catalog
from symscale.engine.identify import identify
from symscale.engine.printed import Printed, printed_range
from symscale.errors import DimensionError, DomainError, UnitError, UnknownNameError
from symscale.units import UnitSystem

QWEN3_4B = {
    "n_layers": 36,
    "n_heads": 32,
    "n_kv_heads": 8,
    "d_head": 128,
    "d_model": 2560,
    "bytes_per_element": 2,
}
DEEPSEEK_V3 = {"n_layers": 61, "d_kv_latent": 512, "d_rope": 64, "bytes_per_element": 2}
GPT_OSS = {
    "n_global_layers": 18,
    "n_local_layers": 18,
    "n_kv_heads": 8,
    "d_head": 64,
    "bytes_per_element": 2,
    "batch": 1,
    "seq_len": 100,
    "window_len": 128,
}
LLAMA_7B = {"d_model": 8192, "d_ff": 29568}

FIGURES: list[tuple[str, dict[str, Any], str]] = [
    ("147,456 byte/token", QWEN3_4B, "kv_cache_bytes_per_token"),
    ("92160 byte/token", QWEN3_4B, "model_width_split_over_query_heads"),
    ("589824 byte/token", QWEN3_4B, "query_heads_for_kv_heads"),
    ("73728 byte/token", QWEN3_4B, "keys_or_values_alone"),
    ("70272 byte/token", DEEPSEEK_V3, "mla_cache_bytes_per_token"),
    ("140544 byte/token", DEEPSEEK_V3, "latent_cache_as_keys_and_values"),
    ("7372800 byte", GPT_OSS, "kv_cache_bytes_sliding_window"),
    ("3686400 byte", GPT_OSS, "window_layers_dropped"),
    ("726.7 Mparam", LLAMA_7B, "gated_mlp_params"),
    ("484.4 Mparam", LLAMA_7B, "gated_mlp_of_two_matrices"),
    ("9.8e11 byte", {"n_params": "7e10"}, "adam_state_bytes_seed"),
    ("1120 GB", {"n_params": "7e10"}, "adam_state_bytes_zero"),
    ("1.26 TB", {"n_params": "7e10"}, "adam_state_bytes_megatron"),
    ("48.5 %", {"step_flops": "1.552e18", "step_time": 10, "n_devices": 320, "peak_flops": "1e15"},
     "model_flops_utilization"),
    ("24.25 %", {"step_flops": "1.552e18", "step_time": 10, "n_devices": 320, "peak_flops": "1e15"},
     "utilisation_of_the_sparse_peak"),
]  # fmt: skip


@pytest.mark.parametrize(("figure", "given", "id"), FIGURES)
def test_the_entry_or_the_mistake_is_found(
    catalog: Catalog, figure: str, given: dict[str, Any], id: str
) -> None:
    found = identify(catalog, figure, given=given)
    assert id in [match.id for match in found.matches if not match.misread]


def test_gib_printed_as_gb(catalog: Catalog) -> None:
    given = {**QWEN3_4B, "batch": 4, "seq_len": 32768}
    right = identify(catalog, "19.33 GB", given=given).matches
    assert [(m.id, m.misread) for m in right if m.id == "kv_cache_bytes"] == [
        ("kv_cache_bytes", "")
    ]
    wrong = identify(catalog, "18.0 GB", given=given).matches
    assert ("kv_cache_bytes", "a binary unit (1024^3) printed as a decimal one") in [
        (m.id, m.misread) for m in wrong
    ]
    assert identify(catalog, "18.0 GiB", given=given).matches[0].misread == ""


def test_inputs_that_are_not_given_are_derived(catalog: Catalog) -> None:
    given = {"weight_bytes": "140 GB", "bytes_per_param": 2}
    (match,) = [
        m
        for m in identify(catalog, "980 GB", given=given).matches
        if m.id == "adam_state_bytes_seed"
    ]
    assert match.steps == ("weight_bytes",)
    assert match.exact


def test_the_plainest_comes_first(catalog: Catalog) -> None:
    matches = identify(catalog, "1.12e12 byte", given={"n_params": "7e10"}).matches
    assert matches[0].id == "adam_state_bytes_zero"
    keys = [(bool(m.misread), not m.exact, len(m.steps)) for m in matches]
    assert keys == sorted(keys)


def test_a_mistake_of_a_task(catalog: Catalog) -> None:
    given = {"n_devices": 64, "train_flops": "1e22", "peak_flops": "4e14", "mfu": "0.5"}
    full = F("1e22") / (64 * F("4e14"))
    found = identify(catalog, f"{full} s", given=given)
    assert "time_at_full_utilisation" in [match.id for match in found.matches]


def test_nothing_gives_it(catalog: Catalog) -> None:
    found = identify(catalog, "1.234567e11 byte", given={"n_params": "7e10"})
    assert found.matches == ()
    assert "No formula" in found._repr_mimebundle_()["text/plain"]
    assert found.data["digits"] == 7


def test_errors(catalog: Catalog) -> None:
    with pytest.raises(UnknownNameError, match="did you mean n_params"):
        identify(catalog, "1 GB", given={"n_param": 1})
    with pytest.raises(DimensionError, match="given n_params"):
        identify(catalog, "1 GB", given={"n_params": "1 GB"})
    with pytest.raises(DomainError):
        identify(catalog, "1 GB", given={"n_params": "0"})
    with pytest.raises(UnitError):
        identify(catalog, "many", given={})
    with pytest.raises(UnitError, match="not a known unit"):
        identify(catalog, "3 furlong", given={})


class TestPrinted:
    @pytest.mark.parametrize(
        ("text", "value", "digits"),
        [
            ("9.12e11 byte", F("9.12e11"), 3),
            ("92160", F(92160), 5),
            ("1,510 TFLOP", F(1510), 4),
            ("0.0243", F("0.0243"), 3),
            ("18.0 GB", F(18), 3),
        ],
    )
    def test_digits(self, units: UnitSystem, text: str, value: F, digits: int) -> None:
        printed = Printed.read(text, units)
        assert (printed.value, printed.digits) == (value, digits)

    def test_matching(self, units: UnitSystem) -> None:
        printed = Printed.read("9.12e11 byte", units)
        assert printed.matches(F("9.1249e11"))
        assert not printed.matches(F("9.131e11"))
        assert Printed.read("0 byte", units).matches(F(0))

    def test_what_a_decimal_was_rounded_from(self) -> None:
        assert printed_range(F("2.5e12")) == (F("2.45e12"), F("2.55e12"))
        assert printed_range(F("0.43")) == (F("0.425"), F("0.435"))
        assert printed_range(F(1024)) is None
        assert printed_range(F(1, 3)) is None
        assert printed_range(F("7e10")) is None
