"""Monte-Carlo tree search for one number or one move, for callers who ask thousands of times."""

from __future__ import annotations

from typing import Any

from gdl.game import Action, Game, Number
from gdl.solvers.budget import Budget
from gdl.solvers.mcts.mcts import EXPLORATION, CompiledForest, ReferenceForest, TreeSettings, forest_of, usual_amaf
from gdl.solvers.mcts.refutation import refuted_actions
from gdl.solvers.mcts.uct_answer import move_of, worth
from gdl.states.random_numbers import stream


def estimate_start(game: Game[Any], simulations: int, seed: int) -> tuple[Number | float, ...] | None:
    """Estimate the value of the start by `mcts` with this number of simulations; None if they reached no end."""
    return worth(_grow_trees(game, simulations, seed, None).trees[0].root)


def move(game: Game[Any], simulations: int, seed: int, c: float | None = None) -> Action | None:
    """The move of `mcts` at the start after this number of simulations; None if no move was tried."""
    forest = _grow_trees(game, simulations, seed, c)
    helping = forest.trees[0] if isinstance(forest, CompiledForest) else None
    roots = [tree.root for tree in forest.trees]
    return move_of(game, roots, lambda ranked: refuted_actions(game, ranked, None, helping))


def _grow_trees(game: Game[Any], simulations: int, seed: int, c: float | None) -> CompiledForest | ReferenceForest:
    share = TreeSettings(simulations, None, stream(seed, 0), EXPLORATION if c is None else (c, c))
    forest = forest_of(game, [share], Budget(None, None, None), usual_amaf(game))
    forest.grow([simulations])
    return forest
