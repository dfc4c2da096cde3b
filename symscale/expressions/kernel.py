"""Nodes to a generated Python function over integer numerators and denominators.

Every value is a pair of integers whose denominator is positive; one gcd at the end makes it
canonical. The source uses numbered names only, and literals that were read as exact numbers: no
text of a catalog or of a user enters it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd
from typing import Any, NamedTuple, TypeAlias

from symscale.errors import DomainError
from symscale.expressions.enclosure import evaluate
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
from symscale.expressions.sharing import share
from symscale.expressions.values import Value, exact_log2, exact_power

Cell: TypeAlias = tuple[int, int] | str | bool
"""A kernel's output: numerator and denominator, a label, or a truth value."""

MAX_INLINE_EXPONENT = 4


@dataclass(frozen=True)
class Kernel:
    """A compiled list of expressions over the same inputs."""

    outputs: tuple[Node, ...]
    inputs: tuple[str, ...]
    source: str = field(repr=False)
    positive: tuple[str, ...] = field(repr=False, compare=False)
    integers: tuple[str, ...] = field(repr=False, compare=False)
    run: Callable[..., tuple[Cell, ...]] = field(repr=False, compare=False)
    """Takes numerator and denominator of each input in turn (an input declared integer: its
    numerator alone). Raises Irrational where the value is not a rational of modest size."""

    def __call__(self, values: Mapping[str, Fraction]) -> tuple[Value, ...]:
        """The exact values of the outputs, in order.

        Where one leaves the rationals, all are found in intervals. Raises what `evaluate` raises.
        """
        try:
            cells = self.cells(values)
        except (Irrational, ZeroDivisionError):
            return tuple(evaluate(node, values) for node in self.outputs)
        return tuple(Fraction(*cell) if isinstance(cell, tuple) else cell for cell in cells)

    def cells(self, values: Mapping[str, Fraction]) -> tuple[Cell, ...]:
        """The outputs as `run` gives them. Raises Irrational and ZeroDivisionError."""
        arguments: list[int] = []
        for name in self.inputs:
            arguments += values[name].as_integer_ratio()
        return self.run(*arguments)

    def __reduce__(self) -> tuple[Any, ...]:
        """A kernel travels as what it was compiled from."""
        return _recompile, (self.outputs, self.inputs, self.positive, self.integers)


class Irrational(Exception):
    """The value is not a rational number, or not one of modest size."""


def compile_kernel(
    outputs: Sequence[Node],
    inputs: Sequence[str],
    *,
    positive: Collection[str] = (),
    integers: Collection[str] = (),
) -> Kernel:
    """Compile expressions that share their inputs, and with them their common parts.

    `positive` names the inputs that are never zero or negative, which saves checks; `integers`
    those that are passed to `run` without a denominator.
    """
    compiler = _Compiler()
    arguments: list[str] = []
    for position, name in enumerate(inputs):
        over, under = f"v{position}", f"w{position}"
        is_integer = name in integers
        arguments += [over] if is_integer else [over, under]
        compiler.names[name] = _Code(over, "1" if is_integer else under, name in positive)
    results = [compiler.output(node) for node in share(outputs)]
    body = [*compiler.lines, f"return ({''.join(f'{result}, ' for result in results)})"]
    source = "\n    ".join([f"def kernel({', '.join(arguments)}):", *body])
    return Kernel(
        outputs=tuple(outputs),
        inputs=tuple(inputs),
        source=source,
        positive=tuple(positive),
        integers=tuple(integers),
        run=_define(source, compiler.labels),
    )


def _recompile(
    outputs: tuple[Node, ...],
    inputs: tuple[str, ...],
    positive: tuple[str, ...],
    integers: tuple[str, ...],
) -> Kernel:
    return compile_kernel(outputs, inputs, positive=positive, integers=integers)


def _define(source: str, labels: Mapping[str, str]) -> Callable[..., tuple[Cell, ...]]:
    namespace: dict[str, Any] = {
        "__builtins__": {},
        "abs": abs,
        "gcd": gcd,
        "power": _power,
        "log": _log,
        "log2": _log2,
        "exp": _exp,
        "zero": _zero,
        **labels,
    }
    exec(compile(source, "<kernel>", "exec"), namespace)
    kernel: Callable[..., tuple[Cell, ...]] = namespace["kernel"]
    return kernel


class _Code(NamedTuple):
    """Names or literals of a numerator and a positive denominator; `1` marks an integer."""

    over: str
    under: str
    positive: bool


