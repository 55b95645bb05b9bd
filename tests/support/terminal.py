"""gdl as a person at a terminal has it: what it says beside its answer goes to a terminal, and can be waited for."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from tempfile import TemporaryFile
from typing import NamedTuple

import pytest
from places import ROOT


class Ended(NamedTuple):
    """The end of a command: exit status, standard output, and all that was sent to the terminal."""

    status: int
    answer: str
    said: str


class Watched:
    """A running command whose standard error is a terminal."""

    def __init__(self, *arguments: str):
        pty = pytest.importorskip("pty")
        self._terminal, theirs = pty.openpty()
        self._answer = TemporaryFile()  # noqa: SIM115  # closed at the end
        self._process = subprocess.Popen(
            [sys.executable, "-m", "gdl", *arguments],
            stdin=subprocess.DEVNULL, stdout=self._answer, stderr=theirs, cwd=ROOT,
        )  # fmt: skip
        os.close(theirs)
        self.said = ""

    def wait_for(self, pattern: str, seconds: float = 100.0) -> str:
        """Read until the terminal was sent a text of this form, and return it."""
        until = time.monotonic() + seconds
        while (found := re.search(pattern, self.said)) is None:
            assert self._read(until - time.monotonic()), f"never said {pattern!r}, but {self.said!r}"
        return found[0]

    def press_ctrl_c(self) -> None:
        self._process.send_signal(signal.SIGINT)

    def end(self, seconds: float = 100.0) -> Ended:
        """Wait until the command has ended."""
        until = time.monotonic() + seconds
        while self._read(until - time.monotonic()):
            pass
        status = self._process.wait(timeout=max(1.0, until - time.monotonic()))
        os.close(self._terminal)
        with self._answer as answer:
            answer.seek(0)
            return Ended(status, answer.read().decode(), self.said)

    def _read(self, seconds: float) -> bool:
        """Read the terminal's next piece of text. Returns False at the end."""
        ready, _, _ = select.select([self._terminal], [], [], max(0.0, seconds))
        if not ready:
            return False
        try:
            self.said += os.read(self._terminal, 1 << 16).decode()
        except OSError:  # the other end is closed
            return False
        return True
