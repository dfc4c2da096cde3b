"""Proof by cases that two expressions are equal wherever the first has a value.

Every choice (`max`, `min`, `abs`, `where`) is made by the sign of a distance. The cases in which
it has one sign or another are taken one by one, with what is known of the letters in each; where a
distance is zero, a letter is solved for and no longer there; what is rounded becomes a letter. In
the end no choice is left. The reference's choices are made first, once for all other sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from symscale.algebra.quotients import Terms, divided
from symscale.catalog.quantities import Domain
from symscale.engine.proofs.case import SIGNS, Case, made_by, outcomes
from symscale.engine.proofs.facts import ANY, NOT_ZERO, ZERO, Facts, Signs, TooMuchWorkError
from symscale.engine.proofs.needs import Need, needs
from symscale.engine.proofs.readings import Readings
from symscale.engine.proofs.roots import without_roots
from symscale.engine.proofs.roundings import Roundings
from symscale.engine.proofs.settling import Settling, letters_of
from symscale.engine.variables import Variable
from symscale.expressions.nodes import (
    Binary,
    Call,
    Compare,
    Label,
    Node,
    Number,
    children,
    is_rounding,
    walk,
)

MAX_CASES = 64
"""How many are taken before a proof is given up."""

FEW = 4
"""A letter with so few values is given each of them, where nothing else helps."""

_NOTHING = Number("0")


class Cases:
    """The cases of two sides over some letters, and over so many more for what is rounded.

    `same` tells whether two sides without choices are equal where both have a value, None if the
    reference never has one.
    """

    def __init__(
        self, variables: Mapping[str, Variable], rounded: int, same: Callable[[Case], bool | None]
    ) -> None:
        self.same = same
        self.spare = [f"#{k}" for k in range(rounded)]
        whole = Variable(Domain.parse("integer"))
        self.variables = {**variables, **dict.fromkeys(self.spare, whole)}
        self.readings = Readings(self.variables)
        self.roundings = Roundings(self.readings, self.spare)
        self.settling = Settling(self.readings)
        self.taken = self.compared = self.size = 0

    def opened(self, reference: Node, where: Iterable[Node]) -> list[Case]:
        """The cases of the reference alone, where the conditions hold and it has a value.

        Raises TooMuchWorkError.
        """
        cases = [Case(_chosen(reference), _NOTHING, Facts.of(list(self.variables.values())))]
        for condition in where:
            if isinstance(condition, Compare):
                cases = [more for case in cases for more in self.under(case, condition)]
        found: list[Case] = []
        while cases:
            case = cases.pop()
            if case.own_choice is None:
                found.append(case)
            else:
                cases += self.after(case, case.own_choice)
            self.count(len(cases) + len(found))
        return found

    def count(self, cases: int) -> None:
        if cases > MAX_CASES:
            raise TooMuchWorkError

    def under(self, case: Case, condition: Compare) -> Iterator[Case]:
        """The case under a condition, which has a value; one that has choices is left aside."""
        now = case.now(condition)
        aside = replace(case, reference=now)
        while (choice := aside.own_choice) is not None:
            if not is_rounding(choice):
                yield case
                return
            aside = self.roundings.named(aside, choice)
        left, right = children(aside.reference)
        case = replace(aside, reference=case.reference, own=(*aside.own, left, right))
        terms = self.readings.difference(left, right, case.facts)
        if terms is None:
            yield case
        else:
            yield from self.settling.under(case, terms, SIGNS[condition.op])

    def failures(self, case: Case, other: Node) -> Iterator[Case]:
        """The cases, of one of the reference, in which the other side is not the same or is not
        known to be. Raises TooMuchWorkError."""
        self.size = sum(1 for _ in walk(other))
        return self.of_other(replace(case, other=case.now(_chosen(other))))

    def of_other(self, case: Case) -> Iterator[Case]:
        while (choice := case.choice) is not None:
            case.facts.spend(self.size)
            broken = list(self.broken(case, made_by(choice)))
            if broken:
                yield from broken
                return
            cases = list(self.after(case, choice))
            if len(cases) != 1:
                for each in cases:
                    yield from self.of_other(each)
                return
            (case,) = cases
        yield from self.leaf(case)

    def after(self, case: Case, choice: Call) -> Iterator[Case]:
        """The cases after a choice is made, or the one after something is rounded."""
        if is_rounding(choice):
            return iter([self.roundings.named(case, choice)])
        return self.branches(case, choice)

    def leaf(self, case: Case) -> Iterator[Case]:
        """A case without choices, if the sides are not the same in it."""
        self.taken += 1
        self.count(self.taken)
        own = [need for need in needs(case.reference) if need.signs != NOT_ZERO]
        facts = self.where_met(own, case.facts)
        if facts is None:
            return
        case = replace(case, facts=facts)
        broken = list(self.broken(case, (case.other,)))
        if broken or self.is_same(case):
            yield from broken
            return
        closer = self.settling.bound(replace(case, facts=self.roundings.refined(case)))
        cases = [each for each in closer if each.solved != case.solved] or self.with_few(case)
        if not cases:
            yield case
        for each in cases:
            yield from self.of_other(each)

    def is_same(self, case: Case) -> bool:
        same = self.same(case)
        if same is None:
            return True
        self.compared += 1
        if same:
            return True
        if not case.has_zeros or isinstance(case.reference, Label) or isinstance(case.other, Label):
            return False
        difference = Binary("-", case.reference, case.other)
        return self.readings.signs(difference, case.facts) == ZERO

    def with_few(self, case: Case) -> list[Case]:
        """The case at each of the few values of a letter that has few."""
        for letter in letters_of(case):
            values = case.facts.few(self.readings.letters.index(letter), FEW)
            if len(values) > 1:
                return [each for value in values for each in self.settling.at(case, letter, value)]
        return []

    def branches(self, case: Case, choice: Call) -> Iterator[Case]:
        """The cases in which a choice is made in one way or the other."""
        left, right = made_by(choice)
        terms = self.readings.difference(left, right, case.facts)
        difference = Binary("-", left, right)
        known = case.facts.signs(terms) if terms is not None else self.opaque(case, left, right)
        curved = terms is not None and self.settling.is_curved(terms)
        for signs, chosen in outcomes(choice):
            for some in _parts(signs & known, apart=curved):
                made = case.chosen(chosen)
                if some != known:
                    made = made.assuming(some, left, right)
                if terms is None:
                    yield replace(made, opaque={**case.opaque, difference: some})
                else:
                    yield from self.settling.under(made, terms, some)

    def opaque(self, case: Case, left: Node, right: Node) -> Signs:
        """The signs of a difference that is no quotient of polynomials."""
        signs = self.readings.signs(Binary("-", left, right), case.facts)
        turned = case.opaque.get(Binary("-", right, left), ANY)
        return signs & case.opaque.get(Binary("-", left, right), ANY) & {-sign for sign in turned}

    def broken(self, case: Case, nodes: Iterable[Node]) -> Iterator[Case]:
        """The cases in which parts of the other side have no value and the reference has one."""
        wanted = dict.fromkeys(need for node in nodes for need in needs(node))
        unmet = [need for need in wanted if not self.is_met(need, case.facts)]
        if not unmet:
            return
        own = dict.fromkeys(n for node in (*case.own, case.reference) for n in needs(node))
        facts = self.where_met(own, case.facts)
        if facts is None:
            return
        known = [terms for need in own if (terms := self.zeros(need)) is not None]
        for need in unmet:
            same = any(need.part == each.part and each.signs <= need.signs for each in own)
            if not (same or self.is_met(need, facts) or self.divides(need, known)):
                yield from self.breaking(replace(case, facts=facts), need)

    def is_met(self, need: Need, facts: Facts) -> bool:
        return self.readings.signs(need.part, facts) <= need.signs

    def where_met(self, wanted: Iterable[Need], facts: Facts) -> Facts | None:
        """The facts where needs are met; None if they never are."""
        found: Facts | None = facts
        for need in wanted:
            if found is not None:
                terms = self.readings.difference(need.part, _NOTHING, found)
                found = found if terms is None else found.given(terms, need.signs)
        return found

    def divides(self, need: Need, known: Iterable[Terms]) -> bool:
        """Whether what must not be zero is a product of what is known not to be."""
        terms = self.zeros(need)
        for each in known:
            while terms and any(map(any, each)) and (less := divided(terms, each)) is not None:
                terms = less
        return not any(map(any, terms)) if terms else False

    def zeros(self, need: Need) -> Terms | None:
        """The polynomial that must not be zero."""
        quotient = self.readings.quotient(need.part)
        return None if quotient is None or need.signs != NOT_ZERO else quotient.over

    def breaking(self, case: Case, need: Need) -> Iterator[Case]:
        """The cases in which a need is not met."""
        terms = self.readings.difference(need.part, _NOTHING, case.facts)
        for some in _parts(ANY - need.signs, apart=True):
            broken = case.assuming(some, need.part, _NOTHING)
            if terms is None:
                yield broken
            else:
                yield from self.settling.under(broken, terms, some)


def _chosen(node: Node) -> Node:
    """A comparison as a choice between two numbers; roots as absolute values."""
    node = without_roots(node)
    return Call("where", (node, Number("1"), _NOTHING)) if isinstance(node, Compare) else node


def _parts(signs: Signs, *, apart: bool) -> Iterator[Signs]:
    """Signs that are taken together, or each of them apart."""
    if apart or signs == NOT_ZERO:
        for sign in sorted(signs):
            yield frozenset((sign,))
    elif signs:
        yield signs
