"""Text to nodes: one scan for tokens, then precedence climbing, both linear in the text."""

from __future__ import annotations

import re
from functools import lru_cache
from string import ascii_letters, digits

from symscale.errors import ExpressionError, SymscaleError, TooLargeError
from symscale.expressions.nodes import (
    COMPARISONS,
    FUNCTIONS,
    SUM,
    Binary,
    Call,
    Compare,
    Label,
    Name,
    Node,
    Number,
    Sign,
)
from symscale.expressions.shape import check_shape
from symscale.units import UnitSystem

MAX_LENGTH = 2000
MAX_TOKENS = 500
MAX_DEPTH = 60
MAX_LABEL = 60

_NUMBER = r"(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?+(?![A-Za-z0-9_.])"
_NAME = r"[A-Za-z_][A-Za-z0-9_]*+"
_LABEL = r'"[^"\\\x00-\x1f\ud800-\udfff]*+"'
_UNIT = r"\[[^\[\]]*+\]"
_OPERATOR = r"\*\*|\^|<=|>=|==|!=|[-+*/(),<>]"
_TOKEN = re.compile(rf"{_NAME}|{_NUMBER}|{_OPERATOR}|{_UNIT}|{_LABEL}", re.ASCII)
_TOKENS = re.compile(rf"(?:\s*+(?:{_TOKEN.pattern}))*+", re.ASCII)

_END = ""
_KINDS = {
    **dict.fromkeys(digits + ".", "number"),
    **dict.fromkeys(ascii_letters + "_", "name"),
    '"': "label",
    "[": "unit",
}
"""What a token is, by its first character; any other is an operator, or the end."""

_LEVELS = {"+": 1, "-": 1, "*": 2, "/": 2}
_POWERS = ("**", "^")


def parse(text: str, units: UnitSystem) -> Node:
    """Read an expression of the notation.

    Operators bind as they do in Python; `^` reads as `**`. A comparison stands alone or as the
    condition of a `where`; a label stands alone or as a branch of one.
    Raises ExpressionError with the place, and TooLargeError past 2,000 characters, 500 tokens,
    a nesting of 60, numbers of 60 digits or exponents of 400, before anything is built.

    >>> parse("V*(n - 1)/n", UnitSystem((), {})).op
    '/'
    """
    node = _Parser(text, units).whole()
    check_shape(node)
    return node


def _tokens(text: str) -> list[str]:
    """The tokens in order, and the end."""
    if len(text) > MAX_LENGTH:
        raise TooLargeError(f"an expression has at most {MAX_LENGTH} characters, not {len(text)}")
    read = _TOKENS.match(text)
    if read is None or read.end() < len(text.rstrip()):
        raise _unreadable(text, 0 if read is None else read.end())
    tokens = _TOKEN.findall(text)
    if len(tokens) > MAX_TOKENS:
        raise TooLargeError(f"an expression has at most {MAX_TOKENS} tokens")
    tokens.append(_END)
    return tokens


def _unreadable(text: str, position: int) -> ExpressionError:
    """What to say of text that is no token."""
    start = position + len(text[position:]) - len(text[position:].lstrip())
    what = f"{text[start]!r} cannot stand here"
    if text[start] == '"':
        what = "a label has no closing quote"
    elif text[start].isdigit():
        what = f"{text[start:].split()[0][:40]!r} is not a decimal number"
    return _misplaced(text, start, what)


def _misplaced(text: str, position: int, what: str) -> ExpressionError:
    excerpt = text[max(0, position - 20) : position + 20].strip()
    return ExpressionError(f"{what}, at character {position + 1} (near {excerpt!r})")


