"""PUCT: Monte-Carlo tree search led by a net that was learned by self-play.

Every simulation:

1. Selection: from the root down, the mover takes the child with the greatest Q + c P sqrt(N) / (1 + n): the mean Q of
   the child's n visits, the share P that the net gives to the action, and the visits N of the node. A child that was
   never tried is taken to be worth a little less than its parent, a proven one, which teaches nothing more, less than
   it is. Chance draws an outcome with its exact probability.
2. Expansion: the first new decision joins the tree. If the one who moves there can end play at once with the most that
   they can get, that is its value for certain; of others the net says what they are worth to each player, and how good
   each action looks.
3. Backup: every node on the way counts one more visit and adds what the net said to its totals.
4. Proof, as in mcts: an end has its value for certain, and so has a decision among such nodes, or with one that nothing
   can exceed. Once the root's value is proven, the search is over.

The answer is the root action with the most visits, the first of equals, unless another is proven to be as good. There
is no play at random. Up to 32 simulations, without --stop, are spent by sequential halving instead:
the root actions that the net likes best are tried equally often, then the better half of these, down to two; the better
one is the answer. The net comes from `gdl learn GAME --model net`, and is taken by --weights.

All of it is done on the compiled engine (gdl/compiler/kernels/mcts.py, and kernels/halving.py here).

Sources: Silver et al., Mastering the game of Go with deep neural networks and tree search, Nature 529, 2016;
Mastering the game of Go without human knowledge, Nature 550, 2017; Rosin, Multi-armed bandits with episode context,
2011; Danihelka et al., Policy improvement by planning with Gumbel, ICLR 2022. Proof: Winands, Björnsson and Saito,
Monte-Carlo tree search solver, CG 2008.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from gdl.compiler import compiled_engine
from gdl.errors import Refusal
from gdl.game import NO_ENGINE, Game, SearchKind, Terminal, greatest_at, require_number
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits
from gdl.solvers.mcts.mcts import CompiledForest, TreeSettings, grow_in_parts
from gdl.solvers.mcts.refutation import PLIES, refutation_seconds, refuted_actions
from gdl.solvers.mcts.stopping import Stop, Stopping
from gdl.solvers.mcts.uct_answer import answer_of, kind_of
from gdl.solvers.needs import ALL_SEEN
from gdl.solvers.solver import Solver
from gdl.states.random_numbers import stream
from gdl.wings.learning.puct_driver import KernelPuctForest

MOST_HALVED_SIMULATIONS = 32  # simulations that are spent by halving, at most
ROOM = 1 << 21  # children that the nodes of the tree may have together; then it grows no more
LONGEST = 10_000  # plies of a simulation
EXPLORATION = 3.0  # c, where nobody gives it; values lie from -1 to 1
LESS = 0.2  # how much less than its parent what was never tried is taken to be worth
SIMULATIONS = 400  # where neither their number nor a time is given
SEARCH = SearchKind("puct", lambda: KernelPuctForest)  # on the compiled engine
FEW_ACTIONS = 256  # a new node with more actions is not searched for one that wins at once: it would take too long


def puct(
    game: Game[Any],
    limits: SearchLimits = NO_LIMITS,
    *,
    simulations: int | None = None,
    seed: int = 0,
    c: float = EXPLORATION,
    stop: Stop | None = None,
) -> Solution:
    """The most visited action after a number of simulations, with the average worth that they had.

    Raises Refusal where there is no net, or one of the numbers makes no sense; LimitReached with the answer so far.
    """
    if game.promises.adviser is None:
        raise Refusal("puct is led by a net: gdl learn GAME --model net learns one, and --weights FILE takes it")
    if simulations is None and limits.time is None:
        simulations = SIMULATIONS
    _check(simulations, c, stop)
    answer = PUCT.answer(game, exact=False)
    if isinstance(start := game.node(game.initial()), Terminal):
        return replace(answer, exact=True, value=tuple(map(require_number, start.utilities)), nodes=1, leaves=1)
    looking_back = None if limits.time is None else refutation_seconds(limits.time)
    budget = limits.budget().sparing(looking_back or 0.0)
    few = simulations is not None and simulations <= MOST_HALVED_SIMULATIONS
    forest = _grow_tree(game, simulations, seed, c, budget, few and stop is None)
    tree = forest.trees[0]
    kept = tree.simulations

    def answer_so_far() -> Solution:
        return answer_of(
            answer, game, [tree.root], tree.nodes, tree.simulations,
            lambda ranked: refuted_actions(game, ranked, looking_back),
            kind_of("simulations led by a net", kept, tree.full), tree.best,
        )  # fmt: skip

    return grow_in_parts(forest, Stopping(game, stop, simulations, limits.time, kept), answer_so_far)


def _check(simulations: int | None, c: float, stop: Stop | None) -> None:
    """Raise Refusal if one of the options makes no sense."""
    if simulations is not None and simulations < 1:
        raise Refusal(f"{PUCT.name} learns nothing from {simulations} simulations; the least number is 1")
    if stop == "value":
        raise Refusal(
            "--stop value counts visits, of which puct spends few on what its net thinks little of; try decided"
        )
    if not 0 <= c < math.inf:
        raise Refusal(f"{PUCT.name} explores by a number c from 0 on, not {c}")


def _grow_tree(
    game: Game[Any], simulations: int | None, seed: int, c: float, budget: Budget, halves: bool
) -> CompiledForest:
    """The tree, before its first simulation. If the game's engine has no such search, the game gets a compiled engine
    of its own; if compilation has failed, kernels that run as Python. `halves`: simulations are shared out by
    sequential halving at the root."""
    if budget.nodes == 0:
        raise budget.out_of_nodes()
    engine = game.engine
    if not engine.offers(PUCT.name):
        engine = compiled_engine.CompiledEngine(
            *compiled_engine.by_rules(game), "auto" if engine is NO_ENGINE else "python"
        )
    share = TreeSettings(simulations, budget.nodes, stream(seed, 0), (c, c))
    kernel = engine.search(SEARCH, shares=[share], halves=halves, **engine_settings(game))
    budget.begins_now()
    return CompiledForest(game, budget, kernel)


def engine_settings(game: Game[Any]) -> dict[str, Any]:
    """The settings of the compiled engine for the growth of the tree."""
    return {
        "less": LESS, "room": ROOM - 1, "longest": LONGEST, "few": FEW_ACTIONS, "refuting": PLIES,
        "greatest": greatest_at(game, game.initial()),
    }  # fmt: skip


PUCT = Solver(
    name="puct",
    run=puct,
    needs=ALL_SEEN,
    led=True,
    summary="Monte-Carlo tree search led by a net that was learned: an estimate, for games too large to search",
)
