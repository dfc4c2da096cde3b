"""Files that do not say what they must: each gets one error with file, key and what is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from symscale.catalog.loader import Catalog, load
from symscale.errors import CatalogError, SymscaleError

FORMULA = """
[my_seconds]
title = "Time to send a buffer"
result = "communication_time"
unit = "s"
expression = "V/W"
symbols = { V = "gathered_bytes", W = "link_bandwidth_one_way" }
source = "a test"
"""

TASK = """
id = "my-1"
title = "Time to send a buffer"
source = "a test"
prompt = "How long does {V} take at {W}?"

[parameters]
V = { quantity = "gathered_bytes", value = "4.0e9", range = { choices = ["1e9", "2e9"] } }
W = { quantity = "link_bandwidth_one_way", value = "1e11", range = { powers_of_two = [2, 8] } }

[steps]
time = { unit = "s", expression = "V/W" }

[answer]
seconds = { unit = "s", expression = "time" }

[mistakes.inverted]
message = "you divided the wrong way round"
replace = { time = "W/V" }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "formulas").mkdir()
    (tmp_path / "mine").mkdir()
    return tmp_path


def with_formula(folder: Path, text: str) -> Catalog:
    (folder / "formulas" / "mine.toml").write_text(text, encoding="utf-8")
    return load(folder)


def with_task(folder: Path, text: str) -> Catalog:
    (folder / "mine" / "one.toml").write_text(text, encoding="utf-8")
    return load(folder)


def result_quantity(catalog: Catalog) -> str:
    return next(q.id for q in catalog.quantities.values() if q.unit.text == "s")


class TestFormulas:
    def test_a_good_one_is_read(self, folder: Path, catalog: Catalog) -> None:
        text = FORMULA.replace("communication_time", result_quantity(catalog))
        assert with_formula(folder, text).formulas["my_seconds"].evaluate(V=6, W=2) == 3

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ('title = "Time to send a buffer"\n', "", "my_seconds.title: is missing"),
            ('"V/W"', '"V*W"', "my_seconds.expression: V*W is in byte**2/s, where s is needed"),
            ('"V/W"', '"V/"', "expected a number, a name or '('"),
            ('"V/W"', '"V/W + U - U"', "U is not defined; known are V, W"),
            ('"V/W"', '"V/W/nothing(V)"', "no formula is called 'nothing'"),
            ('"V/W"', '"1 [s]"', "my_seconds.symbols.V: does not stand in the expression"),
            ('"V/W"', "5", "my_seconds.expression: is a text in quotes, not 5"),
            ('unit = "s"', 'unit = "sec/"', "my_seconds.unit: unit 'sec/': a unit is missing"),
            ('unit = "s"', 'unit = "byte"', "my_seconds.unit: byte does not measure"),
            ('"gathered_bytes"', '"gatherd_bytes"', "did you mean gathered_bytes"),
            (
                'source = "a test"',
                'source = "a test"\ncolour = 1',
                "my_seconds.colour: is not a key",
            ),
            ('source = "a test"', 'source = "a test"\nconditions = ["V"]', "is not a comparison"),
            ('source = "a test"', 'source = ["a"', "is not a TOML file"),
            ('source = "a test"', "source = 'a\ttest\x07'", "is not a TOML file"),
        ],
    )
    def test_a_wrong_one(
        self, folder: Path, catalog: Catalog, old: str, new: str, message: str
    ) -> None:
        text = FORMULA.replace("communication_time", result_quantity(catalog))
        assert old in text
        with pytest.raises(CatalogError) as error:
            with_formula(folder, text.replace(old, new)).formulas["my_seconds"]
        assert f"{folder.name}/formulas/mine.toml" in str(error.value)
        assert message in str(error.value)

    def test_a_circle_is_found(self, folder: Path, catalog: Catalog) -> None:
        text = FORMULA.replace("communication_time", result_quantity(catalog))
        circle = text.replace('"V/W"', '"other(V, W)"') + text.replace(
            "[my_seconds]", "[other]"
        ).replace('"V/W"', '"my_seconds(V, W)"')
        with pytest.raises(CatalogError, match="my_seconds -> other -> my_seconds"):
            with_formula(folder, circle).formulas["my_seconds"]


