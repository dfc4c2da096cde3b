"""The formulas of the catalog: dimensions that catch errors, values by letter, id and reference."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from symscale.catalog.formulas import Formula
from symscale.catalog.loader import Catalog, load
from symscale.errors import DomainError, SymscaleError, UnknownNameError
from symscale.expressions.dimensions import dimension_of
from symscale.expressions.nodes import PRODUCT, Binary, Call, Node, Number, chain, children, rebuild
from symscale.expressions.text import text

AREAS = sorted(load().areas)


class TestDimensions:
    @pytest.mark.parametrize("area", AREAS)
    def test_dropping_or_squaring_a_factor_with_a_dimension_is_caught(
        self, catalog: Catalog, area: str
    ) -> None:
        tried = 0
        for formula in catalog.formulas.values():
            if formula.area == area:
                for wrong in factors_changed(formula, catalog):
                    tried += 1
                    assert not fits(wrong, formula, catalog), f"{formula.id}: {text(wrong)}"
        assert tried > 10

    @pytest.mark.parametrize("area", AREAS)
    def test_the_expanded_form_has_the_dimension_of_the_result(
        self, catalog: Catalog, area: str
    ) -> None:
        for formula in catalog.formulas.values():
            if formula.area == area:
                assert fits(formula.expression, formula, catalog)


def fits(node: Node, formula: Formula, catalog: Catalog) -> bool:
    dimensions = {letter: of.unit.dimension for letter, of in formula.symbols.items()}
    try:
        dimension_of(
            node,
            dimensions,
            signatures=lambda name: catalog.formulas[name].signature,
            expected=formula.unit.dimension,
        )
    except SymscaleError:
        return False
    return True


def factors_changed(formula: Formula, catalog: Catalog) -> Iterator[Node]:
    """The formula with one factor of a product dropped or squared, where it has a dimension."""
    dimensions = {letter: of.unit.dimension for letter, of in formula.symbols.items()}

    def measures(node: Node) -> bool:
        return not dimension_of(
            node, dimensions, signatures=lambda name: catalog.formulas[name].signature
        ).is_one

    def everywhere(node: Node) -> Iterator[Node]:
        if isinstance(node, Binary) and node.op in PRODUCT:
            first, rest = chain(node)
            run = [("*", first), *rest]
            for position, (op, factor) in enumerate(run):
                if measures(factor):
                    others = run[:position] + run[position + 1 :]
                    if any(not isinstance(other, Number) or other.unit for _, other in others):
                        yield product(others)  # numbers alone may count tokens beside a count
                    squared = Binary("**", factor, Number("2"))
                    yield product([*run[:position], (op, squared), *run[position + 1 :]])
            for position, (op, factor) in enumerate(run):
                for wrong in everywhere(factor):
                    yield product([*run[:position], (op, wrong), *run[position + 1 :]])
        elif not (isinstance(node, Call) and node.function == "count"):
            parts = children(node)
            for position, part in enumerate(parts):
                for wrong in everywhere(part):
                    yield rebuild(node, (*parts[:position], wrong, *parts[position + 1 :]))

    return everywhere(formula.expression)


def product(run: list[tuple[str, Node]]) -> Node:
    node: Node = Number("1")
    for op, factor in run:
        node = Binary(op, node, factor)
    return node


class TestEvaluation:
    def test_by_letter_quantity_and_reference(self, catalog: Catalog) -> None:
        formula = catalog.formula("CO01")
        assert formula.id == "ring_all_gather_seconds"
        by_letter = formula.evaluate(V="4.0e9", n=8, W="1.8e11")
        by_quantity = formula.evaluate(
            gathered_bytes="4 GB", ring_size=8, link_bandwidth_one_way="180 GB/s"
        )
        assert by_letter == by_quantity == Fraction(7, 360)

    def test_the_row_of_the_book(self, catalog: Catalog) -> None:
        value = catalog.formula("RF14").evaluate(b=1, D=4096, F=16384, I="39400/81")
        assert value == Fraction(80691200, 307151)

    @pytest.mark.parametrize(
        ("values", "message"),
        [
            ({"V": 1, "n": 8}, "needs a value for W (link_bandwidth_one_way)"),
            ({"V": 1, "n": 1, "W": 1}, "ring_size is integer >= 2, not 1"),
            ({"V": 1, "n": "8.5", "W": 1}, "ring_size is integer >= 2, not 8.5"),
            ({"V": "1 GFLOP", "n": 8, "W": 1}, "GFLOP measures flop"),
            ({"V": "1 GX", "n": 8, "W": 1}, "'GX' is not a known unit"),
            ({"V": 1.5, "n": 8, "W": 1}, "is not an exact number; write it in quotes, as '1.5'"),
            ({"V": True, "n": 8, "W": 1}, "True is not an exact number"),
            ({"V": None, "n": 8, "W": 1}, "None is not an exact number"),
            ({"V": -1, "n": 8, "W": 1}, "gathered_bytes is > 0 in byte, not -1"),
            ({"U": 1, "n": 8, "W": 1}, "no symbol of ring_all_gather_seconds is called 'U'"),
        ],
    )
    def test_what_is_wrong_is_said(
        self, catalog: Catalog, values: dict[str, Any], message: str
    ) -> None:
        with pytest.raises(SymscaleError) as error:
            catalog.formulas["ring_all_gather_seconds"].evaluate(**values)
        assert message in str(error.value)

    def test_a_condition_is_named_and_inherited(self, catalog: Catalog) -> None:
        for id in ("matmul_critical_batch", "matmul_min_compute_bound_batch"):
            with pytest.raises(DomainError, match=r"holds only where 2 \[flop\]\*D\*F > b\*I"):
                catalog.formulas[id].evaluate(b=4, D=16, F=16, I=1000)

    def test_an_unknown_name_suggests_near_ones(self, catalog: Catalog) -> None:
        with pytest.raises(UnknownNameError, match="did you mean ring_all_gather_seconds"):
            catalog.formula("ring_allgather_seconds")
