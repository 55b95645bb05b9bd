"""gdl report --workers N: processes on this machine make the plays of a report.

A play follows from the game and its number, which seeds everything random, so the same bytes come out by any number of
processes. A process that is lost, as where memory is short, ends the report with what was played until then.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import cache
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import Any, TypeVar

from gdl.errors import LimitReached
from gdl.processes import safe_path

MOST_PROCESSES = 256
PIECE = 4  # plays that one process makes at a time
Setup = TypeVar("Setup")
Result = TypeVar("Result")


def results_by_workers(
    count: int, prepare: Callable[[Setup], Callable[[int], Result]], setup: Setup, numbers: range
) -> Iterator[Result]:
    """The results for the numbers, in their order, of the function that `prepare` makes from `setup` once in each of
    `count` processes. Raises LimitReached if a process is lost."""
    with safe_path():
        pool = ProcessPoolExecutor(count, get_context("spawn"), _begin, (prepare, setup))
    try:
        with safe_path():
            found = pool.map(_result, numbers, chunksize=PIECE)
        yield from found
    except BrokenProcessPool:
        raise LimitReached("a worker was lost, as where there is too little memory; fewer workers need less") from None
    finally:
        processes = [*(pool._processes or {}).values()]
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            with suppress(OSError, ValueError):
                process.terminate()


_job: list[tuple[Callable[..., Callable[[int], Any]], object]] = []  # of a worker's process


def _begin(prepare: Callable[..., Callable[[int], Any]], setup: object) -> None:
    """Begin a worker's process: it ignores Ctrl-C, which is for the process that hands out the numbers, and ends when
    that process ends, however that comes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_exit_with_parent, daemon=True).start()
    _job[:] = [(prepare, setup)]


def _result(number: int) -> Any:
    return _prepare_job()(number)


@cache
def _prepare_job() -> Callable[[int], Any]:
    prepare, setup = _job[0]
    return prepare(setup)


def _exit_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
