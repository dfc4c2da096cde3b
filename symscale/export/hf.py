"""A Hugging Face data set: Parquet files by split and category, and the card that loads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

from symscale.catalog.tasks import Task
from symscale.export.card import Config, Files, card
from symscale.export.content import SPLITS, Content
from symscale.export.directories import whole_directory
from symscale.variants.splits import Split
from symscale.variants.writers import Written, atomic, write_lines

EVERYTHING = "all"
PUBLISHED = "published"


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
    with whole_directory(directory) as inside:
        files = _Files(inside, progress)
        configs = [
            Config(
                category,
                {split: files.write_split(content, split, category, tasks) for split in SPLITS},
            )
            for category, tasks in content.categories.items()
        ]
        everything = Config(
            EVERYTHING,
            {
                split: Files(
                    f"data/{split}-*.parquet",
                    sum(config.splits[split].rows for config in configs),
                    sum(config.splits[split].bytes for config in configs),
                )
                for split in SPLITS
            },
        )
        published = Config(
            PUBLISHED, {"test": files.write(f"{PUBLISHED}/test", [content.published()])}
        )
        text = card(content, [everything, *configs, published], version("symscale"))
        with atomic(inside / "README.md") as file:
            file.write(text.encode())
    return files.written


class _Files:
    """Writes Parquet files into a directory, and keeps what was written."""

    def __init__(self, directory: Path, progress: Callable[[int], None]) -> None:
        self.directory = directory
        self.progress = progress
        self.written: list[Written] = []

    def write_split(
        self, content: Content, split: Split, category: str, tasks: Sequence[Task]
    ) -> Files:
        plan = content.plan(split, tasks)
        parts = [content.lines(plan, part) for part in range(plan.parts)]
        return self.write(f"data/{split}-{category}", parts)

    def write(self, stem: str, parts: Sequence[Iterator[list[str]]]) -> Files:
        """One file for each part."""
        rows = bytes = 0
        for part, lines in enumerate(parts):
            path = self.directory / f"{stem}-{part:05d}-of-{len(parts):05d}.parquet"
            path.parent.mkdir(exist_ok=True)
            self.written.append(write_lines(path, "parquet", lines, self.progress))
            rows += self.written[-1].rows
            bytes += _arrow_bytes(path)
        return Files(f"{stem}-?????-of-?????.parquet", rows, bytes)


def _arrow_bytes(path: Path) -> int:
    import pyarrow.parquet

    with pyarrow.parquet.ParquetFile(path) as file:
        return sum(file.read_row_group(group).nbytes for group in range(file.num_row_groups))
