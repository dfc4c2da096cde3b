"""A bar on stderr over the rows that are written."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def rows_progress(rows: int) -> Iterator[Callable[[int], None]]:
    """What hears how many more rows are done, and shows it if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield lambda rows: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    done = TextColumn("{task.completed:,.0f} of {task.total:,.0f} rows, {task.fields[rate]}/s")
    left = TimeRemainingColumn()
    started = time.monotonic()
    with Progress(BarColumn(), done, left, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=rows, rate="")

        def progress(more: int) -> None:
            seconds = max(time.monotonic() - started, 1e-9)
            rate = (bar.tasks[0].completed + more) / seconds
            bar.update(task, advance=more, rate=f"{rate:,.0f}")

        yield progress
