"""How a model is asked to answer: one text, for every question and every adapter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symscale.catalog.columns import Column, Parameter
from symscale.units import Unit

SYSTEM_PROMPT = """\
You answer quantitative questions about scaling machine-learning models. Work out the answer \
from the numbers in the question alone; do not use remembered figures of real hardware. Decimal \
prefixes are powers of 1000 (1 GB = 10^9 bytes), binary ones powers of 1024 (1 GiB = 2^30 \
bytes). A device, a chip and a rank are the same thing. You may reason first; end with the JSON \
object that the question asks for, and nothing after it."""


def answer_instructions(columns: Sequence[Column]) -> str:
    """What the object must hold, column by column."""
    names = ", ".join(column.name for column in columns)
    lines = [f"- {column.name}: {_what(column)}" for column in columns]
    return "\n".join(
        [
            f'Answer with one JSON object, {{"rows": [[{names}]]}}: a single row holding',
            *lines,
            "Give numbers to at least 10 significant digits, or exactly as a fraction in quotes "
            '("7/3"); do not round further.',
        ]
    )


def closed_form_instructions(columns: Sequence[Column], parameters: Iterable[Parameter]) -> str:
    """What the object must hold when formulas are asked for instead of numbers."""
    names = ", ".join(f'"{column.name}"' for column in columns)
    letters = [f"- {p.name}: {p.quantity.meaning}{_in(p.unit)}" for p in parameters]
    values = [f"- {column.name}: {_what(column)}" for column in columns]
    return "\n".join(
        [
            "Answer with formulas, not numbers. The letters, each standing for a plain number:",
            *letters,
            f'Answer with one JSON object, {{"closed_form": [{names}]}}: in place of each name a '
            "text in quotes, the formula of",
            *values,
            "Write formulas with the letters, decimal numbers, + - * / ** and parentheses, and "
            'the functions max min ceil floor abs sqrt log log2 exp and where(a > b, "one", '
            '"other"). They must hold for all values of the letters, not only these.',
        ]
    )


def _in(unit: Unit) -> str:
    return "" if unit.text == "1" else f", in {unit}"


def _what(column: Column) -> str:
    match column.kind:
        case "label":
            return "exactly one of " + ", ".join(f'"{label}"' for label in column.labels)
        case "truth":
            return "true or false"
    exact = ", an exact integer" if column.exact else ""
    return (
        f"a pure number{exact}" if column.unit.text == "1" else f"a number in {column.unit}{exact}"
    )
