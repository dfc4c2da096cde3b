"""The signs of values, from what is known of the letters."""

from __future__ import annotations

import pytest

from symscale.catalog.quantities import Domain
from symscale.engine.proofs.facts import (
    ANY,
    NEGATIVE,
    NOT_NEGATIVE,
    NOT_POSITIVE,
    POSITIVE,
    ZERO,
    Facts,
    Signs,
)
from symscale.engine.proofs.readings import Readings
from symscale.engine.variables import Variable
from symscale.expressions.parser import parse
from symscale.units import UnitSystem

VARIABLES = {
    "a": Variable(Domain.parse("> 0")),
    "n": Variable(Domain.parse("integer >= 2")),
    "u": Variable(Domain.parse("> 0, <= 1")),
    "x": Variable(Domain.parse("any")),
}
READINGS = Readings(VARIABLES)
FACTS = Facts.of([*VARIABLES.values()])


@pytest.mark.parametrize(
    ("written", "signs"),
    [
        ("7", POSITIVE),
        ("0", ZERO),
        ("a/n", POSITIVE),
        ("-a/n", NEGATIVE),
        ("1/n - 1", NEGATIVE),
        ("(n - 2)/a", NOT_NEGATIVE),
        ("a/(1 - n)", NEGATIVE),
        ("u - 1", NOT_POSITIVE),
        ("x - x", ZERO),
        ("a*x", ANY),
        ("x**2/a", NOT_NEGATIVE),
        ("log(2)", POSITIVE),
        ("log(1/2)", NEGATIVE),
        ("sqrt(2) - sqrt(3)", NEGATIVE),
        ("log(1)", ZERO),
        ("sqrt(2)*sqrt(2) - 2", ANY),
        ("log(0)", ANY),
        ("exp(x)", POSITIVE),
        ("sqrt(a)", POSITIVE),
        ("log(a)", ANY),
    ],
)
def test_signs(written: str, signs: Signs, units: UnitSystem) -> None:
    assert READINGS.signs(parse(written, units), FACTS) == signs


@pytest.mark.parametrize(
    ("left", "right", "signs"),
    [
        ("a", "2*a", NEGATIVE),
        ("a**2", "(2*a)**2", NEGATIVE),
        ("(a + n)**3", "a**3", POSITIVE),
        ("(2*n)**2", "1", POSITIVE),
        ("9", "(n + 2)**2", NEGATIVE),
        ("(u/2)**2", "1/4", NOT_POSITIVE),
        ("1", "(1 - u)**2", POSITIVE),
        ("n**0", "a**0", ZERO),
        ("n**0", "1", ZERO),
        ("x**2", "(x - 1)**2", ANY),
    ],
)
def test_differences(left: str, right: str, signs: Signs, units: UnitSystem) -> None:
    terms = READINGS.difference(parse(left, units), parse(right, units), FACTS)
    assert terms is not None
    assert FACTS.signs(terms) == signs


def test_what_is_no_quotient_of_polynomials(units: UnitSystem) -> None:
    for written in ("sqrt(a)", "a**n", "log(a) + 1", "1/(a - a)"):
        assert READINGS.quotient(parse(written, units)) is None


def test_a_quotient_whose_divisor_has_any_sign(units: UnitSystem) -> None:
    """It has the sign of dividend times divisor."""
    terms = READINGS.difference(parse("a/x", units), parse("0", units), FACTS)
    product = READINGS.quotient(parse("a*x", units))
    assert product is not None
    assert terms == product.over
    known = FACTS.given(terms, NEGATIVE)
    assert known is not None
    assert known.signs(READINGS.letter(3)) == NEGATIVE


def test_letters_and_numbers(units: UnitSystem) -> None:
    for written, terms in (("n - 3", READINGS.letter(1, 3)), ("x", READINGS.letter(3))):
        found = READINGS.quotient(parse(written, units))
        assert found is not None
        assert found.over == terms
    assert READINGS.constant(7).over == {(0, 0, 0, 0): 7}
    assert READINGS.used(READINGS.letter(2, 1)) == [2]
