"""Derivations against arithmetic written out by hand, and against themselves backwards."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from fractions import Fraction as F
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symscale.catalog.derivation import Derivation
from symscale.catalog.loader import Catalog
from symscale.engine.derive import Derived
from symscale.engine.gaps import NotDerivableError, find_gaps
from symscale.engine.graph import Graph
from symscale.engine.search import Question, best_routes, conflict
from symscale.errors import (
    DimensionError,
    DomainError,
    SymscaleError,
    UndecidedError,
    UnknownNameError,
)
from symscale.expressions.nodes import names
from symscale.expressions.text import text
from symscale.expressions.values import Enclosure
from tests.strategies import plain_value

RUN = {"n_tokens": "2e12", "n_devices": 1024, "peak_flops": "4e14", "mfu": "0.4"}
SERVER = {
    "batch": 32,
    "seq_len": 4096,
    "kv_cache_bytes_per_token": 327680,
    "n_devices": 8,
    "hbm_bandwidth": "3.35e12",
    "peak_flops": "9.89e14",
}

TRAIN_FLOPS = 6 * F("7e10") * F("2e12")
TRAIN_SECONDS = TRAIN_FLOPS / (1024 * F("4e14") * F("0.4"))
STEP_SECONDS = F(32 * 4096 * 327680, 8) / F("3.35e12") + max(
    2 * F("7e10") * 32 / 8 / F("9.89e14"), F("140e9") / 8 / F("3.35e12")
)

LONG: dict[str, tuple[Mapping[str, Any], F]] = {
    "carbon_emission": (
        {
            "adam_state_bytes_seed": "9.8e11",
            **RUN,
            "device_power": "700 W",
            "pue": "1.2",
            "grid_carbon_intensity": "0.4",
        },
        TRAIN_SECONDS * 1024 * 700 * F("1.2") / 3_600_000 * F("0.4"),
    ),
    "train_energy": (
        {"weight_bytes": "140 GB", "bytes_per_param": 2, **RUN, "device_power": 700, "pue": "1.2"},
        TRAIN_SECONDS * 1024 * 700 * F("1.2") / 3_600_000,
    ),
    "expected_failures": (
        {"adam_state_bytes_zero": "1.12e12", **RUN, "device_mtbf": "5e8"},
        TRAIN_SECONDS * 1024 / F("5e8"),
    ),
    "n_steps": (
        {
            "train_cost": "2e6",
            "device_hour_price": 2,
            "n_params": "7e10",
            "peak_flops": "4e14",
            "mfu": "0.4",
            "batch": 1024,
            "seq_len": 4096,
        },
        F(10**6) * 3600 * F("4e14") * F("0.4") / (6 * F("7e10")) / (1024 * 4096),
    ),
    "tokens_per_device": (
        {
            "train_cost": "2e6",
            "device_hour_price": 2,
            "n_params": "7e10",
            "peak_flops": "4e14",
            "mfu": "0.4",
            "n_steps": 500_000,
            "n_devices": 1024,
        },
        F(10**6) * 3600 * F("4e14") * F("0.4") / (6 * F("7e10")) / 500_000 / 1024,
    ),
    "cost_per_million_tokens": (
        {"weight_bytes": "140 GB", "bytes_per_param": 2, **SERVER, "device_hour_price": 2},
        F(8 * 2, 3600) * 10**6 * STEP_SECONDS / 32,
    ),
    "energy_per_token": (
        {
            "weight_bytes": "140 GB",
            "bytes_per_param": 2,
            **SERVER,
            "device_power": 700,
            "pue": "1.1",
        },
        8 * 700 * F("1.1") * STEP_SECONDS / 32,
    ),
    "request_latency": (
        {
            "weight_bytes": "140 GB",
            "bytes_per_param": 2,
            **SERVER,
            "prompt_len": 2048,
            "prefill_mfu": "0.5",
            "generated_tokens": 256,
        },
        2 * F("7e10") * 2048 / (8 * F("9.89e14") / 2) + 256 * STEP_SECONDS,
    ),
    "dp_critical_tokens_small_degree": (
        {"link_critical_width": 2550, "n_axes": 2, "n_nodes": 4, "peak_flops": "4.59e14"},
        F(2550, 2) * F(3, 4),
    ),
    "overtraining_factor": (
        {"train_energy": "8.6e5", "n_params": "7e10", **{k: RUN[k] for k in RUN if k != "n_tokens"}}
        | {"device_power": 700, "pue": "1.2"},
        F("8.6e5") * 3_600_000 / (1024 * 700 * F("1.2"))  # seconds
        * (1024 * F("4e14") * F("0.4")) / (6 * F("7e10")) / (20 * F("7e10")),
    ),
}  # fmt: skip


@pytest.mark.parametrize("target", LONG)
def test_long_derivations_with_a_formula_read_backwards(catalog: Catalog, target: str) -> None:
    given, expected = LONG[target]
    derived = catalog.derive(target, given=given)
    assert len(derived.steps) >= 4
    assert any(step.backwards for step in derived.steps)
    assert derived.value == expected
    assert_replays(derived)


def assert_replays(derived: Derived) -> None:
    """The steps, evaluated one after the other by plain arithmetic, give what is printed, and so
    does the closed form."""
    known = {id: value for id, value in derived.given.items() if value is not None}
    for step in derived.steps:
        assert set(names(step.expression)) <= known.keys()
        value = plain_value(step.expression, known)
        assert value == step.value
        known[step.quantity.id] = value * step.unit.scale / step.quantity.unit.scale
    assert derived.closed_form is not None
    assert plain_value(derived.closed_form, known) == derived.value
    assert isinstance(derived.derivation, Derivation)


def test_the_example_of_the_manual(catalog: Catalog) -> None:
    derived = catalog.derive("train_days", given={"n_params": "7e10", **RUN})
    assert [step.formula.id for step in derived.steps] == ["train_flops", "train_days"]
    assert derived.unit.text == "day"
    assert derived.value == TRAIN_SECONDS / 86400
    assert_replays(derived)


def test_names_alone_give_the_closed_form(catalog: Catalog) -> None:
    derived = catalog.derive("train_flops", given=["n_params", "n_tokens"])
    assert derived.value is None
    assert derived.closed_form is not None
    assert text(derived.closed_form) == "6*n_params*n_tokens"
    with pytest.raises(DomainError, match="only names are given"):
        _ = derived.derivation


def test_a_figure_is_restated_under_another_convention(catalog: Catalog) -> None:
    derived = catalog.derive("adam_state_bytes_zero", given={"adam_state_bytes_seed": "980 GB"})
    assert derived.value == F("1.12e12")
    assert [(s.formula.id, s.backwards) for s in derived.steps] == [
        ("adam_state_bytes_seed", True),
        ("adam_state_bytes_zero", False),
    ]


def test_a_formula_may_be_given_in_its_own_unit(catalog: Catalog) -> None:
    derived = catalog.derive(
        "n_devices",
        given={"train_days": 30, "train_flops": "8.4e23", "peak_flops": "4e14", "mfu": "0.4"},
    )
    assert derived.value == F("8.4e23") / (30 * 86400 * F("4e14") * F("0.4"))
    assert derived.findings == ("n_devices comes out as 2025.46296296, and it is integer >= 1",)


def test_irrational_values_are_enclosed(catalog: Catalog) -> None:
    derived = catalog.derive(
        "loss",
        given={
            "adam_state_bytes_megatron": "1.26e12",
            "train_days": 60,
            "n_devices": 1024,
            "peak_flops": "4e14",
            "mfu": "0.4",
            "irreducible_loss": "1.69",
            "loss_param_coefficient": "406.4",
            "loss_param_exponent": "0.34",
            "loss_token_coefficient": "410.7",
            "loss_token_exponent": "0.28",
        },
    )
    tokens = 60 * 86400 * 1024 * 4e14 * 0.4 / (6 * 7e10)
    expected = 1.69 + 406.4 / 7e10**0.34 + 410.7 / tokens**0.28
    assert isinstance(derived.value, Enclosure)
    assert float(derived.value.key) == pytest.approx(expected, rel=1e-12)
    assert sum(step.backwards for step in derived.steps) == 2


class TestConventions:
    def test_alternatives_are_listed(self, catalog: Catalog) -> None:
        derived = catalog.derive(
            "train_flops",
            given={"n_params": "4.7e10", "n_params_active": "1.3e10", "n_tokens": "1e12"},
        )
        others = {other.formula.id: other.value for other in derived.alternatives}
        values = {derived.steps[-1].formula.id: derived.value, **others}
        assert values["train_flops"] == 6 * F("4.7e10") * F("1e12")
        assert values["moe_train_flops"] == 6 * F("1.3e10") * F("1e12")

    def test_assume_chooses(self, catalog: Catalog) -> None:
        given = {"n_params": "4.7e10", "n_params_active": "1.3e10", "n_tokens": "1e12"}
        derived = catalog.derive("train_flops", given=given, assume=["moe_train_flops"])
        assert derived.value == 6 * F("1.3e10") * F("1e12")
        assert [other.formula.id for other in derived.alternatives] == []

    def test_rivals_are_not_both_assumed(self, catalog: Catalog) -> None:
        with pytest.raises(DomainError, match="two conventions for train_flops; assume one"):
            catalog.derive(
                "train_time", given=["n_params"], assume=["train_flops", "moe_train_flops"]
            )

    def test_rivals_are_never_mixed(self, catalog: Catalog) -> None:
        """All parameters forwards and active ones backwards would call them equal."""
        given = {"n_params": "4.7e10", "n_tokens": "1e12"}
        with pytest.raises(NotDerivableError):
            catalog.derive("n_params_active", given=given)

    def test_a_twin_in_another_direction_is_a_rival_too(self, catalog: Catalog) -> None:
        assert "iso_flop_tokens" in catalog.graph.rivals("moe_train_flops")
        assert "train_days" not in catalog.graph.rivals("train_seconds")
        assert "matmul_intensity" not in catalog.graph.rivals("arithmetic_intensity")

    def test_a_model_of_its_own_is_used_only_if_assumed(self, catalog: Catalog) -> None:
        constants = [f.id for f in catalog.formulas.values() if not f.symbols]
        for id in constants:
            formula = catalog.formulas[id]
            found = catalog.derive(formula.result.id, given=[], assume=[id])
            assert found.steps[0].formula.id == id
            with pytest.raises(NotDerivableError):
                catalog.derive(formula.result.id, given=[])

    def test_a_formula_is_left_out_where_it_does_not_hold(self, catalog: Catalog) -> None:
        given = {
            "all_to_all_global_bytes": "1e9",
            "ring_size": 8,
            "link_bandwidth_one_way": "1e11",
        }
        target = "all_to_all_time_bidirectional_ring"
        odd = "bidirectional_ring_all_to_all_seconds_odd"
        derived = catalog.derive(target, given=given)
        assert derived.value == F(1, 800)
        with pytest.raises(NotDerivableError, match=f"{odd} was left out: it holds only where"):
            catalog.derive(target, given=given, assume=[odd])


class TestGaps:
    def test_the_nearest_comes_first(self, catalog: Catalog) -> None:
        with pytest.raises(NotDerivableError) as raised:
            catalog.derive("train_time", given=RUN)
        gaps = raised.value.gaps
        assert gaps[0].missing == ("train_flops",)
        assert ("n_params",) in [gap.missing for gap in gaps]
        assert [len(gap.missing) for gap in gaps] == sorted(len(gap.missing) for gap in gaps)
        for gap in gaps:
            catalog.derive("train_time", given=[*RUN, *gap.missing])

    def test_what_nothing_speaks_of(self, catalog: Catalog) -> None:
        graph = Graph.of([], catalog.quantities, catalog.units)
        assert not list(best_routes(graph, Question("mfu", frozenset(["n_params"]))))


class TestErrors:
    def test_near_names(self, catalog: Catalog) -> None:
        with pytest.raises(UnknownNameError, match="did you mean train_days"):
            catalog.derive("train_dayz", given=[])
        with pytest.raises(UnknownNameError, match="n_params"):
            catalog.derive("train_flops", given={"n_param": 1})
        with pytest.raises(UnknownNameError, match="train_flops"):
            catalog.derive("train_flops", given=[], assume=["train_flop"])

    def test_the_dimension_of_what_is_given(self, catalog: Catalog) -> None:
        with pytest.raises(DimensionError, match="given peak_flops: byte/s measures byte/s"):
            catalog.derive("train_time", given={"peak_flops": "4e14 byte/s"})

    def test_domains(self, catalog: Catalog) -> None:
        with pytest.raises(DomainError, match="given ring_size: ring_size is integer >= 2"):
            catalog.derive("all_gather_time", given={"ring_size": 1})
        with pytest.raises(DomainError, match="mfu is given"):
            catalog.derive("mfu", given={"mfu": "0.4"})

    def test_a_value_that_cannot_be(self, catalog: Catalog) -> None:
        derived = catalog.derive(
            "mfu",
            given={"step_flops": "1e18", "step_time": 1, "n_devices": 8, "peak_flops": "1e15"},
        )
        assert derived.value == 125
        assert derived.findings == ("mfu comes out as 125, and it is > 0, <= 1",)


def _anything(catalog: Catalog, seed: int) -> tuple[str, frozenset[str]]:
    """A target, and quantities from which it follows: the leaves of formulas expanded at random."""
    draw = random.Random(seed)
    graph = catalog.graph
    target = draw.choice(sorted(id for id, edges in graph.into.items() if edges))
    leaves: set[str] = {target}
    done: set[str] = set()
    for _ in range(draw.randint(1, 4)):
        id = draw.choice(sorted(leaves))
        edges = [
            edge
            for edge in graph.into[id]
            if edge.inputs and not done & {*edge.inputs} and graph.solution(edge) is not None
        ]
        if edges and (id == target or id not in done):
            edge = draw.choice(edges)
            leaves = (leaves - {id}) | set(edge.inputs)
            done.add(id)
    return target, frozenset(leaves - {target})


def _values(catalog: Catalog, ids: frozenset[str], seed: int) -> dict[str, F]:
    draw = random.Random(seed)
    values = {}
    for id in sorted(ids):
        domain = catalog.quantities[id].domain
        for _ in range(200):
            value = F(draw.randint(1, 900)) * (
                1 if domain.integer else F(1, draw.choice((1, 1000)))
            )
            if value in domain:
                values[id] = value
                break
    return values


@settings(max_examples=150)
@given(seed=st.integers(0, 10**6))
def test_any_derivation_is_what_its_steps_say(catalog: Catalog, seed: int) -> None:
    target, leaves = _anything(catalog, seed)
    values = _values(catalog, leaves, seed)
    try:
        derived = catalog.derive(target, given=values)
    except SymscaleError:
        return
    route = next(best_routes(catalog.graph, Question(target, frozenset(values))))
    assert conflict(catalog.graph, route) is None
    exact = [step.value for step in derived.steps if isinstance(step.value, F)]
    rational = all(
        word not in text(step.expression)
        for step in derived.steps
        for word in ("sqrt", "log", "exp", "**")
    )
    if len(exact) == len(derived.steps) and rational and derived.closed_form is not None:
        assert_replays(derived)


@settings(max_examples=100)
@given(seed=st.integers(0, 10**6))
def test_forwards_and_backwards_give_the_value_back(catalog: Catalog, seed: int) -> None:
    """Derive a result, then ask for one of the inputs from the result and the others."""
    draw = random.Random(seed)
    graph = catalog.graph
    edge = draw.choice([edge for edge in graph.edges if edge.backwards])
    formula = graph.formulas[edge.formula]
    ids = frozenset(quantity.id for quantity in formula.symbols.values())
    values = _values(catalog, ids, seed)
    if graph.solution(edge) is None or len(values) < len(ids):
        return
    try:
        forwards = catalog.derive(formula.id, given=values, assume=[formula.id])
    except SymscaleError:
        return
    if not isinstance(forwards.value, F):
        return
    result = forwards.value * forwards.unit.scale / formula.result.unit.scale
    others = {id: value for id, value in values.items() if id != edge.target}
    if result not in formula.result.domain:
        return
    question = {**others, formula.result.id: result}
    try:
        back = catalog.derive(edge.target, given=question, assume=[formula.id])
    except NotDerivableError:
        pytest.fail(f"{edge.target} does not come back from {formula.id}")
    except (DomainError, UndecidedError):
        return  # the value is 0, and division by it says nothing; or a root is rounded
    same = [s for s in back.steps if s.formula.id == formula.id and s.backwards]
    if same and isinstance(back.value, F):
        assert back.value == values[edge.target]


@settings(max_examples=25)
@given(seed=st.integers(0, 10**6))
def test_the_order_of_the_catalog_does_not_matter(catalog: Catalog, seed: int) -> None:
    target, leaves = _anything(catalog, seed)
    shuffled = list(catalog.formulas.values())
    random.Random(seed).shuffle(shuffled)
    quantities = dict(
        random.Random(seed).sample(list(catalog.quantities.items()), len(catalog.quantities))
    )
    other = Graph.of(shuffled, quantities, catalog.units)
    question = Question(target, leaves)
    routes = [list(best_routes(graph, question)) for graph in (catalog.graph, other)]
    assert routes[0] == routes[1]


@pytest.mark.parametrize("target", LONG)
def test_without_any_one_formula_another_route_or_a_named_gap(
    catalog: Catalog, target: str
) -> None:
    given, _ = LONG[target]
    names_given = frozenset(given)
    derived = catalog.derive(target, given=given)
    for step in derived.steps:
        fewer = Graph.of(
            (f for f in catalog.formulas.values() if f.id != step.formula.id),
            catalog.quantities,
            catalog.units,
        )
        question = Question(derived.quantity.id, names_given)
        routes = list(best_routes(fewer, question))
        if routes:
            assert step.formula.id not in routes[0].formulas
        else:
            gaps = find_gaps(fewer, question)
            if not gaps:
                assert not fewer.into[derived.quantity.id]
                error = NotDerivableError(derived.quantity.id, gaps)
                assert "no formula of the catalog speaks of it" in str(error)
                continue
            more = Question(derived.quantity.id, names_given | set(gaps[0].missing))
            assert list(best_routes(fewer, more))


def test_it_is_fast_on_the_whole_catalog(catalog: Catalog) -> None:
    """The first question solves what it needs of the catalog; the next ones find it there."""
    graph = Graph.of(catalog.formulas.values(), catalog.quantities, catalog.units)
    start = time.process_time()
    question = Question("carbon_emission", frozenset(LONG["carbon_emission"][0]))
    assert list(best_routes(graph, question))
    assert time.process_time() - start < 1


def test_it_shows_itself(catalog: Catalog) -> None:
    derived = catalog.derive("train_days", given={"n_params": "7e10", **RUN})
    bundle = derived._repr_mimebundle_()
    assert "546875/9216 day" in bundle["text/plain"]
    assert r"\frac" in bundle["text/html"]
    assert "| 1 | train_flops |" in bundle["text/markdown"]
    assert derived.data["value"]["exact"] == "546875/9216"
    assert derived.data["steps"][0]["direction"] == "forwards"
    assert derived.data["elasticities"]["n_devices"] == "-1"