class _Parser:
    def __init__(self, text: str, units: UnitSystem) -> None:
        self.text = text
        self.units = units
        self.tokens = _tokens(text)
        self.index = 0
        self.depth = 0

    @property
    def token(self) -> str:
        return self.tokens[self.index]

    def take(self) -> str:
        token = self.tokens[self.index]
        self.index += 1
        return token

    def error(self, what: str, index: int | None = None) -> ExpressionError:
        """An error at a token, the next one if none is given."""
        starts = [match.start() for match in _TOKEN.finditer(self.text)]
        position = [*starts, len(self.text.rstrip())][self.index if index is None else index]
        return _misplaced(self.text, position, what)

    def expect(self, text: str) -> None:
        if self.token != text:
            raise self.error(f"expected {text!r}, found {_shown(self.token)}")
        self.index += 1

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise TooLargeError(f"an expression is nested at most {MAX_DEPTH} deep")

    def whole(self) -> Node:
        node = self.comparison()
        if self.token != _END:
            raise self.error(f"{self.token!r} is not expected here")
        return node

    def comparison(self) -> Node:
        left = self.sum()
        if self.token not in COMPARISONS:
            return left
        node = Compare(self.take(), left, self.sum())
        if self.token in COMPARISONS:
            raise self.error("comparisons are not chained; write one")
        return node

    def sum(self, level: int = 1) -> Node:
        """Left-associative operators of at least this level."""
        left = self.signed()
        while _LEVELS.get(op := self.tokens[self.index], 0) >= level:
            self.index += 1
            right = self.sum(2) if _LEVELS[op] == 1 else self.signed()
            left = Binary(op, left, right)
        return left

    def signed(self) -> Node:
        if self.token not in SUM:
            return self.power()
        op = self.take()
        self.deeper()
        node = Sign(op, self.signed())
        self.depth -= 1
        return node

    def power(self) -> Node:
        base = self.atom()
        if self.tokens[self.index] not in _POWERS:
            return base
        self.take()
        self.deeper()
        node = Binary("**", base, self.signed())
        self.depth -= 1
        return node

    def atom(self) -> Node:
        token = self.take()
        match _KINDS.get(token[:1]):
            case "name":
                return self.call(token) if self.token == "(" else self.name(token)
            case "number":
                return self.number(token)
            case "label":
                if not 0 < len(token) - 2 <= MAX_LABEL:
                    raise self.error(f"a label has 1 to {MAX_LABEL} characters", self.index - 1)
                return Label(token[1:-1])
            case "unit":
                raise self.error("a unit in brackets follows a number", self.index - 1)
        if token == "(":
            self.deeper()
            node = self.comparison()
            self.expect(")")
            self.depth -= 1
            return node
        what = f"expected a number, a name or '(', found {_shown(token)}"
        raise self.error(what, self.index - 1)

    def number(self, token: str) -> Node:
        start = self.index - 1
        try:
            if self.token[:1] != "[":
                return _plain_number(token)
            return Number(token, self.units.parse(self.take()[1:-1]))
        except SymscaleError as error:
            if isinstance(error, ExpressionError):
                raise
            raise self.error(error.what, start) from None

    def name(self, token: str) -> Node:
        if token in FUNCTIONS:
            raise self.error(f"{token} is a function: {token}(...)", self.index - 1)
        return _name(token)

    def call(self, function: str) -> Node:
        start = self.index - 1
        self.expect("(")
        self.deeper()
        arguments: list[Node] = []
        if self.token != ")":
            arguments.append(self.comparison())
            while self.token == ",":
                self.take()
                arguments.append(self.comparison())
        self.expect(")")
        self.depth -= 1
        fewest, most = FUNCTIONS.get(function, (0, len(arguments)))
        if not fewest <= len(arguments) <= most:
            wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
            raise self.error(f"{function} takes {wanted} arguments, not {len(arguments)}", start)
        return Call(function, tuple(arguments))


_name = lru_cache(maxsize=1024)(Name)
_plain_number = lru_cache(maxsize=1024)(Number)
"""Leaves stand in one expression after the other."""


def _shown(token: str) -> str:
    return "the end" if token == _END else repr(token)
