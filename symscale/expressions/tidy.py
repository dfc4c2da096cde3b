"""An expression between plain numbers, written the way one writes it by hand.

Products are flattened and their literals multiplied out, equal factors become powers, equal terms
are added up: `2*N*D + 2*(2*N*D)` reads `6*N*D`. The value is the same wherever the original has
one, and it has none where the original has none: a divisor moves or cancels only if it is known to
be positive.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from symscale.expressions.nodes import (
    PRODUCT,
    SUM,
    Binary,
    Call,
    Name,
    Node,
    Number,
    Sign,
    chain,
    children,
    number,
    rebuild,
)

MAX_POWER = 100
SCALE = 1000
"""An integer from here on is the scale of a unit (3600, 2**30): it stays a factor of its own."""


def tidy(node: Node, *, positive: Mapping[str, Fraction] | None = None) -> Node:
    """The same expression without detours.

    `positive` says which names are above zero, and the least value that each can have (0 where
    they can come as close to it as they like).

    >>> from symscale.expressions.text import text
    >>> N, D = Name("N"), Name("D")
    >>> twice = Binary("*", Number("2"), Binary("*", N, D))
    >>> text(tidy(Binary("+", Binary("*", N, D), twice)))
    '3*N*D'
    """
    return _Tidy(positive or {}).node(node)


@dataclass
class _Product:
    """coefficient * factor**power * ... / divisor / ..., in order of appearance."""

    coefficient: Fraction = Fraction(1)
    powers: dict[Node, int] = field(default_factory=dict)
    divisors: list[Node] = field(default_factory=list)
    """What may be zero: it divides as it stands, and nothing cancels it."""

    def multiply(self, other: _Product, power: int = 1) -> None:
        self.coefficient *= other.coefficient**power
        for factor, times in other.powers.items():
            self.powers[factor] = self.powers.get(factor, 0) + times * power
        self.divisors += other.divisors

    def sum(self) -> Binary | None:
        """The sum that the product is, but for its coefficient."""
        if len(self.powers) == 1 and not self.divisors:
            ((factor, power),) = self.powers.items()
            if power == 1 and isinstance(factor, Binary) and factor.op in SUM:
                return factor
        return None


class _Tidy:
    def __init__(self, positive: Mapping[str, Fraction]) -> None:
        self.positive = positive
        self.done: dict[int, Node] = {}

    def node(self, node: Node) -> Node:
        known = self.done.get(id(node))
        if known is None:
            known = self.done[id(node)] = self._node(node)
        return known

    def _node(self, node: Node) -> Node:
        match node:
            case Number() | Sign() | Binary():
                return self.sum(node)
            case Call("count", (argument,)):
                return self.node(argument)
        parts = [self.node(part) for part in children(node)]
        return rebuild(node, tuple(parts)) if parts else node

    def sum(self, node: Node) -> Node:
        """Equal terms added up, a positive one first if there is one."""
        terms: dict[Node, _Product] = {}
        for term in self.terms(node, 1):
            coefficient, term.coefficient = term.coefficient, Fraction(1)
            total = terms.setdefault(_written(term), replace(term, coefficient=Fraction(0)))
            total.coefficient += coefficient
        kept = [t for rest, t in terms.items() if t.coefficient or not self.is_positive(rest)]
        if not kept:
            return Number("0")
        first = next((k for k, term in enumerate(kept) if term.coefficient > 0), 0)
        result = _written(kept.pop(first))
        for term in kept:
            op = "-" if term.coefficient < 0 else "+"
            term.coefficient = abs(term.coefficient)
            result = Binary(op, result, _written(term))
        return result

    def terms(self, node: Node, sign: int) -> Iterator[_Product]:
        """The terms of nested sums, with their signs."""
        if isinstance(node, Binary) and node.op in SUM:
            first, rest = chain(node)
            yield from self.terms(first, sign)
            for op, operand in rest:
                yield from self.terms(operand, -sign if op == "-" else sign)
            return
        product = self.product(node)
        product.coefficient *= sign
        inner = product.sum()
        if inner is not None and abs(product.coefficient) == 1:
            yield from self.terms(inner, product.coefficient.numerator)
        else:
            yield product

    def product(self, node: Node) -> _Product:
        """The factors of a tree, nested products and quotients opened."""
        match node:
            case Number():
                return _constant(node.value)
            case Binary("**", Number(), Number()):
                return _Product(powers={node: 1})
            case Sign():
                product = self.product(node.operand)
                product.coefficient *= -1 if node.op == "-" else 1
                return product
            case Binary("**", base, exponent):
                return self.power(node, self.product(base), exponent)
            case Binary() if node.op in PRODUCT:
                first, rest = chain(node)
                product = self.product(first)
                for op, operand in rest:
                    self.take(product, op, self.product(operand))
                return product
            case Binary():
                tidied = self.node(node)
                is_sum = isinstance(tidied, Binary) and tidied.op in SUM
                return _Product(powers={tidied: 1}) if is_sum else self.product(tidied)
            case Call("count", (argument,)):
                return self.product(argument)
        return _Product(powers={self.node(node): 1})

    def power(self, node: Node, base: _Product, exponent: Node) -> _Product:
        times = exponent.value if isinstance(exponent, Number) else Fraction(0)
        if times.denominator == 1 and 0 < times <= MAX_POWER and not base.divisors:
            product = _Product()
            product.multiply(base, times.numerator)
            return product
        parts = [self.node(part) for part in children(node)]
        return _Product(powers={rebuild(node, tuple(parts)): 1})

    def take(self, product: _Product, op: str, other: _Product) -> None:
        if op == "*":
            product.multiply(other)
        elif other.coefficient and not other.divisors and all(map(self.is_positive, other.powers)):
            product.multiply(other, -1)
        else:
            product.divisors.append(_written(other))

    def is_positive(self, node: Node) -> bool:
        """Whether an expression always has a value, and one above zero."""
        match node:
            case Number():
                return node.value > 0
            case Name():
                return node.id in self.positive
            case Binary("**", base, Number()):
                return self.is_positive(base)
            case Binary("-", Name(id), Number() as less):
                return self.positive.get(id, Fraction(0)) > less.value
            case Binary() if node.op in ("+", "*", "/"):
                return self.is_positive(node.left) and self.is_positive(node.right)
            case Call("max" | "min" | "ceil" | "sqrt"):
                return all(map(self.is_positive, node.arguments))
            case _:
                return False


def _constant(value: Fraction) -> _Product:
    """A literal: a small coefficient, or the scale of a unit."""
    product = _Product()
    for part, power in zip(value.as_integer_ratio(), (1, -1), strict=True):
        if part < SCALE:
            product.coefficient *= Fraction(part) ** power
        else:
            product.powers[number(Fraction(part))] = power
    return product


def _written(product: _Product) -> Node:
    """The product as a node: literals first, the divisors in one place."""
    over, under = product.coefficient.as_integer_ratio()
    powers = sorted(product.powers.items(), key=lambda item: not _is_literal(item[0]))
    above = [_raised(factor, power) for factor, power in powers if power > 0]
    below = [_raised(factor, -power) for factor, power in powers if power < 0]
    if abs(over) != 1 or not above:
        above.insert(0, number(Fraction(abs(over))))
    if under != 1:
        below.insert(0, number(Fraction(under)))
    result = _run(above)
    if over < 0:
        result = _negated(result)
    if below:
        result = Binary("/", result, _run(below))
    for divisor in product.divisors:
        result = Binary("/", result, divisor)
    return result


def _is_literal(node: Node) -> bool:
    match node:
        case Number() | Binary("**", Number(), Number()):
            return True
    return False


def _raised(factor: Node, power: int) -> Node:
    return factor if power == 1 else Binary("**", factor, Number(str(power)))


def _run(factors: list[Node]) -> Node:
    result = factors[0]
    for factor in factors[1:]:
        result = Binary("*", result, factor)
    return result


def _negated(node: Node) -> Node:
    """A product with a sign before its first factor."""
    if isinstance(node, Binary) and node.op in PRODUCT:
        return Binary(node.op, _negated(node.left), node.right)
    return Sign("-", node)
