"""The wrong forms of formulas that the catalog knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from symscale.catalog.loader import Catalog, load
from symscale.engine.compare import check
from symscale.errors import CatalogError
from symscale.expressions.text import text


def test_each_is_wrong(catalog: Catalog) -> None:
    """None is the formula after all, in another shape."""
    for mistake in catalog.mistakes.values():
        letters = {letter: quantity.id for letter, quantity in mistake.symbols.items()}
        comparison = check(
            catalog,
            text(mistake.wrong),
            mistake.formula.id,
            names_are={k: v for k, v in letters.items() if k in _names(text(mistake.wrong))},
        )
        assert not comparison.equivalent, mistake.id
        assert mistake.id in [wrong.name for wrong in comparison.mistakes]


def _names(written: str) -> set[str]:
    import re

    return set(re.findall(r"[A-Za-z_]\w*", re.sub(r"\[[^]]*\]", "", written)))


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ('formula = "train_flop"\nwrong = "N"\nmessage = "m"', "bad.formula: no formula is called"),
        ('formula = "train_flops"\nwrong = "6*N*Z"\nmessage = "m"', "bad.wrong: Z is not defined"),
        ('formula = "train_flops"\nwrong = "N*T"\nmessage = "m"', "bad.wrong: N\\*T is in"),
        ('formula = "train_flops"\nwrong = "2 [flop]"', "bad.message: is missing"),
        (
            'formula = "train_flops"\nwrong = "2 [flop]"\nmessage = "m"\nsymbols = { N = "d_ff" }',
            "bad.symbols.N: is a symbol of train_flops already",
        ),
    ],
)
def test_bad_entries(tmp_path: Path, entry: str, says: str) -> None:
    (tmp_path / "mistakes.toml").write_text(f"[bad]\n{entry}\n", encoding="utf-8")
    with pytest.raises(CatalogError, match=says):
        _ = load(tmp_path).mistakes
