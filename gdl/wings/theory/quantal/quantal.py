"""Quantal response: players who err, the less the more it costs.

The logit equilibrium at `--lambda`: at each information set an action is played in proportion to exp(lambda times what
it pays). Zero is random play; the greater lambda, the more precise. It is traced from random play, as described by
McKelvey and Palfrey (1995 for matrices, 1998 for trees, where every information set is an agent of its own).

By `--counts TABLE.csv` it is lambda that is found: of those looked at on that curve, the one at which counts of play
are most likely (`Likelihood`); `fit` has it, with the logarithm of the likelihood and the standard error.

The answer is in floating point: `residual` says by how much the probabilities miss the equations at most, `regret` what
each player could gain by not erring.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import exp, log
from pathlib import Path
from typing import Any, NamedTuple

from gdl.errors import DamagedData, Refusal, clean, count_text, listing
from gdl.formats.files import read_within
from gdl.game import Game, exact
from gdl.numbers import read_number
from gdl.solution import Profile, Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.equilibria.behaviour import Behaviour, uniform_behaviour, write_profile
from gdl.solvers.equilibria.logit import LogitCurve, LostCurve, Point
from gdl.solvers.equilibria.positions import InformationSet, PositionGraph, explore_within
from gdl.solvers.equilibria.regret import judge, with_equilibria
from gdl.solvers.equilibria.table_curve import curve_of
from gdl.solvers.solver import Solver
from gdl.wings.theory.quantal.quantal_response import LambdaFit, QuantalResponse

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
        return _fit_curve(game, curve, read_counts(positions, counts))
    rate = 1.0 if lambda_ is None else lambda_

    def at_random(said: str) -> Solution:
        return _build_solution(game, positions, uniform_behaviour(positions), [said])

    with answering(lambda: at_random("This is random play, at lambda 0.")):
        try:
            point = curve.follow_to(rate)
        except LostCurve:
            return at_random(f"The curve was lost in floating point before lambda {rate:g}; this is random play.")
    behaviour = behaviour_of(curve, point)
    told = f"Lambda is {rate:g}; the curve was followed from random play, and there may be other equilibria."
    return _build_solution(game, positions, behaviour, [told], curve.residual(point))


def logit_curve(game: Game[Any], positions: PositionGraph, budget: Budget) -> LogitCurve:
    """The logit curve of a game. Raises Refusal if it has too many unknowns."""
    curve = curve_of(positions, budget)
    if curve.unknowns > MOST_UNKNOWNS:
        raise Refusal(
            f"quantal traces up to {MOST_UNKNOWNS} probabilities; {game.name} has {curve.unknowns} to be found"
        )
    return curve


def _fit_curve(game: Game[Any], curve: LogitCurve, counts: Counts) -> Solution:
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
    fit = LambdaFit(rate, top.log_likelihood, error, write_profile(positions, kept))
    return answer.with_part(QuantalResponse, fit=fit)


def trace(game: Game[Any], rate: float, steps: int, limits: SearchLimits = NO_LIMITS) -> list[tuple[float, Profile]]:
    """The curve from random play to where it first reaches lambda `rate`, as points so close that lines between them
    look smooth: lambda, and the profile played."""
    positions, budget = explore_within(game, limits)
    curve = logit_curve(game, positions, budget)
    traced = []
    with suppress(LostCurve):
        for point in curve.points(max(rate, 1.0) / steps):
            if point[-1] >= rate:
                traced.append(curve.follow_to(rate))
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
    return replace(answer, notes=tuple(notes), part=QuantalResponse(residual=residual))


QUANTAL = Solver(
    name="quantal",
    run=quantal,
    needs={"perfect_recall": True, "cyclic": False},
    summary="logit quantal response equilibria of matrices and small games, any number of players",
    concept="quantal",
)


# The precision of players as their play shows it: of many lambdas looked at, that at which the play is most likely.
#
# Play at an information set is a draw from the mixture of the logit equilibrium there; the logarithm of the likelihood
# is the sum, over actions, of how often each was taken times the logarithm of its probability.
#
# 1. Follow the logit curve from random play, each of its steps cut in eight. Its tangent says how the likelihood
#    changes.
# 2. Where it rises before a piece and falls behind it, halve the piece until the top lies in between.
# 3. Of all tops the highest. The standard error follows from how sharp it is (observed information).
#
# Sources: McKelvey and Palfrey 1995, section 6; the example of Ochs, 1995, in the manual of Gambit.

FARTHEST = 1e6  # lambda times the largest payoff, up to which the curve is followed
CUTS = 3  # how often a step is halved, to see tops that it would pass over
HALVINGS = 100  # of a piece that has a top
MOST_BYTES = 1 << 24  # of a table
NEARBY = 1e-3  # how far from the top its sharpness is measured, as a share of lambda

Counts = list[list[Fraction]]  # by information set and action


class LikelihoodTop(NamedTuple):
    """A point of the curve, the logarithm of the likelihood there, and True if it still rises at the end of the
    curve."""

    point: Point
    log_likelihood: float
    still_rises: bool = False


class Likelihood:
    """The likelihood of counts of play along the logit curve."""

    def __init__(self, curve: LogitCurve, counts: Counts):
        self.curve = curve
        self.counts = [[float(n) for n in row] for row in counts]
        self.looked = 0  # points of the curve at which the likelihood was looked at,
        self.farthest = 0.0  # and the greatest lambda of one

    def log(self, point: Point) -> float:
        """The logarithm of the likelihood at a point."""
        total = 0.0
        for start, row in zip(self.curve.starts, self.counts, strict=True):
            heights = [0.0, *point[start : start + len(row) - 1]]
            most = max(heights)
            whole = most + log(sum(exp(max(-700.0, z - most)) for z in heights))
            total += sum(n * (z - whole) for n, z in zip(row, heights, strict=True))
        return total

    def slope(self, point: Point, ahead: Point) -> tuple[float, float]:
        """The derivatives of the logarithm of the likelihood, and of lambda, along the curve, in the direction nearest
        to `ahead`."""
        tangent = self.curve.tangent(point, ahead)
        total = 0.0
        for start, row, shares in zip(self.curve.starts, self.counts, self.curve.rows(point), strict=True):
            turns = [0.0, *tangent[start : start + len(row) - 1]]
            mean = sum(p * t for p, t in zip(shares, turns, strict=True))
            total += sum(n * (t - mean) for n, t in zip(row, turns, strict=True))
        return total, tangent[-1]

    def tops(self) -> Iterator[LikelihoodTop]:
        """Random play, then for each top along the curve the best so far; last the end of the curve, if the likelihood
        is greatest there."""
        point = [0.0] * (self.curve.unknowns + 1)
        best = LikelihoodTop(point, self.log(point))
        yield best
        with suppress(LostCurve):
            for low, high in self._pieces():
                chord = [b - a for a, b in zip(low, high, strict=True)]
                point = high
                self.looked, self.farthest = self.looked + 1, max(self.farthest, high[-1])
                if self.slope(low, chord)[0] > 0 > self.slope(high, chord)[0]:
                    top = self._maximum_between(low, high)
                    best = max(best, LikelihoodTop(top, self.log(top)), key=lambda one: one.log_likelihood)
                    yield best
        if self.log(point) > best.log_likelihood:
            yield LikelihoodTop(point, self.log(point), still_rises=True)

    def _pieces(self) -> Iterator[tuple[Point, Point]]:
        """Pieces of the curve, each from where the last ends, until lambda is great. Raises LostCurve."""
        for low, high in pairwise(self.curve.points()):
            points = [low, high]
            for _ in range(CUTS):
                halves = [self.curve.middle(*ends) for ends in pairwise(points)]
                points = [point for pair in zip(points, halves, strict=False) for point in pair] + [high]
            yield from pairwise(points)
            if high[-1] * self.curve.scale > FARTHEST:
                return

    def _maximum_between(self, low: Point, high: Point) -> Point:
        chord = [b - a for a, b in zip(low, high, strict=True)]
        for _ in range(HALVINGS):
            middle = self.curve.middle(low, high)
            if middle in (low, high):
                break
            low, high = (middle, high) if self.slope(middle, chord)[0] > 0 else (low, middle)
        return low

    def standard_error(self, point: Point) -> float | None:
        """The standard error of lambda at a top; None if the points beside it are not found, or the top is flat."""
        by = NEARBY * point[-1]
        slopes = []
        for rate in (point[-1] - by, point[-1] + by):
            beside = self.curve.point_at(point, rate)
            if beside is None:
                return None
            rises, turns = self.slope(beside, [0.0] * self.curve.unknowns + [1.0])
            slopes.append(rises / turns if turns else 0.0)
        sharpness = (slopes[0] - slopes[1]) / (2 * by) if by else 0.0
        return sharpness**-0.5 if sharpness > 0 else None


def read_counts(positions: PositionGraph, file: str) -> Counts:
    """The counts of play in a table (CSV) by information set and action. Each row is an action, in the columns `player`
    and `action`; `set` names the information set where that is not clear, `count` says how often (once, if the column
    is missing). Other columns are ignored. Raises DamagedData."""
    name = clean(Path(file).name)
    try:
        lines = read_within(file, MOST_BYTES).decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise DamagedData(f"{name} is no text") from None
    head = lines[0] if lines else ""
    delimiter = next((sign for sign in (";", "\t") if sign in head), ",")
    counts: Counts = [[Fraction(0)] * width for width in positions.widths]
    try:
        table = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
        columns = [cell.strip().lower() for cell in next(table, [])]
        if not {"player", "action"} <= set(columns):
            raise DamagedData("its first line has no columns player and action")
        for cells in table:
            if any(cells):
                row = {column: cell.strip() for column, cell in zip(columns, cells, strict=False)}
                h, k, count = _read_row(positions, row)
                counts[h][k] += count
    except (DamagedData, csv.Error) as wrong:
        raise DamagedData(f"{name}, line {max(1, table.line_num)}: {wrong}") from None
    if not any(map(any, counts)):
        raise DamagedData(f"{name} counts no play")
    return counts


def _read_row(positions: PositionGraph, row: dict[str, str]) -> tuple[int, int, Fraction]:
    """The information set, the place of the action in it, and the count, from one row of the table."""
    who, action, name = row.get("player", ""), row.get("action", ""), row.get("set", "")
    if who not in positions.players:
        raise DamagedData(f"nobody is called '{clean(who)}': there are {listing(positions.players)}")
    own = [(h, positions.information_sets[h]) for h in positions.sets_of(positions.players.index(who))]
    here = [(h, found) for h, found in own if not name or found.name == name]
    fitting = [(h, found) for h, found in here if action in found.actions]
    if not here:
        raise DamagedData(f"{who} has no information set '{clean(name)}': there are {_names(own)}")
    if not fitting:
        actions = dict.fromkeys(each for _, found in here for each in found.actions)
        raise DamagedData(f"{who} has no action '{clean(action)}': there are {listing(actions)}")
    if len(fitting) > 1:
        raise DamagedData(f"{who} has {action} in several places: a column set says where, of {_names(fitting)}")
    try:
        count = Fraction(read_number(row.get("count", "1")))
    except ValueError as wrong:
        raise DamagedData(str(wrong)) from None
    if count < 0:
        raise DamagedData(f"a count is below 0: {row['count']}")
    ((h, found),) = fitting
    return h, found.actions.index(action), count


def _names(sets: Sequence[tuple[int, InformationSet]]) -> str:
    return listing(f"'{found.name}'" for _, found in sets)
