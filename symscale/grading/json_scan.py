"""Where a JSON object ends, found in one pass without building anything."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, TypeAlias

MAX_DEPTH = 8
"""Brackets and braces within each other; an answer needs three."""

State: TypeAlias = Literal["whole", "cut off", "broken"]

_STEP = re.compile(
    r"[ \t\n\r,:0-9.eE+-]*+(?:(?P<open>[{\[])|(?P<close>[}\]])|(?P<quote>\")|(?P<end>\Z)"
    r"|true|false|null|NaN|Infinity)"
)
_SIMPLE = r"[ \t\n\r,:0-9.eE+-]|true|false|null|NaN|Infinity"
_STRING = r'"[^"\\\x00-\x1f]*+(?:\\[\s\S][^"\\\x00-\x1f]*+)*+"'
_FLAT = rf"(?:{_SIMPLE}|{_STRING})*+"
_ANSWER = re.compile(rf"\{{{_FLAT}\[{_FLAT}(?:\[{_FLAT}\]{_FLAT})*+\]{_FLAT}\}}")
"""What most answers look like: an object of arrays in one array. It holds no second brace, so that
looking for it costs no more than the way to the next."""
_STRING_STOP = re.compile(r'["\\\x00-\x1f]')
_PARTNER = {"}": "{", "]": "["}


class Reading(NamedTuple):
    """`whole`, with its end; `cut off` by the end of the text; or `broken`, with the place where
    something stands that JSON does not have there."""

    state: State
    end: int


def read_object(text: str, start: int) -> Reading:
    """Read the object that opens at `start`.

    Looks at each character once, and no further than the end of the object or the first thing
    that cannot be JSON: a word, a line break in a string, brackets that do not match or that are
    more than 8 deep.

    >>> read_object('{"rows": [["}"]]} and so on', 0)
    Reading(state='whole', end=17)
    """
    if answer := _ANSWER.match(text, start):
        return Reading("whole", answer.end())
    stack: list[str] = []
    position = start
    while match := _STEP.match(text, position):
        position = match.end()
        match match.lastgroup:
            case "quote":
                string = _read_string(text, position)
                if string.state != "whole":
                    return string
                position = string.end
            case "open":
                stack.append(match["open"])
                if len(stack) > MAX_DEPTH:
                    return Reading("broken", position)
            case "close":
                if stack.pop() != _PARTNER[match["close"]]:
                    return Reading("broken", position)
                if not stack:
                    return Reading("whole", position)
            case "end":
                return Reading("cut off", position)
    return Reading("broken", position)


def _read_string(text: str, start: int) -> Reading:
    """Read on from just after an opening quote to just after the closing one."""
    position = start
    while match := _STRING_STOP.search(text, position):
        position = match.end()
        match match[0]:
            case '"':
                return Reading("whole", position)
            case "\\":
                position += 1
            case _:
                return Reading("broken", start)
    return Reading("cut off", len(text))
