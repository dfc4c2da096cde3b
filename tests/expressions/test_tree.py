"""The SymPy tree is what users solve and show; it folds nothing that the domain would decide."""

from __future__ import annotations

import pytest
import sympy
from sympy.core.symbol import Str

from symscale.expressions.parser import parse
from symscale.expressions.tree import symbol, sympy_tree
from symscale.units import UnitSystem


def tree(units: UnitSystem, source: str) -> sympy.Expr:
    return sympy_tree(parse(source, units))


def test_rationals_stay_rational(units: UnitSystem) -> None:
    assert tree(units, "2.50*a") == sympy.Rational(5, 2) * symbol("a")
    assert tree(units, "1/3") == sympy.Rational(1, 3)
    assert not tree(units, "0.1 + 1e-7*a").has(sympy.Float)


def test_units_are_in_base_scale(units: UnitSystem) -> None:
    assert tree(units, "2 [GiB]") == 2**31


def test_a_label_is_a_string_that_is_chosen(units: UnitSystem) -> None:
    chosen = tree(units, 'where(I > c, "compute", "memory")')
    assert chosen == sympy.Piecewise(
        (Str("compute"), symbol("I") > symbol("c")), (Str("memory"), True)
    )
    assert chosen.subs({symbol("I"): 3, symbol("c"): 2}) == Str("compute")


def test_letters_that_sympy_knows_are_only_letters(units: UnitSystem) -> None:
    for letter in ("E", "I", "N", "S", "O", "Q", "pi", "zeta", "beta", "lambda_"):
        assert tree(units, f"{letter}*2") == 2 * symbol(letter)


def test_symbols_are_real_and_nothing_more(units: UnitSystem) -> None:
    n = symbol("n")
    assert n.is_real
    assert n.is_positive is None
    assert n.is_integer is None
    assert tree(units, "ceil(n)") == sympy.ceiling(n)
    assert isinstance(tree(units, "n > 0"), sympy.core.relational.Relational)


def test_functions(units: UnitSystem) -> None:
    a, b = symbol("a"), symbol("b")
    assert tree(units, "max(a, b) + min(a, b)") == sympy.Max(a, b) + sympy.Min(a, b)
    assert tree(units, "floor(a/b) - abs(b)") == sympy.floor(a / b) - sympy.Abs(b)
    assert tree(units, "log2(a)*exp(b)/sqrt(a)") == sympy.log(a, 2) * sympy.exp(b) / sympy.sqrt(a)
    assert tree(units, "count(a)") == a


@pytest.mark.parametrize(
    "source",
    ["-{x} + c", "{x} - {y}*{x}/{y}", "{x}**{y}", "max({x}, c)", "where({x} > {y}, {x}, log({y}))"],
)
def test_names_may_stand_for_other_trees(units: UnitSystem, source: str) -> None:
    node = parse(source.format(x="a", y="b"), units)
    renamed = sympy_tree(node, {"a": symbol("x"), "b": symbol("y")})
    assert renamed == tree(units, source.format(x="x", y="y"))
