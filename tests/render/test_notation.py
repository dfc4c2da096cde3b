"""Readable Unicode: exact words for a table of expressions, and reading back what was shown."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from symscale.expressions.nodes import Node
from symscale.expressions.parser import parse
from symscale.render.notation import unicode_text
from symscale.units import UnitSystem
from tests.strategies import expressions, without_where

SHOWN = {
    # sums and products
    "V*(n - 1)/n": "V·(n − 1)/n",
    "a + b - c": "a + b − c",
    "a - (b - c)": "a − (b − c)",
    "a/b*c": "a/b·c",
    "a/(b*c)": "a/(b·c)",
    "a*(b/c)": "a·(b/c)",
    "(a + b)*(c - d)": "(a + b)·(c − d)",
    # signs
    "-a*b": "−a·b",
    "-(a + b)": "−(a + b)",
    "a*-b": "a·−b",
    "a - -b": "a − −b",
    # powers
    "a**2": "a²",
    "a**-12": "a⁻¹²",
    "-a**2": "−a²",
    "(-a)**2": "(−a)²",
    "(a*b)**2": "(a·b)²",
    "(a**2)**3": "(a²)³",
    "a**b**2": "a^(b²)",
    "a**n": "a^n",
    "a**0.5": "a^0.5",
    "a**(1/2)": "a^(1/2)",
    "a**-n": "a^(−n)",
    "a**max(b, -c)": "a^max(b, −c)",
    # numbers and units
    "N*1e3": "N·1e3",
    "1e3**2": "(1e3)²",
    "a**1e3": "a^(1e3)",
    "3 [GB]*n": "3 [GB]·n",
    "2 [GB]**2": "(2 [GB])²",
    "n/2 [GB]": "n/(2 [GB])",
    # functions
    "sqrt(x)": "√x",
    "sqrt(x)**2": "(√x)²",
    "sqrt(x**2)": "√(x²)",
    "sqrt(x + 1)/2": "√(x + 1)/2",
    "sqrt(sqrt(x))": "√(√x)",
    "ceil(a/b) + floor(c)": "⌈a/b⌉ + ⌊c⌋",
    "abs(x)**2": "|x|²",
    "max(a, b)**2": "max(a, b)²",
    "log2(n)": "log2(n)",
    # choices, conditions and labels
    "where(a < b, 1, 2)**2": "(1 if a < b, else 2)²",
    'where(a <= b, "compute", "memory")': "(“compute” if a ≤ b, else “memory”)",
    "a >= b + 1": "a ≥ b + 1",
    "a == b": "a = b",
    "a != b": "a ≠ b",
}


@pytest.mark.parametrize("source", SHOWN)
def test_shown(units: UnitSystem, source: str) -> None:
    assert unicode_text(parse(source, units)) == SHOWN[source]


_NOTATION = {"·": "*", "−": "-", "^": "**", "⌈": "ceil(", "⌉": ")", "⌊": "floor(", "⌋": ")"}


def notation(shown: str) -> str:
    """What is shown, in the notation of expressions."""
    for sign, written in _NOTATION.items():
        shown = shown.replace(sign, written)
    return re.sub("[⁻⁰¹²³⁴-⁹]+", lambda power: f"**{_ascii(power[0])}", shown)


def _ascii(superscript: str) -> str:
    return superscript.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-"))


@given(without_where.filter(lambda node: "|" not in unicode_text(node)))
def test_it_reads_back_as_the_same_tree(units: UnitSystem, node: Node) -> None:
    assert parse(notation(unicode_text(node)), units) == node


@given(expressions)
def test_it_stays_on_one_line(node: Node) -> None:
    shown = unicode_text(node)
    assert "\n" not in shown
    assert "*" not in shown
