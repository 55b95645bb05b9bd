"""The first half of the pipeline, written out once: text -parser-> syntax -checker-> model -engine-> game.

Each worker is imported when it is needed: whoever only asks for help waits for none of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gdl.errors import GameError, Problem, clean
from gdl.formats.game_files import decoded, described, folder_of, read, shipped, title
from gdl.game import Holder

if TYPE_CHECKING:
    from gdl import syntax
    from gdl.game import Game
    from gdl.model.games import Model
    from gdl.playing.stepping.environment import Environment
    from gdl.playing.stepping.steppable import SteppableGame
    from gdl.playing.stepping.steppable_rules import SteppableContinuation

__all__ = [
    "Loaded", "decoded", "described", "environment", "folder_of", "games", "load", "loads", "play", "read", "shipped",
    "title",
]  # fmt: skip


@dataclass(frozen=True)
class Loaded(Holder):
    """A game file, all the way: what was written, what it means, how it plays, and what looks like a mistake."""

    description: syntax.Description
    model: Model
    game: SteppableGame
    warnings: tuple[Problem, ...]


def load(
    path: str | Path,
    *,
    settings: Mapping[str, Any] | None = None,
    variant: str | None = None,
    position: str | None = None,
    after: str | Sequence[str] | None = None,
) -> SteppableGame:
    """The game of a file, ready to be played and solved. A bare name as `path` finds a game that comes with gdl.

    `settings` are values for its parameters (`{"columns": 5}`), `variant` is the name of one of its variants, and
    `position` is where play begins: the name of a position of the file, or a text in the file's notation. `after` are
    the actions after which play begins, in one text as on the command line, or one by one.
    Raises GameError with all problems of the file, and OSError if the file cannot be read.
    """
    if not isinstance(path, str | Path):
        raise _wrong(f"{path!r} is no name of a game", "give a path, or a name of gdl.games()")
    if Path(path).is_dir() and str(path) not in shipped():
        raise _wrong(f"'{clean(str(path))}' is a folder, and no game", "give a path, or a name of gdl.games()")
    text, name = read(path)
    asked: Any = {"settings": settings, "variant": variant, "position": position, "after": after}
    return loads(text, name, folder=folder_of(path), **asked).game


def loads(
    text: str,
    name: str = "<text>",
    *,
    settings: Mapping[str, Any] | None = None,
    variant: str | None = None,
    position: str | None = None,
    after: str | Sequence[str] | None = None,
    folder: str | Path | None = None,
) -> Loaded:
    """A game from a text, with all that was found on the way; `name` is shown in messages. `settings`, `variant`,
    `position`, `after` and what is raised are those of `load`.

    In `folder` the text finds the files that it begins from or uses; without it, only what comes with gdl.
    """
    from gdl import checker

    if not isinstance(text, str):
        raise _wrong(f"the text of a game is a str, and this is {type(text).__name__}", "decode it, or use gdl.load")
    for given, what in ((variant, "variant"), (position, "position")):
        if not isinstance(given, str | None):
            raise _wrong(f"{given!r} is no {what}", f'give its name, as in {what}="NAME"')
    if not isinstance(settings, Mapping | None):
        raise _wrong(f"{settings!r} are no settings", 'give a dict, as in settings={"heaps": [1, 2]}')
    settings = {name: list(value) if isinstance(value, tuple) else value for name, value in (settings or {}).items()}
    description = described(text, name, None if folder is None else Path(folder))
    model, warnings = checker.check(description, settings, variant)
    if position is not None:
        from gdl.interpreter import position as positions

        model = positions.at(model, position, checker.positions_of_variants(description))
    game: SteppableGame = play(model)
    if after is not None:
        game = _continue_after(game, after)
    return Loaded(description, model, game, warnings)


def _wrong(message: str, help: str) -> GameError:
    return GameError(Problem(message, help=help))


def _continue_after(game: Game[Any], after: str | Sequence[str]) -> SteppableContinuation:
    from gdl.interpreter import position as positions
    from gdl.playing.stepping.steppable_rules import SteppableContinuation

    try:
        later = positions.after(game, after) if isinstance(after, str) else positions.after_actions(game, after)
    except positions.WrongPlay as wrong:
        raise GameError(wrong.problem) from None
    assert isinstance(later, positions.Continuation)
    return SteppableContinuation(later.game, later.initial(), later.played)


def games() -> list[str]:
    """The names of the games that come with gdl, which `load` finds."""
    return list(shipped())


def play(model: Model) -> SteppableGame:
    """A checked model as a game that can be played, solved and stepped."""
    from gdl.model.clauses import ClausesModel
    from gdl.model.games import MatrixModel, RulesModel, TreeModel
    from gdl.playing.stepping.steppable import SteppableMatrix, SteppableTree

    match model:
        case TreeModel():
            return SteppableTree(model)
        case MatrixModel():
            return SteppableMatrix(model)
        case ClausesModel():
            from gdl.playing.stepping.steppable_clauses import playable_clauses

            return playable_clauses(model)
        case RulesModel():
            from gdl.interpreter.playable_rules import playable
            from gdl.playing.stepping.steppable_rules import SteppableRules

            made = playable(model, SteppableRules)
            assert isinstance(made, SteppableRules)
            return made


def environment(
    game: Game[Any] | Holder | str | Path, *, engine: str = "auto", seed: int = 0, steps: bool = False
) -> Environment:
    """A game, ready to be stepped; that of a class of your own too. What `gdl.loads` gives will do, and the name of a
    file or of a shipped game. `gdl guide stepping` tells what can be done then.

    `engine` is `auto` (the compiled engine where it takes the game), `interpreter`, `python` or `wasm`; `seed` decides
    what chance does; `steps` asks for an action step by step, so that numbers are few. Raises Refusal where the actions
    of the game cannot be numbered.
    """
    from gdl.playing.stepping.making import environment as made

    if isinstance(game, str | Path):
        game = load(game)
    return made(game.game if isinstance(game, Holder) else game, engine=engine, seed=seed, steps=steps)
