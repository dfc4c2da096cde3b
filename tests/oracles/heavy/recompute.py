"""Recompute the figures of tasks/proofs that torch and transformers gave, and compare.

    python -m tests.oracles.heavy.recompute [--write] [AREA ...]

With --write the lines take the new values and the versions that gave them; a new line needs
`"value": ""` and `"with": ""`. The exit status is 1 where a figure differs.
"""

from __future__ import annotations

import argparse
import json
import sys
from importlib.metadata import version
from typing import Any

from tests.oracles.lines import PROOFS, read, recompute, title, written

PACKAGES = ("torch", "transformers")


def versions() -> str:
    """The packages in use, without the build that a wheel was made for."""
    return ", ".join(f"{package} {version(package).partition('+')[0]}" for package in PACKAGES)


def differing(area: str, lines: list[dict[str, Any]]) -> int:
    """Recompute the heavy lines in place; say which differ, and how many."""
    count = 0
    for line in lines:
        if "with" not in line:
            continue
        value = written(recompute(line, area))
        if value != line["value"]:
            count += 1
            print(f"{area}: {title(line)}: {line['value'] or 'nothing'} is now {value}")
        line |= {"value": value, "with": versions()}
    return count


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="recompute the figures of torch and transformers")
    parser.add_argument("--write", action="store_true", help="write the new figures")
    parser.add_argument("areas", nargs="*", metavar="AREA")
    chosen = parser.parse_args(arguments)
    total = 0
    for area in chosen.areas or sorted(path.stem for path in PROOFS.glob("*.jsonl")):
        lines = read(area)
        total += differing(area, lines)
        if chosen.write:
            text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
            (PROOFS / f"{area}.jsonl").write_text(text, encoding="utf-8")
    return 1 if total and not chosen.write else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
