"""Who takes part: a program that does a piece of work and prints one line of JSON.

The line has "units", how much it did; "seconds", the processor time of the work alone (without it that of the whole
process counts); and what it found, by which one sees that all played the same game: an exact number, or an estimate as
[mean, number of plays behind it]. A program that cannot do the work yet prints {"missing": why}.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
GCC = ("gcc", "-O3", "-march=native")


class Missing(Exception):
    """The work cannot be done here; says why."""


@dataclass(frozen=True)
class Contestant:
    """A command, in which {size} is the amount of work and {seed} the number of the round."""

    name: str
    command: tuple[str, ...]
    size: int = 0  # to begin with; 0 where the work has one size
    slow: bool = False  # takes minutes: run only if asked for, and once

    def sized(self, seconds: float) -> Contestant:
        """This contestant with an amount of work that takes about `seconds`. Raises Missing where it cannot do the
        work."""
        size = self.size
        while True:
            spent = max(run(replace(self, size=size), 0).seconds, 1e-4)
            if not size or spent > 0.6 * seconds:
                return replace(self, size=size)
            size = int(size * min(20.0, 1.1 * seconds / spent)) + 1


@dataclass(frozen=True)
class Run:
    """The time and the result of a run."""

    units: float
    seconds: float  # of processor time
    start: float  # seconds before the work began; 0 where they are part of it
    peak: float  # MiB
    found: dict[str, Any]


def run(contestant: Contestant, seed: int) -> Run:
    """Run it once. Raises Missing where it cannot do the work."""
    command = [word.format(size=contestant.size, seed=seed) for word in contestant.command]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as complaints:
        try:
            child = subprocess.Popen(command, stdout=out, stderr=complaints, env=_as_installed())
        except FileNotFoundError:
            raise Missing(f"no {command[0]} here") from None
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        complaints.seek(0)
        lines, said = out.read().decode().splitlines(), complaints.read().decode().strip().splitlines()
    if child.returncode or not lines:
        raise Missing(said[-1] if said else f"exit status {child.returncode}")
    found = json.loads(lines[-1])
    if "missing" in found:
        raise Missing(found["missing"])
    whole = usage.ru_utime + usage.ru_stime
    seconds = found.pop("seconds", whole)
    return Run(found.pop("units", 1), seconds, whole - seconds, usage.ru_maxrss / 1024, found)


def _as_installed() -> dict[str, str]:
    """The environment in which a checkout is compiled once, as an installed package is, wherever it may write."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**environment, "PYTHONPYCACHEPREFIX": str(_folder() / "bytecode")}


def _folder() -> Path:
    """Where what was compiled is kept."""
    folder = Path(tempfile.gettempdir()) / f"gdl-bench-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def ours(*words: str, size: int = 0, engine: str = "wasm") -> Contestant:
    """gdl, its work alone: what comes before, from the start of Python to the machine code, is told beside."""
    name = "gdl" if engine == "wasm" else engine
    return Contestant(name, (sys.executable, str(HERE / "ours.py"), engine, *words), size)


def whole(*words: str) -> Contestant:
    """The command line of gdl, the whole process."""
    return Contestant("gdl", (sys.executable, "-m", "gdl", *words))


def c(source: str, *words: str, size: int = 0, define: tuple[str, ...] = ()) -> Contestant:
    """A program of the folder `c`; it is compiled when it is first run."""
    return Contestant("C", (sys.executable, str(HERE / "contestants.py"), source, ",".join(define), *words), size)


def peer(name: str, script: str, *words: str, size: int = 0, slow: bool = False) -> Contestant:
    """A script of the folder `theirs`, run by the Python that has the peers."""
    python = os.environ.get("GDL_BENCH_PYTHON", sys.executable)
    return Contestant(name, (python, str(HERE / "theirs" / script), *words), size, slow)


def on_our_positions(name: str, script: str, *words: str, slow: bool = False) -> Contestant:
    """A script of the folder `theirs` that has another program work on what gdl unfolds."""
    return Contestant(name, (sys.executable, str(HERE / "theirs" / script), *words), slow=slow)


def of_tables(who: str, count: int, slow: bool = False) -> Contestant:
    """All equilibria of so many random tables; who reads them from Python runs in the Python that has the peers."""
    python = os.environ.get("GDL_BENCH_PYTHON", sys.executable) if who == "nashpy" else sys.executable
    name = {"nashpy": "Nashpy"}.get(who, who)
    return Contestant(name, (python, str(HERE / "theirs" / "all_equilibria.py"), who, str(count)), slow=slow)


@cache
def compiled(source: str, define: tuple[str, ...]) -> str:
    """The path of the program, made anew where the source is younger."""
    program = _folder() / "-".join((source, *define))
    texts = [HERE / "c" / f"{source}.c", HERE / "c" / "bench.h"]
    if not program.exists() or program.stat().st_mtime < max(text.stat().st_mtime for text in texts):
        subprocess.run([*GCC, *(f"-D{one}" for one in define), "-o", program, texts[0]], check=True)
    return str(program)


if __name__ == "__main__":  # a program in C: compile it if need be, and become it
    source, define, *rest = sys.argv[1:]
    program = compiled(source, tuple(define.split(",")) if define else ())
    os.execv(program, [program, *rest])
