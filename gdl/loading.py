"""The first half of the pipeline, written out once: text -parser-> syntax -checker-> model -engine-> game.

Each worker is imported when it is needed: whoever only asks for help waits for none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gdl import limits
from gdl.errors import GameError, Problem, clean, nearest

if TYPE_CHECKING:
    from gdl import syntax
    from gdl.game import Game
    from gdl.model.games import Model


@dataclass(frozen=True)
class Loaded:
    """A game file, all the way: what was written, what it means, how it plays, and what looks like a mistake."""

    description: syntax.Description
    model: Model
    game: Game[Any]
    warnings: tuple[Problem, ...]


def load(
    path: str | Path,
    *,
    settings: Mapping[str, str] | None = None,
    variant: str | None = None,
    position: str | None = None,
) -> Game[Any]:
    """The game of a file, ready to be played and solved. A bare name finds a game that comes with gdl.

    `settings` are values for its parameters (`{"columns": "5"}`), `variant` is the name of one of its variants, and
    `position` is where play begins: the name of a position of the file, or a text in the file's notation.
    Raises GameError with all problems of the file, and OSError if the file cannot be read.
    """
    text, name = read(path)
    return loads(text, name, settings=settings, variant=variant, position=position).game


def loads(
    text: str,
    name: str = "<text>",
    *,
    settings: Mapping[str, str] | None = None,
    variant: str | None = None,
    position: str | None = None,
) -> Loaded:
    """A game from a text, with all that was found on the way; `name` is shown in messages. Otherwise as `load`."""
    from gdl import checker
    from gdl.syntax import parser

    description = parser.parse(text, name, title(name))
    model, warnings = checker.check(description, settings, variant)
    if position is not None:
        from gdl.interpreter import position as positions

        model = positions.at(model, position, checker.positions_of_variants(description))
    return Loaded(description, model, play(model), warnings)


def title(name: str) -> str:
    """The title of a game without a `game` line: the name of its file."""
    return Path(name).stem if name.endswith(".game") else name


def play(model: Model) -> Game[Any]:
    """A checked model as a game that can be played."""
    from gdl.interpreter.explicit import MatrixGame, TreeGame
    from gdl.model.games import MatrixModel, RulesModel, TreeModel

    match model:
        case TreeModel():
            return TreeGame(model)
        case MatrixModel():
            return MatrixGame(model)
        case RulesModel():
            from gdl.interpreter.rules import RulesGame

            return RulesGame(model)


def read(path: str | Path) -> tuple[str, str]:
    """A game file's text and the name to show for it; a bare name finds a game that comes with gdl.

    Raises GameError if there is no such game, or if the file is too large or is not UTF-8."""
    file = Path(path)
    if (not file.exists() or file.is_dir()) and file.suffix == "" and len(file.parts) == 1:
        games = shipped()
        if str(path) not in games:
            near = nearest(str(path), games)
            help = f"write '{near}', or the path of a file" if near else "see gdl games for those that are shipped"
            raise GameError(Problem(f"there is no game '{clean(str(path))}'", help=help))
        file = games[str(path)]
    with file.open("rb") as stream:
        return decoded(stream.read(limits.SOURCE + 1), str(path)), str(path)


def decoded(data: bytes, name: str) -> str:
    """The text of a file's bytes (at most limits.SOURCE of them are allowed); `name` is shown in messages."""
    if len(data) > limits.SOURCE:
        raise GameError(Problem(f"{clean(name)} is larger than {limits.SOURCE:,} bytes", help="split the game"))
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        message = f"{clean(name)} is not text in UTF-8 (byte {error.start})"
        raise GameError(Problem(message, help="save it as UTF-8")) from None


def shipped() -> dict[str, Path]:
    """The games that come with the package, by name: beside it in a checkout, inside it in a wheel."""
    inside = Path(__file__).parent / "games"
    folder = inside if inside.is_dir() else inside.parent.parent / "games"
    return {file.stem: file for file in sorted(folder.glob("*.game"))}
