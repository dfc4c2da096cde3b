"""What is rounded, as letters: `floor(u)` is an integer t with `t <= u < t + 1`.

Equal roundings become the same letter: floor(u + 2) is floor(u) + 2 and floor(-u) is -ceil(u); of
integers, ceil(a/b) is floor((a - 1)/b) + 1; and floor((floor(u) + k)/m) is floor((u + k)/m).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor, gcd

from symscale.algebra.polynomials import TooComplexError
from symscale.algebra.quotients import Quotient, Terms, divided, tree
from symscale.engine.proofs.case import Case, Rounding
from symscale.engine.proofs.counts import Counts
from symscale.engine.proofs.facts import (
    NEGATIVE,
    NOT_NEGATIVE,
    NOT_POSITIVE,
    POSITIVE,
    ZERO,
    Facts,
    Signs,
    TooMuchWorkError,
)
from symscale.engine.proofs.readings import Readings
from symscale.expressions.nodes import Binary, Call, Compare, Name, Node, Number, Sign, number

STEPS = 6
"""Integers that what is rounded is compared with, from its lower end."""


class Roundings:
    """Puts letters, some of those of `readings`, in the place of what is rounded."""

    def __init__(self, readings: Readings, letters: Sequence[str]) -> None:
        self.readings, self.letters = readings, letters

    def named(self, case: Case, call: Call) -> Case:
        """The case with its next choice, a rounding, written in another way, in the end with a
        letter. Raises TooMuchWorkError."""
        (argument,) = call.arguments
        quotient = self.readings.quotient(argument)
        written = None
        if quotient is not None:
            written = self.whole(call.function, quotient, case.facts) or self.counted(
                call.function, quotient, case.facts
            )
        written = written or self.nested(call, quotient, case) or self.known(call, case)
        if written is None:
            case = self.with_letter(case, call)
            written = Name(case.roundings[-1].letter)
        return case.chosen(written)

    def whole(self, function: str, quotient: Quotient, facts: Facts) -> Node | None:
        """The rounding of integers, plus a number."""
        terms = divided(quotient.over, quotient.under)
        if terms is None:
            return None
        (unit,) = self.readings.one
        varying = {powers: c for powers, c in terms.items() if powers != unit}
        if not facts.counting.is_whole(varying):
            return None
        moved = terms.get(unit, Fraction(0))
        rounded = Fraction(ceil(moved) if function == "ceil" else floor(moved))
        return tree({**varying, unit: rounded} if rounded else varying, self.readings.letters)

    def counted(self, function: str, quotient: Quotient, facts: Facts) -> Node | None:
        """The floor of a quotient of integers, reduced; None where it is that already.

        floor((g*a + c)/(g*b)) is floor((a + floor(c/g))/b).
        """
        pair = facts.integers(quotient)
        if pair is None:
            return None
        (unit,) = self.readings.one
        over, under = pair
        if function == "ceil":
            over = {**over, unit: over.get(unit, 0) - 1}
        shared = 1
        if list(under) == [unit]:
            shared = gcd(under[unit], *(c for powers, c in over.items() if powers != unit))
        if function == "floor" and shared == 1:
            return None
        reduced = [
            {p: c // shared for p, c in side.items() if c // shared} for side in (over, under)
        ]
        top, bottom = (tree(facts.counting.in_numbers(s), self.readings.letters) for s in reduced)
        written = Call("floor", (Binary("/", top, bottom),))
        return Binary("+", written, Number("1")) if function == "ceil" else written

    def nested(self, call: Call, quotient: Quotient | None, case: Case) -> Node | None:
        """floor((floor(u) + k)/m) as floor((u + k)/m), for integers k and m > 0; ceil likewise."""
        terms = None if quotient is None else divided(quotient.over, quotient.under)
        for known in case.roundings if terms else ():
            place = self.readings.letters.index(known.letter)
            ((letter, _),) = self.readings.letter(place).items()
            inverse = 1 / terms[letter] if terms and letter in terms else Fraction(0)
            if terms is None or inverse <= 1 or inverse.denominator != 1:
                continue
            rest = {powers: c * inverse for powers, c in terms.items() if powers != letter}
            if any(powers[place] for powers in rest) or not case.facts.counting.is_whole(rest):
                continue
            if call.function != known.function:
                # ceil(k/m) is floor((k + m - 1)/m)
                (unit,) = self.readings.one
                more = inverse - 1 if known.function == "floor" else 1 - inverse
                rest = {**rest, unit: rest.get(unit, Fraction(0)) + more}
            total = Binary("+", known.argument, tree(rest, self.readings.letters))
            return Call(known.function, (Binary("/", total, number(inverse)),))
        return None

    def known(self, call: Call, case: Case) -> Node | None:
        """A rounding in the letter of another, whose argument is the same but for a sign and an
        integer."""
        for known in case.roundings:
            for sign in (1, -1):
                moved = self.moved(case.facts, known.argument, sign, call.arguments[0])
                if moved is not None:
                    written = case.now(_written(call.function, known, sign))
                    return (
                        Binary("+", written, tree(moved, self.readings.letters))
                        if moved
                        else written
                    )
        return None

    def moved(self, facts: Facts, known: Node, sign: int, argument: Node) -> Terms | None:
        """What is to be added to a known expression, or to its negative, if it is an integer."""
        if argument in ((known,) if sign > 0 else (Sign("-", known), *_turned(known))):
            return {}
        first, second = self.readings.quotient(known), self.readings.quotient(argument)
        if first is None or second is None:
            return None
        try:
            difference = second + (-first if sign > 0 else first)
            moved = divided(difference.over, difference.under)
        except TooComplexError:
            return None
        return moved if moved is not None and facts.counting.is_whole(moved) else None

    def with_letter(self, case: Case, call: Call) -> Case:
        """The case with a new letter for what is rounded, and what is known of it."""
        if len(case.roundings) >= len(self.letters):
            raise TooMuchWorkError
        letter = self.letters[len(case.roundings)]
        rounding = Rounding(letter, call.function, call.arguments[0])
        facts = self.bounded(rounding, self.between(rounding, case.facts))
        return replace(case, facts=facts, roundings=(*case.roundings, rounding))

    def refined(self, case: Case) -> Facts:
        """The facts with closer ends of what is rounded."""
        facts = case.facts
        for rounding in case.roundings:
            facts = self.bounded(rounding, facts)
        return facts

    def between(self, rounding: Rounding, facts: Facts) -> Facts:
        """The facts with those between what is rounded and its letter."""
        quotient = self.readings.quotient(rounding.argument)
        if quotient is None:
            return facts
        place = self.readings.letters.index(rounding.letter)
        letter = Quotient(self.readings.letter(place), self.readings.one)
        less = quotient + -letter
        near, far = (
            (NOT_NEGATIVE, NEGATIVE) if rounding.function == "floor" else (NOT_POSITIVE, POSITIVE)
        )
        step = self.readings.constant(-1 if rounding.function == "floor" else 1)
        for difference, signs in ((less, near), (less + step, far)):
            terms = self.readings.polynomial(difference, facts)
            if terms is not None:
                facts = facts.given(terms, signs) or facts
        return facts

    def bounded(self, rounding: Rounding, facts: Facts) -> Facts:
        """The facts with the integers that the letter lies between."""
        quotient = self.readings.quotient(rounding.argument)
        if quotient is None:
            return facts
        place = self.readings.letters.index(rounding.letter)
        low = facts.ends.low(place)
        first = 0 if low is None else int(low[0])
        for integer in range(first, first + STEPS):
            terms = self.readings.polynomial(quotient + -self.readings.constant(integer), facts)
            if terms is None:
                return facts
            signs = facts.signs(terms)
            rounded = _signs_of_rounded(rounding.function, signs)
            facts = facts.given(self.readings.letter(place, integer), rounded) or facts
            if -1 in signs:
                return facts
        return facts


def _floored(counts: Counts, by: int) -> Counts:
    """A polynomial with the floor of each coefficient divided by a number."""
    return {powers: c // by for powers, c in counts.items() if c // by}


def _turned(node: Node) -> tuple[Node, ...]:
    """The operand of a minus sign."""
    return (node.operand,) if isinstance(node, Sign) and node.op == "-" else ()


def _signs_of_rounded(function: str, signs: Signs) -> Signs:
    """Of a rounding less an integer, from those of what is rounded less that."""
    return signs | ZERO if (1 if function == "floor" else -1) in signs else signs


def _written(function: str, known: Rounding, sign: int) -> Node:
    """The rounding of what a letter rounds, or of its negative: floor(-u) is -ceil(u), and ceil(u)
    is one more than floor(u) where u is above that."""
    letter: Node = Name(known.letter)
    if sign < 0:
        function = "floor" if function == "ceil" else "ceil"
    if function != known.function:
        op, way = (">", "+") if known.function == "floor" else ("<", "-")
        other = Binary(way, letter, Number("1"))
        letter = Call("where", (Compare(op, known.argument, letter), other, letter))
    return letter if sign > 0 else Sign("-", letter)
