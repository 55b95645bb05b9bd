"""A game that begins at another position: one written in the notation of its file, or the one that actions lead to."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from gdl import wings
from gdl.errors import (
    GameError,
    LimitReached,
    Problem,
    Source,
    Span,
    clean,
    limits,
    listing,
    nearest,
    suggestion,
    with_play,
)
from gdl.errors.courtesy import Courtesy
from gdl.errors.screen import cut_lines, wrapped_rows
from gdl.game import Decision, Game, Terminal, Traits
from gdl.interpreter.bodies import EVERYONE, FIRST_STEP
from gdl.interpreter.closures import MOVER
from gdl.interpreter.legal_positions import begin_with, keep_legal
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model import core, notation
from gdl.model.games import Model, Notation, RulesModel
from gdl.states.checked_game import ensure_checked
from gdl.states.explore import Walk, move_text, moves
from gdl.states.game_wrapper import GameWrapper
from gdl.states.sequential import Sequential

LOOKED_AT = 1_000  # states that are searched for an action which is not legal here
NAMED = 12  # actions of those that were played before it, in what is said of a wrong one
_SEPARATOR = re.compile(r"\s*[,>]?\s*")
_WORD = re.compile(r"[^\s,>(]*(?:\([^)]*\)?)?[^\s,>]*")


class WrongPlay(GameError):
    """Raised where a text names no action that can be played; its problem says which word is wrong, and which actions
    are legal."""


class Continuation(GameWrapper):
    """A game begun at another of its states, to which the actions `played` have led. It wraps the whole game."""

    def __init__(self, game: Game[Any], start: Hashable, played: tuple[str, ...] = ()):
        super().__init__(ensure_checked(game))
        self.played = played
        self.engine = self.game.engine.begun_at(start)
        self.promises = self.game.promises
        self._start = start

    @property
    def traits(self) -> Traits:
        """The traits from here on: facts about all play still hold, while events that occur somewhere need not occur
        from here."""
        traits = self.game.traits
        return replace(
            traits,
            chance=traits.chance and None,
            simultaneous=traits.simultaneous and None,
            cyclic=traits.cyclic and None,
        )

    def initial(self) -> Any:
        return self._start

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self._start, self.played)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash((self.game, self._start))


def begin_at(
    model: Model, written: str, elsewhere: Mapping[str, str] = {}, warn: Callable[[Problem], object] = lambda _: None
) -> RulesModel:
    """The game begun at a position: one of the file's own, by its name, or one in the notation that the file declares.

    What the notation says nothing of begins as ever. `elsewhere` are the positions of the file's variants, each with
    its variant; `warn` is told what the position does not keep. Raises GameError where there is no notation, or the
    text is wrong or no position of the game.
    """
    if written in elsewhere and written not in getattr(model, "positions", {}):
        raise GameError(_of_variant(written, elsewhere[written]))
    if not isinstance(model, RulesModel) or model.notation is None:
        raise GameError(
            Problem(
                f"{clean(model.name)} declares no notation for positions",
                help="give the actions that lead there: --after 'ACTION ACTION …'",
            )
        )
    form, text = model.notation, Span(Source("position", written), 0, len(written))
    if written in model.positions:
        form, text = _position_of_file(model, written)
    try:
        placement = notation.read(form, text)
    except GameError as wrong:
        raise _with_names(wrong, model, written) from None
    start = RulesGame(model).initial()
    turn = start.turn if placement.mover is None else placement.mover
    first = (v.copy_with(initial=start.cells[v.place : v.place + len(v.initial)]) for v in model.variables)
    begun = begin_with(model.copy_with(variables=tuple(first), start=_turn(turn), opening=None), placement)
    kept, warnings = keep_legal(begun, placement, text)
    for warning in warnings:
        warn(warning)
    return kept


def _position_of_file(model: RulesModel, name: str) -> tuple[Notation, Span]:
    """A position of the file: its notation and its text. Raises GameError if a variant has made its notation
    useless."""
    found = model.positions[name]
    if found.notation is None:
        told = f"the position {clean(name)} is in a notation that names what is not there any more"
        raise GameError(Problem(told, found.text, help="declare a position of this name in the new notation"))
    return found.notation, found.text


def _of_variant(name: str, variant: str) -> Problem:
    """The problem that a position belongs to a variant that was not asked for."""
    help = f"take the variant too: --variant {clean(variant)} --position {clean(name)}"
    return Problem(f"{clean(name)} is a position of the variant {clean(variant)}", help=help)


def _with_names(wrong: GameError, model: RulesModel, written: str) -> GameError:
    """The error, with a similar name of a position as its help if the text is a single word."""
    near = nearest(written, model.positions) if written.isidentifier() else None
    return wrong if near is None else GameError(replace(p, help=f"write '{near}'") for p in wrong.problems)


def _turn(turn: int) -> core.Turn:
    """The turn with this number, in the form that rules have."""
    if turn >= 0:
        return core.Turn("player", core.Const(turn))
    return core.Turn("everyone") if turn == EVERYONE else core.Turn("chance", step=FIRST_STEP - turn)


def text_of(model: RulesModel, state: State) -> str:
    """The text of a state in the notation of its game."""
    assert model.notation is not None
    return notation.write(model.notation, model.variables, state.cells, state.cells[MOVER])


def begin_after(game: Game[Any], text: str | Iterable[str]) -> Game[Any]:
    """The game from the position on that the actions of the text lead to, one after the other from the start, each
    written by its name or as plays tell it; or those of a list, each given by its own name.

    Blanks, a comma or `>` stand between actions. Chance outcomes are actions too, and of a joint move each player's
    choice is one, in the order of the players; where the last joint move is not complete, the rest of the game is
    played with turns taken unseen. Raises WrongPlay where the text names no action, or one that is not legal.
    """
    play = _Play(game)
    if not isinstance(text, str):
        return after_actions(game, text)
    rest = text.strip()
    while rest:
        action = longest_match(rest, play.legal())
        action = action or wings.call_hook("a told action", play.turns, play.state, rest)
        if action is None:
            raise play.wrong_play(_WORD.findall(rest)[0] or "?")
        play.go_on(action.name)
        rest = _SEPARATOR.sub("", rest[action.length :], count=1)
    return play.rest()


def after_actions(game: Game[Any], actions: Iterable[str]) -> Game[Any]:
    """The game after a list of actions, each given by its own name."""
    play = _Play(game)
    for action in actions:
        if action not in play.legal():
            raise play.wrong_play(action)
        play.go_on(action)
    return play.rest()


class _Play:
    """A play from the start on; joint moves are taken by one player after the other, unseen."""

    def __init__(self, game: Game[Any]):
        self.game = game
        self.turns = Sequential(game)
        self.state = self.turns.initial()
        self.played: tuple[str, ...] = ()

    def legal(self) -> list[str]:
        """The names of the legal actions, or of chance's outcomes."""
        try:
            return [move_text(move) for move in moves(self.turns.node(self.state))]
        except GameError as fault:
            raise with_play(fault, self.played) from None

    def go_on(self, action: str) -> None:
        try:
            self.state = self.turns.successor(self.state, action)
        except GameError as fault:
            raise with_play(fault, self.played) from None
        self.played += (action,)

    def rest(self) -> Game[Any]:
        """The game from here on."""
        if self.state.chosen:
            return Continuation(self.turns, self.state, self.played)
        return Continuation(self.game, self.state.state, self.played)

    def wrong_play(self, text: str) -> WrongPlay:
        """The error for a text that begins with no legal action: the game is over, the action is not legal here, or it
        is no action of the game."""
        game, state, played = self.turns, self.state, self.played
        last = [*(["…"] if len(played) > NAMED else []), *map(clean, played[-NAMED:])]
        where = f"after {', '.join(last)}" if played else "at the start"
        node = game.node(state)
        if isinstance(node, Terminal):
            note = _draw_with_words(game, state, "")
            return WrongPlay(Problem(f"the game is over {where}, so '{text}' cannot be played", note=note))
        legal = [move_text(move) for move in moves(node)]
        mover = game.players[node.player] if isinstance(node, Decision) else "chance"
        note = _draw_with_words(game, state, f"{mover} moves {where}; legal: {listing(legal, most=30)}.")
        known = _is_action(game, text)
        if known:
            return WrongPlay(Problem(f"'{text}' is not legal {where}", note=note))
        what = f"'{text}' is not an action of {game.name}"
        if known is None:
            what = f"'{text}' is not legal {where}, nor is it an action of the first positions"
        return WrongPlay(Problem(what, note=note, help=suggestion(text, legal)))


