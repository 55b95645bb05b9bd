"""Tree search about what may be played, on the time of others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import zip_longest
from typing import Any

from gdl.errors import EngineFault, GameError, Refusal
from gdl.game import Game
from gdl.solvers.budget import Budget
from gdl.solvers.mcts.mcts import EXPLORATION, CompiledForest, TreeSettings, forest_of, usual_amaf
from gdl.states.random_numbers import stream


def ahead(game: Game[Any], seed: int, threads: int = 1) -> Iterator[None]:
    """Grow the trees of a position, slice by slice, as long as somebody asks: what time limits later, from a position
    that follows it, goes on with what lies below. Nothing is done where the compiled engine grows none."""
    with suppress(Refusal, GameError, EngineFault):
        shares = [TreeSettings(None, None, stream(seed, number), EXPLORATION) for number in range(threads)]
        forest = forest_of(game, shares, Budget(), usual_amaf(game))
        if isinstance(forest, CompiledForest):
            for tree in forest.trees:
                tree.set_simulation_target(None)
            for _ in zip_longest(*(tree.grow() for tree in forest.trees)):
                yield