class _Compiler:
    def __init__(self) -> None:
        self.names: dict[str, _Code] = {}
        self.labels: dict[str, str] = {}
        self.lines: list[str] = []
        self.done: dict[int, _Code] = {}
        self.temporaries = 0

    def output(self, node: Node) -> str:
        """The source of one output, canonical."""
        match node:
            case Compare():
                return self.condition(node)
            case Label():
                return self.label(node)
            case Call("where", (Compare() as condition, then, otherwise)) if _is_label(then):
                test = self.condition(condition)
                return f"({self.output(then)} if {test} else {self.output(otherwise)})"
        code = self.code(node)
        if code.under == "1":
            return f"({code.over}, 1)"
        divisor = self.store(f"gcd({code.over}, {code.under})")
        return f"({code.over} // {divisor}, {code.under} // {divisor})"

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

    def code(self, node: Node) -> _Code:
        known = self.done.get(id(node))
        if known is None:
            known = self.done[id(node)] = self._code(node)
        return known

    def _code(self, node: Node) -> _Code:
        match node:
            case Number():
                over, under = node.value.as_integer_ratio()
                return _Code(str(over), str(under), over > 0)
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

    def chain(self, node: Binary) -> _Code:
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

    def combine(self, op: str, a: _Code, b: _Code) -> _Code:
        match op:
            case "*":
                return _Code(
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
            return _Code(self.store(f"{a.over} {op} {b.over}"), a.under, positive)
        left, right = _product(a.over, b.under), _product(b.over, a.under)
        return _Code(self.store(f"{left} {op} {right}"), self.product(a.under, b.under), positive)

    def product(self, a: str, b: str) -> str:
        source = _product(a, b)
        return source if source in (a, b) else self.store(source)

    def reciprocal(self, code: _Code) -> _Code:
        if code.positive:
            return _Code(code.under, code.over, positive=True)
        over, under = self.temporary(), self.temporary()
        self.lines += [
            f"if {code.over} > 0: {over} = {code.under}; {under} = {code.over}",
            f"elif {code.over} < 0: {over} = -{code.under}; {under} = -{code.over}",
            "else: zero()",
        ]
        return _Code(over, under, positive=False)

    def power(self, base: Node, exponent: Node) -> _Code:
        if isinstance(base, Number) and isinstance(exponent, Number) and base.value > 0:
            constant = exact_power(base.value, exponent.value)
            if constant is not None:
                return _Code(str(constant.numerator), str(constant.denominator), positive=True)
        code = self.code(base)
        if isinstance(exponent, Number) and exponent.value.denominator == 1:
            power = exponent.value.numerator
            if 0 < power <= MAX_INLINE_EXPONENT:
                under = code.under if code.under == "1" else self.store(f"{code.under} ** {power}")
                return _Code(self.store(f"{code.over} ** {power}"), under, code.positive)
        other = self.code(exponent)
        return self.helper("power", [*code[:2], *other[:2]], positive=code.positive)

    def helper(self, name: str, arguments: list[str], *, positive: bool = False) -> _Code:
        """A call of a function that returns a pair or raises Irrational."""
        over, under = self.temporary(), self.temporary()
        self.lines.append(f"{over}, {under} = {name}({', '.join(arguments)})")
        return _Code(over, under, positive)

    def function(self, node: Call) -> _Code:
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
                return _Code(self.store(f"-(-{code.over} // {code.under})"), "1", code.positive)
            case "floor":
                return _Code(self.store(f"{code.over} // {code.under}"), "1", positive=False)
            case "sqrt":
                return self.helper("power", [*code[:2], "1", "2"], positive=code.positive)
            case _:
                return self.helper(node.function, [*code[:2]])

    def extreme(self, node: Call) -> _Code:
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
            best = _Code(over, under, some if node.function == "max" else every)
        return best

    def ordered(self, a: _Code, op: str, b: _Code) -> str:
        if a.under == b.under:
            return self.store(f"{a.over} {op} {b.over}")
        return self.store(f"{_product(a.over, b.under)} {op} {_product(b.over, a.under)}")

    def condition(self, node: Compare) -> str:
        return self.ordered(self.code(node.left), node.op, self.code(node.right))

    def choice(self, condition: str, then: Node, otherwise: Node) -> _Code:
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
        return _Code(over, under, yes[0].positive and no[0].positive)

    def branch(self, node: Node) -> tuple[_Code, list[str]]:
        outer, self.lines = self.lines, []
        known = dict(self.done)
        code = self.code(node)
        lines, self.lines, self.done = self.lines, outer, known
        return code, lines


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
