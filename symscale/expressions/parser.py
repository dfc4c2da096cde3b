"""Text to nodes: one scan for tokens, then precedence climbing, both linear in the text."""

from __future__ import annotations

import re
from typing import NamedTuple

from symscale.errors import ExpressionError, SymscaleError, TooLargeError
from symscale.expressions.nodes import (
    COMPARISONS,
    FUNCTIONS,
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

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<number> (?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?+ ) (?![A-Za-z0-9_.])
      | (?P<name>   [A-Za-z_][A-Za-z0-9_]* )
      | (?P<label>  "[^"\\\x00-\x1f\ud800-\udfff]*" )
      | (?P<unit>   \[[^\[\]]*\] )
      | (?P<op>     \*\*|\^|<=|>=|==|!=|[-+*/(),<>] )
    )""",
    re.VERBOSE | re.ASCII,
)

_LEVELS = {"+": 1, "-": 1, "*": 2, "/": 2}


class _Token(NamedTuple):
    kind: str
    text: str
    position: int


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


def _tokens(text: str) -> list[_Token]:
    if len(text) > MAX_LENGTH:
        raise TooLargeError(f"an expression has at most {MAX_LENGTH} characters, not {len(text)}")
    tokens: list[_Token] = []
    position, end = 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            raise _unreadable(text, position)
        tokens.append(_Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup)))
        if len(tokens) > MAX_TOKENS:
            raise TooLargeError(f"an expression has at most {MAX_TOKENS} tokens")
        position = match.end()
    tokens.append(_Token("end", "", end))
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
    def token(self) -> _Token:
        return self.tokens[self.index]

    def take(self) -> _Token:
        token = self.tokens[self.index]
        self.index += 1
        return token

    def error(self, what: str, token: _Token | None = None) -> ExpressionError:
        return _misplaced(self.text, (token or self.token).position, what)

    def expect(self, text: str) -> None:
        if self.token.text != text or self.token.kind == "label":
            found = repr(self.token.text) if self.token.text else "the end"
            raise self.error(f"expected {text!r}, found {found}")
        self.index += 1

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise TooLargeError(f"an expression is nested at most {MAX_DEPTH} deep")

    def whole(self) -> Node:
        node = self.comparison()
        if self.token.kind != "end":
            raise self.error(f"{self.token.text!r} is not expected here")
        return node

    def comparison(self) -> Node:
        left = self.sum()
        if self.token.kind != "op" or self.token.text not in COMPARISONS:
            return left
        node = Compare(self.take().text, left, self.sum())
        if self.token.kind == "op" and self.token.text in COMPARISONS:
            raise self.error("comparisons are not chained; write one")
        return node

    def sum(self, level: int = 1) -> Node:
        """Left-associative operators of at least this level."""
        left = self.signed()
        while self.token.kind == "op" and _LEVELS.get(self.token.text, 0) >= level:
            op = self.take().text
            right = self.sum(2) if _LEVELS[op] == 1 else self.signed()
            left = Binary(op, left, right)
        return left

    def signed(self) -> Node:
        if self.token.kind == "op" and self.token.text in "+-":
            op = self.take().text
            self.deeper()
            node = Sign(op, self.signed())
            self.depth -= 1
            return node
        return self.power()

    def power(self) -> Node:
        base = self.atom()
        if self.token.kind == "op" and self.token.text in ("**", "^"):
            self.take()
            self.deeper()
            node = Binary("**", base, self.signed())
            self.depth -= 1
            return node
        return base

    def atom(self) -> Node:
        token = self.take()
        match token.kind:
            case "number":
                return self.number(token)
            case "label":
                if not 0 < len(token.text) - 2 <= MAX_LABEL:
                    raise self.error(f"a label has 1 to {MAX_LABEL} characters", token)
                return Label(token.text[1:-1])
            case "name":
                return self.call(token) if self.token.text == "(" else self.name(token)
            case "op" if token.text == "(":
                self.deeper()
                node = self.comparison()
                self.expect(")")
                self.depth -= 1
                return node
            case "unit":
                raise self.error("a unit in brackets follows a number", token)
        found = repr(token.text) if token.text else "the end"
        raise self.error(f"expected a number, a name or '(', found {found}", token)

    def number(self, token: _Token) -> Node:
        try:
            if self.token.kind != "unit":
                return Number(token.text)
            return Number(token.text, self.units.parse(self.take().text[1:-1]))
        except SymscaleError as error:
            if isinstance(error, ExpressionError):
                raise
            raise self.error(error.what, token) from None

    def name(self, token: _Token) -> Node:
        if token.text in FUNCTIONS:
            raise self.error(f"{token.text} is a function: {token.text}(...)", token)
        return Name(token.text)

    def call(self, token: _Token) -> Node:
        self.expect("(")
        self.deeper()
        arguments: list[Node] = []
        if self.token.text != ")":
            arguments.append(self.comparison())
            while self.token.text == "," and self.token.kind == "op":
                self.take()
                arguments.append(self.comparison())
        self.expect(")")
        self.depth -= 1
        fewest, most = FUNCTIONS.get(token.text, (0, len(arguments)))
        if not fewest <= len(arguments) <= most:
            wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
            raise self.error(f"{token.text} takes {wanted} arguments, not {len(arguments)}", token)
        return Call(token.text, tuple(arguments))
