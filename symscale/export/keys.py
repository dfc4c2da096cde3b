"""A row's answer key as one text, for places that carry a single string to the reward."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from symscale.errors import CatalogError
from symscale.variants.rows import to_json

KEY = ("task", "parameters", "columns", "exact")
"""What of a row the grader needs."""


def key_text(row: Mapping[str, Any]) -> str:
    """The part of a row that decides on an answer, as JSON. Raises CatalogError."""
    try:
        return to_json({name: row[name] for name in KEY})
    except KeyError as error:
        raise CatalogError(f"has no {error.args[0]!r}", where="row") from None


def read_key_text(text: str) -> dict[str, Any]:
    """What `symscale.grade` takes in place of the row. Raises CatalogError."""
    try:
        key = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CatalogError(f"is not JSON: {error}", where="key") from None
    if not isinstance(key, dict):
        raise CatalogError("is not a JSON object", where="key")
    return key
