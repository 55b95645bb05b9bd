"""Logit quantal response equilibria, traced from random play.

At each information set an action is played in proportion to exp(lambda times what it pays), the others and the player's
own later moves being what they are. At lambda = 0 everybody plays at random. From there a curve of equilibria leads on
to ever more precise play; almost always its limit is one Nash equilibrium.

1. Unknowns: at each set the logarithm of each action's weight over that of the first action, and lambda itself.
2. What an action pays: sweep the chances of the positions down, their values up.
3. Follow the curve by its tangent (predictor), then correct by Newton's method at a right angle to it. Steps grow where
   the correction converges at once and shrink where it does not. The curve may turn back in lambda.
4. At the lambda asked for, correct with lambda fixed.

Sources: McKelvey and Palfrey, Quantal response equilibria for normal form games, 1995, and for extensive form games,
1998 (agents); Turocy, A dynamic homotopy interpretation of the logistic quantal response equilibrium, 2005 (the curve).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import exp
from operator import mul
from typing import Any

from gdl.game import Chance, Number, Terminal, require_number
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.positions import PositionGraph

Point = list[float]  # the unknowns, lambda last
Rows = list[list[float]]  # probabilities by information set
MixedSet = tuple[int, list[int]]  # an information set and the actions of its support

TOLERANCE = 1e-13  # of the equations, relative to the payoffs
FIRST_STEP = 0.05
LONGEST_STEP = 1e6
SHORTEST_STEP = 1e-9
CORRECTIONS = 12  # rounds of Newton's method for a point, before the step is made shorter
DIFFERENCE = 1e-7  # relative step for derivatives
GROWTH = 1.5
HALVINGS = 60  # of a step, to find a lambda on it
LEAST_EXPONENT = -700.0  # below it exp() gives zero in floating point


class LostCurve(Exception):
    """The curve cannot be followed further in floating point."""


class LogitCurve:
    """The logit equilibria of a game, as a curve that begins at random play. With `exactly` payoffs are computed in
    fractions, from rows in fractions."""

    def __init__(self, positions: PositionGraph, budget: Budget, exactly: bool = False):
        self.positions = positions
        self.budget = budget
        self.number: Callable[[Number], Any] = Fraction if exactly else float
        self.sets = positions.information_sets
        *self.starts, self.unknowns = accumulate((len(found.actions) - 1 for found in self.sets), initial=0)
        self.ends = {
            position: [self.number(require_number(utility)) for utility in node.utilities]
            for position, node in enumerate(positions.nodes)
            if isinstance(node, Terminal)
        }
        self.scale = max([1.0, *(abs(float(amount)) for vector in self.ends.values() for amount in vector)])
        self.shares = {  # by position: the probabilities of chance
            position: [self.number(p) for _, p in node.outcomes]
            for position, node in enumerate(positions.nodes)
            if isinstance(node, Chance)
        }

    @property
    def work(self) -> int:
        """A measure of the work for each point of the curve: its probabilities times the positions."""
        return self.unknowns * self.positions.count

    def rows(self, point: Point) -> Rows:
        """The probabilities of actions at a point of the curve, one row per information set."""
        pairs = zip(self.starts, self.sets, strict=True)
        return [in_proportion(1.0, [0.0, *point[at : at + len(found.actions) - 1]]) for at, found in pairs]

    def pays(self, rows: Rows) -> Rows:
        """The payoff of each action to its player, given that its set is reached."""
        positions, (reach, shares) = self.positions, self._reach(rows)
        worth = [self.ends.get(position, []) for position in range(len(positions.nodes))]
        players = range(len(positions.players))
        for position in reversed(range(len(positions.nodes))):
            if shares[position]:
                pairs = list(zip(shares[position], positions.successors[position], strict=True))
                worth[position] = [sum(p * worth[after][player] for p, after in pairs) for player in players]
        return [self._action_payoffs(h, reach, worth) for h in range(len(self.sets))]

    def pay_gaps(self, rows: Any, mixed: Sequence[MixedSet]) -> list[Any]:
        """The payoff of each mixed action less that of the first one of its set."""
        pays = self.pays(rows)
        return [pays[h][k] - pays[h][base] for h, (base, *others) in mixed for k in others]

    def gap_slopes(self, rows: Rows, mixed: Sequence[MixedSet]) -> Rows:
        """The derivatives of the gaps, a row for each mixed action whose probability grows at the cost of the first one
        of its set, by finite differences."""
        here, slopes = self.pay_gaps(rows, mixed), []
        for h, (base, *others) in mixed:
            for k in others:
                moved = [list(row) for row in rows]
                moved[h][k], moved[h][base] = rows[h][k] + DIFFERENCE, rows[h][base] - DIFFERENCE
                slopes.append([(b - a) / DIFFERENCE for a, b in zip(here, self.pay_gaps(moved, mixed), strict=True)])
        return slopes

    def reachable_sets(self, rows: Sequence[Sequence[Number | float]]) -> list[bool]:
        """For each information set, True if play by these rows can reach it."""
        reach, _ = self._reach(rows)
        return [any(reach[m] for m in found.members) for found in self.sets]

    def _reach(self, rows: Sequence[Sequence[Any]]) -> tuple[list[Any], list[Sequence[Any]]]:
        """The probability of each position, and at each position the probabilities of its successors."""
        positions = self.positions
        reach: list[Any] = [self.number(0)] * len(positions.nodes)
        reach[0] = self.number(1)
        shares: list[Sequence[Any]] = []
        for position in range(len(positions.nodes)):
            h = positions.sets[position]
            share = self.shares.get(position, ()) if h is None else rows[h]
            shares.append(share)
            for p, after in zip(share, positions.successors[position], strict=True):
                reach[after] += reach[position] * p
        return reach, shares

    def _action_payoffs(self, h: int, reach: Sequence[Any], worth: Sequence[Sequence[Any]]) -> list[Any]:
        found = self.sets[h]
        weights = [reach[m] for m in found.members]
        total = sum(weights)
        if total < 1e-290:  # too seldom for floating point: all its positions count alike
            weights, total = [1] * len(weights), len(weights)
        return [
            sum(
                w * worth[self.positions.successors[m][k]][found.player]
                for w, m in zip(weights, found.members, strict=True)
            )
            / total
            for k in range(len(found.actions))
        ]

    def errors(self, point: Point) -> list[float]:
        """The residuals of the equations at the point, one per logarithm: zero on the curve."""
        pays, rate = self.pays(self.rows(point)), point[-1]
        errors: list[float] = []
        for start, own in zip(self.starts, pays, strict=True):
            errors += [point[start + k - 1] - rate * (own[k] - own[0]) for k in range(1, len(own))]
        return errors

    def derivatives(self, point: Point) -> Rows:
        """The derivatives of the errors, by finite differences: a row for each error, a column for each unknown and,
        last, for lambda."""
        here = self.errors(point)
        columns = []
        for j in range(self.unknowns + 1):
            moved = list(point)
            step = DIFFERENCE * max(1.0, abs(point[j]))
            moved[j] += step
            columns.append([(b - a) / step for a, b in zip(here, self.errors(moved), strict=True)])
        return [list(row) for row in zip(*columns, strict=True)]

    def follow_to(self, rate: float) -> Point:
        """The first equilibrium on the curve at lambda `rate`. Raises LostCurve if floating point cannot follow the
        curve so far."""
        return next(
            (self._point_between(low, high, rate) for low, high in pairwise(self.points()) if high[-1] >= rate), [rate]
        )

    def points(self, longest: float = LONGEST_STEP) -> Iterator[Point]:
        """Points of the curve, one after the other from random play; only the first where nobody has a choice. Steps
        are at most `longest`. Raises LostCurve."""
        point: Point = [0.0] * (self.unknowns + 1)
        yield point
        step, ahead = min(FIRST_STEP, longest), [0.0] * self.unknowns + [1.0]
        while self.unknowns:
            self.budget.check_time()
            ahead = self.tangent(point, ahead)
            while True:
                further = [a + step * b for a, b in zip(point, ahead, strict=True)]
                corrected, rounds = self._correct_point(further, ahead)
                if corrected is not None:
                    break
                step /= 2
                if step < SHORTEST_STEP:
                    raise LostCurve
            point = corrected
            step = min(longest, step * GROWTH) if rounds <= 4 else step / GROWTH if rounds > 7 else step
            yield point

    def point_at(self, point: Point, rate: float) -> Point | None:
        """The equilibrium at lambda `rate` near a point; None if Newton's method does not find it."""
        return self._correct_point([*point[:-1], rate], [0.0] * self.unknowns + [1.0])[0]

    def middle(self, low: Point, high: Point) -> Point:
        """A point of the curve about half way between two of its points. Raises LostCurve."""
        chord = [b - a for a, b in zip(low, high, strict=True)]
        found, _ = self._correct_point([a + by / 2 for a, by in zip(low, chord, strict=True)], chord)
        if found is None:
            raise LostCurve
        return found

    def _point_between(self, low: Point, high: Point, rate: float) -> Point:
        """The point of the curve at lambda `rate` between two of its points. Raises LostCurve."""
        for _ in range(HALVINGS):
            share = (rate - low[-1]) / (high[-1] - low[-1])
            found = self.point_at([a + share * (b - a) for a, b in zip(low, high, strict=True)], rate)
            if found is not None:
                return found
            middle = self.middle(low, high)
            low, high = (low, middle) if middle[-1] >= rate else (middle, high)
        raise LostCurve

    def tangent(self, point: Point, before: Point) -> Point:
        """The direction of the curve at the point, of length one, at an acute angle to the direction `before`. Raises
        LostCurve."""
        found = unit_tangent(self.derivatives(point), before)
        if found is None:
            raise LostCurve
        return found

    def _correct_point(self, point: Point, ahead: Point) -> tuple[Point | None, int]:
        """The point of the curve in the plane through `point` at a right angle to `ahead`, by Newton's method (None if
        it does not converge), and the number of rounds."""
        system: Rows | None = None
        last = float("inf")
        for rounds in range(1, CORRECTIONS + 1):
            errors = self.errors(point)
            size = max(map(abs, errors))
            bound = TOLERANCE * self.scale * max(1.0, abs(point[-1]), *map(abs, point))
            if size <= bound:
                return point, rounds
            if size > 2 * last:
                return None, rounds
            last = size
            system = self.derivatives(point)
            change = linear([*([*row, -e] for row, e in zip(system, errors, strict=True)), [*ahead, 0.0]])
            if change is None:
                return None, rounds
            point = [a + b for a, b in zip(point, change, strict=True)]
        errors = self.errors(point)
        return (point, CORRECTIONS) if max(map(abs, errors)) <= 1e4 * bound else (None, CORRECTIONS)

    def residual(self, point: Point) -> float:
        """The greatest deviation of the probabilities from being proportional to exp(lambda times payoff)."""
        rows = self.rows(point)
        most = 0.0
        for own, pays in zip(rows, self.pays(rows), strict=True):
            most = max(most, *(abs(p - q) for p, q in zip(own, in_proportion(point[-1], pays), strict=True)))
        return most


