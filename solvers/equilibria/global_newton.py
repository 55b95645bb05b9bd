"""The global Newton method: equilibria of a table of any number of players, on paths through games with bonuses.

Each ray of bonuses leads to an odd number of equilibria, almost always, one after the other (`newton_paths` has the
steps). Each is refined to fractions, exact where small ones solve the equations, and judged. Rays are drawn at random,
always the same; `--rays` says how many. There may be equilibria to which none of them leads.

Source: Govindan and Wilson, A global Newton method to compute Nash equilibria, Journal of Economic Theory 110, 2003.
"""

from __future__ import annotations

from typing import Any

from gdl.game import Game
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, SearchLimits, answering
from gdl.solvers.equilibria.mixed_of_several import path_mixtures
from gdl.solvers.equilibria.nash import CLOSE_BY, Equilibria, add_judged, build_solution, partial_solution
from gdl.solvers.equilibria.positions import MOST_POSITIONS, explore
from gdl.solvers.equilibria.strategic_form import MOST_CELLS, refuse_large, strategic_form
from gdl.solvers.needs import AtLeast
from gdl.solvers.solver import Solver


def global_newton(
    game: Game[Any], limits: SearchLimits = NO_LIMITS, *, rays: int = 8, cells: int = MOST_CELLS
) -> Solution:
    """The equilibria on the paths of this number of rays, for a table of at most that many cells."""
    budget = limits.budget(MOST_POSITIONS)
    refuse_large(game, cells)
    positions = explore(game, budget)
    found = Equilibria([])
    with answering(lambda: partial_solution(game, positions, found, GLOBAL_NEWTON)):
        form = strategic_form(positions, limit=cells, budget=budget)
        add_judged(form, found, path_mixtures(form, rays, budget))
    found.notes.append(f"Found along {rays} rays; there may be equilibria to which none leads.")
    found.notes += [CLOSE_BY] if found.close else []
    return build_solution(game, positions, found, GLOBAL_NEWTON)


GLOBAL_NEWTON = Solver(
    name="global-newton",
    run=global_newton,
    needs={"players": AtLeast(2), "perfect_recall": True, "cyclic": False},
    summary="Nash equilibria of matrices and small games, any number of players, by paths of the global Newton method",
    concept="nash",
)
