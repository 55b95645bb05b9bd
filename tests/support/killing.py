"""Processes that are killed while they work, on Linux: at moments that are counted, not timed.

    python tests/support/killing.py FOLDER COMMAND…

runs a command of gdl that dies as a plan in the folder says, each time that it is run. A step is a call in the code that
learns and writes files (STEPS), or of what this code calls: so it may die before a file is moved to
its place, or with half of a line written.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
STEPS = tuple(
    str(ROOT / room)
    for room in (
        "gdl/formats/files.py",
        "gdl/compiler/searches",
        "gdl/wings/tables",
        "gdl/commands/shared",
    )
)
HEAD, COUNTED = "head", "counted"  # files of the folder


class Plan:
    """The plan that says when the next processes die, kept in the files of a folder that all of them can read."""

    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir(exist_ok=True)

    def head(self, steps: int | None) -> None:
        """Let the next command die after `steps` steps (None: not at all)."""
        (self.folder / HEAD).write_text(str(steps or ""))

    @property
    def counted(self) -> int:
        """The number of steps of the last command that was not killed."""
        return int((self.folder / COUNTED).read_text())


def run(
    folder: Path, command: Sequence[str], where: Path, steps: int | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command in the folder `where`, with the plan in `folder`; it dies after `steps` steps (None: not at
    all)."""
    Plan(folder).head(steps)
    asked = [sys.executable, __file__, str(folder), *command]
    paths = os.pathsep.join((str(ROOT), str(Path(__file__).parent)))
    return subprocess.run(
        asked, cwd=where, env={**os.environ, "PYTHONPATH": paths}, text=True,
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


def _patched() -> None:
    """Make this process save at every chance and stop often."""
    from gdl.compiler.searches import slices
    from gdl.formats import resuming

    resuming.EVERY = 0.0
    slices.SLICE = slices.SHORT = 0.002
    with suppress(ModuleNotFoundError):  # what a wing does
        from gdl.wings.learning import training

        training.EVERY = 0.0


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


if __name__ == "__main__":
    main()
