"""The programs that play: each a process that is told the play so far and answers with an action of the game."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

HERE = Path(__file__).parent
LETTERS = "abcdefghjklmnopqrst"


class Missing(Exception):
    """The program is not here; says what is missing."""


class Side(Protocol):
    """One of the two programs."""

    def begin(self) -> None:
        """Another game begins."""

    def move(self, play: Sequence[str], actions: Sequence[str]) -> str:
        """What it does after a play, where these actions are legal."""

    def end(self) -> None:
        """The match is over."""


def side(text: str, game: str, settings: dict[str, str]) -> Side:
    """The program that a word of the command line names. Raises Missing where it is not here."""
    kind, _, rest = text.partition(":")
    if kind == "openspiel":
        return Lines([python(), str(HERE / "openspiel_side.py"), game, json.dumps(settings), rest], os.environ)
    if kind == "gtp":
        return Gtp(found(rest), settings)
    text, _, folder = text.partition("@")
    root = Path(folder) if folder else HERE.parents[2]
    ours = [sys.executable, str(HERE / "gdl_side.py"), game, json.dumps(settings), text]
    return Lines(ours, {**os.environ, "PYTHONPATH": str(root)})


def python() -> str:
    """The Python that has OpenSpiel."""
    its = os.environ.get("GDL_BENCH_PYTHON", sys.executable)
    if subprocess.run([its, "-c", "import pyspiel"], capture_output=True, check=False).returncode:
        raise Missing("OpenSpiel is not here: pip install open_spiel, and name its Python in GDL_BENCH_PYTHON")
    return its


def found(command: str) -> list[str]:
    """The words of a command. Raises Missing where its program is not here."""
    words = shlex.split(command)
    if shutil.which(words[0]) is None:
        raise Missing(f"there is no program {words[0]}")
    return words


class Process:
    """A program with lines in and out."""

    def __init__(self, command: Sequence[str], environment: dict[str, str] | os._Environ[str] = os.environ):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def hear(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise EOFError(f"{self.process.args!r} has ended")
        return line.rstrip("\n")

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(10)


class Lines(Process):
    """A program of this folder: a play as JSON in, an action out."""

    def begin(self) -> None:
        pass

    def move(self, play: Sequence[str], actions: Sequence[str]) -> str:
        self.say(json.dumps([list(play), list(actions)]))
        return self.hear()


class Gtp(Process):
    """A program of go. The board is the file's, the komi its parameter."""

    def __init__(self, command: Sequence[str], settings: dict[str, str]):
        super().__init__(command)
        self.settings = settings
        self.done: list[str] = []

    def begin(self) -> None:
        self.done = []
        self._ask(f"boardsize {self.settings.get('n', '9')}")
        self._ask("clear_board")
        self._ask(f"komi {self.settings.get('komi', '7')}")

    def move(self, play: Sequence[str], actions: Sequence[str]) -> str:
        for number in range(len(self.done), len(play)):
            self._ask(f"play {'BW'[number % 2]} {vertex(play[number])}")
        said = self._ask(f"genmove {'BW'[len(play) % 2]}").lower()
        wanted = "pass" if said == "resign" else said
        action = next(action for action in actions if vertex(action) == wanted)
        self.done = [*play, action]
        return action

    def _ask(self, line: str) -> str:
        self.say(line)
        answer = self.hear()
        while self.hear():
            pass
        assert answer.startswith("="), (line, answer)
        return answer[1:].strip()


def vertex(action: str) -> str:
    """What GTP calls an action of go: its letters have no i."""
    if action == "pass":
        return action
    return LETTERS[ord(action[0]) - ord("a")] + action[1:]
