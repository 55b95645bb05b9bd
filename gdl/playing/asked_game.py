"""A game as it is asked for: a file, the values of its parameters, a variant, a position, what was played, weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gdl.errors import DamagedData, GameError, Problem, WrongRequest, clean
from gdl.game import Game
from gdl.playing.loading import Loaded, described, loads, play

if TYPE_CHECKING:
    from gdl.checker.asked import AskedGame
    from gdl.formats.exam_answers import SavedQuestion
    from gdl.model.games import Model

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
    question: SavedQuestion | None = None  # whose game is the text
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
        loaded = replace(loaded, game=play(model)) if by.position is None else _at(loaded, by.position)
        return continue_game(loaded, by)

    def read_question(self, text: str) -> tuple[Any, AskedGame]:
        """Read a question of best play. Returns the question and the game that it asks about; raises GameError where
        the text is no such question."""
        from gdl.checker.asked import question_game
        from gdl.syntax import parser

        written = parser.question(text)
        return written, question_game(self.loaded.description, written, self.by.settings, self.by.variant)


def load_asked(by: Asking, remark: Remark = ignore, warn: Callable[[tuple[Problem, ...]], None] = ignore) -> Asked:
    """Load the game that is asked for; `remark` gets notes on what was done, `warn` the warnings about its file."""
    loaded = load_text(by.text, by.name, by.folder, by.settings, by.variant)
    warn(loaded.warnings)
    remark_on_clauses(loaded.game, remark)
    if by.weights is not None:
        loaded = apply_weights(loaded, by.weights, remark)
    if by.position is not None:
        loaded = _at(loaded, by.position)
    game = continue_game(loaded, by, remark)
    if by.transform is not None:
        from gdl.states.transformed import transform

        game = transform(game, by.transform)
    return Asked(loaded, game, by)


def remark_on_clauses(game: Game[Any], remark: Remark) -> None:
    """Remark that a game of clauses is slow, if rules would be possible but for their number."""
    reason, model = getattr(game, "reason", ""), getattr(game, "model", None)
    if reason and model is not None and not (model.has_chance or model.has_secrets):
        remark(clean(f"{game.name} is slow, played by its clauses, not by rules: {reason}"))


def _at(loaded: Loaded, position: str) -> Loaded:
    from gdl import checker
    from gdl.interpreter.position import at

    try:
        model = at(loaded.model, position, checker.positions_of_variants(loaded.description))
    except GameError as wrong:
        raise WrongRequest(*wrong.problems) from None
    return replace(loaded, model=model, game=play(model))


def apply_weights(loaded: Loaded, file: str, remark: Remark = ignore) -> Loaded:
    """Give a game the weights, or the learned evaluation, of a file. Raises WrongRequest where there is no such file,
    DamagedData where it is too large."""
    from gdl.formats import learned_files, tensors
    from gdl.interpreter.rules_game import RulesGame, expand_together
    from gdl.model import weights

    if not Path(file).is_file():
        raise WrongRequest(f"there is no file '{clean(file)}'", help="gdl learn writes one")
    with open(file, "rb") as stream:
        data = stream.read(weights.LARGEST + 1)
        tables = tensors.is_such(data)
        data += stream.read(tensors.LARGEST + 1) if tables else b""
    most = tensors.LARGEST if tables else weights.LARGEST
    if len(data) > most:
        raise DamagedData(f"{clean(file)} is larger than {most:,} bytes")
    if tables:
        model = learned_files.attach_evaluation(loaded.model, data, file)
        remark(f"the evaluation is that of {clean(file)}")
    else:
        model = weights.with_weights(loaded.model, data.decode("utf-8", errors="replace"), file)
        remark(f"the evaluation is weighed by {clean(file)}")
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
        later = position.after(loaded.game, by.after)
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
