"""The tree of an expression: frozen nodes that keep what the author wrote.

Each thing that can be done with a tree is a walker in a module of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias, TypeGuard

from symscale.numbers import exact_text, plain_decimal, read_decimal, terminates
from symscale.units import Unit

SUM, PRODUCT = ("+", "-"), ("*", "/")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")

FUNCTIONS = {
    "max": (2, 50),
    "min": (2, 50),
    "ceil": (1, 1),
    "floor": (1, 1),
    "abs": (1, 1),
    "sqrt": (1, 1),
    "log": (1, 1),
    "log2": (1, 1),
    "exp": (1, 1),
    "count": (1, 1),
    "where": (3, 3),
}
"""The functions of the notation, with the fewest and the most arguments each takes."""


@dataclass(frozen=True, slots=True)
class Number:
    """A decimal literal as written, with the unit it carries, if any."""

    text: str
    unit: Unit | None = None
    value: Fraction = field(init=False, compare=False, repr=False)
    """Exact, in base units."""

    def __post_init__(self) -> None:
        value = read_decimal(self.text)
        object.__setattr__(self, "value", value * self.unit.scale if self.unit else value)


@dataclass(frozen=True, slots=True)
class Name:
    id: str


@dataclass(frozen=True, slots=True)
class Label:
    text: str


@dataclass(frozen=True, slots=True)
class Sign:
    """A unary `-` or `+`."""

    op: str
    operand: Node


@dataclass(frozen=True, slots=True)
class Binary:
    """`+ - * / **`."""

    op: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Compare:
    op: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Call:
    """A function of the notation, or a formula of a catalog."""

    function: str
    arguments: tuple[Node, ...]


Node: TypeAlias = Number | Name | Label | Sign | Binary | Compare | Call


def children(node: Node) -> tuple[Node, ...]:
    match node:
        case Sign():
            return (node.operand,)
        case Binary() | Compare():
            return (node.left, node.right)
        case Call():
            return node.arguments
        case _:
            return ()


def walk(node: Node) -> Iterator[Node]:
    """Every node of the tree, parents first, from left to right."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        match current:
            case Binary() | Compare():
                stack += (current.right, current.left)
            case Sign():
                stack.append(current.operand)
            case Call():
                stack += reversed(current.arguments)


def expanded_size(node: Node) -> int:
    """How many nodes the tree has, those counted again that stand in several places."""
    sizes: dict[int, int] = {}
    stack = [node]
    while stack:
        current = stack[-1]
        parts = children(current)
        pending = [part for part in parts if id(part) not in sizes]
        stack += pending
        if not pending:
            stack.pop()
            sizes[id(current)] = 1 + sum(sizes[id(part)] for part in parts)
    return sizes[id(node)]


ROUNDINGS = ("ceil", "floor")


def is_rounding(node: Node) -> TypeGuard[Call]:
    """Whether it is what rounds, whatever stands in it."""
    return isinstance(node, Call) and node.function in ROUNDINGS


def rounds(node: Node) -> bool:
    """Whether something is rounded in the tree."""
    return any(map(is_rounding, walk(node)))


def is_natural(node: Node) -> bool:
    """Whether a tree is the literal of a natural number."""
    return isinstance(node, Number) and node.value.denominator == 1


def names(node: Node) -> dict[str, None]:
    """The names that stand in the tree, in order of appearance."""
    return dict.fromkeys(part.id for part in walk(node) if isinstance(part, Name))


def chain(node: Binary) -> tuple[Node, list[tuple[str, Node]]]:
    """A run of operators of one level as its first operand and the rest, left to right.

    Sums and products lean to the left, one level of the tree an operator; walkers that take the
    whole run at once go only as deep as the parentheses.

    >>> a, b, c = Name("a"), Name("b"), Name("c")
    >>> chain(Binary("-", Binary("+", a, b), c)) == (a, [("+", b), ("-", c)])
    True
    """
    run = PRODUCT if node.op in PRODUCT else SUM
    rest: list[tuple[str, Node]] = []
    first: Node = node
    while isinstance(first, Binary) and first.op in run:
        rest.append((first.op, first.right))
        first = first.left
    return first, rest[::-1]


def rewrite(node: Node, replace: Callable[[Node], Node]) -> Node:
    """The tree with every node, parts first, given to a function that may put another in its place.

    Parts that were shared stay shared. It takes no more of the stack for a deep tree.
    """
    done: dict[int, Node] = {}
    stack = [node]
    while stack:
        current = stack[-1]
        parts = children(current)
        pending = [part for part in parts if id(part) not in done]
        if pending:
            stack += pending
            continue
        stack.pop()
        if id(current) not in done:
            new = tuple(done[id(part)] for part in parts)
            same = all(old is part for old, part in zip(parts, new, strict=True))
            done[id(current)] = replace(current if same else rebuild(current, new))
    return done[id(node)]


def substitute(node: Node, replacements: Mapping[str, Node]) -> Node:
    """The tree with names replaced by trees; parts that were shared stay shared."""

    def replace(part: Node) -> Node:
        return replacements.get(part.id, part) if isinstance(part, Name) else part

    return rewrite(node, replace)


def rebuild(node: Node, parts: tuple[Node, ...]) -> Node:
    """The same operator over other operands."""
    match node:
        case Sign():
            return Sign(node.op, *parts)
        case Binary():
            return Binary(node.op, *parts)
        case Compare():
            return Compare(node.op, *parts)
        case Call():
            return Call(node.function, parts)
        case _:
            return node


def number(value: Fraction) -> Node:
    """The tree of an exact value: a literal, or a quotient of two.

    >>> number(Fraction(7, 3)) == Binary("/", Number("7"), Number("3"))
    True
    """
    if value < 0:
        over = number(Fraction(-value.numerator))
        negative = Sign("-", over)
        under = value.denominator
        return negative if under == 1 else Binary("/", negative, number(Fraction(under)))
    if terminates(value):
        return Number(_literal(value))
    return Binary("/", Number(str(value.numerator)), Number(str(value.denominator)))


def _literal(value: Fraction) -> str:
    """Digits, with an exponent in place of a tail of zeros."""
    if value.denominator != 1:
        return plain_decimal(value)
    digits = exact_text(value)
    zeros = len(digits) - len(digits.rstrip("0"))
    return f"{digits[:-zeros]}e{zeros}" if zeros > 5 else digits
