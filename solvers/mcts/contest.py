"""Plays on the compiled engine, many moves a call, in which tree search moves at some seats as `move`
does."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from gdl.compiler.search_kinds import CONTEST
from gdl.errors import Refusal
from gdl.game import Action, Game, Number, surely_at
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
from gdl.states.random_numbers import stream

if TYPE_CHECKING:
    from gdl.compiler.searches.contest_driver import ContestMove, KernelContest


class TreeSearchAgent(NamedTuple):
    """An agent that chooses each move by tree search with this number of simulations. `constant` is the constant of
    exploration c of the upper confidence bound; None stands for the usual pair EXPLORATION."""

    simulations: int
    constant: float | None = None

    @property
    def c(self) -> tuple[float, float]:
        return EXPLORATION if self.constant is None else (self.constant, self.constant)


class TreeSearchContest:
    """Plays between agents, one after another. If there is a `judge`, it estimates the positions by simulations, with
    random numbers of the seed `judging`. If `watched`, each move comes with the position before it."""

    def __init__(self, kernel: KernelContest, judge: TreeSearchAgent | None, judging: int, watched: bool):
        self._kernel, self._watched = kernel, watched
        self._judge, self._judging = judge, stream(judging, 0)
        self._seats: Sequence[TreeSearchAgent | None] = ()

    def begin(self, seats: Sequence[TreeSearchAgent | None], seed: int) -> None:
        """Begin the next play, with these agents at the seats, one entry per player; None: the contest does not move
        there."""
        self._seats = seats
        self._kernel.begin(seats, stream(seed, 0), self._judge, self._judging, self._watched)

    def moves_for(self, player: int) -> bool:
        """True if the contest makes the player's next move."""
        return player >= 0 and self._seats[player] is not None and not self._kernel.stuck

    def moves(self, state: Any, most: int, draw: object = None) -> tuple[list[ContestMove], Any]:
        """Let tree search play at most `most` moves from a state. Returns the moves and the state after them. `draw` is
        not used: the contest has random numbers of its own."""
        return self._kernel.moves(state, most)


def contest(
    game: Game[Any],
    most: TreeSearchAgent,
    judge: TreeSearchAgent | None,
    judging: int,
    watched: bool,
    evaluates: bool = False,
) -> TreeSearchContest | None:
    """Make a contest on the compiled engine for agents with at most as many simulations as the agent `most`; None if
    the engine is missing or cannot play the game. With `evaluates` the file's evaluation judges positions."""
    engine = game.engine
    if not engine.offers(CONTEST.name) or MCTS.lacks(game.traits):
        return None
    largest = max(most.simulations, judge.simulations if judge else 0)
    with suppress(Refusal):
        kernel = compiled_search(
            game, CONTEST, True, share=TreeSettings(largest, None, 0, EXPLORATION),
            manner=engine_settings(game, usual_amaf(game)), opposed=game.traits.has_scalar_value, positions=POSITIONS,
            least=[low for low, _ in surely_at(game, game.initial())],
            evaluates=evaluates,
        )  # fmt: skip
        return None if kernel is None else TreeSearchContest(kernel, judge, judging, watched)
    return None


# Monte-Carlo tree search for one number or one move, for callers who ask thousands of times.


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
