"""LaTeX: exact words for a table of expressions, well-formedness, and reading back what is set."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given

from symscale.expressions.nodes import Label, Node
from symscale.expressions.parser import parse
from symscale.render.latex import latex, latex_name, latex_unit
from symscale.units import UnitSystem
from tests.strategies import NAMES, environments, expressions, plain_value, without_where

SET = {
    # sums and products
    "a + b - c": "a + b - c",
    "a - (b - c)": r"a - \left(b - c\right)",
    "V*(n - 1)/n": r"\frac{V \, \left(n - 1\right)}{n}",
    "a/b*c": r"\frac{a \, c}{b}",
    "a/b/c": r"\frac{a}{b \, c}",
    "a/(b/c)": r"\frac{a}{\frac{b}{c}}",
    "a*(b/c)": r"a \, \frac{b}{c}",
    "(a + b)*c": r"\left(a + b\right) \, c",
    "(a + b)/c": r"\frac{a + b}{c}",
    # a number after a factor needs a dot
    "2*N*D": r"2 \, N \, D",
    "N*2": r"N \cdot 2",
    "2*(3*x)": r"2 \cdot 3 \, x",
    "2*3**n": r"2 \cdot 3^{n}",
    # signs
    "-a*b": r"-a \, b",
    "-(a + b)": r"-\left(a + b\right)",
    "a*-b": r"a \, \left(-b\right)",
    "2*-3": r"2 \, \left(-3\right)",
    "-a/-b": r"\frac{-a}{-b}",
    # powers
    "a**2": "a^{2}",
    "-a**2": "-a^{2}",
    "(-a)**2": r"\left(-a\right)^{2}",
    "(a*b)**2": r"\left(a \, b\right)^{2}",
    "(a/b)**2": r"\left(\frac{a}{b}\right)^{2}",
    "(a**b)**2": r"\left(a^{b}\right)^{2}",
    "a**b**2": "a^{b^{2}}",
    "a**(1/2)": r"a^{\frac{1}{2}}",
    # numbers and units
    "1e3": "10^{3}",
    "2.5e-9": r"2.5 \cdot 10^{-9}",
    "-1e3": "-10^{3}",
    "1e3**2": r"\left(10^{3}\right)^{2}",
    "2.5e3**2": r"\left(2.5 \cdot 10^{3}\right)^{2}",
    "N*1e3": r"N \cdot 10^{3}",
    "3 [GB]*n": r"3\,\mathrm{GB} \, n",
    "n*3 [GB/s]": r"n \cdot 3\,\mathrm{GB/s}",
    "2 [GB]**2": r"\left(2\,\mathrm{GB}\right)^{2}",
    # functions
    "sqrt(x)/2": r"\frac{\sqrt{x}}{2}",
    "-sqrt(x)": r"-\sqrt{x}",
    "sqrt(x)**2": r"\left(\sqrt{x}\right)^{2}",
    "ceil(a/b)*2": r"\left\lceil \frac{a}{b} \right\rceil \cdot 2",
    "floor(a)**2": r"\left\lfloor a \right\rfloor^{2}",
    "abs(x)": r"\left| x \right|",
    "log2(n)": r"\log_2\left(n\right)",
    "max(a, b)": r"\max\left(a, b\right)",
    "count(n)": r"\operatorname{count}\left(n\right)",
    "ring_bytes(V, n)": r"\operatorname{ring\_bytes}\left(V, n\right)",
    # choices, conditions and labels
    "where(a < b, 1, 2)": r"\begin{cases} 1 & a < b \\ 2 & \text{otherwise} \end{cases}",
    "where(a < b, 1, 2)**2": (
        r"\left(\begin{cases} 1 & a < b \\ 2 & \text{otherwise} \end{cases}\right)^{2}"
    ),
    'where(a >= b, "hbm_bound", "other")': (
        r"\begin{cases} \text{hbm\_bound} & a \ge b \\ "
        r"\text{other} & \text{otherwise} \end{cases}"
    ),
    "a <= b": r"a \le b",
    "a == b": "a = b",
    "a != b": r"a \ne b",
}


@pytest.mark.parametrize("source", SET)
def test_set(units: UnitSystem, source: str) -> None:
    assert latex(parse(source, units)) == SET[source]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("n", "n"),
        ("sent", r"\mathrm{sent}"),
        ("N_h", "N_{h}"),
        ("d_model", r"d_{\mathrm{model}}"),
        ("n_kv_heads", r"n_{\mathrm{kv\_heads}}"),
        ("max_len", r"\mathrm{max}_{\mathrm{len}}"),
    ],
)
def test_names(name: str, expected: str) -> None:
    assert latex_name(name) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", ""),
        ("%", r"\,\mathrm{\%}"),
        ("flop/s/device", r"\,\mathrm{flop/s/device}"),
        ("chip*hour", r"\,\mathrm{chip \cdot hour}"),
        ("byte/token**2", r"\,\mathrm{byte/token^{2}}"),
        ("byte/s^2", r"\,\mathrm{byte/s^{2}}"),
        ("flop**(1/2)", r"\,\mathrm{flop^{1/2}}"),
    ],
)
def test_units(units: UnitSystem, text: str, expected: str) -> None:
    assert latex_unit(units.parse(text)) == expected


def test_symbols_take_the_place_of_names(units: UnitSystem) -> None:
    node = parse("peak/I_crit + x", units)
    assert latex(node, {"peak": "P", "I_crit": "I^*"}) == r"\frac{P}{I^*} + x"


def test_a_symbol_with_a_superscript_takes_no_second_one(units: UnitSystem) -> None:
    assert latex(parse("I**2*I", units), {"I": "I^*"}) == r"\left(I^*\right)^{2} \, I^*"


@pytest.mark.parametrize(
    ("label", "expected"),
    [("50%", r"\text{50\%}"), ("a & b", r"\text{a \& b}"), ("a^b~c", r"\text{a\^{}b\~{}c}")],
)
def test_labels_are_text(label: str, expected: str) -> None:
    assert latex(Label(label)) == expected


class TestForm:
    """What LaTeX demands of every expression."""

    @given(expressions)
    def test_braces_brackets_and_environments_close(self, node: Node) -> None:
        shown = latex(node)
        depth = 0
        for character in shown:
            depth += {"{": 1, "}": -1}.get(character, 0)
            assert depth >= 0
        assert depth == 0
        assert shown.count(r"\left") == shown.count(r"\right")
        assert shown.count(r"\begin{cases}") == shown.count(r"\end{cases}")

    @given(expressions)
    def test_nothing_has_two_superscripts(self, node: Node) -> None:
        for symbols in ({}, dict.fromkeys(NAMES, "I^*")):
            assert not second_superscripts(latex(node, symbols))


def second_superscripts(shown: str) -> list[int]:
    """Where a superscript follows upon a superscript, which LaTeX refuses."""
    found = []
    for start, character in enumerate(shown):
        if character == "^":
            end = start + 1
            depth = int(shown[end] == "{")
            while depth:
                end += 1
                depth += {"{": 1, "}": -1}.get(shown[end], 0)
            if shown[end + 1 : end + 2] == "^":
                found.append(start)
    return found


def test_second_superscripts_are_seen() -> None:
    assert second_superscripts("10^{3}^{2}") == [2]
    assert second_superscripts("I^*^{2}") == [1]
    assert not second_superscripts("a^{b^{2}} + c^{d}")


_NOTATION = {
    r" \, ": "*",
    r" \cdot ": "*",
    r"\left\lceil": "ceil(",
    r"\right\rceil": ")",
    r"\left\lfloor": "floor(",
    r"\right\rfloor": ")",
    r"\left|": "abs(",
    r"\right|": ")",
    r"\operatorname{count}": "count",
    r"\max": "max",
    r"\min": "min",
    r"\left": "",
    r"\right": "",
    r"\frac": "",
    "}{": ")/(",
    "{": "(",
    "}": ")",
    "^": "**",
}
_SYMBOLS = {"n_layers": "n"}


def value_as_set(shown: str, values: Mapping[str, Fraction], units: UnitSystem) -> Fraction:
    """The value of LaTeX, read by the precedence of what it sets: a fraction bar divides."""
    for command, written in _NOTATION.items():
        shown = shown.replace(command, written)
    value = plain_value(parse(shown, units), values)
    assert isinstance(value, Fraction)
    return value


@given(without_where, environments)
def test_it_means_the_same(units: UnitSystem, node: Node, values: dict[str, Fraction]) -> None:
    try:
        expected = plain_value(node, values)
    except ZeroDivisionError:
        return
    shown_values = values | {"n": values["n_layers"]}
    assert value_as_set(latex(node, _SYMBOLS), shown_values, units) == expected
