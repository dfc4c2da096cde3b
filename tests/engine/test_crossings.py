"""Crossovers and phases against exact values on grids."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symscale.algebra.roots import Root
from symscale.catalog.loader import Catalog
from symscale.engine.crossings import Crossing, cross
from symscale.engine.phases import phases
from symscale.errors import DimensionError, DomainError, UnknownNameError
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import Compare, number, substitute
from symscale.expressions.text import text
from symscale.expressions.values import Enclosure

CASES: list[tuple[str, str, str, dict[str, Any]]] = [
    ("compute_seconds(C, P)", "memory_seconds(M, W)", "C",
     {"P": "2e2", "M": "1e3", "W": "8e2"}),
    ("recursive_doubling_all_reduce_seconds(n, a, V, W)",
     "ring_all_reduce_seconds_alpha_beta(n, a, V, W)", "V", {"n": 64, "a": 1, "W": 3}),
    ("roofline_seconds(C, P, M, W)", "3 [s] + communication_seconds(V, L)", "M",
     {"C": 20, "P": 4, "W": 2, "V": 8, "L": 5}),
    ("max(x, 3)", "min(x**2/4, 20) - 1", "x", {}),
    ("x**3", "6*x**2 - 11*x + 6", "x", {}),
    ("abs(x - 5)", "x/2", "x", {}),
    ("where(x > 4, 10, x)", "7", "x", {}),
    ("x", "x + 1", "x", {}),
    ("1/(x - 3)", "x - 2", "x", {}),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "for_", "given_"), CASES)
def test_the_larger_one_is_told_everywhere(
    catalog: Catalog, left: str, right: str, for_: str, given_: dict[str, Any]
) -> None:
    crossing = cross(catalog, left, right, for_=for_, given=given_)
    for k in range(1, 800):
        x = F(k, 8) if k % 2 else F(k * 5)
        assert _told(crossing, x) == _sign(crossing, x), x


def _sign(crossing: Crossing, x: F) -> int | None:
    numeric = crossing.bound.numeric
    assert isinstance(numeric, Compare)
    point = {name: number(value) for name, value in crossing.given.items()}
    fixed = substitute(numeric, {**point, crossing.for_: number(x)})
    assert isinstance(fixed, Compare)
    try:
        a, b = evaluate(fixed.left, {}), evaluate(fixed.right, {})
    except DomainError:
        return None
    assert isinstance(a, F)
    assert isinstance(b, F)
    return (a > b) - (a < b)


def _told(crossing: Crossing, x: F) -> int | None:
    for segment in crossing.segments:
        low, high = segment.low, segment.high
        if segment.is_point:
            if low == x:
                return segment.sign
        elif (low is None or _low(low) < x) and (high is None or x < _high(high)):
            return segment.sign
    raise AssertionError(f"nothing is said of {x}")


def _low(root: Root) -> F:
    return root.low if isinstance(root, Enclosure) else root


def _high(root: Root) -> F:
    return root.high if isinstance(root, Enclosure) else root


def test_the_closed_form(catalog: Catalog) -> None:
    """Where recursive doubling gives way to the ring is an entry of the catalog."""
    crossing = cross(
        catalog,
        "recursive_doubling_all_reduce_seconds",
        "ring_all_reduce_seconds_alpha_beta",
        for_="reduced_bytes",
        given={"ring_size": 64, "message_latency": "1e-6", "link_bandwidth_one_way": "1e11"},
    )
    formula = catalog.formulas["ring_recursive_doubling_crossover_bytes"]
    assert crossing.points == (formula.evaluate(a="1e-6", W="1e11", n=64),)
    assert crossing.threshold is not None
    assert crossing.threshold.op == "=="


@settings(max_examples=60)
@given(
    roots=st.lists(
        st.fractions(min_value=0, max_value=20, max_denominator=9), min_size=1, max_size=4
    )
)
def test_polynomials_meet_zero_at_their_roots(catalog: Catalog, roots: list[F]) -> None:
    left = "*".join(f"(x - {root.numerator}/{root.denominator})" for root in roots)
    crossing = cross(catalog, left, "0*x", for_="x")
    assert set(crossing.points) == {root for root in roots if root > 0}


def test_whole_numbers(catalog: Catalog) -> None:
    crossing = cross(catalog, "ceil(k/8)*8", "40 + 0*k", for_="k", integer=True)
    meeting = {k for k in range(1, 200) if -(-k // 8) * 8 == 40}
    assert {k for k in range(1, 200) if _told_whole(crossing, k) == 0} == meeting
    assert crossing.points == (F(33),)


def _told_whole(crossing: Crossing, k: int) -> int | None:
    for segment in crossing.segments:
        if (segment.low is None or segment.low < k) and (segment.high is None or k < segment.high):  # type: ignore[operator]
            return segment.sign
    return None


def test_errors(catalog: Catalog) -> None:
    with pytest.raises(DimensionError):
        cross(catalog, "train_flops(N, T)", "weight_bytes(b, N)", for_="N")
    with pytest.raises(UnknownNameError):
        cross(catalog, "x", "2*x", for_="y")
    with pytest.raises(DomainError, match="give a value for"):
        cross(catalog, "max(x, y)", "2*x*y", for_="x")


class TestPhases:
    BOUNDS = {  # noqa: RUF012
        "compute": "compute_seconds(C, P)",
        "HBM": "memory_seconds(M, W)",
        "link": "communication_seconds(V, L)",
        "latency": "5 [us]",
    }
    GIVEN = {"P": "2e14", "W": "1e12", "V": "1e6", "L": "5e10"}  # noqa: RUF012

    def test_on_a_grid(self, catalog: Catalog) -> None:
        sizes = ["1e6", "1e7", "1e9", "1e10"]
        found = phases(catalog, self.BOUNDS, over="C", given=self.GIVEN, across=("M", sizes))
        seen = set()
        for at, row in found.rows:
            assert at is not None
            for before, after in pairwise(row):
                assert before.high == after.low
            for k in range(1, 200):
                C = F(k) ** 4 * 10**4
                times = {
                    "compute": C / F("2e14"),
                    "HBM": at / F("1e12"),
                    "link": F("1e6") / F("5e10"),
                    "latency": F("5e-6"),
                }
                largest = max(times.values())
                told = [p.bound for p in row if _within(C, p.low, p.high)]
                assert any(times[label] == largest for label in told)
                seen |= set(told)
        assert seen == {"compute", "HBM", "link"}

    def test_one_quantity(self, catalog: Catalog) -> None:
        found = phases(catalog, self.BOUNDS, over="C", given={**self.GIVEN, "M": "1e9"})
        ((_, row),) = found.rows
        assert [(phase.low, phase.high, phase.bound) for phase in row] == [
            (0, F("2e11"), "HBM"),
            (F("2e11"), None, "compute"),
        ]

    def test_they_show_themselves(self, catalog: Catalog) -> None:
        found = phases(catalog, self.BOUNDS, over="C", given={**self.GIVEN, "M": "1e9"})
        assert "compute" in found._repr_mimebundle_()["text/plain"]
        assert found.data["rows"][0]["phases"][0]["bound"] == "HBM"

    def test_errors(self, catalog: Catalog) -> None:
        with pytest.raises(DomainError, match="value for M"):
            phases(catalog, self.BOUNDS, over="C", given=self.GIVEN)
        with pytest.raises(DomainError, match="two bounds"):
            phases(catalog, {"one": "x"}, over="x", given={})


def _within(x: F, low: Root | None, high: Root | None) -> bool:
    return (low is None or _low(low) <= x) and (high is None or x <= _high(high))


def test_it_shows_itself(catalog: Catalog) -> None:
    crossing = cross(catalog, *CASES[0][:2], for_="C", given=CASES[0][3])
    assert "they meet" in crossing._repr_mimebundle_()["text/plain"]
    assert crossing.data["points"] == [{"exact": "250", "decimal": "250"}]
    assert text(crossing.left) == "compute_seconds(C, P)"
