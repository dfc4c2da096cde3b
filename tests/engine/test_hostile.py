"""Hostile text in any argument is refused at once, with an error of the family."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Any

import pytest

from symscale.catalog.loader import Catalog
from symscale.engine.compare import check
from symscale.engine.crossings import cross
from symscale.engine.derive import derive
from symscale.engine.identify import identify
from symscale.engine.identities import prove
from symscale.engine.solve import solve
from symscale.errors import SymscaleError

TEXTS = [
    "__import__('os').system('true')",
    "9**9**9**9",
    "(" * 5000 + "x" + ")" * 5000,
    "x" * 3000,
    "1e999999999",
    "x**99999999",
    "max(" + ",".join(["x"] * 400) + ")",
    "lambda: 0",
    "x.__class__",
    "((x + y + z + u + v + w)**40 + 1)**40",
    "exp(exp(exp(exp(exp(x)))))",
    "x; y",
    "\x00",
    "x" + "+x" * 600,
    "ceil(" * 55 + "x" + ")" * 55,
    "",
    "1/0",
    "x/(y - y)",
    "2**(2**x)",
    "log(0)",
    "sqrt(-1)",
    "where(x > 1, where(x > 2, x, 1), where(x > 3, 2, x))",
]

CALLS: dict[str, Callable[[Catalog, str], Any]] = {
    "target": lambda c, t: derive(c, t, given={}),
    "given name": lambda c, t: derive(c, "train_flops", given={t: 1}),
    "given value": lambda c, t: derive(c, "train_flops", given={"n_params": t}),
    "assume": lambda c, t: derive(c, "train_flops", given={}, assume=[t]),
    "condition": lambda c, t: solve(c, f"{t} > 1", for_="x", given={"y": 2, "z": 3}),
    "for": lambda c, t: solve(c, "x > 1", for_=t),
    "solve given": lambda c, t: solve(c, "x > y", for_="x", given={"y": t}),
    "cross": lambda c, t: cross(c, t, "x", for_="x", given={"y": 2}),
    "formula": lambda c, t: check(
        c, t, "train_flops", names_are={n: "n_params" for n in "xyzuvw" if n in t}
    ),
    "entry": lambda c, t: check(c, "6*N*T", t),
    "map": lambda c, t: check(c, "6*N*T", "train_flops", names_are={"N": t}),
    "unit": lambda c, t: check(c, "6*N*T", "train_flops", unit=t),
    "claim": lambda c, t: prove(c, f"{t} = x"),
    "where": lambda c, t: prove(c, "x = x", where=[t]),
    "figure": lambda c, t: identify(c, t, given={}),
    "identify given": lambda c, t: identify(c, "1 byte", given={"n_params": t}),
}


@pytest.mark.parametrize("call", CALLS)
def test_it_ends_soon_and_in_the_family(catalog: Catalog, call: str) -> None:
    list(catalog.tasks.values())  # read once, by whoever asks first
    for written in TEXTS:
        start = time.process_time()
        with contextlib.suppress(SymscaleError):
            CALLS[call](catalog, written)
        assert time.process_time() - start < 3, (call, written[:40])