class ActionPrefix(NamedTuple):
    """An action that a text begins with, and how many characters of the text it takes."""

    name: str
    length: int


def longest_match(text: str, actions: Iterable[str]) -> ActionPrefix | None:
    """The longest action that the text begins with; None if it begins with none. Where an action has a blank, the text
    may have several."""
    start = "".join(text.split(maxsplit=16)[:16])
    pairs = ((name, "".join(name.split())) for name in actions)
    begun = [name for name, word in pairs if start.startswith(word) or word.startswith(start)]  # few have to be tried
    found = [ActionPrefix(name, match.end()) for name in begun if (match := _pattern(name).match(text))]
    return max(found, key=lambda match: match.length, default=None)


def _pattern(action: str) -> re.Pattern[str]:
    words = r"\s+".join(map(re.escape, action.split()))
    return re.compile(words.replace(r",\s+", r",\s*") + r"(?=[\s,>]|$)")


def _draw_with_words(game: Game[Any], state: Any, words: str) -> str:
    """The drawing of a state with `words` below it, cut so that both fit on a screen with a message."""
    drawn = cut_lines(game.show(state).splitlines(), limits.ROWS - 4 - wrapped_rows([words]))
    return "\n".join([*drawn, "", words] if words else drawn)


def _is_action(game: Game[Any], text: str) -> bool | None:
    """True if the text begins with an action of some state; False if with none; None if not all states could be
    searched in time."""
    walk = Walk(game, LOOKED_AT, room=limits.LOOK, courtesy=Courtesy())
    try:
        return any(longest_match(text, map(move_text, expansion.moves)) is not None for expansion in walk)
    except (LimitReached, GameError):
        return None
