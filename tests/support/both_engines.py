"""One play on the interpreter and on the compiled engine, which must say the same of every position, and of every fault."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from compiled_game import CompiledGame, CompiledState

from gdl.errors import GameError
from gdl.interpreter.rules_game import RulesGame
from gdl.states.explore import moves

ENGINES = ("wasm", "python")  # by which kernels run


def differences(game: Any, other: CompiledGame, state: Any, same: Any, play: tuple[Any, ...]) -> None:
    """Fail if the engines differ about a state, which is `state` to the interpreter and `same` to the compiled engine.
    The failure names the play that led there."""
    where = f"after {' '.join(map(str, play)) or 'no move'}"
    assert other.node(same) == game.node(state), where
    assert other.from_reference(state) == same, where
    assert other.as_reference(same) == state, where
    assert said(partial(other.evaluate, same)) == said(partial(game.evaluate, state)), where
    quiet = game.promises.quiet
    if quiet is not None:
        assert said(partial(other.promises.quiet, same)) == said(partial(quiet, state)), where
    for player in range(len(game.players)):
        assert other.describe(same, player) == game.describe(state, player), where


def said(work: Callable[[], Any]) -> Any:
    """The result of a call; or, if it meets a fault of the rules, the text of the error."""
    try:
        return work()
    except GameError as fault:
        return str(fault)


def told_alike(game: RulesGame, seeds: Iterable[int], plies: int) -> None:
    """Check that both engines agree along random plays of at most `plies` plies, one per seed. A fault of the rules
    ends a play, and both must report it in the same words."""
    other = CompiledGame(game)
    for seed in seeds:
        _told_alike(game, other, random.Random(seed), plies)


def _told_alike(game: Any, other: CompiledGame, chosen: random.Random, plies: int) -> None:
    state, same, play = game.initial(), other.initial(), ()
    while len(play) < plies and isinstance(same, CompiledState):
        node = said(partial(game.node, state))
        assert said(partial(other.node, same)) == node, play
        options = () if isinstance(node, str) else moves(node)
        if not options:
            return
        differences(game, other, state, same, play)
        move = chosen.choice(options)
        state, same = said(partial(game.successor, state, move)), said(partial(other.successor, same, move))
        play = (*play, move)
        assert isinstance(same, CompiledState) or same == state, play
