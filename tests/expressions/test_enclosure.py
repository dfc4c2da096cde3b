"""Values outside the rationals: enclosed, refused or undecided, and which of the three is said."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from symscale.errors import DomainError, TooLargeError, UndecidedError
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import Binary, Call, Label, Name, Node, Number
from symscale.expressions.parser import parse
from symscale.expressions.values import Enclosure, key_of
from symscale.units import UnitSystem

MPMATH: dict[str, Callable[..., Any]] = {
    "sqrt": mpmath.sqrt,
    "exp": mpmath.exp,
    "log": mpmath.log,
    "log2": lambda x: mpmath.log(x, 2),
    "abs": abs,
    "max": max,
    "min": min,
    "floor": mpmath.floor,
    "ceil": mpmath.ceil,
    "count": lambda x: x,
    "where": lambda condition, then, otherwise: then if condition else otherwise,
}

VALUES = {"a": Fraction(2), "b": Fraction(-3), "n": Fraction(2**63)}
CUT = "1.41421356237309504880168872420969807856967"  # sqrt(2) to 41 decimals, OEIS A002193


@pytest.mark.parametrize(
    "source",
    [
        "sqrt(a) + b/7",
        "b/7 - sqrt(a)",
        "b/7 + exp(b**5)",
        "sqrt(a)*(b/7)",
        "-sqrt(a)/b",
        "b/sqrt(a)",
        "exp(b)/sqrt(a)",
        "+log(a) + log2(-b)",
        "log2(exp(a))",
        "log(log2(-b))",
        "sqrt(sqrt(a))",
        "sqrt(a)**-3",
        "(b*sqrt(a))**3",
        "(b*sqrt(a))**2",
        "exp(b)**(a/4)",
        "a**sqrt(a)",
        "exp(a)**exp(b)",
        "(1 + 1/n)**n",
        "abs(b*sqrt(a))",
        "abs(sqrt(a))",
        "count(sqrt(a))",
        "max(b, sqrt(a), 1)",
        "min(sqrt(a), a, exp(a))",
        "a + where(sqrt(a) > a, sqrt(a), exp(a))",
        "floor(b*sqrt(a)) + ceil(exp(a)) - sqrt(a)",
    ],
)
def test_values_lie_between_the_ends(units: UnitSystem, source: str) -> None:
    found = evaluate(parse(source, units), VALUES)
    assert isinstance(found, Enclosure)
    with mpmath.workdps(80):
        names = {name: mpmath.mpf(value.numerator) for name, value in VALUES.items()}
        value = eval(source, {**MPMATH, **names})
        low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (found.low, found.high))
        assert low <= value <= high
    assert (found.high - found.low) * 10**30 <= min(abs(found.low), abs(found.high))


def test_what_cancels_is_as_narrow_as_anything_else(units: UnitSystem) -> None:
    found = evaluate(parse(f"sqrt(2) - {CUT}", units), {})
    assert isinstance(found, Enclosure)
    # (sqrt(2) - CUT)*(sqrt(2) + CUT) is 2 - CUT**2
    rest, total = 2 - Fraction(CUT) ** 2, 2 * Fraction(CUT)
    assert found.low < rest / total
    assert rest / (total + Fraction(1, 10**40)) < found.high
    assert (found.high - found.low) * 10**30 <= found.low


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("sqrt(9/4)", "3/2"),
        ("sqrt(0)", "0"),
        ("8**(1/3)", "2"),
        ("log2(1/8)", "-3"),
        ("log(1)", "0"),
        ("exp(0)", "1"),
        ("ceil(sqrt(2))", "2"),
        ("floor(-sqrt(2))", "-2"),
        ("count(7/2)", "7/2"),
    ],
)
def test_what_is_rational_is_exact(units: UnitSystem, source: str, expected: str) -> None:
    assert evaluate(parse(source, units), {}) == Fraction(expected)


@pytest.mark.parametrize(
    ("source", "expected"), [("0*sqrt(2)", 0), ("(sqrt(2)**2 - 2)**0", 1), ("log(4)/log(2)", 2)]
)
def test_what_is_rational_after_all_has_that_key(
    units: UnitSystem, source: str, expected: int
) -> None:
    assert key_of(evaluate(parse(source, units), {})) == expected


@pytest.mark.parametrize("op", ["<", "<=", ">", ">=", "==", "!="])
def test_comparisons(units: UnitSystem, op: str) -> None:
    for pair in ("1 {} 2", "2 {} 1", "2 {} 2", "sqrt(2) {} sqrt(3)", "sqrt(3) {} sqrt(2)"):
        source = pair.format(op)
        assert evaluate(parse(source, units), {}) == eval(source, {"sqrt": mpmath.sqrt})


SAME = "sqrt(2)*sqrt(3)"
ZERO = "sqrt(2)**2 - 2"


@pytest.mark.parametrize(
    ("source", "question"),
    [
        (ZERO, f"the value of {ZERO}"),
        (f"1/({ZERO})", f"the sign of {ZERO}"),
        (f"({ZERO})**-1", f"the sign of {ZERO}"),
        (f"({ZERO})**0.5", f"the sign of {ZERO}"),
        (f"sqrt({ZERO})", f"the sign of {ZERO}"),
        (f"abs({ZERO})", f"the sign of {ZERO}"),
        (f"log({ZERO})", f"the sign of {ZERO}"),
        ("ceil(sqrt(2)**2)", "ceil(sqrt(2)**2)"),
        (f"sqrt(6) <= {SAME}", f"the sign of sqrt(6) <= {SAME}"),
        (f"max(sqrt(6), {SAME})", f"the sign of sqrt(6) < {SAME}"),
    ],
)
def test_what_is_not_decided_is_named(units: UnitSystem, source: str, question: str) -> None:
    with pytest.raises(UndecidedError) as error:
        evaluate(parse(source, units), {})
    assert str(error.value) == f"{question} is not decided by 1024 bits of precision"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("1/(1 - 1)", "1 - 1 is zero and divides"),
        ("sqrt(2)/(1 - 1)", "1 - 1 is zero and divides"),
        ("0**sqrt(2)", "in 0**sqrt(2), 0 is not positive"),
        ("(-sqrt(2))**0.5", "in (-sqrt(2))**0.5, -sqrt(2) is not positive"),
        ("sqrt(1 - 2)", "the root of 1 - 2, which is negative"),
        ("sqrt(-sqrt(2))", "the root of -sqrt(2), which is negative"),
        ("log(1 - 1)", "the logarithm of 1 - 1, which is not positive"),
        ("log2(-sqrt(2))", "the logarithm of -sqrt(2), which is not positive"),
    ],
)
def test_what_is_not_defined_is_named(units: UnitSystem, source: str, message: str) -> None:
    with pytest.raises(DomainError) as error:
        evaluate(parse(source, units), {})
    assert str(error.value) == message


BOUNDS = {"most": Fraction(131072), "n": Fraction(2**64)}


class TestBounds:
    """2**131072 is the largest magnitude, 2**64 the first exponent that is too large."""

    @pytest.mark.parametrize(
        "source",
        [
            "2**(most - 1)*sqrt(2)",
            "(1/2)**most*sqrt(2)",
            "exp(most*log(2) - 1)",
            "exp(1 - most*log(2))",
        ],
    )
    def test_values_up_to_them_are_found(self, units: UnitSystem, source: str) -> None:
        assert isinstance(evaluate(parse(source, units), BOUNDS), Enclosure)

    @pytest.mark.parametrize(
        ("source", "message"),
        [
            ("2**(most - 1)*sqrt(5)", "a value passes 2**131072"),
            ("2**(most - 1) + 2**(most - 1)", "a value passes 2**131072"),
            ("2**(most + 1)", "2**(most + 1) passes 2**131072"),
            ("2**-(most + 1)", "2**-(most + 1) passes 2**131072"),
            ("(1 + 1/n)**n", "the exponent in (1 + 1/n)**n passes 2**64"),
            ("exp(2*most)", "an exponential passes 2**131072"),
            ("exp(most*log(2) + 1)", "a value passes 2**131072"),
        ],
    )
    def test_values_beyond_are_refused(self, units: UnitSystem, source: str, message: str) -> None:
        with pytest.raises(TooLargeError) as error:
            evaluate(parse(source, units), BOUNDS)
        assert str(error.value) == message


@pytest.mark.parametrize(
    ("node", "message"),
    [
        (Binary("+", Label("x"), Number("1")), '"x" is not a number'),
        (Call("where", (Name("a"), Number("1"), Number("2"))), "a is not a comparison"),
        (Call("sin", (Number("1"),)), "sin is not a function of the notation"),
    ],
)
def test_what_the_parser_never_builds_is_a_type_error(node: Node, message: str) -> None:
    with pytest.raises(TypeError) as error:
        evaluate(node, VALUES)
    assert str(error.value) == message
