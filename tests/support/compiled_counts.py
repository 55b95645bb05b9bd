"""Counts and random plays of the compiled engine, in one call each, beside those of `gdl.states`."""

from __future__ import annotations

from gdl.compiler.folding import NO_FOLDING, Folding
from gdl.compiler.searches.enumeration import Enumeration
from gdl.compiler.searches.playouts_driver import Playing
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.count import StateCount
from gdl.states.explore import Progress
from gdl.states.playouts import Playouts


def states(
    game: RulesGame,
    start: State,
    engine: str,
    limit: int | None = None,
    memory: int | None = None,
    folding: Folding = NO_FOLDING,
) -> StateCount:
    """Like `gdl.states.count.states`, with the same exceptions, on the compiled engine. `memory`: the most bytes for
    states."""
    return Enumeration(game, start, engine, limit, memory, folding).result()


def playouts(
    game: RulesGame, start: State, count: int, seed: int, engine: str, progress: Progress | None = None,
    counts: bool = False,
) -> Playouts:  # fmt: skip
    """Like `gdl.states.playouts.playouts`, on the compiled engine. Interrupted holds the totals of all complete
    plays."""
    return Playing(game, start, count, seed, engine, counts).result(progress)
