"""A model's text to the one object in it that is the answer, in one linear scan.

Reasoning blocks (`markers.REASONING`) are passed over. What decides then is the last `<answer>`
that holds a `{`, closed or not, or else the whole rest; and in it the last `{` at the top level
whose text says `"rows"` or `"closed_form"`, whole or not. There is no falling back to an earlier
one; an object cut off in the middle of its key counts. A quotation of the template, whose cells
are dots, letters or names of columns without quotes (`{"rows": [[..., seconds]]}`), is no answer.
Marks inside the strings of a JSON object are text, and so is a `\\boxed{` or a `\\text{` around an
object, whose braces may be escaped.

A `{` that JSON cannot read belongs to prose or to a broken object; its text runs to the `}` that
closes it, to the next mark, or, where nothing closes it, to the next brace.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from symscale.grading.json_scan import MAX_DEPTH, read_object
from symscale.grading.markers import ANSWER_CLOSING, ANSWER_OPENING, REASONING, STRIPPED

_CASELESS = re.IGNORECASE | re.ASCII


MAX_SPACES = 4
"""How many spaces a tag may have before its closing bracket."""


def _any_of(*marks: str) -> str:
    return "|".join(map(_mark, marks))


def _mark(mark: str) -> str:
    if mark[-1] not in ">]":
        return re.escape(mark)
    return rf"{re.escape(mark[:-1])}\s{{0,{MAX_SPACES}}}{re.escape(mark[-1])}"


_MARKS = (
    f"(?P<answer>{_any_of(ANSWER_OPENING)})|(?P<answered>{_any_of(ANSWER_CLOSING)})"
    f"|(?P<reasoning>{_any_of(*(block.opening for block in REASONING))})"
)
_BOXED = r"\\(?:boxed|text)\{(?=\s*+(?:\{|\\\{|\\text\{|```))"
_EVENT = re.compile(rf"(?P<brace>\{{)|(?P<markup>{_BOXED})|{_MARKS}", _CASELESS)
_BRACE_OR_MARK = re.compile(rf"(?P<open>\{{)|(?P<close>\}})|{_MARKS}", _CASELESS)
_CLOSINGS = {
    block.opening.lower(): re.compile(rf"(?P<brace>\{{)|{_any_of(*block.closings)}", _CASELESS)
    for block in REASONING
}
_ANY_CLOSING = re.compile(
    _any_of(*dict.fromkeys(mark for block in REASONING for mark in block.closings)), _CASELESS
)
_LONGEST_MARK = MAX_SPACES + max(len(mark) for block in REASONING for mark in block.closings)
_BRACE_OR_CLOSING = re.compile(rf"(?P<brace>\{{)|{_ANY_CLOSING.pattern}", _CASELESS)
_KEY = re.compile(r'"(?:rows|closed_form)"')
_BARE_ARRAY = re.compile(r"\s*+\[")
_SPACE = re.compile(r"\s+")
_ESCAPED_CLOSING = re.compile(r"\s*+\\\}")
_BEGINNINGS = ('{"rows"', '{"closed_form"')

MAX_QUOTATION = 200
_CELLS = r'(?:\.\.\.|"\.\.\."|[^\W\d]\w*+)(?:,(?:\.\.\.|"\.\.\."|[^\W\d]\w*+))*+'
_ROWS = rf"(?:\.\.\.|\[{_CELLS}\])(?:,(?:\.\.\.|\[{_CELLS}\]))*+"
_QUOTATION = re.compile(rf'\{{(?:\.\.\.|"(?:rows":\[{_ROWS}|closed_form":\[{_CELLS})\])\}}')
_DOTS = re.compile(r"\.\s*+\.\s*+\.|…|[\[,]\s*+[^\W\d]")
"""What every quotation has that JSON can read."""
_WORD = re.compile(r"[^\W\d]\w+")
_PLACEHOLDERS = frozenset({"rows", "closed_form", "name", "number", "value"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """The text that decides."""

    text: str
    fault: str = ""
    """Why it is not a whole JSON object, in words; empty if it is."""


def extract(
    text: str, *, reasoning_prefilled: bool = False, names: Collection[str] = ()
) -> Candidate | None:
    """The object that answers, or None where there is none.

    With `reasoning_prefilled`, the text begins inside a reasoning block whose opening mark was in
    the prompt, and the first closing mark of any kind ends it. `names` are those of the columns,
    which a quotation of the template may hold.

    >>> extract('<think>{"rows": [[1]]}</think> So: {"rows": [[2]]}.').text
    '{"rows": [[2]]}'
    """
    return _Scan(text, names).run(reasoning_prefilled)


class _Scan:
    def __init__(self, text: str, names: Collection[str]) -> None:
        self.text = text
        self.names = _PLACEHOLDERS.union(names)
        self.last: Candidate | None = None
        self.last_answered: Candidate | None = None
        """The last candidate in the last `<answer>` that holds a `{`."""
        self.has_answer = False
        self.inside = False
        self.fresh = False
        """Inside an `<answer>` that holds no `{` so far."""
        self.unclosed: list[int] = []
        self.looked_until = 0
        """Where braces opened that were found to be too deep, and how far they were looked at: the
        search for the partner of the first of them goes on from there."""

    def run(self, reasoning_prefilled: bool) -> Candidate | None:
        position = rest = self.beginning(reasoning_prefilled)
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
                    position = self.block_end(position, _CLOSINGS[_SPACE.sub("", match[0]).lower()])
            rest = position
        if self.has_answer:
            return self.last_answered
        if self.last is None and (bare := _BARE_ARRAY.match(self.text, rest)):
            return Candidate(self.text[rest : bare.end()], "is an array, not an object")
        return self.last

    def beginning(self, reasoning_prefilled: bool) -> int:
        """Where the text begins that is not reasoning from its first letter on."""
        if reasoning_prefilled:
            return self.block_end(0, _BRACE_OR_CLOSING)
        if not self.text.startswith(STRIPPED.opening):
            return 0
        return len(self.text) - len(self.text.partition(STRIPPED.closings[0])[2])

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
        if self.text[start - 1 : start] == "\\" and (
            closing := _ESCAPED_CLOSING.match(self.text, end)
        ):
            found = self.text[start:end] + "}"
            self.note(Candidate(found) if _KEY.search(found) else None)
            return closing.end()
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
        unclosed: list[int] = []
        if self.unclosed[:1] == [position]:
            unclosed, position = self.unclosed[1:], self.looked_until
        self.unclosed = []
        while match := _BRACE_OR_MARK.search(self.text, position):
            position = match.end()
            match match.lastgroup:
                case "open":
                    unclosed.append(position)
                case "close" if unclosed:
                    unclosed.pop()
                case "close":
                    return position
                case _:
                    return match.start()
            if len(unclosed) >= MAX_DEPTH:
                self.unclosed, self.looked_until = unclosed, position
                return None
        return None

    def offer(self, start: int, end: int, fault: str) -> None:
        """Note the object at text[start:end], if it could be an answer or holds one."""
        candidate = None
        if end - start <= MAX_QUOTATION and (fault or _DOTS.search(self.text, start, end)):
            shown = _SPACE.sub("", self.text[start:end]).replace("…", "...")
            if _QUOTATION.fullmatch(shown) and self.names.issuperset(_WORD.findall(shown)):
                return
            if fault and end == len(self.text) and _begins_an_answer(shown):
                candidate = Candidate(shown, fault)
        if _KEY.search(self.text, start, end):
            candidate = Candidate(self.text[start:end], fault)
        self.note(candidate)

    def note(self, candidate: Candidate | None) -> None:
        """Take the last object into account, None if it is about something else."""
        self.last = candidate or self.last
        if self.inside:
            if self.fresh:
                self.has_answer, self.fresh, self.last_answered = True, False, None
            self.last_answered = candidate or self.last_answered


def _begins_an_answer(text: str) -> bool:
    """Whether a text that was cut off could have become an answer; a lone brace is prose."""
    return len(text) > 1 and any(beginning.startswith(text) for beginning in _BEGINNINGS)
