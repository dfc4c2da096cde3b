"""The house: imports go one way, and what is heavy is loaded where it is used."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import symscale

PACKAGE = Path(symscale.__file__).parent
ORDER = (
    "errors",
    "numbers",
    "units",
    "expressions",
    "algebra",
    "render",
    "catalog",
    "engine",
    "models",
    "variants",
    "grading",
    "verification",
    "export",
    "adapters",
    "cli",
)
MODULES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))


def imported(tree: ast.Module, *, everywhere: bool) -> Iterator[str]:
    """The modules that a file imports, at its top or anywhere."""
    nodes = ast.walk(tree) if everywhere else iter(_top_level(tree.body))
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield node.module or ""


def _top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_a_module_imports_only_what_stands_above_it(module: Path) -> None:
    own = module.parts[0].removesuffix(".py")
    if own in ("__init__", "__main__"):
        return
    tree = ast.parse((PACKAGE / module).read_text(encoding="utf-8"))
    for name in imported(tree, everywhere=False):
        parts = name.split(".")
        if parts[0] == "symscale" and len(parts) > 1:
            assert ORDER.index(parts[1]) <= ORDER.index(own), f"{module} imports {name}"
            assert parts[1] != "cli" or own == "cli"


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_sympy_is_imported_by_few(module: Path) -> None:
    tree = ast.parse((PACKAGE / module).read_text(encoding="utf-8"))
    top = {name.split(".")[0] for name in imported(tree, everywhere=False)}
    if module != Path("expressions/tree.py"):
        assert "sympy" not in top, f"{module} imports SymPy where it is imported"
    assert not top & {"rich", "pyarrow", "ray", "orjson", "matplotlib", "mpmath"}
    assert "click" not in top or module.parts[0] == "cli"


def loaded(code: str) -> set[str]:
    """The top-level modules that running some code in a fresh interpreter loads."""
    script = f"import sys\n{code}\nprint(' '.join({{m.split('.')[0] for m in sys.modules}}))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120
    )
    return set(done.stdout.splitlines()[-1].split())


HEAVY = {"sympy", "mpmath", "rich", "click", "pyarrow", "ray", "numpy"}


def test_importing_the_package_is_light() -> None:
    assert not loaded("import symscale; symscale.load().tasks['sc-021'].instance().answer") & HEAVY


def test_help_imports_click_alone() -> None:
    heavy = loaded("from symscale.cli import run; run(['--help'])")
    assert heavy & HEAVY == {"click"}


@pytest.mark.parametrize("command", [["generate", "sc-021", "-n", "3"]])
def test_generating_imports_no_sympy(command: list[str]) -> None:
    assert "sympy" not in loaded(f"from symscale.cli import run; assert run({command!r}) == 0")


def test_no_text_is_run_as_code() -> None:
    """`exec` stands once, for the source that the kernels generate themselves."""
    calls: dict[str, list[str]] = {}
    for module in MODULES:
        tree = ast.parse((PACKAGE / module).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func).rsplit(".", 1)[-1]
                if name in ("eval", "exec", "sympify", "parse_expr", "lambdify", "S"):
                    calls.setdefault(name, []).append(module.as_posix())
    assert set(calls) <= {"exec"}
    assert set(calls["exec"]) <= {"expressions/kernel.py", "variants/fused.py"}


def test_no_float_stands_between_a_file_and_a_key() -> None:
    allowed = ("cli/", "adapters/", "export/", "render/", "variants/engines.py")
    for module in MODULES:
        if module.as_posix().startswith(allowed):
            continue
        tree = ast.parse((PACKAGE / module).read_text(encoding="utf-8"))
        floats = [
            ast.unparse(node)
            for node in ast.walk(tree)
            if (isinstance(node, ast.Call) and ast.unparse(node.func) == "float")
            or (isinstance(node, ast.Constant) and isinstance(node.value, float))
        ]
        rewards = {"0.0", "1.0"} if module.parts[0] in ("grading", "verification") else set()
        assert not set(floats) - rewards, f"{module} has the floats {floats}"
