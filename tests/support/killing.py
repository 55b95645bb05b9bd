"""Processes that are killed while they work, on Linux: at moments that are counted, not timed.

    python tests/support/killing.py FOLDER COMMAND…

runs a command of gdl that dies as a plan in the folder says, each time that it is run. A step is a call in the code that
learns, hands out pieces and writes files (STEPS), or of what this code calls: so it may die before a file is moved to
its place, or with half of a line written. Workers die in the same way amid a piece, or behind it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).parents[2]
STEPS = tuple(
    str(ROOT / room)
    for room in (
        "gdl/wings/report/cluster",
        "gdl/formats/files.py",
        "gdl/compiler/searches",
        "gdl/wings/tables",
        "gdl/commands/shared",
    )
)
WHERE = "GDL_KILLS_IN"  # the folder of the plan, for workers
HEAD, COUNTED, TRIED, DIES = "head", "counted", "tried-", "dies-"  # files of the folder


class Plan:
    """The plan that says when the next processes die, kept in the files of a folder that all of them can read."""

    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir(exist_ok=True)

    def head(self, steps: int | None) -> None:
        """Let the next command die after `steps` steps (None: not at all)."""
        (self.folder / HEAD).write_text(str(steps or ""))

    def workers(self, attempts: int, kills: int, random: Random) -> None:
        """Let `kills` of the next `attempts` attempts at a piece end with the worker's death, each after a random
        number of steps."""
        for number in random.sample(range(attempts), kills):
            (self.folder / f"{DIES}{number}").write_text(str(random.choice((1, 3, 10, 30, 1 << 30))))

    @property
    def counted(self) -> int:
        """The number of steps of the last command that was not killed."""
        return int((self.folder / COUNTED).read_text())

    @property
    def killed(self) -> int:
        """The number of attempts that ended with the worker's death."""
        return sum((self.folder / file.name.replace(DIES, TRIED)).exists() for file in self.folder.glob(f"{DIES}*"))


def run(
    folder: Path, command: Sequence[str], where: Path, steps: int | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command in the folder `where`, with the plan in `folder`; it dies after `steps` steps (None: not at
    all)."""
    Plan(folder).head(steps)
    asked = [sys.executable, __file__, str(folder), *command]
    paths = os.pathsep.join((str(ROOT), str(Path(__file__).parent)))
    return subprocess.run(
        asked, cwd=where, env={**os.environ, "PYTHONPATH": paths, WHERE: str(folder)}, text=True,
        capture_output=True, check=False,
    )  # fmt: skip


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Steps:
    """A profiling function that counts the steps of this process, and kills it after `most`."""

    def __init__(self, most: int):
        self.left, self.most = most, most

    def __call__(self, frame: Any, event: str, argument: Any) -> None:
        if event in ("call", "c_call") and frame.f_code.co_filename.startswith(STEPS):
            self.left -= 1
            if self.left == 0:
                die()

    @property
    def counted(self) -> int:
        return self.most - self.left


def attempt(job: Any, common: Any, piece: Any) -> Any:
    """Do a piece of work in a worker, in place of `pieces.attempt`; the worker dies on the way or after it, if the plan
    says so."""
    from gdl.wings.report.cluster import pieces

    last = _steps_of_this_attempt(Path(os.environ[WHERE]))
    if last is not None:
        sys.setprofile(Steps(last))
    found = pieces.attempt(job, common, piece)
    if last is not None:
        die()
    return found


def _steps_of_this_attempt(folder: Path) -> int | None:
    """The steps after which the worker dies in this attempt; None if it lives. Attempts are numbered over all workers,
    by files that only one worker can create."""
    number = 0
    while True:
        with suppress(FileExistsError):
            (folder / f"{TRIED}{number}").touch(exist_ok=False)
            break
        number += 1
    file = folder / f"{DIES}{number}"
    return int(file.read_text()) if file.exists() else None


def _patched() -> None:
    """Make this process save at every chance and check often for messages, and let its workers die by the plan."""
    from killing import attempt as planned  # under its own name, by which workers find it

    from gdl.compiler.searches import slices
    from gdl.formats import resuming

    resuming.EVERY = 0.0
    slices.SLICE = slices.SHORT = 0.002
    with suppress(ModuleNotFoundError):  # what a wing does
        from gdl.wings.learning import training

        training.EVERY = 0.0
    with suppress(ModuleNotFoundError):
        from gdl.wings.report.cluster import processes, ray_workers

        processes.attempt = ray_workers.attempt = planned


def main() -> None:
    from gdl.commands.cli import commands

    folder = Path(sys.argv[1])
    _patched()
    steps = Steps(int((folder / HEAD).read_text() or 0) or 1 << 60)
    sys.setprofile(steps)
    try:
        commands(sys.argv[2:], standalone_mode=True)
    finally:
        sys.setprofile(None)
        (folder / COUNTED).write_text(str(steps.counted))


def descendants(pid: int) -> dict[int, str]:
    """The processes started by a process, directly or not, each with its command line."""
    parents, lines = dict[int, int](), dict[int, str]()
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            lines[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return {child: lines.get(child, "") for child in sorted(found - {pid})}


if __name__ == "__main__":
    main()
