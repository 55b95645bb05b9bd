"""The best plan of a lone player who does not see everything: Monty Hall, the two roads.

1. Where the player does not know which position it is, the positions of the information set and their chances are a
   belief; a belief is worth the best of its actions (Åström 1965; see `regret`).
2. The plan takes the first best action at every information set that it can itself lead to.

Of a large game by rules the wing of hidden games finds the plan over beliefs alone (`possible_worlds`).

Other plans may be as good; `best` holds every first action of one.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from gdl.errors import LimitReached
from gdl.errors.shares import HISTORIES_SHARE
from gdl.game import Game
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, SearchLimits
from gdl.solvers.equilibria.behaviour import Behaviour, pure_behaviour, pure_row, write_profile
from gdl.solvers.equilibria.position_paths import opening_positions, reach_probabilities
from gdl.solvers.equilibria.positions import MOST_POSITIONS, explore
from gdl.solvers.equilibria.regret import best_response
from gdl.solvers.solver import Solver
from gdl.wings import call_hook

FEW = 100_000  # positions with their histories, beyond which the wing's plan over possible worlds is tried


def plan(game: Game[Any], limits: SearchLimits = NO_LIMITS) -> Solution:
    """A best plan of the only player, and its expected utility."""
    budget, positions = limits.budget(MOST_POSITIONS), None
    by_worlds = call_hook("a plan over possible worlds", game) if budget.allows_more_than(FEW) else None
    if by_worlds is not None:
        with suppress(LimitReached):
            positions = explore(game, budget.part(FEW, HISTORIES_SHARE))
        if positions is None and (answer := by_worlds(budget, PLAN.answer(game))):
            found: Solution = answer
            return found
    positions = positions or explore(game, budget)
    silent: Behaviour = (None,) * len(positions.information_sets)
    response = best_response(positions, silent, 0)
    pure = pure_behaviour(positions, {h: actions[0] for h, actions in response.choices.items()})
    met = {positions.sets[position] for position in reach_probabilities(positions, pure)}
    behaviour = tuple(
        pure_row(len(found.actions), response.choices[h][0]) if h in met else None
        for h, found in enumerate(positions.information_sets)
    )
    firsts = {positions.sets[position] for position in opening_positions(positions)} - {None}
    first = firsts.pop() if len(firsts) == 1 else None
    best = () if first is None else tuple(positions.information_sets[first].actions[k] for k in response.choices[first])
    return replace(
        PLAN.answer(game),
        value=(response.value,),
        best=best,
        strategy=write_profile(positions, behaviour),
        regret=(0,),
        nodes=len(positions.nodes),
    )


PLAN = Solver(
    name="plan",
    run=plan,
    needs={"players": 1, "simultaneous": False, "perfect_recall": True, "cyclic": False},
    summary="the best plan of a lone player who does not see everything",
)
