"""Learning that is killed comes to the same bytes: it dies at moments that are drawn by a seed and
counted in steps (tests/support/killing.py), never timed.

GDL_KILLS=N kills N times in each test.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from signal import SIGKILL

import pytest
from killing import Plan, run

pytest.importorskip("wasmtime")
pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("GDL_KILLS", "30"))
SMALL = ["connect_four", "--set", "columns=4", "--set", "rows=4"]
LEARN = {  # model -> the command
    "linear": ["learn", *SMALL, "--model", "linear", "--games", "600", "-o", "out"],
    "tuples": ["learn", *SMALL, "--model", "tuples", "--games", "600", "-o", "out"],
}


def left(folder: Path) -> dict[str, bytes]:
    """The files that a command has left in its folder."""
    files = (file for file in folder.rglob("*") if file.is_file() and "lock" not in file.name)
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


class Work:
    """A command in folders of its own, and what it prints and leaves when nobody dies."""

    def __init__(self, command: list[str], folder: Path, more: list[str]):
        self.plan, self.command, self.folder, self.rounds = Plan(folder / "plan"), command, folder, 0
        self.wanted = self.once(more)
        self.steps = self.plan.counted

    def once(self, more: list[str]) -> tuple[str, dict[str, bytes]]:
        """From nothing to the end."""
        where = self.begun()
        done = run(self.plan.folder, [*self.command, *more], where)
        assert done.returncode == 0, done.stderr
        return done.stdout, left(where)

    def begun(self) -> Path:
        self.rounds += 1
        where = self.folder / str(self.rounds)
        where.mkdir()
        return where

    def killed(self, more: list[str], kills: int, random: Random) -> None:
        """Run a command that is killed and continued so many times, in as many rounds as that takes; each round must
        leave the wanted files."""
        where, before = self.begun(), 0
        while kills:
            done = run(self.plan.folder, [*self.command, *more], where, random.randrange(1, max(2, self.steps // 4)))
            assert done.returncode in (0, -SIGKILL), done.stderr
            if done.returncode:
                kills, before = kills - 1, before + 1
            else:
                self.compare(done.stdout, where, before)
                where, before = self.begun(), 0
        done = run(self.plan.folder, [*self.command, *more], where)
        assert done.returncode == 0, done.stderr
        self.compare(done.stdout, where, before)

    def compare(self, printed: str, where: Path, kills: int) -> None:
        assert (printed, left(where)) == self.wanted, f"after {kills} kills"


@pytest.mark.parametrize("model", LEARN)
def test_learning_that_is_killed_ends_with_the_same_bytes(model: str, tmp_path: Path) -> None:
    pytest.importorskip("gdl.wings.learning")
    Work(LEARN[model], tmp_path, []).killed([], KILLS, Random(model))
