"""The catalog's identities, proved by the engine, by SymPy and on values; and claims refuted."""

from __future__ import annotations

import random
from fractions import Fraction as F

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symscale.catalog.loader import Catalog
from symscale.catalog.scope import expand
from symscale.engine.identities import prove, prove_identity
from symscale.engine.symbolic import sympy_proves
from symscale.errors import DimensionError, ExpressionError, SymscaleError, UnknownNameError
from symscale.expressions.nodes import Binary, Call, Node, walk
from symscale.expressions.numeric import in_units
from symscale.expressions.text import text
from tests.strategies import plain_value

BEYOND_SYMPY = {"loss_optimal_params_minimise_loss"}
"""Where SymPy does not see through powers with symbolic exponents."""


def test_every_identity_is_proved(catalog: Catalog) -> None:
    proofs = {id: prove_identity(catalog, i) for id, i in catalog.identities.items()}
    assert [id for id, proof in proofs.items() if not proof] == []
    assert all(proof.points >= 1 for proof in proofs.values())
    assert sum(proof.verdict == "proved" for proof in proofs.values()) >= 200


def test_sympy_proves_them_too(catalog: Catalog) -> None:
    """All but those in which a rounding or a choice stands."""
    found = {id: sympy_proves(catalog, i) for id, i in catalog.identities.items()}
    assert {id for id, proved in found.items() if proved is False} <= BEYOND_SYMPY
    assert sum(proved is True for proved in found.values()) >= 200


@settings(max_examples=300)
@given(seed=st.integers(0, 10**9))
def test_both_sides_have_the_same_value(catalog: Catalog, seed: int) -> None:
    """Plain recursion over fractions, at random values from the domains."""
    draw = random.Random(seed)
    identity = draw.choice([i for i in catalog.identities.values() if i.kind == "identity"])
    values = {}
    for letter, quantity in identity.symbols.items():
        for _ in range(300):
            value = F(draw.choice((draw.randint(1, 9), draw.randint(1, 5000))))
            value /= 1 if quantity.domain.integer else draw.choice((1, 7, 5000))
            if value in quantity.domain:
                values[letter] = value
                break
        else:
            return
    units = {letter: quantity.unit for letter, quantity in identity.symbols.items()}

    def plain(node: Node) -> Node:
        return in_units(expand(node, catalog.formulas.__getitem__), units)

    left, right = plain(identity.left), plain(identity.right)
    if not all(_is_rational(part, values) for part in (*walk(left), *walk(right))):
        return
    try:
        if not all(plain_value(plain(condition), values) for condition in identity.where):
            return
        sides = plain_value(left, values), plain_value(right, values)
    except ZeroDivisionError:
        return
    assert sides[0] == sides[1]


def _is_rational(part: Node, values: dict[str, F]) -> bool:
    match part:
        case Call("sqrt" | "log" | "log2" | "exp"):
            return False
        case Binary("**", _, exponent):
            try:
                power: F = plain_value(exponent, values)
            except (AssertionError, ZeroDivisionError):
                return False
            return power.denominator == 1 and abs(power) < 1000
    return True


class TestProve:
    def test_a_claim_with_both_sides_expanded(self, catalog: Catalog) -> None:
        proof = prove(catalog, "ring_all_reduce_bytes(V, n) = 2*ring_all_gather_bytes(V, n)")
        assert proof.verdict == "proved"
        assert text(proof.left_form) == text(proof.right_form) == "2*V*(n - 1)/n"

    def test_formulas_by_name(self, catalog: Catalog) -> None:
        assert prove(catalog, "train_flops = 3*forward_flops(n_params, n_tokens)")

    @pytest.mark.parametrize(
        "claim",
        [
            "(a + b)**2 = a**2 + 2*a*b + b**2",
            "max(a, b) + min(a, b) == a + b",
            "ceil(a) = -floor(-a)",
            "sqrt(a)*sqrt(b) = sqrt(a*b)",
            "(a**2 - b**2)/(a - b) = a + b",
            "log2(8*a) = 3 + log2(a)",
        ],
    )
    def test_true(self, catalog: Catalog, claim: str) -> None:
        assert prove(catalog, claim)

    @pytest.mark.parametrize(
        "claim",
        [
            "ring_all_reduce_bytes(V, n) = 2*V",
            "(a + b)**2 = a**2 + b**2",
            "ceil(a) = floor(a) + 1",
            "max(a, b) = a",
            "sqrt(a + b) = sqrt(a) + sqrt(b)",
            "min_devices_for_bytes(V, H) = V/H",
        ],
    )
    def test_false_with_a_counter_example(self, catalog: Catalog, claim: str) -> None:
        proof = prove(catalog, claim)
        assert proof.verdict == "false"
        assert proof.counterexample is not None
        point = proof.counterexample.point
        try:
            sides = [plain_value(side, point) for side in (proof.left_form, proof.right_form)]
        except KeyError:
            return  # a root, which plain fractions do not have
        assert sides[0] != sides[1]

    def test_a_claim_under_a_condition(self, catalog: Catalog) -> None:
        assert not prove(catalog, "max(a, b) = a")
        assert prove(catalog, "max(a, b) = a", where=["a >= b"])

    def test_what_is_no_claim(self, catalog: Catalog) -> None:
        for claim in ("a", "a < b", "a = b = c", "a <= b", "= a", "a ="):
            with pytest.raises(ExpressionError):
                prove(catalog, claim)
        with pytest.raises(DimensionError):
            prove(catalog, "train_flops(N, T) = weight_bytes(b, N)")
        with pytest.raises(UnknownNameError, match="did you mean"):
            prove(catalog, "train_flop(N, T) = 1")
        with pytest.raises(SymscaleError):
            prove(catalog, "a = b", where=["a"])

    def test_it_shows_itself(self, catalog: Catalog) -> None:
        proof = prove(catalog, "ring_all_reduce_bytes(V, n) = 2*V")
        assert "Counter-example" in proof._repr_mimebundle_()["text/plain"]
        assert proof.data["verdict"] == "false"
        assert proof.data["counterexample"]["at"].keys() == {"V", "n"}
