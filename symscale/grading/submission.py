"""The object that a model wrote: strict JSON, within bounds, its numbers still text."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from symscale.catalog.reading import distinct, no_constant
from symscale.grading.extraction import Candidate
from symscale.grading.reasons import Refusal

MAX_OBJECT = 50_000
"""Characters of the object; a key has a few hundred."""

Form: TypeAlias = Literal["rows", "closed_form"]


@dataclass(frozen=True, slots=True)
class NumberText:
    """A JSON number as it was written."""

    text: str


@dataclass(frozen=True, slots=True)
class Submission:
    """What stands under the one key of the object: any JSON value, numbers as NumberText."""

    form: Form
    content: Any


def read_submission(candidate: Candidate) -> Submission | Refusal:
    """Parse the object. Refused are duplicate keys, keys besides the one, NaN and Infinity, and
    more than 50,000 characters. Extraction has bounded the depth."""
    if candidate.fault:
        return Refusal("malformed", f"the last object {candidate.fault}")
    if len(candidate.text) > MAX_OBJECT:
        return Refusal("too_large", f"the object has more than {MAX_OBJECT} characters")
    try:
        value, end = _DECODER.raw_decode(candidate.text)
    except ValueError as error:
        return Refusal("malformed", f"the last object is not JSON: {error}")
    if end < len(candidate.text):
        return Refusal("malformed", f"the last object is over at character {end}")
    match list(value):
        case ["rows"]:
            return Submission("rows", value["rows"])
        case ["closed_form"]:
            return Submission("closed_form", value["closed_form"])
    others = [key for key in value if key not in ("rows", "closed_form")]
    found = f"the key {others[0][:40]!r}" if others else "both keys"
    return Refusal("malformed", f'the object has one key, "rows" or "closed_form"; here is {found}')


_DECODER = json.JSONDecoder(
    object_pairs_hook=distinct,
    parse_float=NumberText,
    parse_int=NumberText,
    parse_constant=no_constant,
)
