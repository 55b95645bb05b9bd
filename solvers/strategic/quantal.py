"""Quantal response: players who err, the less the more it costs.

The logit equilibrium at `--lambda`: at each information set an action is played in proportion to exp(lambda times what
it pays). Zero is random play; the greater lambda, the more precise. It is traced from random play, as described by
McKelvey and Palfrey (1995 for matrices, 1998 for trees, where every information set is an agent of its own).

The answer is in floating point: `residual` says by how much the probabilities miss the equations at most, `regret` what
each player could gain by not erring.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from gdl.errors import Refusal
from gdl.game import Game, exact
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, SearchLimits, answering
from gdl.solvers.equilibria.behaviour import Behaviour, uniform_behaviour
from gdl.solvers.equilibria.logit import LogitCurve, LostCurve, Point
from gdl.solvers.equilibria.positions import PositionGraph, explore_within
from gdl.solvers.equilibria.regret import judge, with_equilibria
from gdl.solvers.solver import Solver

MOST_UNKNOWNS = 400  # probabilities that are traced
DENOMINATOR = 10**15  # to which they are rounded, so that they sum to one


def quantal(game: Game[Any], limits: SearchLimits = NO_LIMITS, *, lambda_: float = 1.0) -> Solution:
    """The logit equilibrium at that lambda, on the curve that begins with random play."""
    if not 0 <= lambda_ < float("inf"):
        raise Refusal("lambda is a number from 0 up")
    positions, budget = explore_within(game, limits)
    curve = LogitCurve(positions, budget)
    if curve.unknowns > MOST_UNKNOWNS:
        raise Refusal(
            f"quantal traces up to {MOST_UNKNOWNS} probabilities; {game.name} has {curve.unknowns} to be found"
        )
    with answering(
        lambda: _build_solution(game, positions, uniform_behaviour(positions), "This is random play, at lambda 0.")
    ):
        try:
            point = curve.to(lambda_)
        except LostCurve:
            said = f"The curve was lost in floating point before lambda {lambda_:g}; this is random play."
            return _build_solution(game, positions, uniform_behaviour(positions), said)
    behaviour = behaviour_of(curve, point)
    return _build_solution(game, positions, behaviour, f"Lambda is {lambda_:g}.", curve.residual(point))


def behaviour_of(curve: LogitCurve, point: Point) -> Behaviour:
    """The probabilities at a point, as fractions that sum to one."""
    rows = []
    for row in curve.rows(point):
        whole = [round(p * DENOMINATOR) for p in row]
        whole[row.index(max(row))] += DENOMINATOR - sum(whole)
        rows.append(tuple(exact(Fraction(p, DENOMINATOR)) for p in whole))
    return tuple(rows)


def _build_solution(
    game: Game[Any], positions: PositionGraph, behaviour: Behaviour, note: str, residual: float | None = None
) -> Solution:
    answer = with_equilibria(QUANTAL.answer(game, exact=False), positions, [behaviour], [judge(positions, behaviour)])
    return replace(answer, rounded=True, residual=residual, notes=(note,))


QUANTAL = Solver(
    name="quantal",
    run=quantal,
    needs={"perfect_recall": True, "cyclic": False},
    summary="logit quantal response equilibria of matrices and small games, any number of players",
    concept="quantal",
)
