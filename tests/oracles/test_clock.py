"""The clock and the searches of the oracles, on cases that can be told by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from mpmath import mp

from tests.oracles.clock import crossing, each, elapsed, first, least, overlapped


def test_a_size_that_is_not_whole_is_not_counted() -> None:
    with pytest.raises(ValueError, match="5/2 cannot be counted"):
        each(Fraction(5, 2))


def test_the_last_second_may_be_part_of_one() -> None:
    assert elapsed(Fraction(7), Fraction(2)) == Fraction(7, 2)


def test_overlapping_streams_end_with_the_slowest() -> None:
    streams = [(Fraction(6), Fraction(2)), (Fraction(5), Fraction(1)), (Fraction(4), Fraction(4))]
    assert overlapped(*streams) == 5


@pytest.mark.parametrize("place", ["1", "7", "1/9", "39400/81", "123456789/1000007"])
def test_a_crossing_is_found_exactly(place: str) -> None:
    assert crossing(lambda x: x - Fraction(place)) == Fraction(place)


def test_a_gap_that_never_closes_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing crosses zero"):
        crossing(lambda x: Fraction(-1))


def test_the_first_number_is_the_least() -> None:
    assert first(lambda n: n * n > 50) == 8


def test_the_bottom_of_a_valley_is_found() -> None:
    found = least(lambda x: x + 2 / x, Fraction(1, 10), Fraction(10))
    with mp.workdps(35):
        assert mp.almosteq(found, mp.sqrt(2), rel_eps=mp.mpf(10) ** -33)
