"""No entry of the catalog changes by accident: not a digit of a prompt, a range or a unit."""

from __future__ import annotations

import json

from tests.catalog.lock import LOCK, digests

HINT = "if the change was meant, record it: python -m tests.catalog.lock --write"


def test_every_entry_says_what_it_said() -> None:
    locked = json.loads(LOCK.read_text(encoding="utf-8"))
    changed = [
        f"{place} {name}".strip()
        for place, entries in digests().items()
        for name, digest in entries.items()
        if locked.get(place, {}).get(name) != digest
    ]
    assert not changed, HINT
    assert digests() == locked, f"an entry is gone; {HINT}"
