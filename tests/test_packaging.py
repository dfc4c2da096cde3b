"""The wheel carries the catalog and works from an empty directory."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("wheel")
    build = "from hatchling.build import build_wheel; import sys; print(build_wheel(sys.argv[1]))"
    subprocess.run(
        [sys.executable, "-c", build, str(target)], cwd=ROOT, check=True, capture_output=True
    )
    (path,) = target.glob("*.whl")
    return path


def test_it_contains_the_catalog_and_no_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "symscale/_tasks/units.toml" in names
    assert "symscale/py.typed" in names
    assert "symscale/adapters/lm_eval/symscale_scaling.yaml" in names
    for path in (ROOT / "tasks").rglob("*.*"):
        assert f"symscale/_tasks/{path.relative_to(ROOT / 'tasks').as_posix()}" in names
    assert not [name for name in names if name.startswith(("tests", "benchmarks"))]


def test_it_verifies_where_it_is_installed(wheel: Path, tmp_path: Path) -> None:
    """Installed apart from the checkout, with the libraries of this environment beside it."""
    home = tmp_path / "venv"
    venv.create(home, symlinks=True)
    (library,) = home.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(library)
    others = [path for path in sys.path if path.endswith("site-packages")]
    (library / "others.pth").write_text("\n".join(others), encoding="utf-8")
    elsewhere = tmp_path / "empty"
    elsewhere.mkdir()
    done = subprocess.run(
        [
            str(home / "bin" / "python"),
            "-c",
            "import symscale, sys; print(symscale.__file__); "
            "from symscale.cli import main; main(['verify', '--variants', '0'])",
        ],
        cwd=elsewhere,
        env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(library))
    assert "everything holds" in done.stdout
