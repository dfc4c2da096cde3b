"""Keyed words: the one source of chance, the same on every machine and every Python."""

from __future__ import annotations

from hashlib import blake2b

WORD_BYTES = 16
_PER_DIGEST = 4


class Stream:
    """An endless list of 128-bit words that a key fixes, each found in constant time.

    Positions run from 0 to 2**130; four neighbours share a digest.

    >>> Stream("example", 7)[10**20] == Stream("example", 7)[10**20]
    True
    """

    __slots__ = ("_key",)

    def __init__(self, *key: str | int) -> None:
        self._key = blake2b(repr(key).encode(), digest_size=32).digest()

    def __getitem__(self, position: int) -> int:
        place, number = divmod(position, _PER_DIGEST)
        start = number * WORD_BYTES
        return int.from_bytes(self._digest(place)[start : start + WORD_BYTES], "little")

    def words(self, start: int, stop: int) -> list[int]:
        """The words from `start` up to `stop`."""
        first = start // _PER_DIGEST
        digests = b"".join(map(self._digest, range(first, -(-stop // _PER_DIGEST))))
        return [
            int.from_bytes(digests[place : place + WORD_BYTES], "little")
            for place in range(
                (start - first * _PER_DIGEST) * WORD_BYTES,
                (stop - first * _PER_DIGEST) * WORD_BYTES,
                WORD_BYTES,
            )
        ]

    def _digest(self, place: int) -> bytes:
        return blake2b(self._key + place.to_bytes(WORD_BYTES, "little")).digest()
