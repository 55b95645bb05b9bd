"""Logit tracing: one Nash equilibrium, at the end of the curve of quantal equilibria, for any number of players.

1. Follow the curve from random play (`logit`). Each time lambda has doubled, look for an equilibrium near by.
2. Leave out actions of next to no probability. What is still mixed, at sets that are reached, must pay the same: solve
   these equations by Newton's method, their errors in fractions, their derivatives in floating point. Where they have
   a family of solutions, what is free stays at a fraction of a small denominator.
3. Take fractions of small denominators where these are an equilibrium exactly, else long ones.
4. Judge it: no regret, or where numbers are long less than one in 10^12; and it is near if no probability differs from
   the curve's by more than NEAR.

It needs no table of plans, so it goes on where that would be too large. Almost always the curve leads to one
equilibrium.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from gdl.errors import Refusal
from gdl.game import Number, exact
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.behaviour import Behaviour
from gdl.solvers.equilibria.logit import LogitCurve, LostCurve, Rows, linear
from gdl.solvers.equilibria.positions import PositionGraph
from gdl.solvers.equilibria.regret import judge
from gdl.solvers.equilibria.table_curve import curve_of

CLOSE = 10**12  # an equilibrium with irrational numbers has a regret below 1 / CLOSE
MOST_WORK = 100_000  # probabilities times positions, for each point of the curve: some twenty seconds for the whole
FIRST_LAMBDA, LAST_LAMBDA = 4.0, 1e7  # times the largest payoff
THRESHOLDS = (1e-2, 1e-4, 1e-7)  # a probability up to the threshold counts as none
NEAR = 0.01
ROUNDS = 12  # of Newton's method
DIGITS, SMALL_DENOMINATOR, FREE_DENOMINATOR = 30, 1_000, 60  # of fractions
SINGULAR = 1e-6  # what is left of a column whose unknown is free, in units of the largest payoff
ROUGH = 1e-9  # errors up to this, in units of the largest payoff, are computed in fractions


class LogitLimit(NamedTuple):
    """An equilibrium to which the logit curve leads, its greatest regret, and the lambda (`rate`) at which it was
    found."""

    behaviour: Behaviour
    regret: Number
    rate: float


def logit_limit(positions: PositionGraph, budget: Budget) -> LogitLimit | None:
    """The equilibrium to which the logit curve leads; None if none is found near it. Raises Refusal if the game is so
    large that it would take too long."""
    curve = curve_of(positions, budget)
    if curve.work > MOST_WORK:
        raise Refusal(
            f"logit traces games of up to {MOST_WORK:,} probabilities times positions; {positions.game} has "
            f"{curve.work:,}"
        )
    exactly = curve_of(positions, budget, exactly=True)
    for rate, rows in _doublings(curve):
        supports = {tuple(tuple(p > least for p in row) for row in rows): least for least in THRESHOLDS}
        for threshold in supports.values():
            settled = _Settling(curve, exactly, rows, threshold).equilibrium()
            if settled is not None:
                return LogitLimit(*settled, rate)
    return None


def _doublings(curve: LogitCurve) -> Iterator[tuple[float, Rows]]:
    """Lambda and the probabilities on the curve, each time that lambda has doubled, and at the point where the curve is
    lost."""
    bound, last = FIRST_LAMBDA / curve.scale, None
    try:
        for last in curve.points():
            if last[-1] >= bound or not curve.unknowns:
                yield last[-1], curve.rows(last)
                bound = 2 * last[-1]
            if last[-1] * curve.scale > LAST_LAMBDA:
                return
    except LostCurve:
        if last is not None:
            yield last[-1], curve.rows(last)


@dataclass
class _Settling:
    """The search for an equilibrium near a point of the curve, with only those actions whose probabilities are above a
    threshold. `exactly` is the same curve in fractions."""

    curve: LogitCurve
    exactly: LogitCurve
    rows: Rows
    threshold: float

    def equilibrium(self) -> tuple[Behaviour, Number] | None:
        """The equilibrium and its greatest regret; None if there is none near the point."""
        start = [_simple_row([p if p > self.threshold else 0.0 for p in row], FREE_DENOMINATOR) for row in self.rows]
        reached = self.curve.reachable_sets(start)
        mixed = [(h, [k for k, p in enumerate(row) if p]) for h, row in enumerate(start) if reached[h]]
        solved = self._level(start, [(h, support) for h, support in mixed if len(support) > 1])
        if solved is None or not self._is_near(solved):
            return None
        for rows in ([_simple_row(row, SMALL_DENOMINATOR) for row in solved], solved):
            behaviour = tuple(tuple(map(exact, row)) for row in rows)
            regret = max(judge(self.curve.positions, behaviour).regret)
            if not regret or (rows is solved and regret * CLOSE < 1):
                return behaviour, regret
        return None

    def _is_near(self, rows: Sequence[Sequence[Fraction]]) -> bool:
        pairs = zip(self.rows, rows, strict=True)
        return all(abs(float(q) - p) <= NEAR for own, other in pairs for p, q in zip(own, other, strict=True))

    def _level(self, rows: list[list[Fraction]], mixed: Sequence[tuple[int, list[int]]]) -> list[list[Fraction]] | None:
        """The rows, by Newton's method, at which the mixed actions of each set pay the same; None if there are none.
        `mixed` has the sets and the actions of their supports."""
        for _ in range(ROUNDS):
            floats = [list(map(float, row)) for row in rows]
            errors = here = self.curve.pay_gaps(floats, mixed)
            if all(abs(error) < ROUGH * self.curve.scale for error in here):
                errors = self.exactly.pay_gaps(rows, mixed)
                if all(abs(error) * 10 ** (DIGITS - 5) < self.curve.scale for error in errors):
                    return rows
            columns = self.curve.gap_slopes(floats, mixed)
            system = [[*row, -float(e)] for row, e in zip(zip(*columns, strict=True), errors, strict=True)]
            change = linear(system, SINGULAR * self.curve.scale)
            if change is None or max(map(abs, change)) > 1:
                return None
            rows = [list(row) for row in rows]
            for (h, k, base), by in zip(((h, k, s[0]) for h, s in mixed for k in s[1:]), change, strict=True):
                rows[h][k] += _digits(Fraction(by))
                rows[h][base] -= _digits(Fraction(by))
            if any(p < 0 for row in rows for p in row):
                return None
        return None


def _digits(number: Fraction) -> Fraction:
    return Fraction(round(number * 10**DIGITS), 10**DIGITS)


def _simple_row(row: Sequence[float | Fraction], most: int) -> list[Fraction]:
    """The row in fractions with denominators up to `most`, the largest one taking up the rest so that they sum to one;
    no positive probability becomes zero."""
    simple = [max(Fraction(p).limit_denominator(most), Fraction(1, most)) if p else Fraction(0) for p in row]
    simple[simple.index(max(simple))] += 1 - sum(simple)
    return simple
