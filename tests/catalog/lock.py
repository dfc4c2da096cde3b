"""What every entry of the catalog says, as a digest: a change that nobody meant shows.

`python -m tests.catalog.lock --write` records what is there after a change that was meant.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tomllib
from pathlib import Path

TASKS = Path(__file__).resolve().parents[2] / "tasks"
LOCK = Path(__file__).with_name("lock.json")
MANY = ("formulas", "units.toml", "quantities.toml", "identities.toml", "mistakes.toml")
"""Files with a table an entry; the others are one entry each."""


def digests() -> dict[str, dict[str, str]]:
    """A digest of each entry, by file. Layout and comments do not count."""
    found: dict[str, dict[str, str]] = {}
    for path in sorted(TASKS.rglob("*.toml")):
        place = path.relative_to(TASKS)
        content = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=str)
        entries = content if place.parts[0] in MANY else {"": content}
        found[place.as_posix()] = {name: _digest(entry) for name, entry in entries.items()}
    return found


def _digest(entry: object) -> str:
    return hashlib.sha256(json.dumps(entry, ensure_ascii=False).encode()).hexdigest()[:16]


def main(arguments: list[str]) -> int:
    if arguments != ["--write"]:
        print(__doc__)
        return 2
    LOCK.write_text(json.dumps(digests(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
