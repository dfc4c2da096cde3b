"""Formulas that people and public calculators wrote, and what `check` says of them."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from symscale.catalog.loader import Catalog
from symscale.engine.compare import Comparison, check
from symscale.errors import DimensionError, ExpressionError, UnknownNameError
from symscale.expressions.text import text
from tests.strategies import plain_value

CALCULATORS = [
    ("2*L*n_heads*d_head*S*B*b", "kv_cache_bytes", "n_heads/n_kv_heads",
     "query_heads_for_kv_heads"),
    ("2*b*L*K*d_model/n_heads", "kv_cache_bytes_per_token", "d_model/(d_head*n_heads)",
     "model_width_split_over_query_heads"),
    ("b*L*K*H", "kv_cache_bytes_per_token", "1/2", "keys_or_values_alone"),
    ("4*b*L*K*H", "kv_cache_bytes_per_token", "2", "cache_counted_as_load_and_store"),
    ("2*b*L*K*H*n_heads", "kv_cache_bytes_per_token", "n_heads", "extra_head_factor"),
    ("2*b*L*(c + d_r)", "mla_cache_bytes_per_token", "2", "latent_cache_as_keys_and_values"),
    ("b*L*n_heads*(c + d_r)", "mla_cache_bytes_per_token", "n_heads", "latent_cache_for_each_head"),
    ("2*b*B*T*L_g*K*H", "kv_cache_bytes_sliding_window", None, "window_layers_dropped"),
    ("2*b*B*T*(L_g + L_l)*K*H", "kv_cache_bytes_sliding_window", None, "window_ignored"),
    ("2*D*F", "gated_mlp_params", "2/3", "gated_mlp_of_two_matrices"),
    ("6*n_params*n_tokens", "moe_train_flops", "n_params/n_params_active",
     "total_params_for_speed"),
    ("b*n_params_active", "weight_bytes", "n_params_active/n_params", "active_params_for_memory"),
    ("12*B*T**2*N*H", "attention_train_flops_causal_half", "2", "causal_attention_in_full"),
    ("C/(t*n*(2*P))", "model_flops_utilization", "1/2", "utilisation_of_the_sparse_peak"),
    ("2*N*T", "train_flops", "1/3", "forward_pass_alone"),
    ("V", "ring_all_gather_bytes", "n/(n - 1)", "every_shard_gathered"),
    ("V*(n - 1)", "ring_all_gather_bytes", "ring_size", "buffer_taken_for_shard"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "entry", "ratio", "mistake"), CALCULATORS)
def test_known_mistakes_are_named(
    catalog: Catalog, written: str, entry: str, ratio: str | None, mistake: str
) -> None:
    comparison = check(catalog, written, entry)
    assert not comparison.equivalent
    assert mistake in [wrong.name for wrong in comparison.mistakes]
    if ratio is not None:
        assert comparison.ratio is not None
        assert text(comparison.ratio).replace("ring_size/(ring_size", "n/(n") == ratio
    assert_example(comparison)


def assert_example(comparison: Comparison) -> None:
    """The counter-example is one, by plain arithmetic, and the ratio explains it."""
    example = comparison.example
    assert example is not None
    ours = plain_value(comparison.ours, example.point)
    theirs = plain_value(comparison.theirs, example.point)
    assert (ours, theirs) == (example.ours, example.theirs)
    assert ours != theirs
    if comparison.ratio is not None and ours:
        assert plain_value(comparison.ratio, example.point) == theirs / ours


@pytest.mark.parametrize(
    ("written", "entry"),
    [
        ("2*layers*n_kv_heads*d_head*S*B*b", "kv_cache_bytes"),
        ("V - V/n", "ring_all_gather_bytes"),
        ("6*N*T", "train_flops"),
        ("max(C/P, M/W)", "roofline_seconds"),
        ("(C/P + M/W + abs(C/P - M/W))/2", "roofline_seconds"),
        ("where(C/P > M/W, C/P, M/W)", "roofline_seconds"),
        ("ceil(V/H)", "min_devices_for_bytes"),
        ("-floor(-V/H)", "min_devices_for_bytes"),
        ("ring_reduce_scatter_bytes(V, n) + V*(n - 1)/n", "ring_all_reduce_bytes"),
        ("(N_c/N)^a", "kaplan_loss"),
    ],
)
def test_what_is_the_same_however_it_is_written(catalog: Catalog, written: str, entry: str) -> None:
    comparison = check(catalog, written, entry)
    assert comparison.equivalent
    assert comparison.points > 0
    assert comparison.ratio is None
    assert comparison.example is None
    assert comparison.mistakes == ()


@pytest.mark.parametrize(
    ("written", "entry"),
    [
        ("floor(V/H) + 1", "min_devices_for_bytes"),
        ("V/H", "min_devices_for_bytes"),
        ("floor(V/H + 1/2)", "min_devices_for_bytes"),
        ("C/P + M/W", "roofline_seconds"),
        ("max(C/P, M/W) + (C - C)**2 + 1e-9", "roofline_seconds"),
        ("min(C/P, M/W)", "roofline_seconds"),
    ],
)
def test_what_differs_somewhere(catalog: Catalog, written: str, entry: str) -> None:
    comparison = check(catalog, written, entry)
    assert not comparison.equivalent
    assert_example(comparison)


def test_names_are_mapped(catalog: Catalog) -> None:
    with pytest.raises(UnknownNameError, match="say what it is, as foo=QUANTITY"):
        check(catalog, "6*foo*T", "train_flops")
    assert check(catalog, "6*foo*T", "train_flops", names_are={"foo": "n_params"}).equivalent
    assert check(catalog, "6*foo*D", "train_flops", names_are={"foo": "N", "D": "T"}).equivalent
    with pytest.raises(UnknownNameError, match="n_params"):
        check(catalog, "6*foo*T", "train_flops", names_are={"foo": "n_param"})
    with pytest.raises(UnknownNameError, match="no name in the formula is called 'bar'"):
        check(catalog, "6*N*T", "train_flops", names_are={"bar": "n_params"})


class TestUnits:
    def test_gib_for_gb(self, catalog: Catalog) -> None:
        comparison = check(catalog, "2*b*B*T*L*K*H/2**30", "kv_cache_bytes", unit="GB")
        assert comparison.ratio is not None
        assert plain_value(comparison.ratio, {}) == F(10**9, 2**30)
        assert comparison.hint == "GiB printed as GB: a factor of 1.073741824"
        assert check(catalog, "2*b*B*T*L*K*H/2**30", "kv_cache_bytes", unit="GiB").equivalent

    def test_what_bare_numbers_must_carry(self, catalog: Catalog) -> None:
        assert check(catalog, "6*N*T", "train_flops").units == (
            "their bare numbers must carry flop/param/token"
        )
        assert check(catalog, "6 [flop/param/token]*N*T", "train_flops").units == ""
        assert "do not fit" in check(catalog, "N + T", "train_flops").units

    def test_a_unit_of_another_kind(self, catalog: Catalog) -> None:
        with pytest.raises(DimensionError):
            check(catalog, "6*N*T", "train_flops", unit="GB")

    def test_days_for_seconds(self, catalog: Catalog) -> None:
        comparison = check(catalog, "C/(n*P*u)", "train_days")
        assert comparison.hint == "seconds where days belong"


def test_other_entries_that_it_equals(catalog: Catalog) -> None:
    assert "adam_state_bytes_zero" in check(catalog, "16*N", "adam_state_bytes_seed").equals
    assert "no_overlap_seconds" in check(catalog, "C/P + M/W", "roofline_seconds").equals
    assert "train_days" in check(catalog, "C/(n*P*u)", "train_seconds").equals


def test_a_comparison_is_no_formula(catalog: Catalog) -> None:
    with pytest.raises(ExpressionError, match="is a comparison"):
        check(catalog, "N > T", "train_flops")


def test_it_shows_itself(catalog: Catalog) -> None:
    comparison = check(catalog, "2*L*n_heads*d_head*S*B*b", "kv_cache_bytes")
    assert "n_heads/n_kv_heads" in comparison._repr_mimebundle_()["text/plain"]
    assert comparison.data["ratio"] == "n_heads/n_kv_heads"
    assert comparison.data["names"]["S"] == "seq_len"
