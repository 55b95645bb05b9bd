"""The programs that play: each a process that is told the play so far and answers with an action of the game."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Protocol

HERE = Path(__file__).parent
LETTERS = "abcdefghjklmnopqrst"
MATE = 3000  # in hundredths of a pawn


class Missing(Exception):
    """The program is not here; says what is missing."""


class Side(Protocol):
    """One of the two programs."""

    def begin(self) -> None:
        """Another game begins."""

    def move(self, play: Sequence[str], actions: Sequence[str]) -> str:
        """The move that this side makes after a play, among these legal actions."""

    def end(self) -> None:
        """The match is over."""


def side(text: str, game: str, settings: dict[str, str]) -> Side:
    """The program that a word of the command line names. Raises Missing where it is not here."""
    kind, _, rest = text.partition(":")
    if kind == "openspiel":
        return Lines([python(), str(HERE / "openspiel_side.py"), game, json.dumps(settings), rest], os.environ)
    if kind == "gtp":
        return Gtp(found(rest), settings)
    if kind == "uci":
        command, *options = rest.split(";")
        return Uci(found(command), options)
    if kind == "gnubg":
        return Gnubg(found("gnubg -t -q"), int(rest or "0"))
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
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:  # it goes on without anybody to talk to
            self.process.kill()
            self.process.wait()


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


class Uci(Process):
    """A program of chess. Of its options the one without a `=` says how long it thinks, as `depth 2`."""

    def __init__(self, command: Sequence[str], options: Sequence[str]):
        super().__init__(command)
        self._ask("uci", "uciok")
        self.limit = "movetime 100"
        for option in options:
            name, given, value = option.partition("=")
            if given:
                self.say(f"setoption name {name} value {value}")
            else:
                self.limit = option

    def begin(self) -> None:
        self.say("ucinewgame")
        self._ask("isready", "readyok")

    def move(self, play: Sequence[str], actions: Sequence[str]) -> str:
        self.say(f"position startpos moves {' '.join(map(uci, play))}" if play else "position startpos")
        best = self._ask(f"go {self.limit}", "bestmove").split()[1]
        return next(action for action in actions if uci(action) == best)

    def worth(self, play: Sequence[str]) -> int:
        """The worth of the position after a play to the one who moves there, in hundredths of a pawn; a mate is MATE."""
        self.say(f"position startpos moves {' '.join(map(uci, play))}")
        self.say(f"go {self.limit}")
        found = 0
        while not (said := self.hear()).startswith("bestmove"):
            score = re.search(r"score (cp|mate) (-?\d+)", said)
            if score is not None:
                found = int(score[2]) if score[1] == "cp" else MATE if int(score[2]) > 0 else -MATE
        return found

    def _ask(self, line: str, answer: str) -> str:
        self.say(line)
        while not (said := self.hear()).startswith(answer):
            pass
        return said


def uci(action: str) -> str:
    """An action as programs of UCI write it: a drop, such as `knight*e4` or `n@e4`, is `N@e4` there."""
    drop = re.fullmatch(r"(\w+)[*@](\w+)", action)
    return f"{'N' if drop[1] == 'knight' else drop[1][0].upper()}@{drop[2]}" if drop else action


class Gnubg(Process):
    """GNU Backgammon, which names the best play of each position without the doubling cube.

    A player's men are counted by where they stand as that player counts: 0 is the bar, 25 off the board.
    """

    START = (0, 2, *(0,) * 10, 5, *(0,) * 4, 3, 0, 5, *(0,) * 6)
    WAYS = re.compile(r"\s*1\. .*?ply\s+(.*?)\s+(?:MWC|Eq\.)")

    def __init__(self, command: Sequence[str], plies: int):
        super().__init__(["stdbuf", "-oL", *command])
        for line in (
            "automatic roll off", "automatic game off", "player 0 human", "player 1 human", "cube use off",
            f"evaluation chequerplay evaluation plies {plies}", "evaluation chequerplay evaluation cubeful off",
        ):  # fmt: skip
            self.say(f"set {line}")
        self.say("new session")

    def begin(self) -> None:
        pass

    def move(self, play: Sequence[str], actions: Sequence[str]) -> str:
        men, mover, dice = (list(self.START), list(self.START)), 0, ""
        for action in play:
            if "-" in action:
                dice = action.replace("-", " ")
                continue
            men = moved(men, mover, ours(action, mover))
            mover = 1 - mover
        own, other = men[mover], men[1 - mover]
        numbers = [own[0], *(own[25 - point] - other[point] for point in range(1, 25)), -other[0]]
        self.say(f"set board simple {' '.join(map(str, numbers))}")
        self.say("set turn 1")
        self.say(f"set dice {dice}")
        self.say("hint 1")
        while not (said := self.WAYS.match(self.hear())):
            pass
        wanted = moved(men, mover, theirs(said[1]))
        return next(action for action in actions if moved(men, mover, ours(action, mover)) == wanted)


def moved(men: Sequence[list[int]], mover: int, ways: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Both players' men after one of them goes these ways."""
    after = (list(men[0]), list(men[1]))
    own, other = after[mover], after[1 - mover]
    for start, end in ways:
        own[start] -= 1
        own[end] += 1
        if end < 25 and other[25 - end]:
            other[25 - end] -= 1
            other[0] += 1
    return after


def ours(action: str, mover: int) -> list[tuple[int, int]]:
    """The ways of an action of ours, whose points are the first player's."""
    ways = [tuple(map(int, way.split("/"))) for way in action.split() if "/" in way]
    return [(a, b) if mover == 0 else (25 - a, 25 - b) for a, b in ways]


def theirs(text: str) -> list[tuple[int, int]]:
    """The ways of a play as GNU Backgammon writes it, such as `bar/21* 13/7(2) 6/off`."""
    ways = []
    for word in text.split():
        path, _, often = word.replace("*", "").partition("(")
        stops = [{"bar": 0, "off": 25}[stop] if stop.isalpha() else 25 - int(stop) for stop in path.split("/")]
        ways += [*pairwise(stops)] * int(often.rstrip(")") or 1)
    return ways


def vertex(action: str) -> str:
    """GTP's name of an action of go; its letters leave out i."""
    if action == "pass":
        return action
    return LETTERS[ord(action[0]) - ord("a")] + action[1:]