class TestTasks:
    def test_a_good_one_is_read(self, folder: Path) -> None:
        task = with_task(folder, TASK).tasks["my-1"]
        assert task.category == "mine"
        assert task.instance().answer.json == '{"rows": [[0.04]]}'
        assert [str(value) for value in task.parameters["V"].range.values] == [
            "1000000000",
            "2000000000",
            "4000000000",
        ]

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ('id = "my-1"\n', "", "id: is missing"),
            ("{V} take", "it take", "prompt: does not say {V}"),
            ("{V} take", "{V} of {X} take", "prompt: {X} is not a parameter"),
            (
                'unit = "s", expression = "V/W"',
                'unit = "byte", expression = "V/W"',
                "steps.time.expression: V/W is in s, where byte is needed",
            ),
            ('expression = "time"', 'expression = "tme"', "answer.seconds.expression: tme is not"),
            (
                '[answer]\nseconds = { unit = "s", expression = "time" }',
                "[answer]",
                "answer: has no column",
            ),
            ('"4.0e9", range', "true, range", "parameters.V.value: True is not an exact number"),
            ('value = "4.0e9"', "value = nan", "is not a decimal number"),
            ('value = "4.0e9"', "value = 1e999", "a decimal exponent is at most 400"),
            ('choices = ["1e9", "2e9"]', "choices = []", "gives 0 values"),
            ('choices = ["1e9", "2e9"]', 'choices = ["1e9", "1000000000"]', "gives a value twice"),
            (
                'choices = ["1e9", "2e9"]',
                'choices = ["-1"]',
                "gathered_bytes is > 0 in byte, not -1",
            ),
            ('choices = ["1e9", "2e9"]', 'colours = ["1e9"]', "is one of choices, powers_of_two"),
            ("powers_of_two = [2, 8]", "powers_of_two = [2, 7]", "is two powers of two"),
            ("powers_of_two = [2, 8]", "integers = [9, 2]", "is the lowest and the highest value"),
            ("powers_of_two = [2, 8]", "integers = [1, 9], step = 0", "in steps of at least 1"),
            ("powers_of_two = [2, 8]", "integers = [1, 90000000]", "gives more than 1000000"),
            (
                "powers_of_two = [2, 8]",
                'decimals = ["0", "9"], digits = 2',
                "between positive ends",
            ),
            (
                'replace = { time = "W/V" }',
                'replace = { tim = "W/V" }',
                "is not a step or a column",
            ),
            ('replace = { time = "W/V" }', "replace = {}", "replaces nothing"),
            ('replace = { time = "W/V" }', "replace = { time = '\"label\"' }", "not of the kind"),
            ("[steps]", "[steps]\nV = { unit = 's', expression = 'V/W' }", "already the name of a"),
            (
                'source = "a test"',
                'source = "a test"\nwhere = ["V"]',
                "where: V is not a comparison",
            ),
            (
                'source = "a test"',
                'source = "a test"\nwhere = ["V < W"]',
                "V is in byte and W is in",
            ),
        ],
    )
    def test_a_wrong_one(self, folder: Path, old: str, new: str, message: str) -> None:
        assert old in TASK
        with pytest.raises(SymscaleError) as error:
            with_task(folder, TASK.replace(old, new)).tasks["my-1"]
        assert f"{folder.name}/mine/one.toml" in str(error.value)
        assert message in str(error.value)
        assert error.value.exit_status == 3

    def test_two_tasks_with_one_id(self, folder: Path) -> None:
        (folder / "mine" / "two.toml").write_text(TASK, encoding="utf-8")
        with pytest.raises(CatalogError, match=r"two\.toml: id: 'my-1' also stands in .*one"):
            with_task(folder, TASK).tasks.get("my-1")

    def test_a_later_catalog_replaces_a_task(self, folder: Path) -> None:
        catalog = with_task(folder, TASK.replace("my-1", "sc-021"))
        assert catalog.tasks["sc-021"].title == "Time to send a buffer"
        assert len(catalog.tasks) == len(load().tasks)


