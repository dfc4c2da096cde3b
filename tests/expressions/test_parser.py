"""The parser: against Python's own, there and back, and with text that means harm."""

from __future__ import annotations

import ast
import contextlib
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symscale.errors import ExpressionError, SymscaleError, TooLargeError
from symscale.expressions.nodes import Binary, Call, Compare, Name, Node, Number, Sign
from symscale.expressions.parser import MAX_DEPTH, MAX_LENGTH, MAX_TOKENS, parse
from symscale.expressions.text import text
from symscale.units import UnitSystem
from tests.strategies import arithmetic, expressions

_PYTHON: dict[type, str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
    ast.USub: "-",
    ast.UAdd: "+",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}


def as_python_reads(source: str) -> Node:
    """The nodes of what Python's parser makes of the same text."""

    def convert(node: ast.AST) -> Node:
        match node:
            case ast.Constant():
                written = ast.get_source_segment(source, node)
                assert written is not None
                return Number(written)
            case ast.Name(id=id):
                return Name(id)
            case ast.UnaryOp(op=op, operand=operand):
                return Sign(_PYTHON[type(op)], convert(operand))
            case ast.BinOp(left=left, op=op, right=right):
                return Binary(_PYTHON[type(op)], convert(left), convert(right))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return Compare(_PYTHON[type(op)], convert(left), convert(right))
            case ast.Call(func=ast.Name(id=id), args=arguments):
                return Call(id, tuple(convert(argument) for argument in arguments))
        raise AssertionError(ast.dump(node))

    return convert(ast.parse(source, mode="eval").body)


spaced = st.lists(
    st.sampled_from(
        ["a", "b", "2", "1.5", "3e4", "+", "-", "*", "/", "**", "(", ")", " ", "max(", ",", "<"]
    ),
    max_size=14,
).map("".join)


class TestAgainstPython:
    @given(arithmetic)
    def test_generated_arithmetic_binds_as_in_python(self, units: UnitSystem, node: Node) -> None:
        source = text(node)
        assert parse(source, units) == as_python_reads(source)

    @given(spaced)
    def test_token_soup_is_read_as_python_reads_it_or_refused(
        self, units: UnitSystem, source: str
    ) -> None:
        try:
            node = parse(source, units)
        except SymscaleError:
            return
        assert node == as_python_reads(source.strip())

    @pytest.mark.parametrize(
        "source",
        ["-x**2", "2**-1", "a**b**c", "-a*b", "a/b/c", "a - b - c", "+-+a", "a*-b", "(a + b)*c"],
    )
    def test_precedence(self, units: UnitSystem, source: str) -> None:
        assert parse(source, units) == as_python_reads(source)


class TestRoundTrip:
    @given(expressions)
    def test_text_reads_back_as_the_same_nodes(self, units: UnitSystem, node: Node) -> None:
        try:
            parsed = parse(text(node), units)
        except TooLargeError:
            return
        assert parsed == node

    @pytest.mark.parametrize(
        ("source", "canonical"),
        [
            ("6[flop/param/token]*N*D", "6 [flop/param/token]*N*D"),
            ("a^2", "a**2"),
            ("((a))+( b*c )", "a + b*c"),
            ('where(I > c, "compute", "memory")', 'where(I > c, "compute", "memory")'),
            ("4.0e14/2.50", "4.0e14/2.50"),
            ("a-(b-c)", "a - (b - c)"),
        ],
    )
    def test_canonical_text(self, units: UnitSystem, source: str, canonical: str) -> None:
        assert text(parse(source, units)) == canonical

    def test_numbers_are_exact(self, units: UnitSystem) -> None:
        values = {
            "4.0e14": Fraction(4 * 10**14),
            "2.50": Fraction(5, 2),
            "1 [GiB]": Fraction(2**30),
            ".5": Fraction(1, 2),
        }
        for source, value in values.items():
            node = parse(source, units)
            assert isinstance(node, Number)
            assert node.value == value


class TestRefusals:
    @pytest.mark.parametrize(
        ("source", "message"),
        [
            ("", "expected a number, a name or '(', found the end"),
            ("V*(n-1", "expected ')', found the end, at character 7"),
            ("a b", "'b' is not expected here, at character 3"),
            ("10,000", "',' is not expected here"),
            ("1_000", "'1_000' is not a decimal number"),
            ("2x", "'2x' is not a decimal number"),
            ('"a', "a label has no closing quote"),
            ("1.2.3", "'1.2.3' is not a decimal number"),
            ("٣*a", "is not a decimal number"),
            ("a − b", "cannot stand here"),
            ("a; b", "';' cannot stand here"),
            ("a.b", "'.' cannot stand here"),
            ("a[0]", "'[0]' is not expected here"),
            ("1 [0]", "'0' is not a known unit"),
            ("'x'", "cannot stand here"),
            ("lambda: 1", "cannot stand here"),
            ("a < b < c", "comparisons are not chained"),
            ("[GB]", "a unit in brackets follows a number"),
            ("3 [GBx]", "'GBx' is not a known unit"),
            ("3 [byte/s*token]", "reads two ways"),
            ("max", "max is a function"),
            ("max(1)", "max takes 2 to 50 arguments, not 1"),
            ("log(1, 2)", "log takes 1 arguments, not 2"),
            ('"x" + 1', "+ takes numbers, not a label"),
            ('""', "a label has 1 to 60 characters"),
            ("where(a, 1, 2)", "the first argument of where is a comparison"),
            ('where(a > 1, 1, "x")', "where chooses between two numbers or two labels"),
            ("where(where(a > 1, 1, 2) > 1, 3, 4)", "where does not stand inside a condition"),
            ("(a < b) + 1", "+ takes numbers, not a comparison"),
            ("max(a < b, 1)", "max takes numbers, not a comparison"),
        ],
    )
    def test_message(self, units: UnitSystem, source: str, message: str) -> None:
        with pytest.raises(ExpressionError) as error:
            parse(source, units)
        assert message in str(error.value)

    @pytest.mark.parametrize(
        "source",
        [
            "1" * 61,
            "1e401",
            "1e999999999",
            "1e-" + "9" * 50,
            "(" * 61 + "a" + ")" * 61,
            "-" * 61 + "a",
            "2**" * 61 + "2",
            "a+" * 300 + "a",
            "a" * 2001,
            "9**9**9",
            "10^(10^10)",
            "((V^64)^64)^64",
            "2**(2**(2**(2**2)))**(2*100000)",
            "(1+1)**(9**9)",
            "0.5**999999",
        ],
    )
    def test_too_large(self, units: UnitSystem, source: str) -> None:
        with pytest.raises(TooLargeError):
            parse(source, units)

    def test_the_bounds_themselves_are_admitted(self, units: UnitSystem) -> None:
        parse("(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH, units)
        parse("+".join("a" * (MAX_TOKENS // 2)), units)
        parse("a" * MAX_LENGTH, units)

    @given(st.text(max_size=300))
    def test_any_text_is_read_or_refused(self, units: UnitSystem, source: str) -> None:
        with contextlib.suppress(SymscaleError):
            parse(source, units)
