"""Where a table of part of a game begins: positions in which a condition holds.

1. The positions that the file names, and those met first in random plays from the start, in which the condition holds.
2. The table then has all that can be reached from any of them. Where pieces go back and forth, as in most endings, that
   is nearly all that the condition means; where not, it is what play came to, and search goes on as ever elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gdl
from gdl.commands.asking import Asked
from gdl.compiler.offered import by_rules
from gdl.errors import GameError, Refusal, clean
from gdl.game import Game, Terminal
from gdl.interpreter.position import at
from gdl.interpreter.rules import RulesGame, State
from gdl.states.playouts import random_move
from gdl.states.random_numbers import Generator

NAME = "--where"  # of the condition's text in messages
PLAYS, PLIES = 400, 600  # at most
ENOUGH = 64  # positions
SEED = 1


def beginnings(asked: Asked, condition: str) -> list[State]:
    """The positions. Raises Refusal where none is met."""
    from gdl.checker.asked import ending_where

    rules, _ = by_rules(asked.game)
    settings, variant = asked.by.settings, asked.by.variant
    model = ending_where(asked.loaded.description, condition, NAME, settings, variant)
    if model.times or rules.model.times:
        raise Refusal(f"a table does not tell positions apart by those before them, for which {clean(model.name)} asks")
    ends = RulesGame(model)

    def holds(state: State) -> bool:
        try:
            return isinstance(ends.node(state), Terminal)
        except GameError:  # nobody can move, and it is no end by the condition
            return False

    found = dict.fromkeys(_named(asked, holds))
    generator = Generator(SEED)
    for _ in range(PLAYS):
        if len(found) >= ENOUGH:
            break
        met = _met(asked.game, holds, generator)
        if met is not None:
            found.setdefault(met)
    if not found:
        told = f"in {PLAYS} random plays of {clean(asked.game.name)} no position was met in which {clean(condition)}"
        raise Refusal(f"{told}; name one: --position TEXT makes a table of all that follows it")
    return list(found)


def _named(asked: Asked, holds: Callable[[State], bool]) -> Iterator[State]:
    """The positions of the file in which the condition holds."""
    for name in getattr(asked.loaded.model, "positions", {}):
        start: Any = gdl.play(at(asked.loaded.model, name)).initial()
        if holds(start):
            yield start


def _met(game: Game[Any], holds: Callable[[State], bool], generator: Generator) -> State | None:
    """The first position of a random play in which the condition holds; None where it never does."""
    state: State = game.initial()
    for _ in range(PLIES):
        node = game.node(state)
        if isinstance(node, Terminal):
            return None
        if holds(state):
            return state
        state = game.successor(state, random_move(node, generator))
    return None
