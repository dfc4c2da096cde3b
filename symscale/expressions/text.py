"""Nodes to text, with no more parentheses than reading back needs: parse(text(x)) == x."""

from __future__ import annotations

from symscale.expressions.nodes import (
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

COMPARE_LEVEL, SUM_LEVEL, PRODUCT_LEVEL, SIGN_LEVEL, POWER_LEVEL, ATOM_LEVEL = range(6)
_LEVEL = {"+": SUM_LEVEL, "-": SUM_LEVEL, "*": PRODUCT_LEVEL, "/": PRODUCT_LEVEL, "**": POWER_LEVEL}


def text(node: Node) -> str:
    """The notation of a tree.

    >>> text(Binary("*", Name("V"), Binary("-", Name("n"), Number("1"))))
    'V*(n - 1)'
    """
    pieces: list[str] = []
    _write(node, COMPARE_LEVEL, pieces)
    return "".join(pieces)


def level(node: Node) -> int:
    """How tightly the outermost operator of a tree binds."""
    match node:
        case Binary():
            return _LEVEL[node.op]
        case Sign():
            return SIGN_LEVEL
        case Compare():
            return COMPARE_LEVEL
        case _:
            return ATOM_LEVEL


def _write(node: Node, needed: int, pieces: list[str]) -> None:
    if level(node) < needed:
        pieces.append("(")
        _write(node, COMPARE_LEVEL, pieces)
        pieces.append(")")
        return
    match node:
        case Number():
            pieces.append(node.text if node.unit is None else f"{node.text} [{node.unit}]")
        case Name():
            pieces.append(node.id)
        case Label():
            pieces.append(f'"{node.text}"')
        case Sign():
            pieces.append(node.op)
            _write(node.operand, SIGN_LEVEL, pieces)
        case Binary("**", base, exponent):
            _write(base, ATOM_LEVEL, pieces)
            pieces.append("**")
            _write(exponent, SIGN_LEVEL, pieces)
        case Binary():
            own = level(node)
            first, rest = chain(node)
            _write(first, own, pieces)
            for op, operand in rest:
                pieces.append(f" {op} " if own == SUM_LEVEL else op)
                _write(operand, own + 1, pieces)
        case Compare():
            _write(node.left, SUM_LEVEL, pieces)
            pieces.append(f" {node.op} ")
            _write(node.right, SUM_LEVEL, pieces)
        case Call():
            pieces.append(f"{node.function}(")
            for position, argument in enumerate(node.arguments):
                if position:
                    pieces.append(", ")
                _write(argument, COMPARE_LEVEL, pieces)
            pieces.append(")")
