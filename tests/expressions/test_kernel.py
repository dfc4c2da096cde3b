"""The kernel against plain Fraction evaluation, SymPy's substitution and the interpreter."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import mpmath
import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st
from sympy.core.symbol import Str

from symscale.errors import DomainError, SymscaleError, TooLargeError, UndecidedError
from symscale.expressions.draft import Irrational
from symscale.expressions.enclosure import evaluate
from symscale.expressions.kernel import compile_kernel
from symscale.expressions.nodes import Binary, Label, Node, Number, names, substitute
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

    @pytest.mark.parametrize("branch", ["1/a", "0**-1"])
    def test_the_branch_not_taken_may_divide_by_it(self, units: UnitSystem, branch: str) -> None:
        node = parse(f"where(a > 0, {branch}, 7)", units)
        assert kernel_value(node, dict.fromkeys(NAMES, Fraction(0))) == 7

    @pytest.mark.parametrize("source", ["a + 0", "0 + a", "a - 0", "0 - a", "a*0", "0*a", "0/a"])
    def test_as_a_literal_it_is_any_other_number(self, units: UnitSystem, source: str) -> None:
        a = Fraction(5, 3)
        assert kernel_value(parse(source, units), {"a": a}) == eval(source, {"a": a})


class TestHints:
    """p and q are declared positive; z is below zero and o is zero."""

    values = MappingProxyType(
        {"p": Fraction(1, 2), "q": Fraction(2), "z": Fraction(-2), "o": Fraction(0)}
    )

    @pytest.mark.parametrize(
        ("divisor", "value"),
        [
            ("0", "0"),
            ("0**2", "0"),
            ("o", "0"),
            ("-p", "-1/2"),
            ("p*z", "-1"),
            ("z*p", "-1"),
            ("p*o", "0"),
            ("p/z", "-1/4"),
            ("p + z", "-3/2"),
            ("z + p", "-3/2"),
            ("q + z", "0"),
            ("p - q", "-3/2"),
            ("z - p", "-5/2"),
            ("p - p", "0"),
            ("floor(p)", "0"),
            ("floor(z) + 1", "-1"),
            ("1 + floor(z)", "-1"),
            ("1 - 2", "-1"),
            ("1/z", "-1/2"),
            ("z**3", "-8"),
            ("z**-1", "-1/2"),
            ("abs(o)", "0"),
            ("min(p, z)", "-2"),
            ("min(o, p)", "0"),
            ("max(o, z)", "0"),
            ("log2(p)", "-1"),
            ("log(p/p)", "0"),
            ("where(p > q, p, z)", "-2"),
            ("where(p < q, z, p)", "-2"),
        ],
    )
    def test_a_divisor_that_they_do_not_make_positive(
        self, units: UnitSystem, divisor: str, value: str
    ) -> None:
        nodes = [parse(source.format(divisor), units) for source in ("1/({})", "max(1/({}), 1/7)")]
        kernel = compile_kernel(nodes, tuple(self.values), positive=["p", "q"])
        if value == "0":
            with pytest.raises(DomainError, match="zero"):
                kernel(self.values)
        else:
            assert kernel(self.values) == (1 / Fraction(value), Fraction(1, 7))

    @pytest.mark.parametrize(
        "divisor",
        [
            "1",
            "+p",
            "p*q",
            "p/q",
            "p + q",
            "ceil(p) + 2",
            "p**2",
            "p**0.5",
            "p**z",
            "2**0",
            "sqrt(p)",
            "ceil(p)",
            "floor(ceil(p))",
            "abs(p)",
            "max(p, z)",
            "max(z, p)",
            "min(p, q)",
            "where(z > o, p, q)",
        ],
    )
    def test_a_divisor_that_they_make_positive_is_not_checked(
        self, units: UnitSystem, divisor: str
    ) -> None:
        node = parse(f"1/({divisor})", units)
        assert "zero" in compile_kernel([parse("1/o", units)], ["o"]).source
        assert "zero" not in compile_kernel([node], tuple(self.values), positive=["p", "q"]).source

    def test_integers_alone_need_no_common_divisor(self, units: UnitSystem) -> None:
        sources = ["k**2 - 3*k", "ceil(k)*floor(k/4)", "max(k, 7)", "where(k > 7, k**2, 1)"]
        nodes = [parse(source, units) for source in sources]
        assert "gcd" in compile_kernel(nodes, ["k"]).source
        kernel = compile_kernel(nodes, ["k"], integers=["k"])
        assert "gcd" not in kernel.source
        assert kernel.run(9) == ((54, 1), (18, 1), (9, 1), (81, 1))


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
            ("(4 + 5)**0.5", "3"),
            ("2**-3", "1/8"),
            ("ceil(sqrt(2)*1000000)", "1414214"),
            ("floor(exp(1)*10**20)", "271828182845904523536"),
        ],
    )
    def test_what_is_rational_stays_exact(
        self, units: UnitSystem, source: str, expected: str
    ) -> None:
        assert kernel_value(parse(source, units), {}) == Fraction(expected)

    def test_the_compiled_function_finds_it_without_intervals(self, units: UnitSystem) -> None:
        sources = ["sqrt(a)", "a**-1.5", "a**6", "log2(a)", "log(a/a)", "exp(a - a)"]
        kernel = compile_kernel([parse(source, units) for source in sources], ["a"])
        assert kernel.run(1, 4) == ((1, 2), (8, 1), (1, 4**6), (-2, 1), (0, 1), (1, 1))
        with pytest.raises(Irrational):
            kernel.run(1, 2)

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


def test_a_choice_of_a_choice_of_labels(units: UnitSystem) -> None:
    node = parse('where(a > 1, where(a > 2, "high", "middle"), "low")', units)
    found = [kernel_value(node, {"a": Fraction(a)}) for a in (1, 2, 3)]
    assert found == ["low", "middle", "high"]


def test_common_parts_are_computed_once(units: UnitSystem) -> None:
    sources = ["a*b*c + ceil(a/7)", "a*b*n*ceil(a/7)"]
    kernel = compile_kernel([parse(source, units) for source in sources], ["a", "b", "c", "n"])
    assert kernel.source.count("v0 * v1") == 1
    assert kernel.source.count("//") == 1 + 2 * len(sources)  # the reductions of the outputs


def test_a_kernel_travels(units: UnitSystem) -> None:
    node = parse('where(a > b/k, "above", "below")', units)
    kernel = compile_kernel([node], ["a", "b", "k"], positive=["k"], integers=["k"])
    copy = pickle.loads(pickle.dumps(kernel))
    assert (copy, copy.source) == (kernel, kernel.source)
    assert (copy.positive, copy.integers) == (("k",), ("k",))
    assert copy.run(1, 1, 3, 1, 4) == ("above",)


def test_what_the_parser_never_builds_is_a_type_error() -> None:
    with pytest.raises(TypeError, match=r"^a Label is not a number$"):
        compile_kernel([Binary("+", Label("x"), Number("1"))], [])


def test_the_generated_code_has_no_builtins(units: UnitSystem) -> None:
    kernel = compile_kernel([parse("a + 1", units)], ["a"])
    assert kernel.run.__globals__["__builtins__"] == {}


def test_no_text_enters_the_generated_source(units: UnitSystem) -> None:
    node = parse('where(hostile > 1, "import os", "x")', units)
    kernel = compile_kernel([node], ["hostile"])
    assert "hostile" not in kernel.source
    assert "import" not in kernel.source
