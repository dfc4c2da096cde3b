"""Expressions to their factored normal form, and back to a shorter text."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from symscale.algebra.factored import Factored, atom, cancelled, raised, total
from symscale.algebra.polynomials import TooComplexError
from symscale.errors import SymscaleError
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import (
    SUM,
    Binary,
    Call,
    Compare,
    Name,
    Node,
    Number,
    Sign,
    chain,
    names,
)
from symscale.expressions.text import text


def factored(node: Node, *, positive: Collection[str] = ()) -> Factored:
    """The normal form of a number's expression without units and formula calls.

    `positive` names what is above zero, which lets roots be drawn. Raises TooComplexError where
    it would be large, ZeroDivisionError for a denominator that is zero everywhere.
    """
    return _Reader(frozenset(positive)).read(node)


def compact(node: Node, *, positive: Collection[str] = ()) -> Node:
    """The same expression, multiplied out and divided through where that makes it shorter."""
    try:
        shorter = factored(node, positive=positive).node()
    except (TooComplexError, ZeroDivisionError, SymscaleError):
        return node
    return shorter if len(text(shorter)) <= len(text(node)) else node


class _Reader:
    def __init__(self, positive: frozenset[str]) -> None:
        self.positive = positive
        self.done: dict[int, Factored] = {}

    def is_positive(self, node: Node) -> bool:
        match node:
            case Name(id):
                return id in self.positive
            case Binary("**", base, _):
                return self.is_positive(base)
            case Number():
                return node.value > 0
            case Binary("/" | "*" | "+", left, right):
                return self.is_positive(left) and self.is_positive(right)
            case Call("exp"):
                return True
            case Call("max" | "min" | "sqrt" | "count" | "ceil"):
                return all(self.is_positive(argument) for argument in node.arguments)
        return False

    def read(self, node: Node) -> Factored:
        known = self.done.get(id(node))
        if known is None:
            known = self.done[id(node)] = self._read(node)
        return known

    def _read(self, node: Node) -> Factored:
        match node:
            case Number():
                return Factored(node.value)
            case Name():
                return atom(node)
            case Sign(op, operand):
                return -self.read(operand) if op == "-" else self.read(operand)
            case Binary("**", base, exponent):
                return self.power(base, exponent)
            case Binary():
                first, rest = chain(node)
                if node.op in SUM:
                    parts = [(op, self.read(operand)) for op, operand in rest]
                    terms = [-part if op == "-" else part for op, part in parts]
                    return total([self.read(first), *terms])
                forms = [(op, self.read(operand)) for op, operand in rest]
                product = self.read(first)
                for op, form in forms:
                    product = product * form if op == "*" else product / form
                return cancelled(product)
            case Call("count", (argument,)):
                return self.read(argument)
            case Call("sqrt", (argument,)):
                return raised(self.read(argument), Fraction(1, 2), self.is_positive)
            case Call():
                return self.opaque(node)
            case _:
                raise TooComplexError

    def power(self, base: Node, exponent: Node) -> Factored:
        value = self.read(exponent).constant
        form = self.read(base)
        if value is not None:
            return raised(form, value, self.is_positive)
        return atom(Binary("**", form.node(), self.read(exponent).node()))

    def opaque(self, node: Call) -> Factored:
        """A function that algebra does not look into, over compact arguments."""
        arguments = tuple(self.argument(argument) for argument in node.arguments)
        call = Call(node.function, arguments)
        if not names(call):
            value = evaluate(call, {})
            if isinstance(value, Fraction):
                return Factored(value)
        return atom(call)

    def argument(self, node: Node) -> Node:
        if isinstance(node, Compare):
            return Compare(node.op, self.argument(node.left), self.argument(node.right))
        return self.read(node).node()
