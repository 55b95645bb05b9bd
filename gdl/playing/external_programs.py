"""Programs of others in gdl match: `engine:./program --option`."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path
from typing import Any

from gdl.errors import Refusal, WrongRequest, clean
from gdl.game import Action, Decision
from gdl.model.games import RulesModel
from gdl.playing.asked_game import Asked
from gdl.playing.program import EngineProcess, GivesUp

ENGINE = "engine"  # how such a contestant is named


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
        """A new game, by a new program where the last one has failed."""
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
        """What it plays; GivesUp where that is nothing."""
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
    """The program and what it is given, as they stand behind `engine:`."""
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
    """The position of --position in the game's notation."""
    if asked.by.position is None:
        return None
    from gdl.interpreter.position import text_of

    model: Any = asked.loaded.model
    assert isinstance(model, RulesModel)
    game: Any = asked.loaded.game
    return text_of(model, game.initial())
