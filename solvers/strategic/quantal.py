"""Quantal response: players who err, the less the more it costs.

The logit equilibrium at `--lambda`: at each information set an action is played in proportion to exp(lambda times what
it pays). Zero is random play; the greater lambda, the more precise. It is traced from random play, as described by
McKelvey and Palfrey (1995 for matrices, 1998 for trees, where every information set is an agent of its own).

By `--counts TABLE.csv` it is lambda that is found: of those looked at on that curve, the one at which counts of play
are most likely (in `likelihood`); `fit` has it, with the logarithm of the likelihood and the standard error.

The answer is in floating point: `residual` says by how much the probabilities miss the equations at most, `regret` what
each player could gain by not erring.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

from gdl.errors import Refusal, count_text
from gdl.game import Game, exact
from gdl.solution import LambdaFit, Profile, Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.equilibria.behaviour import Behaviour, uniform_behaviour, write_profile
from gdl.solvers.equilibria.logit import LogitCurve, LostCurve, Point
from gdl.solvers.equilibria.positions import PositionGraph, explore_within
from gdl.solvers.equilibria.regret import judge, with_equilibria
from gdl.solvers.solver import Solver
from gdl.solvers.strategic.likelihood import Counts, Likelihood, LikelihoodTop, read_counts

MOST_UNKNOWNS = 400  # probabilities that are traced
DENOMINATOR = 10**15  # of the fractions to which probabilities are rounded


def quantal(
    game: Game[Any], limits: SearchLimits = NO_LIMITS, *, lambda_: float | None = None, counts: str | None = None
) -> Solution:
    """The logit equilibrium at this lambda (1 if None), or at the lambda that fits the counts of play in the table file
    `counts` best of those looked at, on the curve that begins with random play."""
    if lambda_ is not None and not 0 <= lambda_ < float("inf"):
        raise Refusal("lambda is a number from 0 up")
    if lambda_ is not None and counts is not None:
        raise Refusal("--counts fits lambda: leave one of them out")
    positions, budget = explore_within(game, limits)
    curve = logit_curve(game, positions, budget)
    if counts is not None:
        return _fit(game, curve, read_counts(positions, counts))
    rate = 1.0 if lambda_ is None else lambda_
    with answering(
        lambda: _build_solution(game, positions, uniform_behaviour(positions), ["This is random play, at lambda 0."])
    ):
        try:
            point = curve.to(rate)
        except LostCurve:
            said = f"The curve was lost in floating point before lambda {rate:g}; this is random play."
            return _build_solution(game, positions, uniform_behaviour(positions), [said])
    behaviour = behaviour_of(curve, point)
    return _build_solution(game, positions, behaviour, [f"Lambda is {rate:g}."], curve.residual(point))


def logit_curve(game: Game[Any], positions: PositionGraph, budget: Budget) -> LogitCurve:
    """The logit curve of a game. Raises Refusal if it has too many unknowns."""
    curve = LogitCurve(positions, budget)
    if curve.unknowns > MOST_UNKNOWNS:
        raise Refusal(
            f"quantal traces up to {MOST_UNKNOWNS} probabilities; {game.name} has {curve.unknowns} to be found"
        )
    return curve


def _fit(game: Game[Any], curve: LogitCurve, counts: Counts) -> Solution:
    """Of the equilibria looked at on the curve, the one at which the counts are most likely."""
    likelihood = Likelihood(curve, counts)
    tops = likelihood.tops()
    best = next(tops)
    with answering(lambda: _fitted_solution(game, likelihood, best, counts)):
        while (top := next(tops, None)) is not None:
            best = top
    return _fitted_solution(game, likelihood, best, counts)


def _fitted_solution(game: Game[Any], likelihood: Likelihood, top: LikelihoodTop, counts: Counts) -> Solution:
    curve, rate = likelihood.curve, top.point[-1]
    error = None if top.still_rises else likelihood.standard_error(top.point)
    highest = f"the logarithm is {top.log_likelihood:.7g}"
    said = f"Lambda is {rate:.6g}, where the counts are likeliest of all seen: {highest}"
    notes = [f"{said}." if error is None else f"{said}, the standard error of lambda {error:.3g}."]
    if top.still_rises:
        notes.append("The counts are likelier the greater lambda is, as far as the curve was followed.")
    if not rate:
        notes.append("No lambda above 0 that was looked at makes them likelier than random play does.")
    if likelihood.looked:
        notes.append(
            f"Likelier ones were looked for at {count_text(likelihood.looked, 'point')} of the curve, up to lambda "
            f"{likelihood.farthest:.3g}; that there are none between these or beyond is not proved."
        )
    positions = curve.positions
    answer = _build_solution(game, positions, behaviour_of(curve, top.point), notes, curve.residual(top.point))
    kept = tuple(tuple(map(exact, row)) for row in counts)
    return replace(answer, fit=LambdaFit(rate, top.log_likelihood, error, write_profile(positions, kept)))


def trace(game: Game[Any], rate: float, steps: int, limits: SearchLimits = NO_LIMITS) -> list[tuple[float, Profile]]:
    """The curve from random play to where it first reaches lambda `rate`, as points so close that lines between them
    look smooth: lambda, and the profile played."""
    positions, budget = explore_within(game, limits)
    curve = logit_curve(game, positions, budget)
    traced = []
    with suppress(LostCurve):
        for point in curve.points(max(rate, 1.0) / steps):
            if point[-1] >= rate:
                traced.append(curve.to(rate))
                break
            traced.append(point)
    return [(point[-1], write_profile(positions, behaviour_of(curve, point))) for point in traced]


def behaviour_of(curve: LogitCurve, point: Point) -> Behaviour:
    """The probabilities at a point, as fractions that sum to one."""
    rows = []
    for row in curve.rows(point):
        whole = [round(p * DENOMINATOR) for p in row]
        whole[row.index(max(row))] += DENOMINATOR - sum(whole)
        rows.append(tuple(exact(Fraction(p, DENOMINATOR)) for p in whole))
    return tuple(rows)


def _build_solution(
    game: Game[Any], positions: PositionGraph, behaviour: Behaviour, notes: Sequence[str], residual: float | None = None
) -> Solution:
    answer = with_equilibria(QUANTAL.answer(game, exact=False), positions, [behaviour], [judge(positions, behaviour)])
    return replace(answer, rounded=True, residual=residual, notes=tuple(notes))


QUANTAL = Solver(
    name="quantal",
    run=quantal,
    needs={"perfect_recall": True, "cyclic": False},
    summary="logit quantal response equilibria of matrices and small games, any number of players",
    concept="quantal",
)
