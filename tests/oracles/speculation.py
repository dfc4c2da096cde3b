"""Speculative decoding: every sequence of accepted and rejected drafts, with its chance."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from tests.oracles.clock import crossing, each


def outcomes(a: Fraction, g: Fraction) -> Iterator[tuple[Fraction, int]]:
    """Chance and tokens of a step, over all 2**g verdicts on its drafts."""
    for verdicts in product((True, False), repeat=len(each(g))):
        chance = Fraction(1)
        for accepted in verdicts:
            chance *= a if accepted else 1 - a
        kept = next((i for i, accepted in enumerate(verdicts) if not accepted), len(verdicts))
        yield chance, kept + 1  # the target's own token follows


def mean_tokens(a: Fraction, g: Fraction) -> Fraction:
    return sum((chance * tokens for chance, tokens in outcomes(a, g)), Fraction(0))


def gain_over_plain_decoding(a: Fraction, g: Fraction, c: Fraction) -> Fraction:
    """In target steps: each draft takes c of one, verifying them all takes one."""
    taken = sum((c for _draft in each(g)), Fraction(1))
    return mean_tokens(a, g) / taken


def extra_work_for_each_token(a: Fraction, g: Fraction, c: Fraction) -> Fraction:
    """In target tokens: drafts cost c each, and the target runs on them and on one more."""
    drafted = sum((c for _draft in each(g)), Fraction(0))
    verified = sum((Fraction(1) for _draft in each(g)), Fraction(1))
    return (drafted + verified) / mean_tokens(a, g)


def sequences_that_fill_a_step(I: Fraction, g: Fraction) -> Fraction:
    of_one = len([*each(g), "the token after them"])
    return crossing(lambda sequences: sequences * of_one - I)
