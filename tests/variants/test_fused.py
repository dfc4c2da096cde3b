"""The fused path against the plain one, byte for byte."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symscale.catalog.instances import Answer
from symscale.catalog.loader import Catalog, load
from symscale.catalog.tasks import Task
from symscale.variants.fused import Lines, _Writer
from symscale.variants.rows import to_json
from symscale.variants.sequence import Variants
from symscale.variants.splits import Split
from symscale.variants.tables import escaped, number_cell
from tests.variants.catalogs import catalog_of, ring

TASKS = sorted(load().tasks)


def plain(variants: Variants, start: int, stop: int) -> str:
    return "".join(to_json(row) + "\n" for row in variants.rows(start, stop))


def fused(variants: Variants, start: int, stop: int) -> str:
    return "".join(line for slot in Lines(variants).slots(start, stop) for line in slot)


@pytest.mark.parametrize("id", TASKS)
def test_both_paths_write_the_same_bytes(catalog: Catalog, id: str) -> None:
    task = catalog.tasks[id]
    for variants, start, count in (
        (Variants(task, "train", 0), 0, 700),
        (Variants(task, "test", 2**63 - 1), 1000, 300),
    ):
        assert Lines(variants).size == variants.size
        assert fused(variants, start, start + count) == plain(variants, start, start + count)


@pytest.mark.parametrize("id", TASKS)
def test_both_paths_agree_when_unfair_ones_are_let_in(catalog: Catalog, id: str) -> None:
    variants = Variants(catalog.tasks[id], "train", 1, unfair=True)
    assert fused(variants, 0, 60) == plain(variants, 0, 60)


def everything(task: Task, split: Split) -> None:
    for unfair in (False, True):
        variants = Variants(task, split, 4, unfair)
        assert Lines(variants).size == variants.size
        assert fused(variants, 0, variants.size) == plain(variants, 0, variants.size)


def test_a_whole_small_space_is_the_same(tmp_path: Path) -> None:
    task = ring(
        tmp_path,
        prompts=('"{n}" \\ é ≥ \\u0000 {V}{V}\n{n}', "{V}: {n}"),
        where=("V*n > 20 [MB]", "n != 7"),
        extrapolate="{ powers_of_two = [64, 1024] }",
    )
    everything(task, "train")
    everything(task, "test")
    everything(task, "extrapolate")


_IRRATIONAL = """\
id = "ring"
title = "Roots, logarithms and holes"
source = "a test"
prompt = "{n} and {x}"

[parameters]
n = { quantity = "ring_size", value = 9, range = { integers = [2, 30] } }
x = { quantity = "model_tensor_degree", value = 4, range = { integers = [1, 12] } }

[answer]
root = { unit = "1", expression = "sqrt(n) / (n - x)" }
bits = { unit = "1", expression = "log2(x)" }
word = { expression = 'where(exp(x) > n**2, "a", where(x > 3, "bé", "c"))' }
more = { expression = "sqrt(n) > x" }
whole = { unit = "1", expression = "ceil(n / x)", exact = true }

[mistakes.other_word]
message = "another word"
replace = { word = 'where(x > 3, "bé", "c")' }

[mistakes.other_truth]
message = "another truth"
replace = { more = "n > x" }

[mistakes.rounded_down]
message = "rounded down, and over zero"
replace = { whole = "floor(n / x)", bits = "log2(x) * (n - 2) / (n - 2)" }
"""


def test_irrational_values_and_holes_are_the_same(tmp_path: Path) -> None:
    quantities = load().quantities
    whole = next(
        id
        for id, quantity in quantities.items()
        if quantity.unit.text == "1" and quantity.domain.text == "integer >= 1"
    )
    text = _IRRATIONAL.replace("model_tensor_degree", whole)
    everything(catalog_of(tmp_path, text).tasks["ring"], "train")


_CHARACTERS = re.compile(r"[\w +*/<>=!(),:;\[\]%.-]*")
_WORD = re.compile(r"[A-Za-z_]\w*")
_KNOWN_WORD = re.compile(
    r"d|[acestvwx]\d+|(values|texts|label)\d+|rank|index|word|words|given|plain|cell|str|body|content|"
    r"digest|phrasing|sha256|encode|hexdigest|abs|gcd|power|log|log2|exp|zero|if|elif|else|not|try|"
    r"except|return|None|Irrational|ZeroDivisionError"
)
_JOINED = re.compile(r"f'((?:\{\w+\})+)'")


def test_no_text_of_a_file_is_in_the_generated_source(catalog: Catalog) -> None:
    for task in catalog.tasks.values():
        writer = _Writer(Variants(task))
        draws = (*writer.draw(texts=True), *writer.draw(texts=False))
        for line in (*draws, *writer.solve(), *writer.write()):
            plain = _JOINED.sub(lambda joined: joined[1].replace("}{", " ").strip("{}"), line)
            assert _CHARACTERS.fullmatch(plain), line
            for word in _WORD.findall(plain):
                assert _KNOWN_WORD.fullmatch(word), line


@given(
    st.integers(-(10**40), 10**40), st.integers(1, 10**35), st.integers(0, 40), st.integers(0, 40)
)
def test_cells_are_written_as_the_answer_writes_them(n: int, d: int, two: int, five: int) -> None:
    for value in (Fraction(n, d), Fraction(n, 2**two * 5**five), Fraction(n)):
        answer = Answer(((value,),))
        text, exact = number_cell(*value.as_integer_ratio())
        assert [[exact]] == answer.exact
        assert escaped(answer.json) == escaped('{"rows": [[') + text + "]]}"
