"""A command of gdl in which the n-th write, the n-th look at the clock or the n-th call fails, for many n.

    python tests/support/faults.py FOLDER KIND NUMBERS COMMAND…

Each number gets a process of its own, forked from this one, and a folder of its own below FOLDER; NUMBERS is
`whole` (nothing fails, and it is counted how much could) or numbers with commas. After the failure the same command is
run again, without one. Everything that is put in the place of the system's is there before gdl is imported:

- `write`: opening a file for writing, each write to it, fsync, replace, mkdir and truncate; the disk is full.
- `tick`: each reading of the clock, which moves with these alone; then it is an hour later, the timer rings, and from
  then on both go as the machine's own do.
- `call`: each call of a function of gdl; then the same.

Prints a line of JSON for each number: an Outcome.
"""

from __future__ import annotations

import builtins
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
_OPEN, _MONOTONIC, _TIMER = io.open, time.monotonic, getattr(signal, "setitimer", None)  # the system's own
TICK = 0.0001  # seconds between two readings of the clock
HOUR = 3600.0
SECONDS = 120  # that a command may take by the machine's own clock
WROTE = "wrote"  # the file in which a process leaves how much could have failed


@dataclass(frozen=True)
class Outcome:
    """A command of which something failed: its exit status (None: it hung), what it printed, and the files, by name,
    that it left in hexadecimal; the same of the next run; and how many things could have failed."""

    number: int
    status: int | None
    stdout: str
    stderr: str
    files: Mapping[str, str]
    counted: int
    again: Mapping[str, Any] = field(default_factory=dict)


class Faults:
    """The counted things of this process, of which that of a number fails (0: none does)."""

    def __init__(self, kind: str):
        self.kind, self.at, self.count = kind, 0, 0
        self._seconds, self._failed = 1_000_000.0, None
        self._interval = 0.0  # of the timer

    def happens(self, kind: str) -> bool:
        """True if this thing, which is counted, is the one that fails."""
        if kind != self.kind:
            return False
        self.count += 1
        return self.count == self.at

    def full(self) -> None:
        if self.happens("write"):
            raise OSError(28, "No space left on device")

    def now(self) -> float:
        if self._failed is None:
            self._seconds += TICK
            if self.happens("tick"):
                self.ring()
        return self._seconds + (0.0 if self._failed is None else _MONOTONIC() - self._failed)

    def ring(self) -> None:
        """Let an hour pass, let the timer ring that would have rung by then, and leave it to the system."""
        self._seconds, self._failed = self._seconds + HOUR, _MONOTONIC()
        if self._interval:
            _TIMER(signal.ITIMER_REAL, self._interval, self._interval)
            signal.raise_signal(signal.SIGALRM)

    def set_timer(self, which: int, seconds: float, interval: float = 0.0) -> tuple[float, float]:
        before, self._interval = self._interval, interval if which == signal.ITIMER_REAL else self._interval
        if self._failed is not None:
            _TIMER(which, seconds, interval)
        return before, before

    def called(self, frame: Any, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(str(ROOT / "gdl")) and self.happens("call"):
            sys.setprofile(None)
            self.ring()

    def install(self) -> None:
        for name in ("monotonic", "process_time", "thread_time", "perf_counter"):
            setattr(time, name, self.now)
        signal.setitimer = self.set_timer  # type: ignore[assignment]
        for name in ("fsync", "replace", "mkdir"):
            setattr(os, name, self._counted(getattr(os, name)))
        builtins.open = io.open = self._open  # type: ignore[assignment]

    def _counted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **named: Any) -> Any:
            self.full()
            return call(*arguments, **named)

        return counted

    def _open(
        self, file: Any, mode: str = "r", buffering: int = -1, encoding: str | None = None, errors: str | None = None,
        newline: str | None = None, closefd: bool = True, opener: Any = None,
    ) -> Any:  # fmt: skip
        if not set(mode) & set("wax+"):
            return _OPEN(file, mode, buffering, encoding, errors, newline, closefd, opener)
        self.full()
        raw = _File(self, file, mode.replace("b", "").replace("t", ""), closefd, opener)
        buffered: Any = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
        return buffered if "b" in mode else io.TextIOWrapper(buffered, encoding, errors, newline)


