"""Nodes to readable Unicode: `V·(n − 1)/n`."""

from __future__ import annotations

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
from symscale.expressions.text import (
    ATOM_LEVEL,
    POWER_LEVEL,
    PRODUCT_LEVEL,
    SIGN_LEVEL,
    SUM_LEVEL,
    level,
)

_SIGNS = {"*": "·", "/": "/", "+": " + ", "-": " − "}
_COMPARISONS = {"<=": "≤", ">=": "≥", "!=": "≠", "==": "="}
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_BRACKETS = {"ceil": ("⌈", "⌉"), "floor": ("⌊", "⌋"), "abs": ("|", "|")}


def unicode_text(node: Node) -> str:
    """The expression in readable Unicode, on one line.

    >>> unicode_text(Binary("*", Name("V"), Binary("-", Name("n"), Number("1"))))
    'V·(n − 1)'
    """
    match node:
        case Number():
            return node.text if node.unit is None else f"{node.text} [{node.unit}]"
        case Name():
            return node.id
        case Label():
            return f"“{node.text}”"
        case Sign():
            return ("−" if node.op == "-" else "+") + _within(node.operand, SIGN_LEVEL)
        case Binary("**", base, exponent):
            return _within(base, ATOM_LEVEL) + _exponent(exponent)
        case Binary():
            return _chain(node)
        case Compare():
            op = _COMPARISONS.get(node.op, node.op)
            return f"{unicode_text(node.left)} {op} {unicode_text(node.right)}"
        case Call():
            return _call(node)


def _chain(node: Binary) -> str:
    own = SUM_LEVEL if node.op in SUM else PRODUCT_LEVEL
    first, rest = chain(node)
    operands = [_SIGNS[op] + _within(operand, own + 1) for op, operand in rest]
    return _within(first, own) + "".join(operands)


def _exponent(node: Node) -> str:
    digits = unicode_text(node).replace("−", "-")
    if digits.lstrip("-").isdecimal():
        return digits.translate(_SUPERSCRIPTS)
    return "^" + _within(node, ATOM_LEVEL)


def _call(node: Call) -> str:
    arguments = [unicode_text(argument) for argument in node.arguments]
    match node.function:
        case "where":
            condition, then, otherwise = arguments
            return f"({then} if {condition}, else {otherwise})"
        case "sqrt":
            return "√" + _within(node.arguments[0], ATOM_LEVEL)
        case "ceil" | "floor" | "abs":
            left, right = _BRACKETS[node.function]
            return left + arguments[0] + right
        case _:
            return f"{node.function}({', '.join(arguments)})"


def _within(node: Node, needed: int) -> str:
    shown = unicode_text(node)
    return shown if _level(node) >= needed else f"({shown})"


def _level(node: Node) -> int:
    """How tightly a tree binds as it is shown: a root sign, an exponent and a unit are open."""
    match node:
        case Call("sqrt"):
            return POWER_LEVEL
        case Number() if node.unit is not None:
            return PRODUCT_LEVEL
        case Number() if "e" in node.text.lower():
            return POWER_LEVEL
        case _:
            return level(node)
