"""All positions of a game with hidden information, or an estimate by samples where there are too many."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gdl import wings
from gdl.errors import LimitReached
from gdl.errors.shares import MEETING_SHARE
from gdl.game import Game
from gdl.solution import Solution
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.positions import MOST_POSITIONS, PositionGraph, explore


def explore_or_sample(game: Game[Any], budget: Budget, begun: Solution) -> PositionGraph:
    """All positions of the game. If they are too many for the limits, raises LimitReached with an estimate by
    samples."""
    part = budget.part(budget.nodes, MEETING_SHARE) if budget.seconds_left is not None else budget
    try:
        found = explore(game, part)
    except LimitReached as stop:
        answer: Solution | None = wings.call_hook("an estimate by samples", game, budget, begun)
        if answer is None:
            raise
        limit = str(stop) if part is budget else limit_of_samples(stop, part, budget)
        raise LimitReached(limit, replace(answer, limit=limit)) from None
    budget.spent = max(budget.spent, found.count)
    return found


def limit_of_samples(stop: LimitReached, part: Budget, budget: Budget) -> str:
    """The limit that an estimate by samples names where a part of its budget did not list all positions: that of the
    part, but for a number of positions which nobody asked for."""
    if part.nodes == MOST_POSITIONS and str(stop) == str(part.out_of_nodes()):
        return f"more than {MOST_POSITIONS:,} positions are not listed, but sampled; {budget.out_of_time()}"
    return str(stop)
