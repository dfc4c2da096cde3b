from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symscale.variants.permutation import Permutation
from symscale.variants.stream import Stream


def test_words_of_a_stream_are_those_of_its_positions() -> None:
    stream = Stream("a", 1)
    assert stream.words(5, 43) == [stream[position] for position in range(5, 43)]
    assert stream.words(7, 7) == []


def test_words_are_the_same_everywhere() -> None:
    """Written down once: another Python or platform must find the same."""
    assert Stream("golden", 3).words(0, 2) == [1676163506537615965, 5597206419696598033]
    images = Permutation(10**12, "golden").images(0, 3)
    assert images == [168907889162, 458010694549, 116290915435]


def test_another_key_gives_other_words() -> None:
    keys: list[tuple[str | int, ...]] = [("a", 1), ("a", 2), ("a", "1"), ("a1",), ("a",)]
    assert len({Stream(*key)[0] for key in keys}) == len(keys)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7, 16, 100, 1023, 1024, 1025, 65537])
def test_small_permutations_hit_everything_once(size: int) -> None:
    order = Permutation(size, "small")
    images = order.images(0, size)
    assert sorted(images) == list(range(size))
    assert [order.inverse(image) for image in images] == list(range(size))


@given(st.integers(1, 10**30), st.data())
def test_large_permutations_have_an_inverse(size: int, data: st.DataObject) -> None:
    order = Permutation(size, "large")
    position = data.draw(st.integers(0, size - 1))
    image = order(position)
    assert 0 <= image < size
    assert order.inverse(image) == position


def test_a_range_is_found_as_its_positions_are() -> None:
    order = Permutation(10**9 + 7, "range")
    assert order.images(1000, 3100) == [order(position) for position in range(1000, 3100)]


@pytest.mark.parametrize("size", [10**5, 10**8, 10**18, 10**30])
def test_images_are_spread_evenly(size: int) -> None:
    """Chi-squared over 50 equal parts of the size, for images and for steps between neighbours."""
    n, parts = 20_000, 50
    images = Permutation(size, "spread").images(size // 3, size // 3 + n)
    steps = [(b - a) % size for a, b in itertools.pairwise(images)]
    for values in (images, steps):
        counts = Counter(value * parts // size for value in values)
        expected = len(values) / parts
        chi_squared = sum((counts[part] - expected) ** 2 / expected for part in range(parts))
        assert chi_squared < 110  # one in a million for 49 degrees of freedom


def test_two_keys_share_no_more_than_chance() -> None:
    size = 1000
    a, b = (Permutation(size, "chance", key).images(0, size) for key in (1, 2))
    assert sum(x == y for x, y in zip(a, b, strict=True)) < 10
