"""The kernel against plain Fraction evaluation, SymPy's substitution and the interpreter."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st
from sympy.core.symbol import Str

from symscale.errors import DomainError, SymscaleError, TooLargeError, UndecidedError
from symscale.expressions.enclosure import evaluate
from symscale.expressions.kernel import compile_kernel
from symscale.expressions.nodes import Node, names, substitute
from symscale.expressions.parser import parse
from symscale.expressions.tree import symbol, sympy_tree
from symscale.expressions.values import Enclosure, Value
from symscale.units import UnitSystem
from tests.strategies import NAMES, environments, expressions, numeric, plain_value


def kernel_value(node: Node, values: dict[str, Fraction]) -> Value:
    return compile_kernel([node], tuple(values))(values)[0]


class TestAgainstFractions:
    @given(expressions, environments)
    def test_kernel(self, node: Node, values: dict[str, Fraction]) -> None:
        try:
            expected = plain_value(node, values)
        except ZeroDivisionError:
            with pytest.raises(DomainError):
                kernel_value(node, values)
            return
        found = kernel_value(node, values)
        assume(not isinstance(found, Enclosure))
        assert found == expected
        assert type(found) is type(expected)

    @given(expressions, environments)
    def test_interpreter(self, node: Node, values: dict[str, Fraction]) -> None:
        try:
            expected = plain_value(node, values)
        except ZeroDivisionError:
            with pytest.raises(DomainError):
                evaluate(node, values)
            return
        found = evaluate(node, values)
        assume(not isinstance(found, Enclosure))
        assert found == expected

    @given(numeric, environments)
    def test_integer_and_sign_hints_change_nothing(
        self, node: Node, values: dict[str, Fraction]
    ) -> None:
        whole = {name: Fraction(abs(value.numerator) + 1) for name, value in values.items()}
        hinted = compile_kernel([node], NAMES, positive=NAMES, integers=NAMES)
        try:
            expected = kernel_value(node, whole)
        except SymscaleError:
            return
        assume(isinstance(expected, Fraction))
        numbers = [whole[name].numerator for name in NAMES]
        (found,) = hinted.run(*numbers)
        assert isinstance(found, tuple)
        assert Fraction(*found) == expected

    @given(st.lists(numeric, min_size=2, max_size=4), environments)
    def test_outputs_share_nothing_that_shows(
        self, nodes: list[Node], values: dict[str, Fraction]
    ) -> None:
        try:
            alone = [kernel_value(node, values) for node in nodes]
        except SymscaleError:
            return
        assert list(compile_kernel(nodes, NAMES)(values)) == alone


class TestAgainstSympy:
    @given(expressions, environments)
    def test_substitution_in_the_tree(self, node: Node, values: dict[str, Fraction]) -> None:
        try:
            found = kernel_value(node, values)
        except DomainError:
            return
        assume(not isinstance(found, Enclosure))
        numbers = {
            symbol(name): sympy.Rational(*value.as_integer_ratio())
            for name, value in values.items()
        }
        tree = sympy_tree(node).subs(numbers)
        assume(not tree.has(sympy.nan, sympy.zoo, sympy.oo, -sympy.oo))
        match found:
            case bool():
                assert tree == (sympy.true if found else sympy.false)
            case str():
                assert tree == Str(found)
            case Fraction():
                assert tree == sympy.Rational(*found.as_integer_ratio())


class TestZero:
    @pytest.mark.parametrize("source", ["1/a", "1/(1/a)", "a**-1", "a/(b - b)", "1/(a*b)"])
    def test_division_is_an_error_that_names_the_divisor(
        self, units: UnitSystem, source: str
    ) -> None:
        values = dict.fromkeys(NAMES, Fraction(0))
        with pytest.raises(DomainError, match=r"zero"):
            kernel_value(parse(source, units), values)

    def test_the_branch_not_taken_may_divide_by_it(self, units: UnitSystem) -> None:
        node = parse("where(a > 0, 1/a, 7)", units)
        assert kernel_value(node, dict.fromkeys(NAMES, Fraction(0))) == 7


class TestIrrational:
    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ("sqrt(2)", mpmath.sqrt),
            ("log(2)", mpmath.log),
            ("exp(2)", mpmath.exp),
            ("log2(2 + 1)", lambda two: mpmath.log(two + 1, 2)),
            ("2**0.3", lambda two: two ** (mpmath.mpf(3) / 10)),
            ("2**(1/3)*sqrt(5)", lambda two: two ** (mpmath.mpf(1) / 3) * mpmath.sqrt(5)),
            ("(1 - 1/1000)**a", lambda _: (1 - mpmath.mpf(1) / 1000) ** 100000),
            ("exp(-300)", lambda _: mpmath.exp(-300)),
        ],
    )
    def test_enclosures_are_right_and_narrow(
        self, units: UnitSystem, source: str, expected: Callable[[Any], Any]
    ) -> None:
        found = kernel_value(parse(source, units), {"a": Fraction(100000)})
        assert isinstance(found, Enclosure)
        with mpmath.workdps(80):
            value = expected(mpmath.mpf(2))
            low = mpmath.mpf(found.low.numerator) / found.low.denominator
            high = mpmath.mpf(found.high.numerator) / found.high.denominator
            assert low <= value <= high
        assert (found.high - found.low) * 10**30 <= abs(found.low)

    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            ("sqrt(9/4)", "3/2"),
            ("8**(1/3)", "2"),
            ("(27/8)**(-2/3)", "4/9"),
            ("log2(1024)", "10"),
            ("log2(1/8)", "-3"),
            ("log(1)", "0"),
            ("exp(0)", "1"),
            ("4**0.5 + 1", "3"),
            ("ceil(sqrt(2)*1000000)", "1414214"),
            ("floor(exp(1)*10**20)", "271828182845904523536"),
            ("max(sqrt(2), 1.41421356237309504880168872420969807856967)*0 + 1", "1"),
        ],
    )
    def test_what_is_rational_stays_exact(
        self, units: UnitSystem, source: str, expected: str
    ) -> None:
        found = kernel_value(parse(source, units), {})
        if isinstance(found, Enclosure):
            assert found.low <= Fraction(expected) <= found.high
        else:
            assert found == Fraction(expected)

    def test_close_comparisons_double_the_precision(self, units: UnitSystem) -> None:
        digits = str(sympy.sqrt(2).evalf(59))
        below = parse(f'where(sqrt(2) > {digits[:-2]}, "above", "below")', units)
        assert kernel_value(below, {}) == "above"

    @pytest.mark.parametrize(
        "source", ["sqrt(2)**2 - 2", "where(sqrt(2)*sqrt(3) == sqrt(6), 1, 2)", "ceil(sqrt(2)**2)"]
    )
    def test_what_no_precision_decides_is_an_error(self, units: UnitSystem, source: str) -> None:
        with pytest.raises(UndecidedError, match=r"is not decided by 1024 bits"):
            kernel_value(parse(source, units), {})

    @pytest.mark.parametrize(
        "source", ["exp(exp(1e9))", "exp(1e300)", "2**a", "a**a", "exp(a)*exp(a)"]
    )
    def test_values_beyond_bounds_are_refused(self, units: UnitSystem, source: str) -> None:
        with pytest.raises(TooLargeError):
            kernel_value(parse(source, units), dict.fromkeys(NAMES, Fraction(10**300)))

    @pytest.mark.parametrize("source", ["sqrt(-1)", "log(0)", "log2(-3)", "(-8)**(1/3)", "0**-1"])
    def test_outside_the_domain_of_a_function(self, units: UnitSystem, source: str) -> None:
        with pytest.raises(DomainError):
            kernel_value(parse(source, units), {})


@given(numeric, environments)
def test_substituting_values_is_evaluating(node: Node, values: dict[str, Fraction]) -> None:
    from symscale.expressions.nodes import number

    closed = substitute(node, {name: number(value) for name, value in values.items()})
    assert not names(closed)
    try:
        expected = kernel_value(node, values)
    except SymscaleError:
        return
    assume(isinstance(expected, Fraction))
    assert compile_kernel([closed], ())({}) == (expected,)


def test_no_text_enters_the_generated_source(units: UnitSystem) -> None:
    node = parse('where(hostile > 1, "import os", "x")', units)
    kernel = compile_kernel([node], ["hostile"])
    assert "hostile" not in kernel.source
    assert "import" not in kernel.source
