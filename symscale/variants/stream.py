"""Keyed words: the one source of chance, the same on every machine and every Python."""

from __future__ import annotations

from hashlib import blake2b
from itertools import chain
from struct import Struct

WORD_BITS = 64

_DIGEST = Struct("<8Q")
_WORD = Struct("<Q")
_PER_DIGEST = 8


class Stream:
    """An endless list of 64-bit words that a key fixes, each found in constant time.

    Positions run from 0 to 2**131; eight neighbours share a digest.

    >>> Stream("example", 7)[10**20] == Stream("example", 7)[10**20]
    True
    """

    __slots__ = ("_key",)

    def __init__(self, *key: str | int) -> None:
        self._key = blake2b(repr(key).encode(), digest_size=32).digest()

    def __getitem__(self, position: int) -> int:
        digest = self._digest(position // _PER_DIGEST)
        word: int = _WORD.unpack_from(digest, position % _PER_DIGEST * _WORD.size)[0]
        return word

    def words(self, start: int, stop: int) -> list[int]:
        """The words from `start` up to `stop`."""
        first = start // _PER_DIGEST
        digests = map(self._digest, range(first, -(-stop // _PER_DIGEST)))
        words = list(chain.from_iterable(map(_DIGEST.unpack, digests)))
        return words[start - first * _PER_DIGEST : stop - first * _PER_DIGEST]

    def _digest(self, place: int) -> bytes:
        return blake2b(self._key + place.to_bytes(16, "little")).digest()
