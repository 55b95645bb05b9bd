"""Plays on the compiled engine, many moves a call, in which tree search moves at some seats as `move`
does."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from gdl.errors import Refusal
from gdl.game import Action, Decision, Game, Number, SearchKind, surely_at
from gdl.solvers.budget import Budget
from gdl.solvers.engine_stages import compiled_search
from gdl.solvers.mcts.mcts import (
    EXPLORATION,
    MCTS,
    CompiledForest,
    ReferenceForest,
    TreeSettings,
    engine_settings,
    forest_of,
    usual_amaf,
)
from gdl.solvers.mcts.refutation import POSITIONS, refuted_actions
from gdl.solvers.mcts.uct_answer import move_of, worth
from gdl.solvers.needs import run_in_turns
from gdl.states.random_numbers import stream
from gdl.wings import load

if TYPE_CHECKING:
    from gdl.wings.arena.contest_driver import KernelContest


CONTEST: SearchKind[..., KernelContest] = SearchKind(
    "contest", partial(load, "gdl.wings.arena.contest_driver:KernelContest"), remembers=True
)


class TreeSearchAgent(NamedTuple):
    """An agent that chooses each move by tree search with this number of simulations. `constant` is the constant of
    exploration c of the upper confidence bound; None stands for the usual pair EXPLORATION."""

    simulations: int
    constant: float | None = None

    @property
    def c(self) -> tuple[float, float]:
        return EXPLORATION if self.constant is None else (self.constant, self.constant)


def contest(
    game: Game[Any],
    most: TreeSearchAgent,
    judge: TreeSearchAgent | None,
    judging: int,
    watched: bool,
    evaluates: bool = False,
) -> KernelContest | None:
    """Plays between agents with at most as many simulations as the agent `most`, one after another; None if the engine
    is missing or cannot play the game. If there is a `judge`, it estimates the positions by simulations, with random
    numbers of the seed `judging`; with `evaluates` the file's evaluation does. If `watched`, each move comes with the
    position before it."""
    engine = game.engine
    if not engine.offers(CONTEST) or MCTS.lacks(game.traits):
        return None
    largest = max(most.simulations, judge.simulations if judge else 0)
    with suppress(Refusal):
        kernel = compiled_search(
            game, CONTEST, True, share=TreeSettings(largest, None, 0, EXPLORATION),
            manner=engine_settings(game, usual_amaf(game)), opposed=game.traits.has_scalar_value, positions=POSITIONS,
            least=[low for low, _ in surely_at(game, game.initial())],
            evaluates=evaluates,
        )  # fmt: skip
        if kernel is not None:
            kernel.observe_moves(judge, stream(judging, 0), watched)
        return kernel
    return None


# Monte-Carlo tree search for one number or one move, for callers who ask thousands of times.


def estimate_start(game: Game[Any], simulations: int, seed: int) -> tuple[Number | float, ...] | None:
    """Estimate the value of the start by `mcts` with this number of simulations; None if they reached no end."""
    forest = run_in_turns(lambda asked: _grow_trees(asked, simulations, seed, None), game)
    return worth(forest.trees[0].root)


def move(game: Game[Any], simulations: int, seed: int, c: float | None = None) -> tuple[Action | None, int]:
    """The move of `mcts` at the start after this number of simulations, None if no move was tried; and the number of
    its nodes."""
    return run_in_turns(lambda asked: _move(asked, simulations, seed, c), game)


def _move(game: Game[Any], simulations: int, seed: int, c: float | None) -> tuple[Action | None, int]:
    forest = _grow_trees(game, simulations, seed, c)
    helping = forest.trees[0] if isinstance(forest, CompiledForest) else None
    roots = [tree.root for tree in forest.trees]
    return move_of(game, roots, lambda ranked: refuted_actions(game, ranked, None, helping)), forest.nodes


def count_visits(game: Game[Any], simulations: int, seed: int) -> dict[Action, int]:
    """How often `mcts` tries each action at the start in so many simulations; one that is proven to be as good as the
    mean of all counts as tried each time. {} where simulations do not suit the game."""
    node = game.node(game.initial())
    if MCTS.lacks(game.traits) or not isinstance(node, Decision):
        return {}
    root = run_in_turns(lambda asked: _grow_trees(asked, simulations, seed, None), game).trees[0].root
    player = node.player
    return {
        action: root.N if child.proven and child.proven[player] * root.N >= root.W[player] else child.N
        for action, child in zip(node.actions, root.children, strict=False)
        if child
    }


def _grow_trees(game: Game[Any], simulations: int, seed: int, c: float | None) -> CompiledForest | ReferenceForest:
    share = TreeSettings(simulations, None, stream(seed, 0), EXPLORATION if c is None else (c, c))
    forest = forest_of(game, [share], Budget(None, None, None), usual_amaf(game))
    forest.grow([simulations])
    return forest
