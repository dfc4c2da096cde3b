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

_COMPARE, _SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(6)
_LEVEL = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "**": _POWER}


def text(node: Node) -> str:
    """The notation of a tree.

    >>> text(Binary("*", Name("V"), Binary("-", Name("n"), Number("1"))))
    'V*(n - 1)'
    """
    pieces: list[str] = []
    _write(node, _COMPARE, pieces)
    return "".join(pieces)


def level(node: Node) -> int:
    """How tightly the outermost operator of a tree binds."""
    match node:
        case Binary():
            return _LEVEL[node.op]
        case Sign():
            return _SIGN
        case Compare():
            return _COMPARE
        case _:
            return _ATOM


def _write(node: Node, needed: int, pieces: list[str]) -> None:
    if level(node) < needed:
        pieces.append("(")
        _write(node, _COMPARE, pieces)
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
            _write(node.operand, _SIGN, pieces)
        case Binary("**", base, exponent):
            _write(base, _ATOM, pieces)
            pieces.append("**")
            _write(exponent, _SIGN, pieces)
        case Binary():
            own = level(node)
            first, rest = chain(node)
            _write(first, own, pieces)
            for op, operand in rest:
                pieces.append(f" {op} " if own == _SUM else op)
                _write(operand, own + 1, pieces)
        case Compare():
            _write(node.left, _SUM, pieces)
            pieces.append(f" {node.op} ")
            _write(node.right, _SUM, pieces)
        case Call():
            pieces.append(f"{node.function}(")
            for position, argument in enumerate(node.arguments):
                if position:
                    pieces.append(", ")
                _write(argument, _COMPARE, pieces)
            pieces.append(")")
