"""One case of a proof: two expressions, where something is known of the letters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from symscale.engine.proofs.facts import (
    ANY,
    NEGATIVE,
    NOT_NEGATIVE,
    NOT_POSITIVE,
    NOT_ZERO,
    POSITIVE,
    ZERO,
    Facts,
    Signs,
)
from symscale.expressions.nodes import (
    Call,
    Compare,
    Label,
    Name,
    Node,
    Number,
    Sign,
    children,
    rewrite,
    substitute,
)

SIGNS: Mapping[str, Signs] = {
    ">": POSITIVE,
    ">=": NOT_NEGATIVE,
    "<": NEGATIVE,
    "<=": NOT_POSITIVE,
    "==": ZERO,
    "!=": NOT_ZERO,
}
"""The signs that the difference of two sides may have where they compare so."""

WAYS = {signs: op for op, signs in SIGNS.items()}


class Rounding(NamedTuple):
    """A letter that is the floor or the ceiling of something."""

    letter: str
    function: str
    argument: Node


@dataclass(frozen=True)
class Case:
    """The two sides, where something is known of the letters."""

    reference: Node
    other: Node
    facts: Facts
    own: tuple[Node, ...] = ()
    """What must have a value for the reference to have one, besides what it has become."""
    roundings: tuple[Rounding, ...] = ()
    solved: tuple[tuple[str, Node], ...] = ()
    """Letters that others give, in the order in which they were put in."""
    opaque: Mapping[Node, Signs] = field(default_factory=dict[Node, Signs])
    """The signs of differences that are no quotients of polynomials."""
    has_zeros: bool = False
    """Whether something is known to be zero that no letter was solved from."""
    assumed: tuple[Compare, ...] = ()
    """The comparisons that make the case."""

    def put(self, letter: str, node: Node, facts: Facts) -> Case:
        """The same with a tree in the place of a letter."""
        one = {letter: node}
        return replace(
            self,
            reference=substitute(self.reference, one),
            other=substitute(self.other, one),
            facts=facts,
            own=tuple(substitute(each, one) for each in self.own),
            roundings=tuple(
                each._replace(argument=substitute(each.argument, one)) for each in self.roundings
            ),
            solved=(*self.solved, (letter, node)),
        )

    def assuming(self, signs: Signs, left: Node, right: Node) -> Case:
        """The same, for people, where a difference has some signs."""
        return replace(self, assumed=(*self.assumed, Compare(WAYS[signs], left, right)))

    def now(self, node: Node) -> Node:
        """An expression without the letters that others give."""
        for letter, instead in self.solved:
            node = substitute(node, {letter: instead})
        return node

    @cached_property
    def own_choice(self) -> Call | None:
        """What the reference decides next, something rounded or a choice."""
        return _first_choice(self.reference)

    @cached_property
    def choice(self) -> Call | None:
        """What is to be decided next, by the reference or by the other side."""
        return self.own_choice or _first_choice(self.other)

    def chosen(self, instead: Node) -> Case:
        """The same with the choice made."""
        choice = self.choice

        def made(part: Node) -> Node:
            return instead if part == choice else part

        return replace(
            self,
            reference=rewrite(self.reference, made),
            other=rewrite(self.other, made),
            own=(*self.own, *made_by(self.own_choice)) if self.own_choice else self.own,
        )


def _first_choice(node: Node) -> Call | None:
    """A choice that is made for certain, by parts without choices."""
    match node:
        case Name() | Number() | Label():
            return None
        case Call("where", (condition, _, _)):
            return _first_choice(condition) or node
        case Call("max" | "min" | "abs" | "ceil" | "floor"):
            return _first_of(node.arguments) or node
        case _:
            return _first_of(children(node))


def _first_of(nodes: Iterable[Node]) -> Call | None:
    for node in nodes:
        choice = _first_choice(node)
        if choice is not None:
            return choice
    return None


def made_by(choice: Call) -> tuple[Node, ...]:
    """The two sides that a choice compares, or what is rounded."""
    match choice:
        case Call("where", (Compare(_, left, right), _, _)):
            return left, right
        case Call("max" | "min", (left, right, *_)):
            return left, right
        case Call("abs", (argument,)):
            return argument, Number("0")
        case _:
            return choice.arguments


def outcomes(choice: Call) -> list[tuple[Signs, Node]]:
    """What a choice becomes with some signs of the difference of its sides."""
    match choice:
        case Call("where", (Compare(op), then, otherwise)):
            return [(SIGNS[op], then), (ANY - SIGNS[op], otherwise)]
        case Call("max" | "min", (left, right, *more)):
            first, second = (left, right) if choice.function == "max" else (right, left)
            ways = [(NOT_NEGATIVE, first), (NEGATIVE, second)]
            return [(s, Call(choice.function, (one, *more)) if more else one) for s, one in ways]
        case Call("abs", (argument,)):
            return [(NOT_NEGATIVE, argument), (NEGATIVE, Sign("-", argument))]
        case _:
            raise TypeError(f"{choice!r} is not a choice")
