"""A reader of questions that knows nothing of symscale, with a unit table of its own.

It is given the template of a question, so that it knows which number is which, and the text.
"""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from typing import NamedTuple

_NUMBER = r"-?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?(?:e-?[0-9]+)?(?:/[0-9]+)?"
_UNIT = r"%| [A-Za-z]+(?:(?:/| per )[A-Za-z]+)*"
_QUANTITY = f"({_NUMBER})({_UNIT})?"
_ENTRY = re.compile(r"^- (\w+): (.*)$", re.MULTILINE)

_WORDS: dict[str, tuple[int | Fraction, str]] = {
    "%": (Fraction(1, 100), ""),
    "chip": (1, ""),
    "device": (1, ""),
    "hour": (3600, "second"),
    "hours": (3600, "second"),
    "day": (86400, "second"),
    "days": (86400, "second"),
    "s": (1, "second"),
    "seconds": (1, "second"),
    "ms": (Fraction(1, 1000), "second"),
    "USD": (1, "dollar"),
    "token": (1, "token"),
    "tokens": (1, "token"),
    "param": (1, "parameter"),
    "params": (1, "parameter"),
    "parameter": (1, "parameter"),
    "parameters": (1, "parameter"),
}
_COUNTED = {
    "flop": (1, "operation"),
    "flops": (1, "operation"),
    "FLOP": (1, "operation"),
    "FLOPs": (1, "operation"),
    "B": (8, "bit"),
    "byte": (8, "bit"),
    "bytes": (8, "bit"),
    "bit": (1, "bit"),
    "bits": (1, "bit"),
}
_PREFIXES = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15}
_BINARY = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}
for _prefix, _factor in (_PREFIXES | _BINARY).items():
    for _word, (_size, _what) in _COUNTED.items():
        _WORDS[_prefix + _word] = (_factor * _size, _what)


class Unit(NamedTuple):
    """A factor, and what it counts, each with its power."""

    scale: Fraction
    counts: frozenset[tuple[str, int]]


def read_unit(text: str) -> Unit:
    """`FLOPs/byte`, `USD per chip per hour`, `chip*hours`, `%`; the empty text is a pure number."""
    scale, powers = Fraction(1), Counter[str]()
    parts = re.split(r"/| per ", text.strip()) if text.strip() not in ("", "1") else []
    for place, part in enumerate(parts):
        for word in part.split("*"):
            factor, what = _WORDS[word]
            scale = scale / factor if place else scale * factor
            powers[what] += -1 if place else 1
    return Unit(scale, frozenset((what, n) for what, n in powers.items() if what and n))


def read_number(text: str) -> Fraction:
    over, _, under = text.replace(",", "").partition("/")
    return Fraction(over) / Fraction(under or 1)


class Read(NamedTuple):
    """A number and its unit, as a question states them."""

    number: Fraction
    unit: Unit

    def in_unit(self, text: str) -> Fraction:
        """The number in another unit of the same kind."""
        other = read_unit(text)
        assert other.counts == self.unit.counts, f"{self} is not in {text}"
        return self.number * self.unit.scale / other.scale


class Reader:
    """Reads questions of one template, in which `{letter}` stands for a quantity."""

    def __init__(self, template: str) -> None:
        pieces = re.split(r"\{(\w+)\}", template)
        self.letters = pieces[1::2]
        literals = map(re.escape, pieces[0::2])
        self.pattern = re.compile(_QUANTITY.join(literals), re.DOTALL)

    def read(self, prompt: str) -> dict[str, Read] | None:
        """What each letter is; None for a question of another template."""
        match = self.pattern.fullmatch(prompt)
        if match is None:
            return None
        found: dict[str, Read] = {}
        for place, letter in enumerate(self.letters):
            number, unit = match[2 * place + 1], match[2 * place + 2]
            quantity = Read(read_number(number), read_unit(unit or ""))
            assert found.setdefault(letter, quantity) == quantity, f"{letter} is two things"
        return found


def read_list(instructions: str) -> dict[str, str]:
    """What is said about each name of a list: cells of the answer, or letters."""
    return dict(_ENTRY.findall(instructions))
