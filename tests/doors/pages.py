"""The page of a door, run as it stands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run_page(name: str, cwd: Path, **names: Any) -> dict[str, Any]:
    """Run the `bash` and `python` blocks of docs/doors/NAME.md in order; its names at the end.

    Lines that install are left out: whoever runs this has followed them. `names` are what the page
    leaves to the reader; those in capitals are variables of the shell.
    """
    text = (ROOT / "docs" / "doors" / f"{name}.md").read_text(encoding="utf-8")
    shell = {key: str(value) for key, value in names.items() if key.isupper()}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    found = {"__name__": f"page_{name}", **names}
    before = Path.cwd()
    os.chdir(cwd)
    try:
        for language, code in _FENCE.findall(text):
            if language == "bash":
                lines = [line for line in code.splitlines() if not line.startswith("pip install")]
                subprocess.run(
                    ["bash", "-euo", "pipefail", "-c", "\n".join(lines)],
                    env={**os.environ, **shell, "PATH": path},
                    check=True,
                    timeout=600,
                )
            elif language == "python":
                exec(compile(code, f"{name}.md", "exec"), found)
    finally:
        os.chdir(before)
    return found
