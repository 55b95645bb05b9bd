"""Another program as a player: an engine that speaks UGI or UCI on its standard input and output.

It is started by its list of words, without a shell, and gets nothing but the lines of the protocol. Whatever it does,
play goes on: a program that is silent for too long, ends, or says a move that is not legal gives its game up, with the
reason. What it says beside the protocol is dropped, long lines are cut, and at the end it is ended with all that it has
started.

Sources: as of gdl/playing/protocol.py.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from time import monotonic
from typing import Any

from gdl.errors import Refusal, WrongRequest, clean
from gdl.game import Action, Decision
from gdl.model.games import RulesModel
from gdl.playing.loading import Asked
from gdl.wings.arena.protocol import LONGEST, action_as_word

START = 10.0  # seconds until a program says what it speaks
READY = 10.0  # seconds until it is ready for a game
LATE = 2.0  # seconds that a move may come later than was asked for
LEAVES = 1.0  # seconds that a program has to end by itself
HEARD = 10_000  # lines that wait to be read
OKS = {"uciok": "uci", "ugiok": "ugi"}  # a program's answer: its protocol


class GivesUp(Exception):
    """The program cannot go on with its game, or must not; the message says why."""


class EngineProcess:
    """A running program that speaks UGI or UCI."""

    def __init__(self, words: Sequence[str]):
        """Start a program with its arguments. Raises OSError if there is no such program, or it cannot be run."""
        self._process = subprocess.Popen(
            list(words), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, encoding="utf-8", errors="replace", bufsize=1,
            start_new_session=True,  # so that Ctrl-C is for us to answer
        )  # fmt: skip
        self._lines: Queue[str | None] = Queue(HEARD)
        Thread(target=self._read, daemon=True).start()
        self.protocol = ""

    def _read(self) -> None:
        assert self._process.stdout is not None
        with suppress(OSError, ValueError):
            while line := self._process.stdout.readline(LONGEST):
                self._lines.put(line)
        self._lines.put(None)

    def say(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise GivesUp(self._end_reason()) from None

    def hear(self, first_words: Iterable[str], seconds: float) -> list[str]:
        """The words of the next line that begins with one of `first_words`; other lines are dropped. Raises GivesUp
        after `seconds` without one, or if the program ends."""
        wanted, until = frozenset(first_words), monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, until - monotonic()))
            except Empty:
                line = ""
            if line is None:
                raise GivesUp(self._end_reason())
            words = line.split()
            if words and words[0] in wanted:
                return words
            if monotonic() >= until:
                raise GivesUp(f"it said no {' or '.join(sorted(wanted))} for {seconds:.3g} seconds")

    def greet(self) -> None:
        """Find out the program's protocol; UCI is asked for first, as its engines expect."""
        self.say("uci")
        self.say("ugi")
        self.protocol = OKS[self.hear(OKS, START)[0]]

    def begin(self) -> None:
        """Tell the program that a new game begins."""
        self.say(f"{self.protocol}newgame")
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        """Wait until the program answers `isready`, and drop whatever it said before."""
        self.say("isready")
        self.hear(("readyok",), READY)

    def move(self, position: str | None, played: Sequence[Action], legal: Sequence[Action], seconds: float) -> Action:
        """The program's move, one of `legal`, after the actions `played` from a position (None: the start). Raises
        GivesUp if it has none after `seconds` and a little more."""
        before = "startpos" if position is None else f"fen {position}"
        moves = f" moves {' '.join(map(action_as_word, played))}" if played else ""
        self.say(f"position {before}{moves}")
        self.wait_until_ready()
        self.say(f"go movetime {max(1, round(1000 * seconds))}")
        words = self.hear(("bestmove",), seconds + LATE)[1:]
        said = " ".join(words[: words.index("ponder")] if "ponder" in words else words)
        by_name = {name: action for action in legal for name in (action, action_as_word(action))}
        if said not in by_name:
            raise GivesUp(f"it played '{clean(said[:80])}', which is not legal")
        return by_name[said]

    def end(self) -> None:
        """Ask the program to end, and make sure that it does."""
        with suppress(GivesUp):
            self.say("quit")
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(LEAVES)
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)  # with what it has started
            else:
                self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError, ValueError):
                if stream is not None:
                    stream.close()

    def _end_reason(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            return f"the program ended, with the exit status {self._process.wait(LEAVES)}"
        return "the program closed its output"


ENGINE = "engine"  # before the colon of such a contestant


class External:
    """A program as a contestant, as `engine:./program --option` writes it."""

    def __init__(self, asked: Asked, text: str, seconds: float):
        self.text, self.seconds = text, seconds
        self._position = _position_of(asked)
        self._before: tuple[Action, ...] = tuple(getattr(asked.game, "played", ()))
        self._played: list[Action] = []
        self._words = _words(text)
        self._program: EngineProcess | None = None
        traits = asked.game.traits
        if traits.perfect_information is not True or traits.simultaneous is not False:
            raise Refusal(f"a program is told every move, and {asked.game.name} hides some")
        try:
            self._run().begin()
        except GivesUp as why:
            self.close()
            message = f"'{clean(self._words[0])}' does not answer as an engine: {why}"
            raise WrongRequest(message, help="name a program that speaks UGI or UCI") from None

    def begin(self) -> None:
        """Begin a new game, with a new process if the last one has failed."""
        self._played = []
        self._run().begin()

    def _run(self) -> EngineProcess:
        if self._program is None:
            try:
                self._program = EngineProcess(self._words)
            except (OSError, ValueError) as wrong:
                said = getattr(wrong, "strerror", None) or str(wrong)
                raise WrongRequest(f"the program '{clean(self._words[0])}' cannot be started: {said}") from None
            self._program.greet()
        return self._program

    def see(self, action: Action) -> None:
        self._played.append(action)

    def move(self, node: Decision, draw: str) -> Action:
        """The program's move; raises GivesUp where there is none."""
        assert self._program is not None
        try:
            return self._program.move(self._position, (*self._before, *self._played), node.actions, self.seconds)
        except GivesUp:
            self.close()
            raise

    def close(self) -> None:
        if self._program is not None:
            self._program.end()
            self._program = None


def _words(text: str) -> list[str]:
    """The program and its arguments, as they stand behind `engine:`. Raises WrongRequest where there is no such
    program."""
    try:
        words = shlex.split(text.partition(":")[2])
    except ValueError:
        raise WrongRequest(f"a quote does not end in '{clean(text)}'", help="write a second quote") from None
    if not words:
        raise WrongRequest(f"no program is named in '{clean(text)}'", help=f"write {ENGINE}:./program")
    if shutil.which(words[0]) is None:
        near = Path(words[0])
        help = f"write {ENGINE}:./{clean(words[0])}" if near.is_file() and near.parent == Path() else ""
        raise WrongRequest(f"there is no program '{clean(words[0])}'", help=help or "name one that can be run")
    return words


def _position_of(asked: Asked) -> str | None:
    """The position of --position in the game's notation; None if none was given."""
    if asked.by.position is None:
        return None
    from gdl.interpreter.position import text_of

    model: Any = asked.loaded.model
    assert isinstance(model, RulesModel)
    game: Any = asked.loaded.game
    return text_of(model, game.initial())
