"""What facts say of the sign of a polynomial is true of every point at which they hold."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symscale.algebra.quotients import Quotients, Terms
from symscale.catalog.quantities import Domain
from symscale.engine.proofs.facts import (
    NEGATIVE,
    NOT_NEGATIVE,
    NOT_ZERO,
    POSITIVE,
    ZERO,
    Budget,
    Facts,
    Signs,
    TooMuchWorkError,
)
from symscale.engine.variables import Variable
from symscale.expressions.parser import parse
from symscale.units import UnitSystem

VARIABLES = {
    "a": Variable(Domain.parse("> 0")),
    "b": Variable(Domain.parse(">= 0"), Fraction(1024)),
    "n": Variable(Domain.parse("integer >= 2")),
    "k": Variable(Domain.parse("integer >= 0, <= 5")),
    "g": Variable(Domain.parse("integer >= 1"), Fraction(1000)),
    "u": Variable(Domain.parse("> 0, <= 1")),
    "x": Variable(Domain.parse("any")),
}
READER = Quotients.of(VARIABLES)
FACTS = Facts.of([*VARIABLES.values()])


def terms(written: str, units: UnitSystem) -> Terms:
    found = READER.read(parse(written, units))
    assert found is not None
    return found[0].over


def value(polynomial: Terms, point: list[Fraction]) -> Fraction:
    return sum(
        (
            c * prod((x**power for x, power in zip(point, powers, strict=True)), start=Fraction(1))
            for powers, c in polynomial.items()
        ),
        Fraction(0),
    )


def sign(number: Fraction) -> int:
    return (number > 0) - (number < 0)


polynomials = st.dictionaries(
    st.lists(st.sampled_from([0, 0, 0, 1, 1, 2]), min_size=7, max_size=7).map(tuple),
    st.fractions(-4, 4, max_denominator=3).filter(bool),
    min_size=1,
    max_size=4,
)
kinds = st.sampled_from([POSITIVE, NOT_NEGATIVE, ZERO, NOT_ZERO, NEGATIVE])


SOME = [Fraction(quarters, 4) for quarters in range(-16, 40)]
points = st.tuples(
    *(
        st.sampled_from([value / v.scale for value in SOME if value in v.domain])
        for v in VARIABLES.values()
    )
).map(list)


@given(points, st.lists(polynomials, max_size=4), st.lists(polynomials, min_size=1, max_size=4))
def test_true_of_a_point(point: list[Fraction], known: list[Terms], asked: list[Terms]) -> None:
    facts = FACTS
    for polynomial in known:
        own = sign(value(polynomial, point))
        wider: Signs = frozenset((own,)) if own else NOT_NEGATIVE
        more = facts.given(polynomial, wider)
        assert more is not None
        facts = more
    for polynomial in [*known, *asked]:
        assert sign(value(polynomial, point)) in facts.signs(polynomial)


@given(points, st.lists(polynomials, max_size=3), polynomials, polynomials, polynomials)
def test_true_after_a_letter_is_solved_for(
    point: list[Fraction], known: list[Terms], over: Terms, under: Terms, asked: Terms
) -> None:
    """With x = over/under, in letters besides x."""
    over, under = ({(*powers[:6], 0): c for powers, c in side.items()} for side in (over, under))
    divisor = value(under, point)
    if not divisor:
        return
    point[6] = value(over, point) / divisor
    facts: Facts | None = FACTS.given(under, frozenset((sign(divisor),)))
    for polynomial in known:
        assert facts is not None
        facts = facts.given(polynomial, frozenset((sign(value(polynomial, point)),)))
    assert facts is not None
    solved = facts.put(6, over, under)
    assert solved is not None
    assert sign(value(asked, point)) in solved.signs(asked)


@pytest.mark.parametrize(
    ("known", "asked", "signs"),
    [
        ([], "n - 1", POSITIVE),
        ([], "n - 2", NOT_NEGATIVE),
        ([], "2*n - 3", POSITIVE),
        ([], "u - 1", frozenset((-1, 0))),
        ([], "x**2 + 1", POSITIVE),
        ([], "a*n - a", POSITIVE),
        ([], "1024*b - 1", frozenset((-1, 0, 1))),
        ([("2*n - 7", POSITIVE)], "n - 4", NOT_NEGATIVE),
        ([("n - 8", NEGATIVE)], "7 - n", NOT_NEGATIVE),
        ([("k - 5", NOT_NEGATIVE)], "k - 5", ZERO),
        ([("2*a*n - u*b*(a + n)", POSITIVE)], "2*a*n - u*b*a", POSITIVE),
        ([("a - b", POSITIVE)], "2*a - b", POSITIVE),
        ([("a - b", POSITIVE)], "b - a", NEGATIVE),
        ([("x - 3", NOT_ZERO)], "6 - 2*x", NOT_ZERO),
        ([("2*n - a*u", POSITIVE), ("a*u - 2*k", NOT_NEGATIVE)], "n - k - 1", NOT_NEGATIVE),
    ],
)
def test_what_follows(
    known: list[tuple[str, Signs]], asked: str, signs: Signs, units: UnitSystem
) -> None:
    facts: Facts | None = FACTS
    for written, its in known:
        assert facts is not None
        facts = facts.given(terms(written, units), its)
    assert facts is not None
    assert facts.signs(terms(asked, units)) == signs


def test_what_cannot_be(units: UnitSystem) -> None:
    assert FACTS.given(terms("n - 1", units), NEGATIVE) is None
    below = FACTS.given(terms("2*k - 3", units), NEGATIVE)
    assert below is not None
    assert below.few(3, 4) == [0, 1]
    assert below.given(terms("2*k - 1", units), POSITIVE) is not None
    only = below.given(terms("2*k - 1", units), POSITIVE)
    assert only is not None
    assert only.only(3) == 1
    assert only.given(terms("k - 1", units), NOT_ZERO) is None


@pytest.mark.parametrize(
    ("written", "over", "under"),
    [
        ("n/(2*k + 2)", "n", "2*k + 2"),
        ("6*n/(4*k + 4)", "3*n", "2*k + 2"),
        ("n/(0 - 2*k - 4)", "0 - n", "2*k + 4"),
        ("n*k/(n*n)", "k", "n"),
        ("n/3 + 1/2", "2*n + 3", "6"),
        ("g/n", "g/1000", "n"),
        ("k/g", "1000*k", "1000*g/1000"),
    ],
)
def test_quotients_of_integers(written: str, over: str, under: str, units: UnitSystem) -> None:
    """`g` stands for thousands: g/1000 is an integer's thousandth, and 1000*g counts."""
    found = READER.read(parse(written, units))
    assert found is not None
    pair = FACTS.integers(found[0])
    assert pair is not None
    top, bottom = (FACTS.counting.in_numbers(side) for side in pair)
    scale = Fraction(1000) if "g" in written else Fraction(1)
    point = [Fraction(2), Fraction(1), Fraction(6), Fraction(4), Fraction(3, 1000), Fraction(1)]
    point.append(Fraction(0))
    expected = value(found[0].over, point) / value(found[0].under, point)
    assert value(top, point) / value(bottom, point) == expected
    assert all(type(c) is int for side in pair for c in side.values())
    if scale == 1:
        assert (top, bottom) == (terms(over, units), terms(under, units))


