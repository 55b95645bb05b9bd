"""What simulations say of a game with hidden information whose positions could not all be met: an estimate.

Each begins at the start and goes down the information sets of all players (see information_set_mcts.py); the value is
what they paid on average, the best action of the first mover, if somebody begins, the most visited one. In games of
hidden information such play need not come near an equilibrium, however long it goes on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gdl.errors import LimitReached, Refusal, counted
from gdl.game import Decision, Game
from gdl.solution import Solution
from solvers.budget import Budget
from solvers.equilibria.positions import Positions, explore

EXPLORING = 0.6  # share of the time for meeting all positions
SIMULATIONS = 200_000  # where there is no limit of time
SEED = 1


def explored(game: Game[Any], budget: Budget, begun: Solution) -> Positions:
    """All positions of the game. Where they are too many for the limits, LimitReached has what simulations say."""
    timed = budget.left is not None
    try:
        found = explore(game, budget.part(budget.nodes, EXPLORING) if timed else budget)
    except LimitReached as stop:
        answer = _sampled(game, budget, begun)
        if answer is None:
            raise
        raise LimitReached(str(stop), replace(answer, limit=str(stop))) from None
    budget.spent = max(budget.spent, found.count)
    return found


def _sampled(game: Game[Any], budget: Budget, begun: Solution) -> Solution | None:
    """The estimate; None where the compiled engine does not take the game, or there was no time for a simulation."""
    engine = game.engine
    if not engine.offers("information sets") or not engine.fast:
        return None
    try:
        search = engine.search("information sets")
    except Refusal:
        return None
    start = game.initial()
    search.begin([start], [1.0], SEED, None if budget.left is not None else SIMULATIONS)
    for _ in search:
        if budget.left is not None and budget.left < 0:
            break
    if not search.nodes:
        return None
    best = _most_visited(game, start, search)
    note = f"The value and the move are estimates, by {counted(search.nodes, 'simulation')} over information sets."
    return replace(begun, value=search.means(), best=best, nodes=search.nodes, notes=(*begun.notes, note))


def _most_visited(game: Game[Any], start: Any, search: Any) -> tuple[str, ...]:
    """What the first mover has tried most often, if one player begins."""
    node = game.node(start)
    if not isinstance(node, Decision):
        return ()
    visits, _ = search.tried(node.player, game.information_set(start, node.player))
    return (node.actions[visits.index(max(visits))],)
