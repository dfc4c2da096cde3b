"""GRPOTrainer takes a step with the reward, and gets symscale's rewards for given completions."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from symscale.adapters.trl import reward
from symscale.grading import Grade
from tests.doors.pages import run_page

TEMPLATE = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant: "


@pytest.fixture(scope="module")
def trainer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The trainer of the page, after its one step on a tiny random model."""
    letters = {letter: k for k, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    bytewise = Tokenizer(models.BPE({**letters, "<end>": len(letters)}, []))
    bytewise.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bytewise.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=bytewise, eos_token="<end>", pad_token="<end>", chat_template=TEMPLATE
    )
    config = LlamaConfig(
        vocab_size=len(letters) + 1,
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        eos_token_id=len(letters),
        pad_token_id=len(letters),
    )
    names = {"model": LlamaForCausalLM(config), "tokenizer": tokenizer}
    return run_page("trl", tmp_path_factory.mktemp("trl"), **names)["trainer"]


def test_a_step_was_taken(trainer: Any) -> None:
    assert trainer.state.global_step == 1
    logged = {key: value for entry in trainer.state.log_history for key, value in entry.items()}
    assert logged["rewards/reward/mean"] == 0.0
    assert logged["reason/no_answer"] == pytest.approx(1.0)


@pytest.mark.parametrize("conversational", [True, False])
def test_the_trainer_gets_symscales_rewards(
    trainer: Any,
    rows: list[dict[str, Any]],
    texts: dict[str, str],
    grades: dict[str, Grade],
    conversational: bool,
) -> None:
    completions: list[Any] = [texts[row["question"]] for row in rows]
    if conversational:
        completions = [[{"role": "assistant", "content": text}] for text in completions]
    prompts = [row["question"] for row in rows]
    found = trainer._calculate_rewards(rows, prompts, completions, [[0]] * len(rows))
    assert found[:, 0].tolist() == [grades[row["id"]].reward for row in rows]


def test_it_works_off_the_main_thread(rows: list[dict[str, Any]], texts: dict[str, str]) -> None:
    columns = {key: [row[key] for row in rows] for key in rows[0]}
    found: list[list[float]] = []

    def call() -> None:
        found.append(reward(columns["question"], list(texts.values()), **columns))

    threads = [threading.Thread(target=call) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0] == found[1]
    assert len(found[0]) == len(rows)
    assert 0 < sum(found[0]) < len(rows)
