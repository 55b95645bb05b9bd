"""Where a table of part of a game begins: positions in which a condition holds.

1. The positions that the file names, and those met first in random plays from the start, in which the condition holds.
2. The table then has all that can be reached from any of them. Where pieces go back and forth, as in most endings, that
   is nearly all that the condition means; where not, it is what play came to, and search goes on as ever elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gdl
from gdl.compiler.compiled_engine import by_rules
from gdl.errors import GameError, LimitReached, Refusal, clean, count_text
from gdl.game import Game, Terminal
from gdl.interpreter.position import Continuation, begin_at
from gdl.interpreter.rules_game import RulesGame, State
from gdl.playing import loading
from gdl.playing.loading import Asked
from gdl.solvers.budget import Budget
from gdl.states.random_numbers import Generator

NAME = "--where"  # what messages call the text of the condition
PLAYS, PLIES = 2_000, 600  # random plays, and plies of each, at most
ENOUGH = 64  # positions with which a table begins, at most
SEED = 1
SHARE = 0.3  # of the time, for plays


def beginnings(asked: Asked, condition: str, time: float | None = None) -> list[State]:
    """The positions with which a table of part of a game begins, found by random plays. Raises Refusal if they reach
    none, LimitReached if the time did not allow enough plays."""
    from gdl.checker.asked import ending_where

    rules, start = by_rules(asked.game)
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

    found = dict.fromkeys(_named_positions(asked, holds))
    budget, plays = Budget(None, time).part(None, SHARE), 0
    try:
        for met in _plays(asked.game, ends if start == ends.initial() else Continuation(ends, start), budget):
            plays += 1
            if met is not None:
                found.setdefault(met)
            if len(found) >= ENOUGH:
                break
    except LimitReached as stop:
        if not found:
            raise LimitReached(f"{stop}: {_unmet_condition(asked.game, condition, plays)}") from None
    if not found:
        raise Refusal(_unmet_condition(asked.game, condition, plays))
    return list(found)


def _unmet_condition(game: Game[Any], condition: str, plays: int) -> str:
    told = (
        f"in {count_text(plays, 'random play')} of {clean(game.name)} no position was met in which {clean(condition)}"
    )
    return f"{told}; name one: --position TEXT, or a variant that begins there, makes a table of all that follows"


def _named_positions(asked: Asked, holds: Callable[[State], bool]) -> Iterator[State]:
    """The positions of the file in which the condition holds."""
    for name in getattr(asked.loaded.model, "positions", {}):
        start: Any = loading.play(begin_at(asked.loaded.model, name)).initial()
        if holds(start):
            yield start


def _plays(game: Game[Any], ends: Game[Any], budget: Budget) -> Iterator[State | None]:
    """For each of some random plays, the first position in which the condition holds; None if it never does. Two
    environments make the same play: one ends by the rules, the other where the condition holds."""
    playing, looking, generator = gdl.environment(game), gdl.environment(ends), Generator(SEED)
    for seed in range(PLAYS):
        playing.reset(seed)
        looking.reset(seed)
        for _ in range(PLIES):
            if playing.over or looking.over:
                break
            number = playing.legal[generator.draw_below(len(playing.legal))]
            playing.step(number)
            budget.visit()
            if not playing.over:  # else there may be no action, which is a fault of what goes on
                looking.step(number)
        yield looking.position if looking.over and not playing.over else None
