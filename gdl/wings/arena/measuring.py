"""A process of its own for a measurement, the time that machine code takes to make, and the machine it ran on."""

from __future__ import annotations

import os
import platform
import signal
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from time import perf_counter
from traceback import format_exc
from typing import Any, TypeVar

import gdl
from gdl.commands.limiting import NONE
from gdl.compiler.searches.slices import KernelSearch
from gdl.errors import Refusal
from gdl.processes import safe_path

T = TypeVar("T")


def in_fresh_process(work: Callable[[], T]) -> T:
    """The result of the work, done in a copy of this process, which ends with it; done here where the system copies no
    process (Windows). Raises Refusal where the copy ends without a result."""
    if "fork" not in get_all_start_methods():
        return work()
    with safe_path():
        context: Any = get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    alarm = signal.setitimer(signal.ITIMER_REAL, 0)  # that of the command's limits goes with the work
    child = context.Process(target=_answer, args=(work, theirs, alarm))
    child.start()
    theirs.close()
    try:
        found, error = ours.recv()
    except EOFError:
        child.join()
        raise Refusal(f"its process ended without an answer (exit status {child.exitcode})") from None
    finally:
        child.kill()
        child.join()
        signal.setitimer(signal.ITIMER_REAL, *alarm)
    if error is not None:
        raise error
    result: T = found
    return result


def _answer(work: Callable[[], Any], pipe: Any, alarm: tuple[float, float]) -> None:
    """Send the result of the work, or the error that it ends with and where that was raised."""
    signal.setitimer(signal.ITIMER_REAL, *alarm)
    with suppress(KeyboardInterrupt):
        try:
            with NONE.enforce():
                found, error = work(), None
        except Exception as raised:
            raised.add_note(format_exc())
            found, error = None, raised
        pipe.send((found, error))


def count_making(spent: list[float], clock: Callable[[], float] = perf_counter) -> None:
    """From now on, append to `spent` the seconds, by the clock, of each making of machine code in this process."""
    make = KernelSearch.joined_with

    def make_timed(*given: Any, **options: Any) -> Any:
        begun = clock()
        try:
            return make(*given, **options)
        finally:
            spent.append(clock() - begun)

    KernelSearch.joined_with = make_timed  # type: ignore[method-assign]


def this_machine(further: Iterable[str] = ()) -> dict[str, str]:
    """The versions, those of further packages too, and the machine on which a measurement is made, by name."""
    found = {"gdl": gdl.__version__, "python": platform.python_version()}
    for library in ("wasmtime", "numpy", *further):
        with suppress(PackageNotFoundError):
            found[library] = version(library)
    processor = platform.processor()
    with suppress(OSError, StopIteration):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        processor = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    system = f"{sys.platform} {platform.machine()}"
    return found | {"system": system, "processor": processor or "unknown", "cores": str(os.cpu_count())}
