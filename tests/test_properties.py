"""Identities of the field, over the whole domain of their parameters, on trees and on values."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

from symscale.catalog.loader import Catalog
from symscale.errors import DomainError
from symscale.expressions.tree import symbol

positive = st.fractions(min_value=Fraction(1, 10**6), max_value=10**15, max_denominator=10**6)
counts = st.integers(1, 10**6)
devices = st.integers(2, 10**5)


def tree(catalog: Catalog, id: str) -> Any:
    return catalog.formulas[id].closed_form


def value(catalog: Catalog, id: str, **values: Any) -> Fraction:
    found = catalog.formulas[id].evaluate(**values)
    assert isinstance(found, Fraction)
    return found


def same(left: Any, right: Any) -> bool:
    return bool(sympy.cancel(left - right) == 0)


class TestCollectives:
    def test_on_trees(self, catalog: Catalog) -> None:
        gather = tree(catalog, "ring_all_gather_bytes")
        scatter = tree(catalog, "ring_reduce_scatter_bytes")
        reduce = tree(catalog, "ring_all_reduce_bytes")
        assert same(reduce, 2 * gather)
        assert same(reduce, gather + scatter)
        assert same(tree(catalog, "ring_all_reduce_seconds"), reduce / symbol("W"))

    @given(positive, devices)
    def test_an_all_reduce_is_two_all_gathers(
        self, catalog: Catalog, size: Fraction, n: int
    ) -> None:
        gather = value(catalog, "ring_all_gather_bytes", V=size, n=n)
        scatter = value(catalog, "ring_reduce_scatter_bytes", V=size, n=n)
        reduce = value(catalog, "ring_all_reduce_bytes", V=size, n=n)
        assert reduce == 2 * gather == gather + scatter
        assert gather < size


class TestTrainingFlops:
    def test_on_trees(self, catalog: Catalog) -> None:
        parts = tree(catalog, "forward_flops") + tree(catalog, "backward_flops")
        assert same(tree(catalog, "train_flops"), parts)

    @given(counts, counts)
    def test_six_is_two_and_four(self, catalog: Catalog, n: int, d: int) -> None:
        forward = value(catalog, "forward_flops", N=n, T=d)
        assert value(catalog, "backward_flops", N=n, T=d) == 2 * forward
        assert value(catalog, "train_flops", N=n, T=d) == 3 * forward == 6 * n * d


class TestRoofline:
    @given(counts, counts, counts, st.sampled_from([1, 2, 4]))
    def test_intensity_times_bytes_is_flops(
        self, catalog: Catalog, b: int, d: int, f: int, width: int
    ) -> None:
        moved = value(catalog, "matmul_bytes_one_width", B=b, D=d, F=f, b=width)
        assert moved == width * (b * d + d * f + b * f)
        intensity = value(catalog, "matmul_intensity", B=b, D=d, F=f, b=width)
        assert intensity * moved == value(catalog, "matmul_flops", B=b, D=d, F=f) == 2 * b * d * f

    @given(positive, positive, positive, positive)
    def test_the_time_is_one_of_its_bounds_and_below_neither(
        self, catalog: Catalog, c: Fraction, p: Fraction, m: Fraction, w: Fraction
    ) -> None:
        compute = value(catalog, "compute_seconds", C=c, P=p)
        memory = value(catalog, "memory_seconds", M=m, W=w)
        time = value(catalog, "roofline_seconds", C=c, P=p, M=m, W=w)
        assert time >= compute
        assert time >= memory
        assert time in (compute, memory)
        assert (compute >= memory) == (c / m >= p / w)

    @given(st.sampled_from([1, 2, 4]), positive, st.integers(1, 10**5), st.integers(1, 10**5))
    def test_the_smallest_batch_above_the_ridge(
        self, catalog: Catalog, b: int, intensity: Fraction, d: int, f: int
    ) -> None:
        try:
            batch = value(catalog, "matmul_min_compute_bound_batch", b=b, I=intensity, D=d, F=f)
        except DomainError:
            limit = Fraction(2 * d * f, b * (d + f))
            assert limit <= intensity, "refused although some batch is above"
            return

        def above(rows: Fraction) -> bool:
            return 2 * rows * d * f > intensity * b * (rows * d + d * f + rows * f)

        assert above(batch)
        assert not above(batch - 1)


class TestMemory:
    @given(counts, counts, counts, counts, counts, counts, st.integers(1, 64))
    def test_grouped_queries_divide_the_cache_by_heads_over_kv_heads(
        self,
        catalog: Catalog,
        layers: int,
        kv: int,
        head: int,
        length: int,
        batch: int,
        b: int,
        groups: int,
    ) -> None:
        shape = {"b": b, "B": batch, "T": length, "L": layers, "H": head}
        grouped = value(catalog, "kv_cache_bytes", K=kv, **shape)
        full = value(catalog, "kv_cache_bytes", K=kv * groups, **shape)
        assert grouped == 2 * b * batch * length * layers * kv * head
        assert full / grouped == value(catalog, "gqa_cache_reduction", N=kv * groups, K=kv)

    @given(counts)
    def test_weights_and_optimizer_are_the_adam_state(self, catalog: Catalog, n: int) -> None:
        weights = value(catalog, "weight_bytes", b=2, N=n)
        optimizer = value(catalog, "optimizer_bytes", k=12, N=n)
        assert weights + optimizer == value(catalog, "adam_state_bytes_seed", N=n)


def exponents(form: Any) -> dict[str, sympy.Rational] | None:
    """The exponent of each symbol, where the closed form is a monomial."""
    found = {}
    for factor, power in form.as_powers_dict().items():
        if isinstance(factor, sympy.Symbol):
            found[factor.name] = power
        elif not factor.is_Number:
            return None
    return found


def monomials(catalog: Catalog) -> list[tuple[str, str]]:
    return [
        (task.id, column.name)
        for task in catalog.tasks.values()
        for column in task.columns
        if column.kind == "number" and exponents(task.closed_form(column.name))
    ]


@pytest.mark.parametrize("factor", [2, 3])
def test_scaling_a_parameter_scales_an_answer_by_its_exponent(
    catalog: Catalog, factor: int
) -> None:
    checked = monomials(catalog)
    assert len(checked) > 20
    for id, column in checked:
        task = catalog.tasks[id]
        powers = exponents(task.closed_form(column))
        assert powers
        position = [c.name for c in task.columns].index(column)
        before = task.kernel(task.published)[position]
        for name, power in powers.items():
            scaled = task.published | {name: task.published[name] * factor}
            after = task.kernel(scaled)[position]
            assert isinstance(before, Fraction)
            assert isinstance(after, Fraction)
            assert after / before == Fraction(factor) ** int(power)


@given(st.data())
def test_every_variant_of_a_parameter_is_in_its_domain(
    catalog: Catalog, data: st.DataObject
) -> None:
    task = catalog.tasks[data.draw(st.sampled_from(sorted(catalog.tasks)))]
    values = {
        name: data.draw(st.sampled_from(parameter.range.values))
        for name, parameter in task.parameters.items()
    }
    try:
        instance = task.instance(**values)
    except DomainError as error:
        assume("needs" not in str(error))
        raise
    (row,) = instance.answer.rows
    assert len(row) == len(task.columns)
