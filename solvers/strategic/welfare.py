"""The greatest sum of utilities: which combinations of plans reach it, whatever anybody would rather do.

1. If the table of plans is small enough, every combination is looked at, and all that are best are told.
2. Otherwise one of them is found as that of a team is (`gdl solvers team`).

Source: Harsanyi, Cardinal welfare, individualistic ethics, and interpersonal comparisons of utility, 1955.
"""

from __future__ import annotations

from typing import Any

from gdl.errors import LimitReached, listing
from gdl.game import Game
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, SearchLimits, answering
from gdl.solvers.equilibria.positions import explore_within
from gdl.solvers.equilibria.strategic_form import MOST_CELLS, strategic_form
from gdl.solvers.solver import Solver
from gdl.solvers.strategic.tables import joint, welfare
from gdl.solvers.strategic.team import TeamPlanSearch, team_solution

TOLD = 10  # combinations of plans that are named


def greatest_welfare(game: Game[Any], limits: SearchLimits = NO_LIMITS, *, cells: int = MOST_CELLS) -> Solution:
    """A combination of plans of the greatest sum of utilities; all of them, on a table of at most that many cells."""
    positions, budget = explore_within(game, limits)
    search = TeamPlanSearch(positions, None, budget)
    with answering(lambda: team_solution(WELFARE, game, search)):
        search.run()
    try:
        form = strategic_form(positions, limit=cells, budget=budget)
    except LimitReached:
        return team_solution(WELFARE, game, search)
    best = [cell for cell in form.payoffs if welfare(form, cell) == search.worth]
    names = [f"({', '.join(joint(form, cell))})" for cell in best]
    some = [f"So do {len(best)} combinations: {listing(names, most=TOLD)}."] if len(best) > 1 else []
    return team_solution(WELFARE, game, search, some)


WELFARE = Solver(
    name="welfare",
    run=greatest_welfare,
    needs={"perfect_recall": True, "cyclic": False},
    summary="the greatest sum of utilities that any combination of plans pays, any number of players",
    concept="welfare",
)
