"""Nodes to SymPy: the tree that users inspect, solve and differentiate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy
from sympy.core.symbol import Str

from symscale.expressions.nodes import (
    SUM,
    Binary,
    Call,
    Compare,
    Label,
    Name,
    Node,
    Number,
    Sign,
    chain,
)

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": sympy.Lt,
    "<=": sympy.Le,
    ">": sympy.Gt,
    ">=": sympy.Ge,
    "==": sympy.Eq,
    "!=": sympy.Ne,
}

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "max": sympy.Max,
    "min": sympy.Min,
    "ceil": sympy.ceiling,
    "floor": sympy.floor,
    "abs": sympy.Abs,
    "sqrt": sympy.sqrt,
    "log": sympy.log,
    "log2": lambda x: sympy.log(x, 2),
    "exp": sympy.exp,
    "count": lambda x: x,
    "where": lambda condition, then, otherwise: sympy.Piecewise(
        (then, condition), (otherwise, True)
    ),
}


def symbol(name: str) -> sympy.Symbol:
    """The SymPy symbol of a name; all of symscale's symbols are made here.

    It is real and nothing more: positivity and integrality would fold conditions and swallow
    `ceil`, so they stay in the quantity's domain.
    """
    return sympy.Symbol(name, real=True)


def sympy_tree(node: Node, values: Mapping[str, Any] | None = None) -> Any:
    """The SymPy tree of an expression, with units in base scale.

    Names become symbols, or what `values` gives for them. A label is a `Str`, a choice a
    `Piecewise`, a comparison a `Relational`.
    """
    values = values or {}
    match node:
        case Number():
            return sympy.Rational(node.value.numerator, node.value.denominator)
        case Name():
            return values[node.id] if node.id in values else symbol(node.id)
        case Label():
            return Str(node.text)
        case Sign():
            operand = sympy_tree(node.operand, values)
            return -operand if node.op == "-" else operand
        case Binary():
            return _binary(node, values)
        case Compare():
            return _COMPARE[node.op](sympy_tree(node.left, values), sympy_tree(node.right, values))
        case Call():
            arguments = [sympy_tree(argument, values) for argument in node.arguments]
            return _FUNCTIONS[node.function](*arguments)


def _binary(node: Binary, values: Mapping[str, Any]) -> Any:
    if node.op == "**":
        return sympy.Pow(sympy_tree(node.left, values), sympy_tree(node.right, values))
    first, rest = chain(node)
    operands = [sympy_tree(first, values)]
    for op, operand in rest:
        tree = sympy_tree(operand, values)
        operands.append(-tree if op == "-" else 1 / tree if op == "/" else tree)
    return sympy.Add(*operands) if node.op in SUM else sympy.Mul(*operands)
