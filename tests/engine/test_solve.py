"""Thresholds against a search of every whole number, and against fractions just beside them."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symscale.catalog.loader import Catalog
from symscale.engine.solve import Solution, solve
from symscale.errors import DimensionError, DomainError, ExpressionError, UnknownNameError
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import Compare, number, substitute
from symscale.expressions.text import text
from symscale.expressions.values import Enclosure

LIMIT = 1500

WHOLE: list[tuple[str, str, dict[str, Any]]] = [
    ("matmul_intensity(B, D, F, s) > I", "B", {"D": 4096, "F": 4096, "s": 2, "I": 250}),
    ("matmul_intensity(B, D, F, s) >= I", "B", {"D": 4096, "F": 1024, "s": 1, "I": 99}),
    ("matmul_intensity(B, D, F, s) < I", "B", {"D": 4096, "F": 4096, "s": 2, "I": 250}),
    ("matmul_intensity(B, D, F, s) > I", "D", {"B": 512, "F": 4096, "s": 2, "I": 250}),
    ("train_days < 30", "n_devices", {"train_flops": "8e23", "peak_flops": "4e14", "mfu": "0.4"}),
    ("ring_all_gather_bytes(V, n)/V >= 99/100", "n", {}),
    ("paged_kv_cache_bytes(T, p, c) <= 1 [MB]", "T", {"p": 16, "c": 1310}),
    ("min_devices_for_state(k, N, H, u) <= 8", "N", {"k": 14, "H": 2000, "u": "0.9"}),
    ("microbatches_for_bubble_share(p, e) > 20", "p", {"e": "0.1"}),
    ("padded_matmul_flops(B, D, F, tb, td, tf) >= 1 [Mflop]", "B",
     {"D": 64, "F": 64, "tb": 8, "td": 16, "tf": 16}),
    ("matmul_tile_utilization(B, D, F, tb, td, tf) >= 0.9", "B",
     {"D": 64, "F": 64, "tb": 128, "td": 16, "tf": 16}),
    ("collective_matmul_seconds(I, J, K, x, P, b, W) > 5 [us]", "I",
     {"J": 512, "K": 512, "x": 4, "P": "2e12", "b": 2, "W": "9e10"}),
    ("recursive_doubling_all_reduce_seconds(n, a, V, W) < "
     "ring_all_reduce_seconds_alpha_beta(n, a, V, W)", "n",
     {"V": "1e6", "a": "1e-6", "W": "1e11"}),
    ("attention_forward_flops_causal_exact(B, T, N, H) > 1 [Gflop]", "T",
     {"B": 1, "N": 8, "H": 64}),
    ("cross_node_all_to_all_seconds(V, m, W) > 1 [ms]", "m", {"V": "1e9", "W": "5e10"}),
    ("speculative_tokens_per_step(a, g) > 3 [token]", "g", {"a": "0.8"}),
    ("gpt_params(L, D, V, T) <= 1.3e9 [param]", "D", {"L": 24, "V": 50257, "T": 1024}),
    ("kv_cache_bytes(b, B, T, L, K, H) + weight_bytes(c, N) <= 80 [GB]", "B",
     {"b": 2, "T": 4096, "L": 32, "K": 8, "H": 128, "c": 2, "N": "8e9"}),
]  # fmt: skip


@pytest.mark.parametrize(("condition", "for_", "given"), WHOLE)
def test_whole_numbers_against_every_one_of_them(
    catalog: Catalog, condition: str, for_: str, given: dict[str, Any]
) -> None:
    solution = solve(catalog, condition, for_=for_, given=given)
    assert solution.integer
    holding = _holding(solution)
    assert solution.intervals is not None
    told = {
        k
        for interval in solution.intervals
        for k in range(
            int(interval.low) if isinstance(interval.low, F) else 0,
            int(interval.high) + 1 if isinstance(interval.high, F) else LIMIT,
        )
        if k < LIMIT
    }
    low = 2 if solution.quantity.domain.text == "integer >= 2" else 1
    assert {k for k in told if k >= low} == holding
    for check in solution.checks:
        assert check.holds == (int(check.at) in holding) or check.at >= LIMIT


def _holding(solution: Solution) -> set[int]:
    """Every whole number below the limit that meets the comparison, each tried by itself."""
    numeric = solution.bound.numeric
    values = {name: number(value) for name, value in solution.given.items()}
    fixed = substitute(numeric, {"V": number(F(1)), **values})
    assert isinstance(fixed, Compare)
    low = 2 if solution.quantity.domain.text == "integer >= 2" else 1
    return {k for k in range(low, LIMIT) if evaluate(fixed, {solution.for_: F(k)}) is True}


def test_the_closed_form_of_a_threshold(catalog: Catalog) -> None:
    solution = solve(catalog, "matmul_intensity(B, D, F, s) > I", for_="B")
    assert solution.intervals is None
    assert solution.threshold is not None
    assert solution.threshold.op == ">"
    assert text(solution.threshold.bound) == "D*F*I*s/(2*D*F - D*I*s - F*I*s)"
    assert solution.threshold.condition is not None
    assert text(solution.threshold.condition) == "2*D*F > I*s*(D + F)"
    assert text(solution.threshold.integer or number(F(0))).startswith("floor(")


@settings(max_examples=60)
@given(
    D=st.integers(1, 10**5), F_=st.integers(1, 10**5), s=st.integers(1, 4), I=st.integers(1, 600)
)
def test_it_exists_exactly_under_its_condition(
    catalog: Catalog,
    D: int,
    F_: int,
    s: int,
    I: int,  # noqa: E741
) -> None:
    solution = solve(
        catalog,
        "matmul_intensity(B, D, F, s) > I",
        for_="B",
        given={"D": D, "F": F_, "s": s, "I": I},
    )
    limit = F(2 * D * F_, s * (D + F_))  # the intensity as B grows without end
    assert solution.exists is (limit > I)
    if limit > I:
        k = solution.smallest
        assert isinstance(k, F)
        assert _intensity(int(k), D, F_, s) > I
        assert k == 1 or _intensity(int(k) - 1, D, F_, s) <= I
        point = {"D": F(D), "F": F(F_), "s": F(s), "I": F(I)}
        assert solution.threshold is not None
        assert solution.threshold.integer is not None
        assert max(evaluate(solution.threshold.integer, point), F(1)) == k  # type: ignore[type-var]
    else:
        assert solution.intervals == ()


def _intensity(B: int, D: int, F_: int, s: int) -> F:
    return F(2 * B * D * F_, s * (B * D + D * F_ + B * F_))


class TestRealBounds:
    def test_exact(self, catalog: Catalog) -> None:
        given = {"n": 8, "W": "1.8e11"}
        solution = solve(
            catalog, "ring_all_gather_seconds(V, n, W) <= 1 [ms]", for_="V", given=given
        )
        assert solution.largest == F("1.8e11") * F(8, 7) / 1000
        assert solution.intervals is not None
        assert solution.intervals[0].includes_high

    def test_of_a_rounded_side(self, catalog: Catalog) -> None:
        """ceil(u) <= 1024 is u <= 1024."""
        given = {"C": "8.4e23", "P": "4e14", "u": "0.4"}
        solution = solve(catalog, "devices_for_deadline(C, P, u, t) <= 1024", for_="t", given=given)
        assert solution.smallest == F("8.4e23") / (F("1.6e14") * 1024)

    def test_of_a_maximum(self, catalog: Catalog) -> None:
        given = {"C": "1e11", "P": "2e14", "W": "1e12"}
        solution = solve(catalog, "roofline_seconds(C, P, M, W) <= 1 [ms]", for_="M", given=given)
        assert solution.largest == 10**9

    def test_irrational(self, catalog: Catalog) -> None:
        solution = solve(catalog, "x**2 < 2*x + 7", for_="x")
        assert isinstance(solution.largest, Enclosure)
        assert (solution.largest.low - 1) ** 2 <= 8 <= (solution.largest.high - 1) ** 2

    def test_two_intervals(self, catalog: Catalog) -> None:
        solution = solve(catalog, "x**2 - 5*x + 6 > 0", for_="x")
        assert solution.intervals is not None
        assert [(i.low, i.high) for i in solution.intervals] == [(F(0), F(2)), (F(3), None)]

    def test_of_a_power_law(self, catalog: Catalog) -> None:
        given = {"N_c": "8.8e13", "a": "0.076"}
        solution = solve(
            catalog, "kaplan_loss(N_c, N, a) < 2", for_="N", given=given, integer=False
        )
        assert isinstance(solution.smallest, Enclosure)
        assert float(solution.smallest.key) == pytest.approx(8.8e13 * 2 ** (-1 / 0.076), rel=1e-12)


def test_an_equation(catalog: Catalog) -> None:
    given = {"C": "8.4e23", "P": "4e14", "u": "0.4"}
    solution = solve(catalog, "train_days(C, n, P, u) == 30", for_="n", given=given, integer=False)
    assert solution.smallest == solution.largest == F("8.4e23") / (30 * 86400 * F("1.6e14"))


def test_formulas_by_name_expand_to_what_is_given(catalog: Catalog) -> None:
    given = {"n_params": "7e10", "n_tokens": "2e12", "peak_flops": "4e14", "mfu": "0.4"}
    solution = solve(catalog, "train_days < 30", for_="n_devices", given=given)
    days = 6 * F("7e10") * F("2e12") / (F("1.6e14") * 86400)
    assert solution.smallest == days // 30 + 1


class TestErrors:
    def test_what_is_no_comparison(self, catalog: Catalog) -> None:
        with pytest.raises(ExpressionError, match="is not a comparison"):
            solve(catalog, "n + 1", for_="n")

    def test_names(self, catalog: Catalog) -> None:
        with pytest.raises(UnknownNameError, match="no name in the comparison is called 'z'"):
            solve(catalog, "x > 1", for_="z")
        with pytest.raises(UnknownNameError, match="did you mean matmul_intensity"):
            solve(catalog, "matmul_intensit(B, D, F, s) > 1", for_="B")
        with pytest.raises(DomainError, match="it is given"):
            solve(catalog, "x > 1", for_="x", given={"x": 1})

    def test_units(self, catalog: Catalog) -> None:
        with pytest.raises(DimensionError):
            solve(catalog, "train_flops(N, T) > 3 [byte]", for_="N")
        with pytest.raises(DimensionError, match="given C"):
            solve(catalog, "compute_seconds(C, P) > 1", for_="P", given={"C": "3 GB"})

    def test_what_is_missing(self, catalog: Catalog) -> None:
        with pytest.raises(DomainError, match="give a value for"):
            solve(catalog, "paged_kv_cache_bytes(T, p, c) <= 1 [GB]", for_="T")


def test_it_shows_itself(catalog: Catalog) -> None:
    given = {"D": 4096, "F": 4096, "s": 2, "I": 250}
    solution = solve(catalog, "matmul_intensity(B, D, F, s) > I", for_="B", given=given)
    shown = solution._repr_mimebundle_()["text/plain"]
    assert "B ≥ 285" in shown
    assert "does not hold" in shown
    assert solution.data["smallest"] == {"exact": "285", "decimal": "285"}
    assert solution.data["checks"][0]["holds"] is False
