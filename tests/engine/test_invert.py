"""Inverses, each put back into the formula that it inverts."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction as F
from typing import Any

import pytest

from symscale.catalog.formulas import Formula
from symscale.catalog.loader import Catalog
from symscale.engine.invert import Inverse
from symscale.engine.stepped import Bracket, SteppedInverse
from symscale.errors import DomainError, SymscaleError, UnknownNameError
from symscale.expressions.text import text
from symscale.expressions.values import Enclosure, Value


def _point(formula: Formula, draw: random.Random) -> dict[str, F]:
    values = {}
    for letter, quantity in formula.symbols.items():
        for _ in range(500):
            value = F(draw.choice((draw.randint(1, 12), draw.randint(1, 900))))
            if not quantity.domain.integer:
                value /= draw.choice((1, 10, 1000))
            if value in quantity.domain:
                values[letter] = value
                break
    return values


def _evaluate(formula: Formula, point: Mapping[str, F]) -> Value:
    values: dict[str, Any] = dict(point)
    return formula.evaluate(**values)


def test_every_inverse_gives_back_what_went_in(catalog: Catalog) -> None:
    """Forwards by `Formula.evaluate`, backwards by the inverse, for every formula and letter."""
    checked = solved = 0
    for formula in catalog.formulas.values():
        for letter in formula.symbols:
            try:
                inverse = formula.invert(letter)
            except DomainError:
                continue
            if isinstance(inverse, SteppedInverse):
                continue
            solved += 1
            draw = random.Random(f"{formula.id} {letter}")
            for _ in range(8):
                point = _point(formula, draw)
                try:
                    value = _evaluate(formula, point)
                    others = {name: x for name, x in point.items() if name != letter}
                    if not isinstance(value, F):
                        continue
                    found = inverse(**others, **{inverse.value: value})
                except (SymscaleError, TypeError):
                    continue
                if isinstance(found, Enclosure):
                    assert abs(found.key - point[letter]) <= F(1, 10**20) * abs(point[letter])
                else:
                    assert found == point[letter], (formula.id, letter, point)
                checked += 1
                break
    assert solved > 1200
    assert checked > 0.9 * solved


@pytest.mark.parametrize(
    ("id", "letter", "expression", "conditions"),
    [
        ("ring_all_gather_bytes", "n", "V/(V - all_gather_sent_bytes)", [">= 2"]),
        ("train_seconds", "u", "C/(P*n*train_time)", ["> 0", "<= 1"]),
        ("compute_optimal_params", "C", "6*compute_optimal_params**2*r", ["> 0"]),
    ],
)
def test_the_closed_form_and_its_domain(
    catalog: Catalog, id: str, letter: str, expression: str, conditions: list[str]
) -> None:
    inverse = catalog.formulas[id].invert(letter)
    assert isinstance(inverse, Inverse)
    assert text(inverse.expression) == expression
    assert [f"{c.op} {text(c.right)}" for c in inverse.conditions] == conditions


def test_a_solution_outside_of_its_domain_is_refused(catalog: Catalog) -> None:
    inverse = catalog.formulas["ring_all_gather_bytes"].invert("ring_size")
    assert inverse(all_gather_sent_bytes=7, V=8) == 8
    with pytest.raises(DomainError, match="ring_size is integer >= 2"):
        inverse(all_gather_sent_bytes=9, V=8)
    with pytest.raises(DomainError, match="divides"):
        inverse(all_gather_sent_bytes=8, V=8)


def test_a_task_is_inverted_by_its_column(catalog: Catalog) -> None:
    task = catalog.tasks["sc-013"]
    dollars = next(column.name for column in task.columns if column.unit.text == "USD")
    inverse = task.invert(dollars, for_="n_tokens")
    tokens = next(n for n, p in task.parameters.items() if p.quantity.id == "n_tokens")
    instance = task.instance()
    position = [column.name for column in task.columns].index(dollars)
    others = {n: v for n, v in instance.parameters.items() if n != tokens}
    found = inverse(**others, **{inverse.value: instance.values[position]})
    assert found == instance.parameters[tokens]


class TestSteps:
    """Where a rounding stands in the way, the run of whole numbers, against every one of them."""

    @pytest.mark.parametrize(
        ("id", "letter", "fixed"),
        [
            ("paged_kv_cache_bytes", "T", {"p": 16, "c": 3}),
            ("min_devices_for_state", "N", {"k": 14, "H": 1000, "u": F(9, 10)}),
            ("padded_matmul_flops", "B", {"D": 5, "F": 7, "tb": 8, "td": 4, "tf": 4}),
            ("bidirectional_all_gather_hops", "n", {}),
            ("max_concurrent_sequences", "N", {"n": 2, "H": 500, "u": 1, "b": 2, "T": 3, "c": 5}),
            (
                "kv_cache_bytes_sliding_window",
                "T",
                {"b": 2, "B": 1, "K": 2, "H": 3, "L_g": 2, "L_l": 3, "w": 9},
            ),
        ],
    )
    def test_brackets(self, catalog: Catalog, id: str, letter: str, fixed: dict[str, F]) -> None:
        formula = catalog.formulas[id]
        inverse = formula.invert(letter)
        assert isinstance(inverse, SteppedInverse)
        low = 2 if letter == "n" else 1
        values = {}
        for k in range(low, 400):
            try:
                values[k] = _evaluate(formula, {**fixed, letter: F(k)})
            except DomainError:
                continue
        for value in sorted({v for k, v in values.items() if k < 120 and isinstance(v, F)})[:25]:
            run = [k for k, v in values.items() if v == value]
            if max(run) == max(values):
                continue
            found = inverse(**fixed, **{inverse.value: value})
            assert found == Bracket(F(min(run)), F(max(run)))

    def test_a_value_that_is_not_taken(self, catalog: Catalog) -> None:
        inverse = catalog.formulas["paged_kv_cache_bytes"].invert("T")
        assert inverse(p=16, c=2, **{inverse.value: 33}) is None


def test_errors(catalog: Catalog) -> None:
    formula = catalog.formulas["train_seconds"]
    with pytest.raises(UnknownNameError, match="n_devices"):
        formula.invert("n_device")
    inverse = formula.invert("n_devices")
    with pytest.raises(DomainError, match="needs a value for"):
        inverse(C=1)
    with pytest.raises(UnknownNameError):
        inverse(C=1, n=3)
    with pytest.raises(DomainError, match="no exact inverse for M"):
        catalog.formulas["roofline_seconds"].invert("M")


def test_it_shows_itself(catalog: Catalog) -> None:
    inverse = catalog.formulas["ring_all_gather_bytes"].invert("n")
    assert isinstance(inverse, Inverse)
    assert "V/(V − all_gather_sent_bytes)" in inverse._repr_mimebundle_()["text/plain"]
    assert inverse.data["expression"] == "V/(V - all_gather_sent_bytes)"
