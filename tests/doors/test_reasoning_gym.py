"""reasoning_gym makes, mixes and scores the data set, and no seed repeats another's items."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import reasoning_gym
from reasoning_gym.composite import DatasetSpec
from reasoning_gym.dataset import ReseedingDataset
from reasoning_gym.factory import create_curriculum

from symscale.adapters.reasoning_gym import LEVELS, NAME
from symscale.grading import Grade, grade
from tests.adapters.answers import completion
from tests.doors.pages import run_page


def create(**config: Any) -> Any:
    return reasoning_gym.create_dataset(NAME, **config)


def hashes(entries: Any) -> list[str]:
    return [entry["metadata"]["row"]["hash"] for entry in entries]


def test_items() -> None:
    entries = list(create(seed=0, size=N))
    assert len(entries) == N
    for number, entry in enumerate(entries):
        assert entry["metadata"]["source_dataset"] == NAME
        assert entry["metadata"]["source_index"] == number
        assert entry["metadata"]["messages"][-1]["content"] == entry["question"]
    assert hashes(entries) == hashes(create(seed=0, size=N))


def test_the_scores_are_symscales() -> None:
    dataset = create(seed=5, size=N, split="test")
    for number, entry in enumerate(dataset):
        text, reward = completion(entry["metadata"]["row"], number)
        assert dataset.score_answer(text, entry) == reward
        assert grade(entry["metadata"]["row"], text).reward == reward
    assert dataset.score_answer(None, dataset[0]) == 0.0


def test_the_rows_are_scored_as_elsewhere(
    rows: list[dict[str, Any]], texts: dict[str, str], grades: dict[str, Grade]
) -> None:
    dataset = create(seed=0, size=1)
    for row in rows:
        entry = {"question": row["question"], "answer": "", "metadata": {"row": row}}
        assert dataset.score_answer(texts[row["question"]], entry) == grades[row["id"]].reward


def test_seeds_share_no_item() -> None:
    seen = [found for seed in range(4) for found in hashes(create(seed=seed, size=100))]
    assert len(set(seen)) == len(seen)


def test_seeds_of_the_smallest_task_share_no_item() -> None:
    seen = [h for seed in range(5) for h in hashes(create(tasks=["sc-031"], seed=seed, size=200))]
    assert len(set(seen)) == len(seen)


def test_reseeding_goes_on_without_repetition() -> None:
    endless = ReseedingDataset(create(seed=1, size=50), chunk_size=50)
    found = hashes(islice(iter(endless), 300))
    assert len(set(found)) == len(found)


def test_a_large_seed_wraps_around() -> None:
    assert len(set(hashes(create(seed=2**32, size=40, categories=["inference"])))) == 40


def test_train_and_test_share_no_item() -> None:
    train = hashes(create(seed=0, size=100))
    test = hashes(create(seed=0, size=100, split="test"))
    assert not set(train) & set(test)


def test_a_composite() -> None:
    specs = [DatasetSpec(NAME, 3, {"categories": ["roofline"]}), DatasetSpec("chain_sum", 1, {})]
    mixed = reasoning_gym.create_dataset("composite", seed=1, size=80, datasets=specs)
    ours = [entry for entry in mixed if entry["metadata"]["source_dataset"] == NAME]
    assert len(ours) > 50
    for number, entry in enumerate(ours):
        text, reward = completion(entry["metadata"]["row"], number)
        assert mixed.score_answer(text, entry) == reward


def test_the_curriculum_goes_up() -> None:
    curriculum = create_curriculum(NAME)
    config = curriculum.generate_configuration({"size": 20, "seed": 0})
    assert (config.min_difficulty, config.max_difficulty) == (LEVELS[0], LEVELS[0])
    easy = {entry["metadata"]["row"]["difficulty"] for entry in create(**vars(config))}
    assert easy == {LEVELS[0]}
    assert curriculum.increment_attr_level("difficulty")
    config = curriculum.generate_configuration({"size": 20, "seed": 0})
    assert config.max_difficulty == LEVELS[1]


@pytest.mark.parametrize("config", [{"size": 0}, {"seed": -1}, {"min_difficulty": 9}])
def test_a_config_that_makes_no_data_set(config: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        create(**config)


def test_the_page(tmp_path: Path) -> None:
    assert run_page("reasoning-gym", tmp_path)["scores"] == [1.0] * 50


N = 70
