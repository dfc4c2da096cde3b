"""A Hugging Face data set: Parquet files by split and category, and the card that loads them."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from symscale.export.card import Config, card
from symscale.export.content import SPLITS, Content
from symscale.export.directories import whole_directory
from symscale.variants.writers import Written, atomic, write_lines

EVERYTHING = "all"
PUBLISHED = "published"

_PARTS = "-?????-of-?????.parquet"


def export_hf(
    content: Content,
    directory: Path,
    *,
    progress: Callable[[int], None] = lambda rows: None,
) -> list[Written]:
    """Write a data set that `datasets.load_dataset(directory)` loads without a network.

    Its configs are `all`, one for each category, and `published`. The directory appears when all
    of it is there. Raises SymscaleError where it cannot be written, MissingExtraError without
    pyarrow.
    """
    written: list[Written] = []
    configs = []
    with whole_directory(directory) as inside:
        data = inside / "data"
        data.mkdir()
        for category, tasks in content.categories.items():
            rows: dict[str, int] = {}
            for split in SPLITS:
                plan = content.plan(split, tasks)
                rows[split] = plan.rows
                for part in range(plan.parts):
                    name = f"{split}-{category}-{part:05d}-of-{plan.parts:05d}.parquet"
                    lines = content.lines(plan, part)
                    written.append(write_lines(data / name, "parquet", lines, progress))
            files: dict[str, str] = {split: f"data/{split}-{category}{_PARTS}" for split in SPLITS}
            configs.append(Config(category, files, rows))
        published = inside / PUBLISHED
        published.mkdir()
        name = "test-00000-of-00001.parquet"
        written.append(write_lines(published / name, "parquet", content.published(), progress))
        totals: dict[str, int] = {
            split: sum(config.rows[split] for config in configs) for split in SPLITS
        }
        everything = Config(
            EVERYTHING, {split: f"data/{split}-*.parquet" for split in SPLITS}, totals
        )
        stated = Config(
            PUBLISHED, {"test": f"{PUBLISHED}/test{_PARTS}"}, {"test": len(content.tasks)}
        )
        text = card(content, [everything, *configs, stated], version("symscale"))
        with atomic(inside / "README.md") as file:
            file.write(text.encode())
    return written