@pytest.mark.parametrize("written", ["n/(k - 2)", "n/a", "u*n/k", "n/k"])
def test_what_is_no_quotient_of_integers(written: str, units: UnitSystem) -> None:
    found = READER.read(parse(written, units))
    assert found is not None
    assert FACTS.integers(found[0]) is None


def test_few_values_of_a_letter_that_is_scaled(units: UnitSystem) -> None:
    below = FACTS.given(terms("1000*g - 4", units), NEGATIVE)
    assert below is not None
    assert below.few(4, 3) == [Fraction(1, 1000), Fraction(2, 1000), Fraction(3, 1000)]
    assert below.few(4, 2) == []
    assert below.few(3, 4) == []
    assert below.few(5, 9) == []


def test_whole_numbers(units: UnitSystem) -> None:
    assert FACTS.counting.is_whole(terms("n*k - 3", units))
    assert FACTS.counting.is_whole(terms("1000*g", units))
    assert not FACTS.counting.is_whole(terms("g", units))
    assert not FACTS.counting.is_whole(terms("0.5*n", units))
    assert not FACTS.counting.is_whole(terms("a*n", units))


@pytest.mark.parametrize(
    ("known", "over", "under", "asked", "signs"),
    [
        # x = over/under
        ([("x - 3", POSITIVE)], "n", "k + 1", "n - 3*k - 3", POSITIVE),
        ([("x - 3", POSITIVE)], "0 - n", "0 - k - 1", "n - 3*k - 3", POSITIVE),
        ([("x*a - b", NOT_NEGATIVE)], "n", "a", "n - b", NOT_NEGATIVE),
        ([("x*x - 4", NEGATIVE)], "b", "0 - a", "b*b - 4*a*a", NEGATIVE),
        ([("x*x*x - 8", POSITIVE)], "0 - b", "0 - a", "b**3 - 8*a**3", POSITIVE),
        ([("n - 5", POSITIVE), ("x - 3", POSITIVE)], "b", "a", "b - 3*a", POSITIVE),
        ([("x - 3", POSITIVE)], "n", "k - 2", "n - 3*k + 6", frozenset((-1, 0, 1))),
    ],
)
def test_what_is_known_of_a_letter_is_known_of_what_gives_it(
    known: list[tuple[str, Signs]],
    over: str,
    under: str,
    asked: str,
    signs: Signs,
    units: UnitSystem,
) -> None:
    facts: Facts | None = FACTS
    for written, its in known:
        assert facts is not None
        facts = facts.given(terms(written, units), its)
    assert facts is not None
    solved = facts.put(6, terms(over, units), terms(under, units))
    assert solved is not None
    assert solved.signs(terms(asked, units)) == signs
    assert FACTS.given(terms("x - 3", units), NEGATIVE) is not None


def test_a_letter_cannot_be_what_it_cannot_be(units: UnitSystem) -> None:
    above = FACTS.given(terms("x - 3", units), POSITIVE)
    assert above is not None
    assert above.put(6, terms("u", units), terms("n", units)) is None


def test_one_number(units: UnitSystem) -> None:
    scaled = FACTS.given(terms("1000*g - 7", units), ZERO)
    assert scaled is not None
    assert scaled.only(4) == Fraction(7, 1000)
    assert scaled.only(2) is None
    assert scaled.only(5) is None
    assert scaled.only(6) is None


def test_work_is_bounded_and_counted_alike_each_time(units: UnitSystem) -> None:
    known = FACTS.given(terms("a*n - b", units), POSITIVE)
    assert known is not None
    spent = []
    for _ in range(2):
        budget = Budget(1000)
        assert known.within(budget).signs(terms("2*a*n - b - u", units)) == frozenset((-1, 0, 1))
        spent.append(1000 - budget.left)
    assert spent[0] == spent[1] > 4
    with pytest.raises(TooMuchWorkError):
        known.within(Budget(spent[0] - 1)).signs(terms("2*a*n - b - u", units))
