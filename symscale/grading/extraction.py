"""A model's text to the one object in it that is the answer, in one linear scan.

Reasoning blocks (`markers.REASONING`) are passed over. What decides then is the last `<answer>`
that holds a `{`, closed or not, or else the whole rest; and in it the last `{` at the top level
whose text says `"rows"` or `"closed_form"`, whole or not. There is no falling back to an earlier
one. A quotation of the template, `{"rows": [[...]]}`, is no answer. Marks inside the strings of a
JSON object are text, and so is a `\\boxed{` around an object.

A `{` that JSON cannot read belongs to prose or to a broken object; its text runs to the `}` that
closes it, to the next mark, or, where nothing closes it, to the next brace.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from symscale.grading.json_scan import MAX_DEPTH, read_object
from symscale.grading.markers import ANSWER_CLOSING, ANSWER_OPENING, REASONING

_CASELESS = re.IGNORECASE | re.ASCII


def _any_of(*marks: str) -> str:
    return "|".join(re.escape(mark) for mark in marks)


_MARKS = (
    f"(?P<answer>{_any_of(ANSWER_OPENING)})|(?P<answered>{_any_of(ANSWER_CLOSING)})"
    f"|(?P<reasoning>{_any_of(*(block.opening for block in REASONING))})"
)
_BOXED = r"\\boxed\{(?=\s*+\{)"
_EVENT = re.compile(rf"(?P<brace>\{{)|(?P<markup>{_BOXED})|{_MARKS}", _CASELESS)
_BRACE_OR_MARK = re.compile(rf"(?P<open>\{{)|(?P<close>\}})|{_MARKS}", _CASELESS)
_CLOSINGS = {
    block.opening.lower(): re.compile(rf"(?P<brace>\{{)|{_any_of(*block.closings)}", _CASELESS)
    for block in REASONING
}
_ANY_CLOSING = re.compile(
    _any_of(*dict.fromkeys(mark for block in REASONING for mark in block.closings)), _CASELESS
)
_LONGEST_MARK = max(len(mark) for block in REASONING for mark in block.closings)
_BRACE_OR_CLOSING = re.compile(rf"(?P<brace>\{{)|{_ANY_CLOSING.pattern}", _CASELESS)
_KEY = re.compile(r'"(?:rows|closed_form)"')
_BARE_ARRAY = re.compile(r"\s*+\[")
_SPACE = re.compile(r"\s+")

MAX_QUOTATION = 60
_QUOTATIONS = frozenset(
    {
        "{...}",
        '{"rows":[...]}',
        '{"rows":[[...]]}',
        '{"rows":[["..."]]}',
        '{"closed_form":[...]}',
        '{"closed_form":["..."]}',
    }
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """The text that decides."""

    text: str
    fault: str = ""
    """Why it is not a whole JSON object, in words; empty if it is."""


def extract(text: str, *, reasoning_prefilled: bool = False) -> Candidate | None:
    """The object that answers, or None where there is none.

    With `reasoning_prefilled`, the text begins inside a reasoning block whose opening mark was in
    the prompt, and the first closing mark of any kind ends it.

    >>> extract('<think>{"rows": [[1]]}</think> So: {"rows": [[2]]}.').text
    '{"rows": [[2]]}'
    """
    return _Scan(text).run(reasoning_prefilled)


class _Scan:
    def __init__(self, text: str) -> None:
        self.text = text
        self.last: Candidate | None = None
        self.last_answered: Candidate | None = None
        """The last candidate in the last `<answer>` that holds a `{`."""
        self.has_answer = False
        self.inside = False
        self.fresh = False
        """Inside an `<answer>` that holds no `{` so far."""

    def run(self, reasoning_prefilled: bool) -> Candidate | None:
        position = rest = self.block_end(0, _BRACE_OR_CLOSING) if reasoning_prefilled else 0
        while match := _EVENT.search(self.text, position):
            position = match.end()
            match match.lastgroup:
                case "brace":
                    position = self.object(match.start())
                    continue
                case "markup":
                    continue
                case "answer":
                    self.inside = self.fresh = True
                case "answered":
                    self.inside = False
                case _:
                    position = self.block_end(position, _CLOSINGS[match[0].lower()])
            rest = position
        if self.has_answer:
            return self.last_answered
        if self.last is None and (bare := _BARE_ARRAY.match(self.text, rest)):
            return Candidate(self.text[rest : bare.end()], "is an array, not an object")
        return self.last

    def block_end(self, position: int, closing: re.Pattern[str]) -> int:
        """Just after the mark that ends a reasoning block, or the end of the text.

        A whole JSON object in the block is passed over, so that its strings close nothing.
        """
        while match := closing.search(self.text, position):
            position = match.end()
            if match.lastgroup != "brace":
                return position
            state, end = read_object(self.text, match.start())
            if state == "whole" or not _ANY_CLOSING.search(
                self.text, position, end + _LONGEST_MARK
            ):
                position = end
        return len(self.text)

    def object(self, start: int) -> int:
        """Take what opens at `start` into account; where to go on."""
        state, end = read_object(self.text, start)
        if state == "whole":
            self.offer(start, end, "")
            return end
        if state == "cut off":
            self.offer(start, end, "is cut off before its closing brace")
            return end
        fault = f"is not JSON from {self.text[end : end + 20]!r} on"
        closed = self.closing_brace(start + 1)
        if closed is not None:
            self.offer(start, closed, fault)
            return closed
        following = self.text.find("{", end)
        self.offer(start, following if following >= 0 else len(self.text), fault)
        return end

    def closing_brace(self, position: int) -> int | None:
        """Just after the brace that closes one opened before `position`, or where a mark
        interrupts; None where nothing closes it."""
        depth = 1
        while match := _BRACE_OR_MARK.search(self.text, position):
            position = match.end()
            match match.lastgroup:
                case "open":
                    depth += 1
                case "close":
                    depth -= 1
                case _:
                    return match.start()
            if depth == 0:
                return position
            if depth > MAX_DEPTH:
                return None
        return None

    def offer(self, start: int, end: int, fault: str) -> None:
        """Note the object at text[start:end], if it could be an answer or holds one."""
        if end - start <= MAX_QUOTATION:
            shown = _SPACE.sub("", self.text[start:end]).replace("…", "...")
            if shown in _QUOTATIONS:
                return
        candidate = None
        if _KEY.search(self.text, start, end):
            candidate = self.last = Candidate(self.text[start:end], fault)
        if self.inside:
            if self.fresh:
                self.has_answer, self.fresh, self.last_answered = True, False, None
            self.last_answered = candidate or self.last_answered