class TestWhereEntriesStand:
    """Nothing that a file says is passed over in silence."""

    @pytest.mark.parametrize(
        "header", ['["my_seconds"]', "  [my_seconds]", '[my_seconds] # "x"\n[max]', "[my-seconds]"]
    )
    def test_a_formula_that_could_not_be_found_or_called(
        self, folder: Path, catalog: Catalog, header: str
    ) -> None:
        text = FORMULA.replace("communication_time", result_quantity(catalog))
        loaded = with_formula(
            folder,
            FORMULA.replace("my_seconds", "other_seconds").replace(
                "communication_time", result_quantity(catalog)
            )
            + text.replace("[my_seconds]", header),
        )
        with pytest.raises(CatalogError, match=r"formulas/mine\.toml"):
            list(loaded.formulas.values())

    def test_a_formula_in_two_files(self, folder: Path, catalog: Catalog) -> None:
        text = FORMULA.replace("communication_time", result_quantity(catalog))
        (folder / "formulas" / "again.toml").write_text(text, encoding="utf-8")
        with pytest.raises(CatalogError, match=r"'my_seconds' also stands in .*again\.toml"):
            with_formula(folder, text).formulas["my_seconds"]

    def test_a_reference_that_two_formulas_claim(self, folder: Path, catalog: Catalog) -> None:
        text = FORMULA.replace("communication_time", result_quantity(catalog))
        text = text.replace("[my_seconds]", '[my_seconds]\nref = "CO01"')
        with pytest.raises(CatalogError, match="'CO01' is also that of ring_all_gather_seconds"):
            with_formula(folder, text).formula("nothing")

    @pytest.mark.parametrize("place", ["one.toml", "a/b/one.toml", "proofs/one.toml"])
    def test_a_file_that_nothing_reads(self, folder: Path, place: str) -> None:
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(TASK, encoding="utf-8")
        with pytest.raises(CatalogError, match="nothing reads a file here"):
            load(folder)

    @pytest.mark.parametrize("line", ["id = '''my-1'''", '"id" = "my-1"', '  id = "my-1"'])
    def test_an_id_that_could_not_be_found(self, folder: Path, line: str) -> None:
        with pytest.raises(CatalogError, match=r"one\.toml: id: is missing, or not written"):
            list(with_task(folder, TASK.replace('id = "my-1"', line)).tasks)

    def test_threads_do_not_see_each_others_circles(self) -> None:
        from concurrent.futures import ThreadPoolExecutor

        for _ in range(5):
            fresh = load()
            with ThreadPoolExecutor(8) as pool:
                tasks = list(pool.map(fresh.tasks.__getitem__, list(fresh.tasks)[:16]))
            assert len(tasks) == 16


class TestOtherFiles:
    def test_a_quantity_without_a_unit(self, folder: Path) -> None:
        (folder / "quantities.toml").write_text('[x]\nlatex = "x"\n', encoding="utf-8")
        with pytest.raises(CatalogError, match=r"quantities\.toml: x\.unit: is missing"):
            load(folder).quantities  # noqa: B018

    def test_a_domain_that_is_none(self, folder: Path) -> None:
        text = '[x]\nlatex = "x"\nunit = "1"\nmeaning = "x"\ndomain = "positive"\n'
        (folder / "quantities.toml").write_text(text, encoding="utf-8")
        with pytest.raises(CatalogError, match=r"x\.domain: 'positive' is not a domain"):
            load(folder).quantities  # noqa: B018

    def test_a_unit_that_is_not_defined(self, folder: Path) -> None:
        (folder / "units.toml").write_text('[units.x]\nis = "2 y"\n', encoding="utf-8")
        with pytest.raises(CatalogError, match=r"units\.toml: units\.x: unit 'y'"):
            load(folder).units  # noqa: B018

    def test_text_that_is_not_utf8(self, folder: Path) -> None:
        (folder / "units.toml").write_bytes(b"\xff\xfe")
        with pytest.raises(CatalogError, match=r"units\.toml: is not a TOML file"):
            load(folder).units  # noqa: B018

    def test_a_directory_that_is_not_there(self, folder: Path) -> None:
        with pytest.raises(CatalogError, match="is not a directory"):
            load(folder / "nowhere")
