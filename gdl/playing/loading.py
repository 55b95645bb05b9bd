"""The first half of the pipeline, written out once: text -parser-> syntax -checker-> model -engine-> game.

Each worker is imported when it is needed: whoever only asks for help waits for none of them.

A game as it is asked for is a file, the values of its parameters, a variant, a position, what was played, weights.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Never, TypeAlias

from gdl import wings
from gdl.errors import DamagedData, GameError, Problem, WrongRequest, clean
from gdl.errors.deadline import limit_time
from gdl.formats.game_files import decoded, described, folder_of, read, shipped, title
from gdl.game import Game, Holder
from gdl.states.checked_game import ensure_checked, is_networkx
from gdl.states.game_wrapper import GameWrapper, OtherGame
from gdl.states.garbage import rare_collection

if TYPE_CHECKING:
    from networkx import Graph  # type: ignore[import-untyped]

    from gdl import syntax
    from gdl.checker.asked import AskedGame
    from gdl.game import Game
    from gdl.model.games import Model
    from gdl.playing.steppable import SteppableGame
    from gdl.playing.steppable_rules import SteppableContinuation


__all__ = [
    "Loaded", "decoded", "described", "folder_of", "games", "load", "loads", "play", "read", "shipped",
    "title",
]  # fmt: skip


Read: TypeAlias = "tuple[syntax.Description, Model, tuple[Problem, ...]]"
Given: TypeAlias = "Game[Any] | Holder | Graph[Any] | str | Path"  # what stands for a game


@dataclass(frozen=True)
class Loaded(Holder):
    r"""A game file with everything that was made of it on the way. `solve`, `compare` and others take it in place of a
    game.

    Attributes:
        description: the sections of the file, as they were written.
        model: the checked game: its rules, tree or matrix.
        game: the game to play and to solve, as `load` returns it.
        warnings: the problems that do not prevent play; () if there are none.

    Example:
        >>> import gdl
        >>> loaded = gdl.loads("players MAX, MIN\ntree MAX(MIN(3, 12), MIN(2, 4))")
        >>> loaded.game.players, loaded.warnings
        (('MAX', 'MIN'), ())
    """

    description: syntax.Description = field(compare=False, repr=False)
    model: Model = field(compare=False, repr=False)
    game: SteppableGame
    warnings: tuple[Problem, ...]


def load(
    path: str | Path | Graph[Any],
    *,
    settings: Mapping[str, Any] | None = None,
    variant: str | None = None,
    position: str | None = None,
    after: str | Sequence[str] | None = None,
    time: float | None = None,
    packed: bool = False,
    **wrong: Never,
) -> SteppableGame:
    """Load the game of a file, ready to be played and solved.

    Args:
        path: the path of a file, or the name of a game that comes with gdl (`games` lists them); or a networkx DiGraph
            or MultiDiGraph with the attributes of `gdl.graph`, which has neither settings nor variants nor positions.
        settings: values for parameters of the game, by their names: `{"columns": 5}`.
        variant: the name of one of the game's variants.
        position: where play begins: the name of a position of the file, or a text in the file's notation.
        after: the actions after which play begins: one text, as on the command line, or a list of actions.
        time: the seconds that reading the game may take; a little more passes until work that takes longer is stopped.
        packed: True for a program that walks through many states: these are bytes then, and compiled code gives nodes
            and successors. Of rules by which nobody sees less than all, or gains anything on the way.
        wrong: nothing. An option of another name is refused; parameters of the game go into `settings`.

    Returns:
        The game (`gdl.game.Game`), which also has the methods `environment` and `environments`.

    Raises:
        GameError: with all problems of the file, or because there is no such game, setting, variant or position.
        LimitReached: the game was not read in its time.
        OSError: the file cannot be read.

    Warns:
        UserWarning: the text of a position says what cannot be so, which is left out; or the game has no packed states.

    Example:
        >>> import gdl
        >>> game = gdl.load("subtraction", settings={"heap": 7})
        >>> game.node(game.initial())
        Decision(player=0, actions=('take(1)', 'take(2)', 'take(3)'))
    """
    if is_networkx(path):
        with limit_time(time, "reading the game"):
            return _load_graph(path, settings or variant or position, after)
    if not isinstance(path, str | Path):
        raise _loading_error(f"{path!r} is no name of a game", "give a path, or a name of gdl.games()")
    if Path(path).is_dir() and str(path) not in shipped():
        raise _loading_error(f"'{clean(str(path))}' is a folder, and no game", "give a path, or a name of gdl.games()")
    text, name = read(path)
    asked: Any = {"settings": settings, "variant": variant, "position": position, "after": after, "time": time}
    loaded = loads(text, name, folder=folder_of(path), **asked, **wrong)
    for problem in loaded.warnings:
        if problem.kind == "position-left-out":
            warnings.warn(str(problem), stacklevel=2)
    if packed:
        from gdl.playing.steppable_packed import with_packed_states

        return with_packed_states(loaded.game)  # type: ignore[no-any-return]
    return loaded.game


def _load_graph(graph: Any, asked: object, after: str | Sequence[str] | None) -> SteppableGame:
    """The game of a networkx graph, begun after some actions; `asked` is what a graph has none of."""
    from gdl.playing.steppable_graph import SteppableGraph

    if asked:
        raise _loading_error(
            f"a graph has no settings, variants or positions: {asked!r}", "leave them out, or write a file"
        )
    game: SteppableGame = SteppableGraph(graph)
    return game if after is None else _continue_after(game, after)


def loads(
    text: str,
    name: str = "<text>",
    *,
    settings: Mapping[str, Any] | None = None,
    variant: str | None = None,
    position: str | None = None,
    after: str | Sequence[str] | None = None,
    folder: str | Path | None = None,
    time: float | None = None,
    **wrong: Never,
) -> Loaded:
    r"""Load a game from a text, and keep what was found on the way.

    Args:
        text: the text of a game file.
        name: the name of the text in messages.
        settings: as for `load`.
        variant: as for `load`.
        position: as for `load`.
        after: as for `load`.
        folder: the folder of the files that the text begins from or uses; None: only what comes with gdl.
        time: as for `load`.
        wrong: as for `load`.

    Returns:
        The game, and what it was made of.

    Raises:
        GameError: with all problems of the text, or because there is no such setting, variant or position.
        LimitReached: the game was not read in its time.

    Example:
        >>> import gdl
        >>> gdl.loads("players A, B\nmatrix\n    up, left: 3\n    up, right: 1").game.players
        ('A', 'B')
    """
    _check_request(text, settings, variant, position, after, wrong)
    settings = {name: list(value) if isinstance(value, tuple) else value for name, value in (settings or {}).items()}
    read = wings.installed_hook("kept models") or read_model
    with limit_time(time, "reading the game"), rare_collection():
        description, model, told = read(text, name, None if folder is None else Path(folder), settings, variant)
        if position is not None:
            from gdl import checker
            from gdl.interpreter import position as positions

            found = list(told)
            model = positions.begin_at(model, position, checker.positions_of_variants(description), found.append)
            told = tuple(found)
        game: SteppableGame = play(model)
        if after is not None:
            game = _continue_after(game, after)
    return Loaded(description, model, game, told)


def read_model(text: str, name: str, folder: Path | None, settings: Any, variant: str | None) -> Read:
    """The description of a text, its model, and the warnings about it. Raises GameError with all problems."""
    from gdl import checker

    description = described(text, name, folder)
    return description, *checker.check(description, settings, variant)


def _check_request(text: Any, settings: Any, variant: Any, position: Any, after: Any, wrong: Mapping[str, Any]) -> None:
    """Raise GameError where something that `loads` was given is not of its kind, or an option is `wrong`."""
    for name, value in wrong.items():
        given = repr(value) if isinstance(value, Mapping) else f'{{"{name}": …}}'
        raise _loading_error(f"load has no option {name}", f"a parameter is set by settings={given}")
    if not isinstance(text, str):
        raise _loading_error(
            f"the text of a game is a str, and this is {type(text).__name__}", "decode it, or use gdl.load"
        )
    for given, what in ((variant, "variant"), (position, "position")):
        if not isinstance(given, str | None):
            raise _loading_error(f"{given!r} is no {what}", f'give its name, as in {what}="NAME"')
    if not isinstance(settings, Mapping | None) or not all(isinstance(one, str) for one in settings or ()):
        raise _loading_error(f"{settings!r} are no settings", 'give a dict, as in settings={"heaps": [1, 2]}')
    if not isinstance(after, str | Sequence | None) or not all(isinstance(one, str) for one in after or ()):
        raise _loading_error(f"{after!r} is no list of actions", 'give their names, as in after=["a", "b"]')


def _loading_error(message: str, help: str) -> GameError:
    return GameError(Problem(message, help=help))


def _continue_after(game: Game[Any], after: str | Sequence[str]) -> SteppableContinuation:
    from gdl.interpreter import position as positions
    from gdl.playing.steppable_rules import SteppableContinuation

    later = positions.begin_after(game, after)
    assert isinstance(later, positions.Continuation)
    return SteppableContinuation(later.game, later.initial(), later.played)


def game_of(given: Given, **asked: Any) -> Game[Any]:
    """The game that is given itself, by a Holder, as a networkx graph, or by a name or a path, as `asked` of `load`.
    Raises GameError where it is no game."""
    if isinstance(given, str | Path) or is_networkx(given):
        return load(given, **asked)
    if isinstance(given, Holder):
        return given.game
    ensure_checked(given)
    if not isinstance(given, GameWrapper):
        return given
    from gdl.compiler.packed_game import interpreted_game

    return interpreted_game(given)


def games() -> list[str]:
    """List the games that come with gdl.

    Returns:
        Their names, in alphabetical order; `load` takes each of them.

    Example:
        >>> import gdl
        >>> "chess" in gdl.games()
        True
    """
    return list(shipped())


def play(model: Model) -> SteppableGame:
    r"""Turn a checked model into a game that can be played, solved and stepped.

    Args:
        model: the model that the checker has made (`gdl.loads(…).model`).

    Returns:
        The game, on the interpreter.

    Example:
        >>> import gdl
        >>> gdl.play(gdl.loads("players MAX, MIN\ntree MAX(1, 2)").model).players
        ('MAX', 'MIN')
    """
    from gdl.model.games import MatrixModel, OtherModel, RulesModel, TreeModel
    from gdl.playing.steppable import SteppableMatrix, SteppableTree

    match model:
        case TreeModel():
            return SteppableTree(model)
        case MatrixModel():
            return SteppableMatrix(model)
        case OtherModel():
            other: SteppableGame = wings.load(model.playable)(model)
            return other
        case RulesModel():
            from gdl.interpreter.rules_game import playable
            from gdl.playing.steppable_rules import SteppableRules

            made = playable(model, SteppableRules)
            assert isinstance(made, SteppableRules)
            return made


# ---- A game as it is asked for -------------------------------------------------------------------------------------


STDIN = "-"
Remark = Callable[[str], None]


def ignore(said: object) -> None:
    """Ignore a remark."""


class Asking(NamedTuple):
    r"""A request for a game, as a command line states it: the `text` of a file and its `name`, the values of parameters
    (`settings`), a `variant`, a `position`, the actions `after` which the game begins (in one text, or one by one), a
    file of `weights`, and the `folder` of the file. None: not asked for.

    A text may come from the record of a play, of which `who` has the name of each player's contestant, or from an exam,
    of which `question` is the saved question.
    """

    text: str
    name: str
    settings: Mapping[str, str] = {}
    variant: str | None = None
    position: str | None = None
    after: str | tuple[str, ...] | None = None
    weights: str | None = None
    folder: Path | None = None
    file: str = STDIN  # the file as it was named; "-": standard input
    who: Mapping[str, str] = {}
    question: Any = None  # the saved question whose game is the text; None: the text is no exam's
    recorded: bool = False  # whether a record says the position
    transform: str | None = None  # a formula in u that replaces each utility u; None: utilities stay as they are


class Asked(NamedTuple):
    """A loaded file, the game from the position on that was asked for, and the request itself (`by`)."""

    loaded: Loaded
    game: Game[Any]
    by: Asking

    def begin_as(self, model: Model) -> Game[Any]:
        """Begin the game of another model of the same file where the request begins: at its position, after its
        actions."""
        by, loaded = self.by, replace(self.loaded, model=model)
        loaded = replace(loaded, game=play(model)) if by.position is None else _begin_at(loaded, by.position)
        return continue_game(loaded, by)

    def read_question(self, text: str) -> tuple[Any, AskedGame]:
        """Read a question of best play. Returns the question and the game that it asks about; raises GameError where
        the text is no such question."""
        from gdl.checker.asked import question_game
        from gdl.syntax import parser

        written = parser.question(text)
        return written, question_game(self.loaded.description, written, self.by.settings, self.by.variant)


FOR_PLAY = "play"  # the name of the variant with which people begin, where the file has it


def load_asked(by: Asking, remark: Remark = ignore, warn: Callable[[tuple[Problem, ...]], None] = ignore) -> Asked:
    """Load the game that is asked for; `remark` gets notes on what was done, `warn` the warnings about its file."""
    loaded = load_text(by.text, by.name, by.folder, by.settings, by.variant)
    warn(loaded.warnings)
    remark_on_language(loaded.game, remark)
    if by.weights is not None:
        loaded = apply_weights(loaded, by.weights, remark)
    if by.position is not None:
        try:
            loaded = _begin_at(loaded, by.position, warn)
        except WrongRequest as wrong:
            if by.recorded:
                told = f"the position of the record, {clean(by.position)}: {wrong.problems[0].message}"
                raise DamagedData(told) from None
            raise
    game = continue_game(loaded, by, remark)
    if by.transform is not None:
        from gdl.states.transformed import Transformed, read_formula

        change = wings.call_hook("a formula with roots", by.transform, remark) or read_formula(by.transform)
        game = Transformed(game, lambda state, utility: change(utility))
    return Asked(loaded, game, by)


def remark_on_language(game: Game[Any], remark: Remark) -> None:
    """Remark what whoever plays a game in a language of a wing should know."""
    if isinstance(game, OtherGame) and game.remark:
        remark(clean(game.remark))


def _begin_at(loaded: Loaded, position: str, warn: Callable[[tuple[Problem, ...]], None] = ignore) -> Loaded:
    from gdl import checker
    from gdl.interpreter.position import begin_at

    found: list[Problem] = []
    try:
        model = begin_at(loaded.model, position, checker.positions_of_variants(loaded.description), found.append)
    except GameError as wrong:
        raise WrongRequest(*wrong.problems) from None
    warn(tuple(found))
    return replace(loaded, model=model, game=play(model))


def apply_weights(loaded: Loaded, file: str, remark: Remark = ignore) -> Loaded:
    """Give a game the learned evaluation of a file. Raises WrongRequest where there is no such file, DamagedData where
    it is none."""
    from gdl.interpreter.rules_game import RulesGame, expand_together

    model = wings.hook("--weights")(loaded.model, file)
    remark(f"the evaluation is that of {clean(file)}")
    game = play(model)
    if isinstance(game, RulesGame) and isinstance(loaded.game, RulesGame):
        expand_together(game, loaded.game)
    return replace(loaded, model=model, game=game)


def continue_game(loaded: Loaded, by: Asking, remark: Remark = ignore) -> Game[Any]:
    """The loaded game; if the request names actions after which to begin, the game from there on."""
    if by.after is None:
        return loaded.game
    from gdl.interpreter import position

    try:
        later = position.begin_after(loaded.game, by.after)
    except position.WrongPlay as wrong:
        raise WrongRequest(*wrong.problems) from None
    if later.traits.perfect_information is False:
        remark("note: everyone knows the actions of --after, whatever the game would hide")
    return later


def load_text(text: str, name: str, folder: Path | None, settings: Mapping[str, str], variant: str | None) -> Loaded:
    """Load the game of a text. Raises GameError where the text is wrong, WrongRequest where only the settings or the
    variant are."""
    try:
        return loads(text, name, settings=settings, variant=variant, folder=folder)
    except GameError:
        if settings or variant:
            check_names(text, name, folder, settings, variant)
        raise


def check_names(text: str, name: str, folder: Path | None, settings: Mapping[str, str], variant: str | None) -> None:
    """Raise WrongRequest where the game has no such variant, or is wrong only with the settings; do nothing where the
    text itself is wrong."""
    from gdl import checker

    try:
        description = described(text, name, folder)
        known = variant if variant in checker.variants(description) else None
        checker.check(description, None, known)
    except GameError:
        return  # it is the file's fault
    try:
        checker.check(description, settings, variant)
    except GameError as wrong:
        if settings or variant != known:
            raise WrongRequest(*wrong.problems) from None
