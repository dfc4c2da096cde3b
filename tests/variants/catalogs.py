"""Small catalogs for tests: one ring task, with whatever a test changes in it."""

from __future__ import annotations

from pathlib import Path

from symscale.catalog.loader import Catalog, load
from symscale.catalog.tasks import Task

_FILE = """\
id = "ring"
title = "A ring"
source = "a test"
prompt = {prompts}
where = {where}

[parameters]
n = {{ quantity = "ring_size", value = 8, range = {n}{extrapolate} }}
V = {{ quantity = "gathered_bytes", value = "4e9", range = {V}, shown = {shown} }}

[steps]
sent = {{ unit = "byte", expression = "V*(n - 1)/n" }}

[answer]
bytes = {{ unit = "byte", expression = "sent" }}
size = {{ expression = 'where(sent > 1 [GB], "large", "small")' }}
long = {{ expression = "n > 16" }}

[mistakes.all_shards]
message = "you sent every shard"
replace = {{ sent = "V" }}

[mistakes.squared]
message = "you divided by n squared and doubled"
replace = {{ sent = "V*(n - 1)*2/n**2", long = "n > 32" }}
"""

INTEGERS = "{ integers = [2, 40] }"
BYTES = '{ choices = ["1e6", "3e6", "2e8", "4e9", "7e9", "1e10", "5e10"] }'


def ring(
    directory: Path,
    *,
    prompts: tuple[str, ...] = ("{n} devices gather {V}.", "Gather {V} on {n} devices."),
    where: tuple[str, ...] = (),
    n: str = INTEGERS,
    V: str = BYTES,
    extrapolate: str = "",
    shown: tuple[str, ...] = ("byte", "GB"),
) -> Task:
    """The task over ranges as a file writes them.

    With n = 2 the mistake `squared` is right in all columns.
    """
    return catalog_of(
        directory,
        _FILE.format(
            prompts=list(prompts),
            where=list(where),
            n=n,
            V=V,
            extrapolate=extrapolate and f", extrapolate = {extrapolate}",
            shown=list(shown),
        ),
    ).tasks["ring"]


def catalog_of(directory: Path, text: str) -> Catalog:
    file = directory / "sharding" / "ring.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return load(directory)
