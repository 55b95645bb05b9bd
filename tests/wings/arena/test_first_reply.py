"""Every shipped game is answered within three seconds, from the command to the first reply."""

from __future__ import annotations

import os
import subprocess
import sys
from time import monotonic

import pytest

import gdl

pytest.importorskip("wasmtime")

LIMIT = 3.0  # seconds


def spent(*words: str) -> float:
    """The seconds until a play has had its first reply; of a machine that has more to do than it can, those of the
    processor."""
    command = [sys.executable, "-c", "from gdl.commands.cli import main; main()", "play", *words]
    started, before = monotonic(), os.times()
    done = subprocess.run(command, input="1\nquit\n", capture_output=True, text=True, check=False, timeout=120)
    wall, after = monotonic() - started, os.times()
    assert done.returncode == 0, done.stderr
    assert "> 1\n" in done.stdout or "The game is over" in done.stdout  # as by twenty-one at once
    busy = hasattr(os, "getloadavg") and os.getloadavg()[0] > (os.cpu_count() or 1)
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return used if busy else wall


@pytest.mark.slow
@pytest.mark.parametrize("name", gdl.shipped())
def test_the_first_reply_comes_soon(name: str) -> None:
    assert min(spent(name) for _ in range(2)) < LIMIT


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chess", "backgammon", "go", "liars_dice", "scrabble"])
def test_so_it_does_where_the_work_is_counted(name: str) -> None:
    assert min(spent(name, "--seed", "1") for _ in range(2)) < LIMIT
