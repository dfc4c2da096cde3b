"""A keyed bijection of [0, size) in constant time, for sizes of any practical length."""

from __future__ import annotations

from math import isqrt

from symscale.variants.stream import WORD_BITS, Stream

ROUNDS = 4
MOST_COLUMNS = 1024
"""A side this short has its round functions in tables."""


class Permutation:
    """A Feistel network on a grid of rows and columns that just holds [0, size).

    A round adds to one coordinate a keyed word of the other. The grid has less than a row of
    cells too many; a walk that ends on one of them goes on until it is back inside.

    >>> order = Permutation(10, "example")
    >>> sorted(order.images(0, 10)) == list(range(10))
    True
    >>> order.inverse(order(7))
    7
    """

    __slots__ = ("_columns", "_rounds", "_rows", "size")

    def __init__(self, size: int, *key: str | int) -> None:
        self.size = size
        self._columns = max(1, min(isqrt(max(size - 1, 0)) + 1, MOST_COLUMNS))
        self._rows = -(-size // self._columns)
        sides = (self._rows, self._columns)
        self._rounds = tuple(
            _round(sides[number % 2], sides[1 - number % 2], Stream(*key, number))
            for number in range(ROUNDS)
        )

    def __call__(self, position: int) -> int:
        return self.images(position, position + 1)[0]

    def images(self, start: int, stop: int) -> list[int]:
        """The images of the positions from `start` up to `stop`."""
        rows, columns, size = self._rows, self._columns, self.size
        first, second, third, fourth = self._rounds
        images = []
        shifted_row, shift = -1, 0
        for position in range(start, stop):
            while True:
                row, column = divmod(position, columns)
                # Neighbours share their row, so its word is looked up once.
                if row != shifted_row:
                    shifted_row, shift = row, first[row]
                column = (column + shift) % columns
                row = (row + second[column]) % rows
                column = (column + third[row]) % columns
                position = (row + fourth[column]) % rows * columns + column
                if position < size:
                    break
            images.append(position)
        return images

    def inverse(self, image: int) -> int:
        """The position whose image this is."""
        rows, columns, size = self._rows, self._columns, self.size
        first, second, third, fourth = self._rounds
        while True:
            row, column = divmod(image, columns)
            row = (row - fourth[column]) % rows
            column = (column - third[row]) % columns
            row = (row - second[column]) % rows
            image = row * columns + (column - first[row]) % columns
            if image < size:
                return image


def _round(domain: int, modulus: int, stream: Stream) -> Stream | list[int]:
    if domain > MOST_COLUMNS + 1:
        return stream
    # Two words to a number, as a side may be longer than one word counts.
    words = stream.words(0, 2 * domain)
    return [
        (low | high << WORD_BITS) % modulus
        for low, high in zip(words[::2], words[1::2], strict=True)
    ]
