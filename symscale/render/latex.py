"""Nodes to LaTeX."""

from __future__ import annotations

import re
from collections.abc import Mapping

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
from symscale.expressions.text import ATOM_LEVEL, POWER_LEVEL, PRODUCT_LEVEL, SIGN_LEVEL, level
from symscale.units import Unit

_COMPARISONS = {"<=": r"\le", ">=": r"\ge", "!=": r"\ne", "==": "="}
_ESCAPES = str.maketrans({c: f"\\{c}" for c in "_%$#&{}"})
_TEXT_ESCAPES = _ESCAPES | str.maketrans({c: rf"\{c}{{}}" for c in "^~"})
_DIGITS = ".0123456789"
_UNIT_POWER = re.compile(r"(?:\*\*|\^)(?:\(([^()]*)\)|(-?[0-9]+))")


def latex(node: Node, symbols: Mapping[str, str] | None = None) -> str:
    r"""The expression in LaTeX; `symbols` gives the LaTeX of names, others are set as they are.

    >>> latex(Binary("/", Name("V"), Binary("-", Name("n"), Number("1"))))
    '\\frac{V}{n - 1}'
    """
    return _Latex(symbols or {}).text(node)


def latex_name(name: str) -> str:
    r"""The LaTeX of a name: a letter as it is, longer ones upright, `_` as a subscript.

    >>> latex_name("n"), latex_name("N_h"), latex_name("sent")
    ('n', 'N_{h}', '\\mathrm{sent}')
    """
    head, _, tail = name.partition("_")
    shown = head if len(head) <= 1 else rf"\mathrm{{{head.translate(_ESCAPES)}}}"
    if not tail:
        return shown
    subscript = tail.translate(_ESCAPES)
    if len(tail) > 1:
        subscript = rf"\mathrm{{{subscript}}}"
    return f"{shown}_{{{subscript}}}"


def latex_unit(unit: Unit) -> str:
    r"""A unit, upright, with a thin space before it; nothing for 1."""
    if unit.text == "1":
        return ""
    escaped = unit.text.translate(_ESCAPES)
    shown = _UNIT_POWER.sub(lambda power: f"^{{{power[1] or power[2]}}}", escaped)
    return rf"\,\mathrm{{{shown}}}".replace("*", r" \cdot ")


class _Latex:
    def __init__(self, symbols: Mapping[str, str]) -> None:
        self.symbols = symbols

    def text(self, node: Node) -> str:
        match node:
            case Number():
                return self.number(node)
            case Name():
                return self.symbols.get(node.id) or latex_name(node.id)
            case Label():
                return rf"\text{{{node.text.translate(_TEXT_ESCAPES)}}}"
            case Sign():
                return node.op + self.within(node.operand, SIGN_LEVEL)
            case Binary("**", base, exponent):
                return f"{self.within(base, ATOM_LEVEL)}^{{{self.text(exponent)}}}"
            case Binary() if node.op in SUM:
                first, rest = chain(node)
                terms = [f" {op} {self.within(term, PRODUCT_LEVEL)}" for op, term in rest]
                return self.text(first) + "".join(terms)
            case Binary():
                return self.product(node)
            case Compare():
                op = _COMPARISONS.get(node.op, node.op)
                return f"{self.text(node.left)} {op} {self.text(node.right)}"
            case Call():
                return self.call(node)

    def number(self, node: Number) -> str:
        mantissa, _, exponent = node.text.lower().partition("e")
        shown = mantissa
        if exponent:
            power = rf"10^{{{int(exponent)}}}"
            shown = power if mantissa in ("1", "1.0") else rf"{mantissa} \cdot {power}"
        return shown if node.unit is None else shown + latex_unit(node.unit)

    def product(self, node: Binary) -> str:
        """One fraction for a whole run of products and quotients."""
        first, rest = chain(node)
        over = [first, *(factor for op, factor in rest if op == "*")]
        under = [factor for op, factor in rest if op == "/"]
        if not under:
            return self.factors(over)
        return rf"\frac{{{self.factors(over)}}}{{{self.factors(under)}}}"

    def factors(self, nodes: list[Node]) -> str:
        if len(nodes) == 1:
            return self.text(nodes[0])
        first, *others = nodes
        pieces = [self.within(first, PRODUCT_LEVEL)]
        for node in others:
            piece = self.within(node, POWER_LEVEL if isinstance(node, Sign) else PRODUCT_LEVEL)
            pieces.append(rf" \cdot {piece}" if piece[0] in _DIGITS else rf" \, {piece}")
        return "".join(pieces)

    def call(self, node: Call) -> str:
        arguments = [self.text(argument) for argument in node.arguments]
        match node.function:
            case "where":
                condition, then, otherwise = arguments
                return (
                    rf"\begin{{cases}} {then} & {condition} \\ "
                    rf"{otherwise} & \text{{otherwise}} \end{{cases}}"
                )
            case "sqrt":
                return rf"\sqrt{{{arguments[0]}}}"
            case "ceil":
                return rf"\left\lceil {arguments[0]} \right\rceil"
            case "floor":
                return rf"\left\lfloor {arguments[0]} \right\rfloor"
            case "abs":
                return rf"\left| {arguments[0]} \right|"
            case "log2":
                return rf"\log_2\left({arguments[0]}\right)"
            case "max" | "min" | "log" | "exp":
                return rf"\{node.function}\left({', '.join(arguments)}\right)"
            case _:
                function = rf"\operatorname{{{node.function.translate(_ESCAPES)}}}"
                return rf"{function}\left({', '.join(arguments)}\right)"

    def within(self, node: Node, needed: int) -> str:
        shown = self.text(node)
        return shown if self.level(node) >= needed else rf"\left({shown}\right)"

    def level(self, node: Node) -> int:
        """How tightly a tree binds as it is set: a second superscript or a unit would not hold."""
        match node:
            case Name() if "^" in self.text(node):
                return POWER_LEVEL
            case Number() if node.unit is not None or "e" in node.text.lower():
                return POWER_LEVEL
            case Call("sqrt"):
                return POWER_LEVEL
            case Call("where"):
                return PRODUCT_LEVEL
            case _:
                return level(node)
