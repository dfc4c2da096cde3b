"""Everything that the README and the pages under docs/ show is run, and prints what they say."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from symscale.cli import run

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("**/*.md"))]
_FENCE = re.compile(r"^```(\S*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    return [code for tag, code in _FENCE.findall(page.read_text("utf-8")) if tag == language]


def sessions(page: Path) -> Iterator[tuple[str, str]]:
    """Each `$ symscale ...` line of a console block, with the output that follows it."""
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def agrees(expected: str, found: str) -> bool:
    """Whether the output is what the page says, `...` standing for anything."""

    def normal(text: str) -> str:
        """Without what only lays the page out: blank lines, ends of lines, lengths of rules."""
        lines = [re.sub("─+", "─", line.rstrip()) for line in text.splitlines()]
        return "\n".join(filter(None, lines)) + "\n"

    checker = doctest.OutputChecker()
    return checker.check_output(normal(expected), normal(found), doctest.ELLIPSIS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_console_sessions(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """A page is one session: a later command may read what an earlier one wrote."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for command, expected in sessions(page):
        words = shlex.split(command)
        if words[0] != "symscale":
            continue
        into = None
        if ">" in words:
            into = tmp_path / words[words.index(">") + 1]
            words = words[: words.index(">")]
        run(words[1:])
        found = capfd.readouterr().out
        if into is not None:
            into.write_text(found, encoding="utf-8")
            found = ""
        assert agrees(expected, found), f"{page.name}: $ {command}\n{found}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code = "\n".join(blocks(page, "pycon"))
    examples = doctest.DocTestParser().get_doctest(code, {}, page.name, str(page), 0)
    failed, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples)
    assert failed == 0
