"""Hypothesis strategies for expressions, and a plain evaluation to hold the engine against."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Any

from hypothesis import strategies as st

from symscale.expressions.nodes import (
    Binary,
    Call,
    Compare,
    Label,
    Name,
    Node,
    Number,
    Sign,
)

NAMES = ("a", "b", "c", "n_layers")

rationals = st.fractions(min_value=-1000, max_value=1000, max_denominator=50)
environments = st.fixed_dictionaries(dict.fromkeys(NAMES, rationals))

literals = st.one_of(
    st.integers(0, 10**6).map(str),
    st.builds("{}.{}".format, st.integers(0, 999), st.integers(0, 999)),
    st.builds("{}e{}".format, st.integers(1, 9), st.integers(-5, 12)),
).map(Number)

leaves: st.SearchStrategy[Node] = st.one_of(literals, st.sampled_from(NAMES).map(Name))


def _extend(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    return st.one_of(
        st.builds(Binary, st.sampled_from("+-*/"), inner, inner),
        st.builds(Binary, st.just("**"), inner, st.integers(0, 3).map(str).map(Number)),
        st.builds(Sign, st.sampled_from("+-"), inner),
    )


arithmetic: st.SearchStrategy[Node] = st.recursive(leaves, _extend, max_leaves=12)
"""Trees of + - * / ** and signs."""


def _extend_with_functions(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    return st.one_of(
        _extend(inner),
        st.builds(
            lambda name, args: Call(name, tuple(args)),
            st.sampled_from(("max", "min")),
            st.lists(inner, min_size=2, max_size=3),
        ),
        st.builds(
            lambda name, arg: Call(name, (arg,)),
            st.sampled_from(("ceil", "floor", "abs", "count")),
            inner,
        ),
    )


without_where: st.SearchStrategy[Node] = st.recursive(leaves, _extend_with_functions, max_leaves=8)
comparisons = st.builds(
    Compare, st.sampled_from(("<", "<=", ">", ">=", "==", "!=")), without_where, without_where
)


def _where(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    return st.builds(lambda test, a, b: Call("where", (test, a, b)), comparisons, inner, inner)


numeric: st.SearchStrategy[Node] = st.recursive(
    without_where,
    lambda inner: st.one_of(
        _where(inner), st.builds(Binary, st.sampled_from("+-*/"), inner, inner)
    ),
    max_leaves=4,
)
"""Trees of everything that stays rational, choices included."""

labels: st.SearchStrategy[Node] = st.recursive(
    st.sampled_from(("compute", "memory", "link")).map(Label), _where, max_leaves=3
)
expressions: st.SearchStrategy[Node] = st.one_of(numeric, labels, comparisons)

_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "max": max,
    "min": min,
    "ceil": lambda x: Fraction(ceil(x)),
    "floor": lambda x: Fraction(floor(x)),
    "abs": abs,
    "count": lambda x: x,
}


def plain_value(node: Node, values: Mapping[str, Fraction]) -> Any:
    """The value of a rational expression by plain recursion over Fraction.

    Raises ZeroDivisionError where it divides by zero.
    """
    match node:
        case Number(text):
            return Fraction(text)
        case Name(id):
            return values[id]
        case Label(text):
            return text
        case Sign(op, operand):
            value = plain_value(operand, values)
            return -value if op == "-" else value
        case Binary("**", base, exponent):
            power = plain_value(exponent, values)
            assert power.denominator == 1
            return plain_value(base, values) ** power.numerator
        case Binary(op, left, right) | Compare(op, left, right):
            return _OPERATORS[op](plain_value(left, values), plain_value(right, values))
        case Call("where", (condition, then, otherwise)):
            return plain_value(then if plain_value(condition, values) else otherwise, values)
        case Call(function, arguments):
            return _FUNCTIONS[function](*(plain_value(part, values) for part in arguments))
