"""Workers that are processes on this machine."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import Any, NamedTuple

from gdl.processes import safe_path
from gdl.wings.report.cluster.pieces import DEATHS, Job, attempt, given_up, in_order


class _PendingPiece(NamedTuple):
    """A piece in the hands of a worker of some pool."""

    asked: tuple[Job, Any, Any]
    pool: ProcessPoolExecutor
    future: Future[tuple[Any, Exception | None]]


class ProcessWorkers:
    """A pool of processes. If one of them is killed, the pool is made again, and unfinished pieces are handed out
    again."""

    def __init__(self, count: int):
        self.count = count
        self._lost = 0  # pools that were lost since a piece was done
        self._pool = self._start_pool()

    def _start_pool(self) -> ProcessPoolExecutor:
        with safe_path():
            return ProcessPoolExecutor(self.count, get_context("spawn"), _begin)

    def map(self, job: Job, pieces: Sequence[Any], common: Any = None) -> Iterator[Any]:
        return in_order(lambda piece: self._hand_out((job, common, piece)), self._wait_for_process, pieces, self.count)

    def _hand_out(self, asked: tuple[Job, Any, Any]) -> _PendingPiece:
        while True:
            pool = self._pool
            try:
                with safe_path():
                    return _PendingPiece(asked, pool, pool.submit(attempt, *asked))
            except BrokenProcessPool:
                self._lose(pool)

    def _wait_for_process(self, handed: _PendingPiece) -> tuple[Any, Exception | None]:
        while True:
            try:
                found = handed.future.result()
            except BrokenProcessPool:
                self._lose(handed.pool)
                handed = self._hand_out(handed.asked)
                continue
            self._lost = 0
            return found

    def _lose(self, pool: ProcessPoolExecutor) -> None:
        """Replace a broken pool, unless that was done already. Raises Refusal after many losses in a row."""
        if pool is not self._pool:
            return
        self._lost += 1
        if self._lost == DEATHS:
            raise given_up()
        pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._start_pool()

    def close(self) -> None:
        """End the workers, whatever they are doing."""
        processes = [*(self._pool._processes or {}).values()]
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            with suppress(OSError, ValueError):
                process.terminate()
        for process in processes:
            with suppress(OSError, ValueError, AssertionError):
                process.join()


def _begin() -> None:
    """Prepare a worker: it ignores Ctrl-C, which is for the process that hands out the pieces, and ends when that
    process ends, however that comes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
