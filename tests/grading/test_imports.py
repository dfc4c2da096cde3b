"""Grading is light: no SymPy, closed forms included, and no mpmath unless a value is irrational."""

from __future__ import annotations

import json
import subprocess
import sys

PROGRAM = """
import sys
from symscale.catalog.loader import load
from symscale.expressions.text import text
from symscale.grading import grade
import json

tasks = load().tasks
for id in list(tasks)[:6] + ["sc-021"]:
    instance = tasks[id].instance()
    assert grade(instance, instance.answer.json).reward == 1.0
    grade(instance, instance.answer.json.replace("1", "2"))
    forms = [text(tasks[id].numeric[column.name]) for column in tasks[id].columns]
    assert grade(instance, json.dumps({"closed_form": forms})).reward == 1.0
    grade(instance, json.dumps({"closed_form": ["1"] * len(forms)}))
instance = tasks["sc-021"].instance()
grade(instance, '{"closed_form": ["ceil(V/W)", "max(V, where(W > n, V, n))"]}')
heavy = [name for name in ("sympy", "mpmath", "numpy", "rich") if name in sys.modules]
grade(instance, '{"closed_form": ["sqrt(V*n)", "log(V)"]}')
print(json.dumps([heavy, "sympy" in sys.modules]))
"""


def test_no_sympy() -> None:
    output = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    ).stdout
    assert json.loads(output) == [[], False]


def test_no_sympy_on_the_command_line() -> None:
    program = "import sys, symscale.cli.grade; print('sympy' in sys.modules, 'rich' in sys.modules)"
    output = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert output.split() == ["False", "False"]
