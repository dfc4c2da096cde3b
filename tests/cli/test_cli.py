"""The command line: data on stdout, errors in one line on stderr, meaningful exit statuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

from symscale.catalog.loader import Catalog
from symscale.cli import COMMANDS, run
from symscale.expressions.parser import parse
from symscale.expressions.text import text


class Outcome(NamedTuple):
    status: int
    out: str
    err: str


Symscale = Callable[..., Outcome]


@pytest.fixture
def symscale(capsys: pytest.CaptureFixture[str]) -> Symscale:
    def call(*arguments: str) -> Outcome:
        status = run(arguments)
        captured = capsys.readouterr()
        return Outcome(status, captured.out, captured.err)

    return call


class TestHelp:
    def test_lists_every_command(self, symscale: Symscale) -> None:
        out = symscale("--help").out
        assert all(name in out for name in COMMANDS)

    @pytest.mark.parametrize("name", sorted(COMMANDS))
    def test_every_command_says_what_it_does(self, symscale: Symscale, name: str) -> None:
        status, out, _ = symscale(name, "--help")
        assert status == 0
        assert len(out.split("Options:")[0].splitlines()) > 3

    def test_an_unknown_command_is_a_usage_error(self, symscale: Symscale) -> None:
        status, out, err = symscale("verfy")
        assert (status, out) == (2, "")
        assert "No such command 'verfy'" in err


class TestShow:
    def test_json_of_a_task(self, symscale: Symscale, catalog: Catalog) -> None:
        data = json.loads(symscale("show", "sc-021", "--json").out)
        assert list(data) == [
            "id",
            "category",
            "title",
            "question",
            "parameters",
            "steps",
            "columns",
        ]
        assert [p["name"] for p in data["parameters"]] == list(catalog.tasks["sc-021"].parameters)
        seconds = data["columns"][1]
        assert list(seconds) == [
            "name",
            "kind",
            "unit",
            "closed_form",
            "latex",
            "exact",
            "decimal",
        ]
        assert seconds["exact"] == "7/360"

    def test_closed_forms_read_back(self, symscale: Symscale, catalog: Catalog) -> None:
        for id, task in catalog.tasks.items():
            for column in json.loads(symscale("show", id, "--json").out)["columns"]:
                node = parse(column["closed_form"], catalog.units)
                assert node == task.numeric[column["name"]]
                assert text(node) == column["closed_form"]

    def test_a_terminal_page(self, symscale: Symscale) -> None:
        out = symscale("show", "sc-021").out
        for piece in ("Ring all-gather", "ring_all_gather_bytes(V, n)", "V·(n − 1)/n", "7/360"):
            assert piece in out

    def test_latex(self, symscale: Symscale) -> None:
        assert r"\frac{V \, \left(n - 1\right)}{n}" in symscale("show", "sc-021", "--latex").out

    def test_a_formula_by_id_and_by_reference(self, symscale: Symscale) -> None:
        by_id = symscale("show", "ring_all_gather_seconds")
        assert by_id == symscale("show", "CO01")
        assert "link_bandwidth_one_way" in by_id.out

    def test_json_of_a_formula_and_a_quantity(self, symscale: Symscale) -> None:
        formula = json.loads(symscale("show", "ring_all_gather_seconds", "--json").out)
        assert formula["closed_form"] == "V*(n - 1)/(n*W)"
        assert formula["uses"] == ["ring_all_gather_bytes"]
        quantity = json.loads(symscale("show", "ring_size", "--json").out)
        assert quantity["domain"] == "integer >= 2"
        assert "ring_all_gather_bytes" in quantity["used_by"]

    def test_a_misspelt_name_suggests_near_ones(self, symscale: Symscale) -> None:
        status, out, err = symscale("show", "ring_al_gather_seconds")
        assert (status, out) == (2, "")
        assert err.count("\n") == 1
        assert "did you mean ring_all_gather_seconds" in err

    def test_a_device_and_a_model(self, symscale: Symscale) -> None:
        assert "989.5 Tflop/s/device" in symscale("show", "h100-sxm").out
        device = json.loads(symscale("show", "h100-sxm", "--json").out)
        assert device["values"]["hbm_capacity"]["value"] == "80000000000"
        assert symscale("show", "llama-3-70b") == symscale("model", "llama-3-70b")

    def test_the_proofs_of_a_formula(self, symscale: Symscale) -> None:
        out = symscale("show", "kv_cache_bytes").out
        assert "17179869184 byte" in out
        assert "oracle kv_caches.cache_batch" in out

    def test_a_row_of_a_file(self, symscale: Symscale, tmp_path: Path) -> None:
        path = tmp_path / "rows.jsonl"
        path.write_text(symscale("generate", "sc-021", "-n", "3").out, encoding="utf-8")
        row = json.loads(path.read_text(encoding="utf-8").splitlines()[1])
        data = json.loads(symscale("show", "--row", f"{path}:2", "--json").out)
        assert data["question"] == row["question"]
        assert [column["exact"] for column in data["columns"]] == row["exact"][0]
        assert symscale("show", "--row", f"{path}:9").status == 3
        assert symscale("show", "--row", "rows.jsonl").status == 3
        assert symscale("show").status == 2


class TestListAndSearch:
    def test_tasks(self, symscale: Symscale, catalog: Catalog) -> None:
        listed = json.loads(symscale("list", "--json").out)
        assert [entry["id"] for entry in listed] == list(catalog.tasks)
        roofline = json.loads(symscale("list", "--category", "roofline", "--json").out)
        assert {entry["category"] for entry in roofline} == {"roofline"}

    def test_formulas_of_an_area(self, symscale: Symscale) -> None:
        listed = json.loads(symscale("list", "--formulas", "--area", "pipeline", "--json").out)
        assert {entry["area"] for entry in listed} == {"pipeline"}
        assert "pipeline_bubble" in " ".join(entry["id"] for entry in listed)

    def test_quantities(self, symscale: Symscale, catalog: Catalog) -> None:
        listed = json.loads(symscale("list", "--quantities", "--json").out)
        assert len(listed) == len(catalog.quantities)

    @pytest.mark.parametrize("option", ["--area", "--category"])
    def test_what_is_not_there(self, symscale: Symscale, option: str) -> None:
        status, _, err = symscale("list", option, "rooflin")
        assert status == 2
        assert "did you mean roofline" in err

    def test_search(self, symscale: Symscale) -> None:
        found = json.loads(symscale("search", "kv cache", "--json").out)
        assert {entry["kind"] for entry in found} == {"task", "formula", "quantity"}
        assert "kv_cache_bytes" in [entry["id"] for entry in found]
        assert symscale("search", "zzzz").status == 1


class TestVerify:
    def test_the_catalog(self, symscale: Symscale) -> None:
        status, out, _ = symscale("verify", "--variants", "1")
        assert status == 0
        assert "35 tasks, 35 published keys, 87 cells compared" in " ".join(out.split())
        assert "everything holds" in out
        assert "utilization is 54.6875, and mfu is > 0, <= 1" in out

    def keys(
        self, tmp_path: Path, change: Callable[[list[str]], list[str]], catalog: Catalog
    ) -> str:
        lines = catalog.published[0].read_text(encoding="utf-8").splitlines()
        path = tmp_path / "keys.jsonl"
        path.write_text("\n".join(change(lines)), encoding="utf-8")
        return str(path)

    def test_right_keys(self, symscale: Symscale, tmp_path: Path, catalog: Catalog) -> None:
        status, out, _ = symscale("verify", self.keys(tmp_path, lambda lines: lines, catalog))
        assert status == 0
        assert "everything holds" in out

    @pytest.mark.parametrize("line", range(35))
    def test_any_number_changed_in_the_seventh_digit_fails(
        self, symscale: Symscale, tmp_path: Path, catalog: Catalog, line: int
    ) -> None:
        def change(lines: list[str]) -> list[str]:
            entry = json.loads(lines[line])
            row = entry["expected_output"]["rows"][0]
            position = max(k for k, cell in enumerate(row) if not isinstance(cell, str))
            row[position] = row[position] * 1.000001
            lines[line] = json.dumps(entry)
            return lines

        status, out, _ = symscale("verify", self.keys(tmp_path, change, catalog))
        assert status == 1
        assert f"keys.jsonl:{line + 1}" in out
        assert "relative error 1.00e-6" in out or "1e-6" in out or "relative error 9.99" in out

    @pytest.mark.parametrize(
        ("change", "status", "message"),
        [
            (lambda lines: lines[1:], 1, "sc-000 is missing"),
            (lambda lines: [*lines, lines[0]], 1, "sc-000 stands more than once"),
            (lambda lines: [*lines, lines[0].replace("sc-000", "sc-999")], 1, "no such task"),
            (lambda lines: [lines[0].replace("memory", "compute"), *lines[1:]], 1, "is right"),
            (lambda lines: [lines[0].replace("250.0, ", ""), *lines[1:]], 1, "one row of 2"),
            (lambda lines: [lines[0], "{", *lines[2:]], 3, "keys.jsonl:2: is not JSON"),
            (lambda lines: ["[1]", *lines[1:]], 3, "keys.jsonl:1: a key is an object"),
            (lambda lines: ['{"task_id": "sc-000"}'], 3, "expected_output is an object"),
            (lambda lines: [lines[0].replace("250.0", "NaN")], 3, "NaN is not a number"),
        ],
    )
    def test_wrong_files(
        self,
        symscale: Symscale,
        tmp_path: Path,
        catalog: Catalog,
        change: Callable[[list[str]], list[str]],
        status: int,
        message: str,
    ) -> None:
        found = symscale("verify", self.keys(tmp_path, change, catalog))
        assert found.status == status
        assert message in " ".join((found.out + found.err).split())

    def test_keys_in_json_strings_are_read_too(
        self, symscale: Symscale, tmp_path: Path, catalog: Catalog
    ) -> None:
        def change(lines: list[str]) -> list[str]:
            entries = [json.loads(line) for line in lines]
            for entry in entries:
                entry["expected_output"] = json.dumps(entry["expected_output"])
            return [json.dumps(entry) for entry in entries]

        assert symscale("verify", self.keys(tmp_path, change, catalog)).status == 0

    def test_a_file_that_is_not_there(self, symscale: Symscale) -> None:
        status, _, err = symscale("verify", "nowhere.jsonl")
        assert status == 3
        assert "nowhere.jsonl: cannot be read" in err


class TestCatalogs:
    def test_a_directory_of_ones_own(self, symscale: Symscale, tmp_path: Path) -> None:
        (tmp_path / "units.toml").write_text(
            '[units.decade]\nis = "3652.5 day"\n', encoding="utf-8"
        )
        assert symscale("--catalog", str(tmp_path), "show", "sc-021").status == 0
        status, _, err = symscale("--catalog", str(tmp_path / "no"), "list")
        assert status == 3
        assert "is not a directory" in err


def test_exact_values_are_rationals(symscale: Symscale) -> None:
    for column in json.loads(symscale("show", "sc-012", "--json").out)["columns"]:
        value = Fraction(column["exact"])
        assert abs(Fraction(column["decimal"]) - value) * 10**11 <= value
