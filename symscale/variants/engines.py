"""Who writes the parts: this process, a pool of processes, or a Ray cluster. The bytes are one."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from typing import Any, Literal, TypeAlias

from symscale.errors import MissingExtraError, SymscaleError
from symscale.variants.parts import Job, write_part
from symscale.variants.writers import Written

Engine: TypeAlias = Literal["process", "ray"]
Progress: TypeAlias = Callable[[int], None]
"""Hears how many more rows are written."""

POLL_SECONDS = 0.2


def in_process(job: Job, parts: Sequence[int], progress: Progress) -> Iterator[Written]:
    """Write the parts one after another, here."""
    for part in parts:
        yield write_part(job, part, progress)


def in_pool(job: Job, parts: Sequence[int], workers: int, progress: Progress) -> Iterator[Written]:
    """Write the parts in so many processes, each part as it is done."""
    context = multiprocessing.get_context("spawn")
    counter = context.Value("q", 0)
    seen = 0
    with ProcessPoolExecutor(
        workers, mp_context=context, initializer=_count_in, initargs=(counter,)
    ) as pool:
        pending = {pool.submit(_write_counted, job, part) for part in parts}
        try:
            while pending:
                done, pending = wait(pending, POLL_SECONDS, FIRST_COMPLETED)
                progress(counter.value - seen)
                seen = counter.value
                yield from map(Future.result, done)
        finally:
            pool.shutdown(cancel_futures=True)


def in_ray(
    job: Job, parts: Sequence[int], workers: int | None, address: str | None, progress: Progress
) -> Iterator[Written]:
    """Write the parts as Ray tasks, in a cluster at `address` or in a local one.

    The job's directory must be the same place on every machine, and symscale installed there.
    Raises MissingExtraError without Ray.
    """
    try:
        import ray
    except ImportError:
        raise MissingExtraError("ray") from None
    local = address is None
    ray.init(
        address=address,
        num_cpus=workers if local else None,
        include_dashboard=False if local else None,
        log_to_driver=False,
    )
    try:
        # A part can be written twice without harm, so a lost worker costs a repetition.
        remote = ray.remote(max_retries=3)(write_part)
        pending: list[Any] = [remote.remote(job, part) for part in parts]
        while pending:
            (done,), pending = ray.wait(pending)
            written: Written = _result(ray, done)
            progress(written.rows)
            yield written
    finally:
        ray.shutdown()


def _result(ray: Any, done: Any) -> Any:
    try:
        return ray.get(done)
    except ray.exceptions.RayTaskError as error:
        cause = error.cause
        raise cause if isinstance(cause, SymscaleError) else SymscaleError(str(error)) from error


_counter: Any = None


def _count_in(counter: Any) -> None:
    global _counter
    _counter = counter


def _write_counted(job: Job, part: int) -> Written:
    def progress(rows: int) -> None:
        with _counter.get_lock():
            _counter.value += rows

    return write_part(job, part, progress)
