"""The dimension of a tree, found on the nodes, where nothing has cancelled yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from symscale.errors import DimensionError, ExpressionError
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
from symscale.expressions.shape import constant_value
from symscale.expressions.text import text
from symscale.units import COUNTS, ONE, Dimension


class Signature(NamedTuple):
    """What a formula takes, in order, and what it gives."""

    arguments: tuple[Dimension, ...]
    result: Dimension


Signatures: TypeAlias = Callable[[str], Signature]


@dataclass(frozen=True, slots=True)
class _Measure:
    """A dimension, and whether only literals without a unit made it."""

    dimension: Dimension
    bare: bool = False
    zero: bool = False


_PLAIN = _Measure(ONE)


def no_formulas(name: str) -> Signature:
    raise ExpressionError(f"{name} is not a function of the notation")


def dimension_of(
    node: Node,
    names: Mapping[str, Dimension],
    *,
    signatures: Signatures = no_formulas,
    expected: Dimension | None = None,
) -> Dimension:
    """The dimension of an expression; 1 for labels and comparisons.

    A literal 0 fits anything; a number without a unit fits a pure count (token, param) that it is
    summed or compared with. With `expected`, the result must be of that dimension.
    Raises DimensionError, which names the two sides, their units and the place.
    """
    walker = _Dimensions(names, signatures)
    measure = walker.measure(node)
    if expected is not None and measure.dimension != expected and not measure.zero:
        raise DimensionError(f"{text(node)} is in {measure.dimension}, where {expected} is needed")
    return measure.dimension if expected is None else expected


def _fits(measure: _Measure, other: Dimension) -> bool:
    return measure.dimension == other or measure.zero or (measure.bare and other.is_count)


class _Dimensions:
    def __init__(self, names: Mapping[str, Dimension], signatures: Signatures) -> None:
        self.names = names
        self.signatures = signatures

    def measure(self, node: Node) -> _Measure:
        match node:
            case Number():
                if node.unit is not None:
                    return _Measure(node.unit.dimension, zero=not node.value)
                return _Measure(ONE, bare=True, zero=not node.value)
            case Name():
                return _Measure(self.names[node.id])
            case Label():
                return _PLAIN
            case Sign():
                return self.measure(node.operand)
            case Binary():
                return self.binary(node)
            case Compare():
                self.common(node, (node.left, node.right))
                return _PLAIN
            case Call():
                return self.call(node)

    def binary(self, node: Binary) -> _Measure:
        if node.op == "**":
            return self.power(node.left, node.right)
        first, rest = chain(node)
        if node.op in SUM:
            return self.common(node, [first, *(operand for _, operand in rest)])
        product = self.measure(first)
        for op, operand in rest:
            factor = self.measure(operand)
            combine = Dimension.__mul__ if op == "*" else Dimension.__truediv__
            product = _Measure(
                combine(product.dimension, factor.dimension),
                bare=product.bare and factor.bare,
                zero=product.zero or (op == "*" and factor.zero),
            )
        return product

    def power(self, base: Node, exponent: Node) -> _Measure:
        raised = self.dimensionless(exponent, "an exponent")
        measure = self.measure(base)
        if measure.dimension.is_one:
            return _Measure(ONE, bare=measure.bare and raised.bare)
        power = constant_value(exponent)
        if power is None:
            raise DimensionError(
                f"{text(base)} is in {measure.dimension}, so its exponent must be a number, "
                f"not {text(exponent)}"
            )
        return _Measure(measure.dimension ** Fraction(power))

    def call(self, node: Call) -> _Measure:
        match node.function:
            case "max" | "min":
                return self.common(node, node.arguments)
            case "where":
                self.measure(node.arguments[0])
                return self.common(node, node.arguments[1:])
            case "ceil" | "floor":
                measure = self.measure(node.arguments[0])
                self.count(node.arguments[0], measure, node.function)
                return measure
            case "count":
                self.count(node.arguments[0], self.measure(node.arguments[0]), "count")
                return _PLAIN
            case "abs":
                return self.measure(node.arguments[0])
            case "sqrt":
                measure = self.measure(node.arguments[0])
                return _Measure(measure.dimension ** Fraction(1, 2), bare=measure.bare)
            case "exp" | "log" | "log2":
                self.dimensionless(node.arguments[0], f"the argument of {node.function}")
                return _PLAIN
            case _:
                return self.formula(node)

    def formula(self, node: Call) -> _Measure:
        signature = self.signatures(node.function)
        if len(signature.arguments) != len(node.arguments):
            raise ExpressionError(
                f"{node.function} takes {len(signature.arguments)} arguments, "
                f"not {len(node.arguments)}"
            )
        for argument, needed in zip(node.arguments, signature.arguments, strict=True):
            measure = self.measure(argument)
            if measure.dimension != needed and not measure.zero:
                raise DimensionError(
                    f"in {text(node)}, {text(argument)} is in {measure.dimension}, "
                    f"where {needed} is needed"
                )
        return _Measure(signature.result)

    def common(self, node: Node, sides: Sequence[Node]) -> _Measure:
        """The one dimension that all sides share."""
        measures = [self.measure(side) for side in sides]
        leader = min(measures, key=lambda m: (m.zero, m.bare))
        for side, measure in zip(sides, measures, strict=True):
            if not _fits(measure, leader.dimension):
                lead = sides[measures.index(leader)]
                raise DimensionError(
                    f"in {text(node)}, {text(lead)} is in {leader.dimension} "
                    f"and {text(side)} is in {measure.dimension}"
                )
        bare = all(measure.bare for measure in measures)
        return _Measure(leader.dimension, bare=bare, zero=all(m.zero for m in measures))

    def dimensionless(self, node: Node, place: str) -> _Measure:
        measure = self.measure(node)
        if not measure.dimension.is_one:
            raise DimensionError(
                f"{place} is dimensionless, and {text(node)} is in {measure.dimension}"
            )
        return measure

    def count(self, node: Node, measure: _Measure, function: str) -> None:
        if not measure.dimension.is_count:
            counts = " and ".join(sorted(COUNTS))
            raise DimensionError(
                f"{function} takes a pure number or a count of {counts}, "
                f"and {text(node)} is in {measure.dimension}"
            )