def in_proportion(rate: float, pays: Sequence[float]) -> list[float]:
    """The probabilities in proportion to exp(rate times what each action pays)."""
    exponents = [rate * payoff for payoff in pays]
    most = max(exponents)
    weights = [exp(max(LEAST_EXPONENT, z - most)) for z in exponents]
    total = sum(weights)
    return [weight / total for weight in weights]


def unit_tangent(rows: Rows, towards: Sequence[float]) -> list[float] | None:
    """The direction of length one along which no equation changes, from the derivatives of the equations, and at an
    acute angle to `towards`; None if there is no single one."""
    found = linear([*([*row, 0.0] for row in rows), [*towards, 1.0]])
    if found is None:
        return None
    length = sum(x * x for x in found) ** 0.5
    return [x / length for x in found]


def linear(system: Rows, least: float | None = None) -> list[float] | None:
    """The solution of a square system in floating point, each row with its right-hand side last. If the system is
    singular: None; or with `least`, a column none of whose pivots exceeds that gives its unknown the value zero."""
    rows: Sequence[Sequence[float]] = system
    size = len(rows)
    heads: list[tuple[int, Sequence[float]]] = []  # the columns with a pivot; each row from there on
    for column in range(size):
        pivot = max(range(len(rows)), key=lambda r: abs(rows[r][0]))
        head, *tail = rows[pivot]
        if abs(head) < (least or 1e-300):
            if least is None:
                return None
            rows = [row[1:] for row in rows]
            continue
        heads.append((column, rows[pivot]))
        below = [(row[0] / head, row[1:]) for r, row in enumerate(rows) if r != pivot]
        rows = [[a - q * b for a, b in zip(row, tail, strict=True)] if q else row for q, row in below]
    found = [0.0] * size
    for column, row in reversed(heads):
        found[column] = (row[-1] - sum(map(mul, row[1:-1], found[column + 1 :]))) / row[0]
    return found
