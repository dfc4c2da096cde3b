"""Nodes to statements of Python over integer numerators and denominators.

Every value is a pair of integers whose denominator is positive. The source uses numbered names
only, and literals that were read as exact numbers: no text of a catalog or of a user enters it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from math import gcd
from typing import Any, NamedTuple

from symscale.errors import DomainError
from symscale.expressions.nodes import (
    PRODUCT,
    SUM,
    Binary,
    Call,
    Compare,
    Label,
    Name,
    Node,
    Number,
    Sign,
)
from symscale.expressions.values import exact_log2, exact_power

MAX_INLINE_EXPONENT = 4


class Irrational(Exception):
    """The value is not a rational number, or not one of modest size."""


class Code(NamedTuple):
    """Names or literals of a numerator and a positive denominator; `1` marks an integer."""

    over: str
    under: str
    positive: bool


class Draft:
    """Statements that find the values of expressions, each shared part once.

    The statements use the arguments, `t1, t2, ...`, and the names of `HELPERS` and `labels`. They
    raise Irrational where a value leaves the rationals of modest size, and ZeroDivisionError.
    """

    def __init__(
        self, inputs: Sequence[str], *, positive: Collection[str], integers: Collection[str]
    ) -> None:
        self.arguments: list[str] = []
        """Numerator and denominator of each input in turn; of an integer, its numerator alone."""
        self.names: dict[str, Code] = {}
        self.labels: dict[str, str] = {}
        self.lines: list[str] = []
        self.done: dict[int, Code] = {}
        self.temporaries = 0
        for position, name in enumerate(inputs):
            over, under = f"v{position}", f"w{position}"
            is_integer = name in integers
            self.arguments += [over] if is_integer else [over, under]
            self.names[name] = Code(over, "1" if is_integer else under, name in positive)

    def output(self, node: Node) -> Code | str:
        """What stands for a value after the statements: a number, or the source of a label or a
        truth value."""
        match node:
            case Compare():
                return self.condition(node)
            case Label():
                return self.label(node)
            case Call("where", (Compare() as condition, then, otherwise)) if _is_label(then):
                test = self.condition(condition)
                return f"({self.output(then)} if {test} else {self.output(otherwise)})"
        return self.code(node)

    def taken(self) -> list[str]:
        """The statements written since the last call."""
        lines, self.lines = self.lines, []
        return lines

    def reduced(self, code: Code) -> Code:
        """The same in lowest terms."""
        if code.under == "1":
            return code
        divisor = self.store(f"gcd({code.over}, {code.under})")
        return code._replace(over=f"{code.over} // {divisor}", under=f"{code.under} // {divisor}")

    def label(self, node: Label) -> str:
        name = f"label{len(self.labels)}"
        self.labels[name] = node.text
        return name

    def temporary(self) -> str:
        self.temporaries += 1
        return f"t{self.temporaries}"

    def store(self, source: str) -> str:
        name = self.temporary()
        self.lines.append(f"{name} = {source}")
        return name

    def code(self, node: Node) -> Code:
        known = self.done.get(id(node))
        if known is None:
            known = self.done[id(node)] = self._code(node)
        return known

    def _code(self, node: Node) -> Code:
        match node:
            case Number():
                over, under = node.value.as_integer_ratio()
                return Code(str(over), str(under), over > 0)
            case Name():
                return self.names[node.id]
            case Sign():
                code = self.code(node.operand)
                return (
                    code
                    if node.op == "+"
                    else code._replace(over=self.store(f"-{code.over}"), positive=False)
                )
            case Binary("**", base, exponent):
                return self.power(base, exponent)
            case Binary():
                return self.chain(node)
            case Call("where", (Compare() as condition, then, otherwise)):
                return self.choice(self.condition(condition), then, otherwise)
            case Call():
                return self.function(node)
            case _:
                raise TypeError(f"a {type(node).__name__} is not a number")

    def chain(self, node: Binary) -> Code:
        """A run of operators, from the longest prefix that is already there."""
        run = PRODUCT if node.op in PRODUCT else SUM
        prefixes: list[Binary] = []
        first: Node = node
        while isinstance(first, Binary) and first.op in run and id(first) not in self.done:
            prefixes.append(first)
            first = first.left
        code = self.code(first)
        for prefix in reversed(prefixes):
            code = self.combine(prefix.op, code, self.code(prefix.right))
            self.done[id(prefix)] = code
        return code

    def combine(self, op: str, a: Code, b: Code) -> Code:
        match op:
            case "*":
                return Code(
                    self.product(a.over, b.over),
                    self.product(a.under, b.under),
                    a.positive and b.positive,
                )
            case "/":
                return self.combine("*", a, self.reciprocal(b))
        if b.over == "0" or (a.over == "0" and op == "+"):
            return a if b.over == "0" else b
        positive = op == "+" and a.positive and b.positive
        if a.under == b.under:
            return Code(self.store(f"{a.over} {op} {b.over}"), a.under, positive)
        left, right = _product(a.over, b.under), _product(b.over, a.under)
        return Code(self.store(f"{left} {op} {right}"), self.product(a.under, b.under), positive)

    def product(self, a: str, b: str) -> str:
        source = _product(a, b)
        return source if source in (a, b) else self.store(source)

    def reciprocal(self, code: Code) -> Code:
        if code.positive:
            return Code(code.under, code.over, positive=True)
        over, under = self.temporary(), self.temporary()
        self.lines += [
            f"if {code.over} > 0: {over} = {code.under}; {under} = {code.over}",
            f"elif {code.over} < 0: {over} = -{code.under}; {under} = -{code.over}",
            "else: zero()",
        ]
        return Code(over, under, positive=False)

    def power(self, base: Node, exponent: Node) -> Code:
        if isinstance(base, Number) and isinstance(exponent, Number) and base.value > 0:
            constant = exact_power(base.value, exponent.value)
            if constant is not None:
                return Code(str(constant.numerator), str(constant.denominator), positive=True)
        code = self.code(base)
        if isinstance(exponent, Number) and exponent.value.denominator == 1:
            power = exponent.value.numerator
            if 0 < power <= MAX_INLINE_EXPONENT:
                under = code.under if code.under == "1" else self.store(f"{code.under} ** {power}")
                return Code(self.store(f"{code.over} ** {power}"), under, code.positive)
        other = self.code(exponent)
        return self.helper("power", [*code[:2], *other[:2]], positive=code.positive)

    def helper(self, name: str, arguments: list[str], *, positive: bool = False) -> Code:
        """A call of a function that returns a pair or raises Irrational."""
        over, under = self.temporary(), self.temporary()
        self.lines.append(f"{over}, {under} = {name}({', '.join(arguments)})")
        return Code(over, under, positive)

    def function(self, node: Call) -> Code:
        if node.function in ("max", "min"):
            return self.extreme(node)
        code = self.code(node.arguments[0])
        match node.function:
            case "count":
                return code
            case "abs" if code.positive:
                return code
            case "abs":
                return code._replace(over=self.store(f"abs({code.over})"), positive=False)
            case "ceil" | "floor" if code.under == "1":
                return code
            case "ceil":
                return Code(self.store(f"-(-{code.over} // {code.under})"), "1", code.positive)
            case "floor":
                return Code(self.store(f"{code.over} // {code.under}"), "1", positive=False)
            case "sqrt":
                return self.helper("power", [*code[:2], "1", "2"], positive=code.positive)
            case _:
                return self.helper(node.function, [*code[:2]])

    def extreme(self, node: Call) -> Code:
        best = self.code(node.arguments[0])
        op = ">=" if node.function == "max" else "<="
        for argument in node.arguments[1:]:
            other = self.code(argument)
            chosen = self.ordered(best, op, other)
            over = self.store(f"{best.over} if {chosen} else {other.over}")
            under = best.under
            if best.under != other.under:
                under = self.store(f"{best.under} if {chosen} else {other.under}")
            some, every = best.positive or other.positive, best.positive and other.positive
            best = Code(over, under, some if node.function == "max" else every)
        return best

    def ordered(self, a: Code, op: str, b: Code) -> str:
        if a.under == b.under:
            return self.store(f"{a.over} {op} {b.over}")
        return self.store(f"{_product(a.over, b.under)} {op} {_product(b.over, a.under)}")

    def condition(self, node: Compare) -> str:
        return self.ordered(self.code(node.left), node.op, self.code(node.right))

    def choice(self, condition: str, then: Node, otherwise: Node) -> Code:
        """Only the branch that is chosen is computed, so each keeps its own common parts."""
        yes, no = self.branch(then), self.branch(otherwise)
        over = self.temporary()
        under = "1" if yes[0].under == no[0].under == "1" else self.temporary()
        for head, (code, lines) in (("if", yes), ("else", no)):
            self.lines.append(f"if {condition}:" if head == "if" else "else:")
            self.lines += [f"    {line}" for line in lines]
            self.lines.append(f"    {over} = {code.over}")
            if under != "1":
                self.lines.append(f"    {under} = {code.under}")
        return Code(over, under, yes[0].positive and no[0].positive)

    def branch(self, node: Node) -> tuple[Code, list[str]]:
        """The code of a number, and statements that are not run wherever this one is."""
        with self.apart() as lines:
            code = self.code(node)
        return code, lines

    @contextmanager
    def apart(self) -> Iterator[list[str]]:
        """Statements that are written meanwhile go to a list of their own, and what they find is
        forgotten."""
        outer, known = self.lines, dict(self.done)
        self.lines = []
        yield self.lines
        self.lines, self.done = outer, known


def _is_label(node: Node) -> bool:
    while isinstance(node, Call) and node.function == "where":
        node = node.arguments[1]
    return isinstance(node, Label)


def _product(a: str, b: str) -> str:
    if "0" in (a, b):
        return "0"
    return b if a == "1" else a if b == "1" else f"{a} * {b}"


def _zero() -> None:
    raise ZeroDivisionError


def _power(over: int, under: int, power_over: int, power_under: int) -> tuple[int, int]:
    try:
        exact = exact_power(Fraction(over, under), Fraction(power_over, power_under))
    except DomainError:
        raise Irrational from None
    if exact is None:
        raise Irrational
    return exact.as_integer_ratio()


def _log2(over: int, under: int) -> tuple[int, int]:
    exact = exact_log2(Fraction(over, under))
    if exact is None:
        raise Irrational
    return exact.as_integer_ratio()


def _log(over: int, under: int) -> tuple[int, int]:
    if over != under:
        raise Irrational
    return 0, 1


def _exp(over: int, under: int) -> tuple[int, int]:
    if over:
        raise Irrational
    return 1, 1


HELPERS: dict[str, Any] = {
    "__builtins__": {},
    "abs": abs,
    "gcd": gcd,
    "power": _power,
    "log": _log,
    "log2": _log2,
    "exp": _exp,
    "zero": _zero,
}
"""What the statements may call."""