class _File(io.FileIO):
    """A file of which a write may fail, as on a full disk: half of it is written, and the rest refused."""

    def __init__(self, faults: Faults, file: Any, mode: str, closefd: bool, opener: Any):
        super().__init__(file, mode, closefd, opener)
        self._faults, self._full = faults, False

    def write(self, data: Any) -> int:
        if self._full or ((happens := self._faults.happens("write")) and len(data) < 2):
            self._full = False
            raise OSError(28, "No space left on device")
        self._full = happens
        return super().write(memoryview(data)[: len(data) // 2] if happens else data)

    def truncate(self, size: int | None = None) -> int:
        self._faults.full()
        return super().truncate(size)


def main() -> None:
    folder, kind, numbers, *command = sys.argv[1:]
    faults = Faults(kind)
    faults.install()
    sys.path.insert(0, str(ROOT))
    begun = Path(folder)
    modules = _run(faults, 0, begun / "modules", command, lists=True)[-1]
    for name in modules:  # imported once, for all that are forked
        __import__(name)
    for number in [0] if numbers == "whole" else map(int, numbers.split(",")):
        where = begun / f"{kind}{number}"
        status, stdout, stderr, files, counted, _ = _run(faults, number, where, command)
        again = {}
        if number:
            found = _run(faults, 0, where, command)
            again = dict(zip(("status", "stdout", "stderr", "files"), found, strict=False))
        print(json.dumps(asdict(Outcome(number, status, stdout, stderr, files, counted, again))), flush=True)


def _run(faults: Faults, number: int, where: Path, command: Sequence[str], lists: bool = False) -> tuple[Any, ...]:
    """Run the command in a child: its status, what it printed, the files that it left, how much could have failed, and,
    if `lists`, the modules of gdl that it imported."""
    where.mkdir(parents=True, exist_ok=True)
    outputs = [where.parent / f"{where.name}.{name}" for name in ("stdout", "stderr", WROTE)]
    child = os.fork()
    if child == 0:
        _become(faults, number, where, command, outputs, lists)
    status = _wait(child)
    told = json.loads(outputs[2].read_text() or "[0, []]") if outputs[2].exists() else [0, []]
    files = {str(f.relative_to(where)): f.read_bytes().hex() for f in sorted(where.rglob("*")) if f.is_file()}
    return status, outputs[0].read_text(), outputs[1].read_text(), files, *told


def _become(
    faults: Faults, number: int, where: Path, command: Sequence[str], outputs: Sequence[Path], lists: bool
) -> None:
    """Do the command in this process, and end it."""
    for output, descriptor in zip(outputs, (1, 2), strict=False):
        os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), descriptor)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.chdir(where)
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(_File(faults, 1, "w", False, None)), "utf-8")
    sys.stderr = _OPEN(2, "w", encoding="utf-8", closefd=False)
    ending = os._exit

    def leave(status: int) -> None:
        faults.at = 0
        listed = [name for name in sys.modules if name.startswith("gdl.") or name in ("wasmtime",)] if lists else []
        outputs[2].write_text(json.dumps([faults.count, listed]))
        ending(status)

    os._exit = leave
    from gdl.commands import cli

    faults.at, faults.count = number, 0
    sys.argv = ["gdl", *command]
    if faults.kind == "call":
        sys.setprofile(faults.called)
    cli.main()
    leave(0)


def _wait(child: int) -> int | None:
    """The exit status of the child; None if it takes too long."""
    end = _MONOTONIC() + SECONDS
    while _MONOTONIC() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def outcomes(folder: Path, kind: str, numbers: Sequence[int] | None, command: Sequence[str]) -> Iterator[Outcome]:
    """The outcomes of a command of which the things of these numbers fail, one by one; None: of the whole run alone."""
    asked = "whole" if numbers is None else ",".join(map(str, numbers))
    done = subprocess.run(
        [sys.executable, "-P", __file__, str(folder), kind, asked, *command],
        text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        yield Outcome(**json.loads(line))


if __name__ == "__main__":
    main()
