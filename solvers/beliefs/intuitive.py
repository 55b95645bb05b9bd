"""Equilibria of games of signals that pass the intuitive criterion.

1. The perfect Bayesian equilibria are found, as by `perfect-bayesian`; in games of signals they are sequential.
2. An equilibrium fails if some type could make itself known by a message that is not sent (`signals.py`).

Source: Cho and Kreps, Signaling games and stable equilibria, Quarterly Journal of Economics 102, 1987.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gdl.game import Game
from gdl.solution import Solution
from gdl.solvers.beliefs.assessments import MAX_EQUILIBRIA, SUPPORTS, AssessmentSearch, assessment_solution
from gdl.solvers.beliefs.signals import Signals, signals, unintuitive
from gdl.solvers.budget import NO_LIMITS, SearchLimits
from gdl.solvers.equilibria.positions import explore_within
from gdl.solvers.equilibria.subgame_perfect import World, solve_subgames
from gdl.solvers.solver import Solver


def intuitive(
    game: Game[Any], limits: SearchLimits = NO_LIMITS, *, most: int = MAX_EQUILIBRIA, supports: int = SUPPORTS
) -> Solution:
    """The perfect Bayesian equilibria of a game of signals that pass the criterion, and which do not."""
    positions, budget = explore_within(game, limits)
    told = signals(positions)
    search = AssessmentSearch("weak", supports)
    found = solve_subgames(positions, most, budget, search.stage)
    failing = list(_failing(told, found.worlds))
    found.worlds = [world for world in found.worlds if not any(world is other for other, _ in failing)]
    notes = [words for _, words in failing]
    return assessment_solution(game, positions, found, search, INTUITIVE, most, notes)


def _failing(game: Signals, worlds: list[World]) -> Iterator[tuple[World, str]]:
    """The worlds that fail, and why."""
    for world in worlds:
        rows = [row for row in world.rows if row is not None]
        failure = next(unintuitive(game, rows), None)
        if failure is not None:
            plays = ", ".join(
                f"{found.actions[max(range(len(row)), key=row.__getitem__)]} at {found.name}"
                for h, (row, found) in enumerate(zip(rows, game.positions.information_sets, strict=True))
                if h in game.types
            )
            yield world, f"The equilibrium with {plays} fails: {failure.words}."


INTUITIVE = Solver(
    name="intuitive",
    run=intuitive,
    needs={"players": 2, "chance": True, "perfect_recall": True, "cyclic": False},
    summary="perfect Bayesian equilibria of games of signals that pass the intuitive criterion",
    concept="intuitive",
)
