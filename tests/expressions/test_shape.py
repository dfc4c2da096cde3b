"""What a tree may look like, and how large its value can be."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

from symscale.errors import ExpressionError, TooLargeError
from symscale.expressions.nodes import (
    Binary,
    Call,
    Compare,
    Label,
    Name,
    Node,
    Number,
    number,
    substitute,
)
from symscale.expressions.parser import parse
from symscale.expressions.shape import (
    MAX_BITS,
    MAX_LEVELS,
    MAX_NODES,
    check_shape,
    constant_value,
)
from symscale.units import UnitSystem
from tests.strategies import NAMES, arithmetic, plain_value

ONE, TWO, A = Number("1"), Number("2"), Name("a")
TEST = Compare(">", A, ONE)


@given(arithmetic)
def test_the_value_of_literals_is_what_plain_arithmetic_gives(node: Node) -> None:
    closed = substitute(node, {name: number(Fraction(3, 2)) for name in NAMES})
    try:
        expected = plain_value(closed, {})
    except ZeroDivisionError:
        expected = None
    try:
        assert constant_value(closed) == expected
    except TooLargeError:
        assert expected is None or expected.numerator.bit_length() > 100


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("2 + 3*4 - 1/2", "27/2"),
        ("-(2)**-2", "-1/4"),
        ("+7", "7"),
        ("0**0", "1"),
        ("2**0.5", None),
        ("0**-1", None),
        ("1/0", None),
        ("a + 1", None),
        ("1 + a", None),
        ("-a", None),
        ("max(1, 2)", None),
    ],
)
def test_constant_values(units: UnitSystem, source: str, value: str | None) -> None:
    found = constant_value(parse(source, units))
    assert found == (None if value is None else Fraction(value))


class TestKinds:
    def test_of_well_formed_trees(self) -> None:
        assert check_shape(Binary("+", A, ONE)) == "number"
        assert check_shape(Label("x")) == "label"
        assert check_shape(TEST) == "truth"
        assert check_shape(Call("where", (TEST, Label("x"), Label("y")))) == "label"
        assert check_shape(Call("where", (TEST, ONE, TWO))) == "number"

    @pytest.mark.parametrize(
        ("node", "message"),
        [
            (Binary("*", Label("x"), ONE), "* takes numbers, not a label"),
            (Binary("-", ONE, Label("x")), "- takes numbers, not a label"),
            (Binary("**", ONE, TEST), "** takes numbers, not a comparison"),
            (Compare("<", ONE, TEST), "a comparison does not stand inside another"),
            (Compare("<", Label("x"), ONE), "< takes numbers, not a label"),
            (Compare("<", ONE, Label("x")), "< takes numbers, not a label"),
            (Call("where", (ONE, ONE, TWO)), "the first argument of where is a comparison"),
            (Call("where", (TEST, TEST, TEST)), "where chooses between two numbers or two labels"),
            (Call("where", (TEST, ONE, Label("x"))), "where chooses between two numbers"),
            (
                Compare("<", Call("where", (TEST, ONE, TWO)), ONE),
                "where does not stand inside a condition",
            ),
        ],
    )
    def test_what_stands_in_the_wrong_place(self, node: Node, message: str) -> None:
        with pytest.raises(ExpressionError) as error:
            check_shape(node)
        assert error.value.what.startswith(message)

    def test_a_condition_ends_where_it_ends(self) -> None:
        inner = Call("where", (TEST, ONE, TWO))
        check_shape(Call("where", (TEST, inner, Binary("+", inner, inner))))


class TestSize:
    def test_of_powers(self, units: UnitSystem) -> None:
        edge = MAX_BITS // 64
        check_shape(parse(f"a**{edge}", units))
        check_shape(parse(f"a**-{edge}", units))
        for source in (f"a**{edge + 1}", f"a**{MAX_BITS + 1}", f"(a*b)**{edge}", "1.0**99999"):
            with pytest.raises(TooLargeError):
                parse(source, units)

    def test_of_powers_whose_exponent_is_open(self, units: UnitSystem) -> None:
        parse("(1 - a)**b", units)
        with pytest.raises(TooLargeError):
            parse("((3**(2000 + b - b))**4)**5", units)

    def test_of_trees(self) -> None:
        deep: Node = A
        for _ in range(MAX_LEVELS - 1):
            deep = Call("abs", (deep,))
        check_shape(deep)
        with pytest.raises(TooLargeError, match="levels"):
            check_shape(Call("abs", (deep,)))
        doubled: Node = A
        for _ in range(MAX_NODES.bit_length()):
            doubled = Binary("*", doubled, Binary("+", doubled, A))
        with pytest.raises(TooLargeError):
            check_shape(doubled)
