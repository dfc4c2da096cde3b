"""The other path to an answer: SymPy's own substitution in the closed form."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from symscale.catalog.instances import Instance
from symscale.expressions.values import Enclosure, Value

DIGITS = 60


def substituted(instance: Instance, column: str) -> Any:
    """A column's value, as a SymPy tree without symbols."""
    import sympy

    from symscale.expressions.tree import symbol

    values = {
        symbol(name): sympy.Rational(value.numerator, value.denominator)
        for name, value in instance.parameters.items()
    }
    return instance.task.closed_form(column).subs(values)


def agrees(value: Value, tree: Any) -> bool:
    """Whether a value of the kernel is what a SymPy tree without symbols says."""
    import sympy
    from sympy.core.symbol import Str

    match value:
        case bool():
            return bool(tree == sympy.true) is value
        case str():
            return isinstance(tree, Str) and tree.name == value
        case Fraction():
            return bool(tree == sympy.Rational(value.numerator, value.denominator))
        case Enclosure():
            low, high = (sympy.Rational(*end.as_integer_ratio()) for end in (value.low, value.high))
            margin = abs(high - low)
            return bool(low - margin <= sympy.N(tree, DIGITS) <= high + margin)
