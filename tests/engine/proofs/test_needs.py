"""What an expression needs in order to have a value."""

from __future__ import annotations

import pytest

from symscale.engine.proofs.facts import NOT_NEGATIVE, NOT_ZERO, POSITIVE, Signs
from symscale.engine.proofs.needs import needs
from symscale.expressions.parser import parse
from symscale.expressions.text import text
from symscale.units import UnitSystem


@pytest.mark.parametrize(
    ("written", "needed"),
    [
        ("a + b*c - 2", {}),
        ("a**2 + a**0", {}),
        ("a/b", {"b": NOT_ZERO}),
        ("a/(b*c)", {"b": NOT_ZERO, "c": NOT_ZERO}),
        ("a/(b/c)", {"b": NOT_ZERO, "c": NOT_ZERO}),
        ("a/b**2", {"b": NOT_ZERO}),
        ("a/(b + c)", {"b + c": NOT_ZERO}),
        ("a/(b - 1)**3", {"b - 1": NOT_ZERO}),
        ("a**-1", {"a": NOT_ZERO}),
        ("(a*b)**-2", {"a": NOT_ZERO, "b": NOT_ZERO}),
        ("1/a**-1", {"a**-1": NOT_ZERO, "a": NOT_ZERO}),
        ("a**0.5", {"a": NOT_NEGATIVE}),
        ("a**1.5", {"a": NOT_NEGATIVE}),
        ("a**-0.5", {"a": POSITIVE}),
        ("a**(1/3)", {"a": NOT_NEGATIVE, "3": NOT_ZERO}),
        ("a**b", {"a": POSITIVE}),
        ("sqrt(a - b)", {"a - b": NOT_NEGATIVE}),
        ("log(a)*log2(b)", {"a": POSITIVE, "b": POSITIVE}),
        ("exp(a)", {}),
    ],
)
def test_needs(written: str, needed: dict[str, Signs], units: UnitSystem) -> None:
    assert {text(need.part): need.signs for need in needs(parse(written, units))} == needed
