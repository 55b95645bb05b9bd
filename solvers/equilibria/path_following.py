"""Equilibria on paths, for any number of players: through games with bonuses, or along logit equilibria.

The global Newton method: each ray of bonuses leads to an odd number of equilibria, almost always, one after the other
(`newton_paths` has the steps). Each is refined to fractions, exact where small ones solve the equations, and judged.
Rays are drawn at random, always the same; `--rays` says how many. There may be equilibria to which none of them leads.

Logit tracing: from random play a curve of quantal equilibria leads to one Nash equilibrium (`logit` has the
steps). It needs no table of plans, so trees are solved whose plans are far too many.

Sources: Govindan and Wilson, A global Newton method to compute Nash equilibria, Journal of Economic Theory 110, 2003;
Turocy, A dynamic homotopy interpretation of the logistic quantal response equilibrium correspondence, Games and
Economic Behavior 51, 2005.
"""

from __future__ import annotations

from typing import Any

from gdl.errors import Refusal
from gdl.game import Game
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, SearchLimits, answering
from gdl.solvers.equilibria.mixed_of_several import path_mixtures
from gdl.solvers.equilibria.nash import (
    CLOSE_BY,
    Equilibria,
    add_judged,
    add_traced,
    build_solution,
    partial_solution,
)
from gdl.solvers.equilibria.positions import explore_within
from gdl.solvers.equilibria.strategic_form import MOST_CELLS, table_of
from gdl.solvers.needs import AtLeast
from gdl.solvers.solver import Solver


def global_newton(
    game: Game[Any], limits: SearchLimits = NO_LIMITS, *, rays: int = 8, cells: int = MOST_CELLS
) -> Solution:
    """The equilibria on the paths of this number of rays, for a table of at most that many cells. Raises Refusal if
    none leads to any."""
    form, budget = table_of(game, cells, limits)
    found = Equilibria([])
    with answering(lambda: partial_solution(game, form.positions, found, budget, GLOBAL_NEWTON)):
        add_judged(form, found, path_mixtures(form, rays, budget))
    if not found.behaviours:
        raise Refusal(
            f"{rays} rays of bonuses lead to no equilibrium of {game.name}; --rays {2 * rays + 1} follows more"
        )
    found.notes.append(f"Found along {rays} rays; there may be equilibria to which none leads.")
    found.notes += [CLOSE_BY] if found.close else []
    return build_solution(game, form.positions, found, budget, GLOBAL_NEWTON)


def logit_tracing(game: Game[Any], limits: SearchLimits = NO_LIMITS) -> Solution:
    """The equilibrium to which the logit curve leads. Raises Refusal if none is found near it."""
    positions, budget = explore_within(game, limits)
    found = Equilibria([])
    with answering(lambda: partial_solution(game, positions, found, budget, LOGIT)):
        add_traced(positions, found, budget)
    if not found.behaviours:
        raise Refusal(f"the logit curve of {game.name} leads to no equilibrium as far as it can be followed")
    return build_solution(game, positions, found, budget, LOGIT)


GLOBAL_NEWTON = Solver(
    name="global-newton",
    run=global_newton,
    needs={"players": AtLeast(2), "perfect_recall": True, "cyclic": False},
    summary="Nash equilibria of matrices and small games, any number of players, by paths of the global Newton method",
    concept="nash",
)

LOGIT = Solver(
    name="logit",
    run=logit_tracing,
    needs={"players": AtLeast(2), "perfect_recall": True, "cyclic": False},
    summary="a Nash equilibrium of a matrix or a small game, any number of players, traced along logit equilibria",
    concept="nash",
)
