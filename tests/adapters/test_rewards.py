"""The doors that need no library give symscale's rewards and reasons, and so does each to each."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from symscale.adapters import lm_eval, verl
from symscale.adapters.lm_eval import utils
from symscale.adapters.trl import prompt, reward, reward_function
from symscale.catalog.loader import Catalog
from symscale.catalog.protocol import SYSTEM_PROMPT
from symscale.errors import CatalogError, MissingExtraError
from symscale.export.closed_forms import closed_form_row
from symscale.export.keys import key_text
from symscale.export.verl import record
from symscale.grading import REASONS, Grade, grade
from symscale.variants.rows import Row, published_row

Asked = list[tuple[Row, str, float]]


@pytest.fixture(scope="module")
def grades(asked: Asked) -> list[Grade]:
    return [grade(row, text) for row, text, _ in asked]


def columns(asked: Asked) -> dict[str, list[Any]]:
    return {key: [row[key] for row, _, _ in asked] for key in asked[0][0]}


def test_the_answers_are_worth_what_they_were_made_for(asked: Asked, grades: list[Grade]) -> None:
    assert [grade.reward for grade in grades] == [reward for _, _, reward in asked]
    for (_, text, _), found in zip(asked, grades, strict=True):
        assert found.correct == (found.reason == "ok"), text


class TestTrl:
    def test_plain_and_conversational(self, asked: Asked, grades: list[Grade]) -> None:
        expected = [grade.reward for grade in grades]
        plain = [text for _, text, _ in asked]
        chats = [[{"role": "assistant", "content": text}] for text in plain]
        kept = columns(asked)
        assert reward(prompts=kept["question"], completions=plain, **kept) == expected
        assert reward(prompts=kept["question"], completions=chats, **kept) == expected

    def test_what_else_trl_passes(self, asked: Asked, grades: list[Grade]) -> None:
        logged: dict[str, Any] = {}

        def log(name: str, value: Any) -> None:
            logged[name] = value

        found = reward(
            prompts=[""] * len(asked),
            completions=[text for _, text, _ in asked],
            completion_ids=[[0]] * len(asked),
            trainer_state=object(),
            log_extra=log,
            log_metric=log,
            **columns(asked),
        )
        assert len(found) == len(asked)
        assert logged.pop("reason") == [grade.reason for grade in grades]
        assert logged.keys() == {f"reason/{name}" for name in REASONS}
        assert sum(logged.values()) == pytest.approx(1.0)

    def test_off_the_main_thread(self, asked: Asked, grades: list[Grade]) -> None:
        kept, found = columns(asked), []

        def call() -> None:
            texts = [text for _, text, _ in asked]
            found.append(reward(prompts=kept["question"], completions=texts, **kept))

        threads = [threading.Thread(target=call) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [[grade.reward for grade in grades]] * 3

    def test_options(self, asked: Asked) -> None:
        _, right, _ = asked[0]
        kept = columns([asked[0]])
        inside = reward_function(reasoning_prefilled=True)
        assert inside(prompts=[""], completions=[right], **kept) == [0.0]
        assert inside(prompts=[""], completions=[f"so</think>{right}"], **kept) == [1.0]
        assert getattr(inside, "__name__", None) == "reward"

    def test_an_empty_batch(self, asked: Asked) -> None:
        empty: dict[str, list[Any]] = {key: [] for key in columns(asked)}
        assert reward(prompts=[], completions=[], log_metric=lambda *_: None, **empty) == []

    def test_a_data_set_without_keys(self) -> None:
        with pytest.raises(CatalogError, match="has no column 'task'"):
            reward(prompts=["?"], completions=["7"], question=["?"])

    def test_the_prompt(self, asked: Asked) -> None:
        row = asked[0][0]
        assert [m["content"] for m in prompt(row)["prompt"]] == [SYSTEM_PROMPT, row["question"]]


class TestVerl:
    def test_scores(self, asked: Asked, grades: list[Grade]) -> None:
        for (row, text, _), expected in zip(asked, grades, strict=True):
            given = record(row)
            found = verl.compute_score(
                given["data_source"],
                text,
                given["reward_model"]["ground_truth"],
                given["extra_info"],
            )
            assert found == {"score": expected.reward, "reason": expected.reason}

    @pytest.mark.parametrize("truth", ["", "[]", "{}", '{"task": "sc-000"}'])
    def test_a_ground_truth_that_is_no_key(self, truth: str) -> None:
        with pytest.raises(CatalogError):
            verl.compute_score("symscale/roofline", "7", truth)

    def test_a_row_that_has_no_key(self) -> None:
        with pytest.raises(CatalogError, match="has no 'parameters'"):
            key_text({"task": "sc-000"})

    def test_the_path_that_verl_is_given(self) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "symscale.adapters.verl"],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        assert Path(done.stdout.strip()).samefile(verl.__file__)


class TestLmEval:
    def test_results(self, asked: Asked, grades: list[Grade]) -> None:
        for (row, text, _), expected in zip(asked, grades, strict=True):
            found = utils.process_results(row, [text])
            assert found.pop("reward") == expected.reward
            assert [name for name, value in found.items() if value] == [f"reason_{expected.reason}"]

    def test_documents(self) -> None:
        found = utils.documents(categories="memory", n=12, seed=1, version=1)
        assert {document["category"] for document in found} == {"memory"}
        assert len({document["hash"] for document in found}) == 12
        assert {document["system_prompt"] for document in found} == {SYSTEM_PROMPT}

    def test_the_task_file(self) -> None:
        folder = Path(lm_eval.__file__).parent
        text = (folder / "symscale_scaling.yaml").read_text(encoding="utf-8")
        for name in re.findall(r"!function utils\.(\w+)", text):
            assert callable(getattr(utils, name))
        metrics = re.findall(r"metric: (\w+)", text)
        assert metrics == ["reward", *(f"reason_{reason}" for reason in REASONS)]

    def test_the_directory_that_lm_eval_is_given(self) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "symscale.adapters.lm_eval"],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        assert list(Path(done.stdout.strip()).glob("*.yaml"))


class TestClosedForms:
    def test_formulas_are_the_answer(self, catalog: Catalog) -> None:
        for task in list(catalog.tasks.values())[::5]:
            row = closed_form_row(published_row(task), catalog)
            assert "Answer with formulas" in row["question"]
            assert grade(row, row["answer"], form="closed_form").correct

    def test_numbers_are_no_formulas(self, catalog: Catalog) -> None:
        row = published_row(catalog.tasks["sc-021"])
        found = grade(row, row["answer"], form="closed_form")
        assert (found.reward, found.reason) == (0.0, "wrong_shape")
        formulas = closed_form_row(row, catalog)["answer"]
        assert grade(row, formulas, form="rows").reason == "wrong_shape"


class TestMissingLibraries:
    @pytest.mark.parametrize(
        ("module", "library", "extra"),
        [
            ("verifiers", "verifiers", "verifiers"),
            ("inspect_ai", "inspect_ai", "inspect"),
            ("reasoning_gym", "reasoning_gym", "reasoning-gym"),
        ],
    )
    def test_the_error_says_what_to_do(
        self, module: str, library: str, extra: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in [name for name in sys.modules if name.split(".")[0] == library]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, library, None)
        monkeypatch.delitem(sys.modules, f"symscale.adapters.{module}", raising=False)
        self.check(lambda: importlib.import_module(f"symscale.adapters.{module}"), extra)

    def test_lm_eval(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "datasets", None)
        self.check(utils.load, "lm-eval")

    def check(self, opened: Callable[[], Any], extra: str) -> None:
        with pytest.raises(MissingExtraError) as caught:
            opened()
        assert f"pip install 'symscale[{extra}]'" in str(caught.value)
        assert "\n" not in str(caught.value)
