"""The precision of players as their play shows it: of many lambdas looked at, that at which the play is most likely.

Play at an information set is a draw from the mixture of the logit equilibrium there; the logarithm of the likelihood
is the sum, over actions, of how often each was taken times the logarithm of its probability.

1. Follow the logit curve from random play, each of its steps cut in eight. Its tangent says how the likelihood changes.
2. Where it rises before a piece and falls behind it, halve the piece until the top lies in between.
3. Of all tops the highest. The standard error follows from how sharp it is (observed information).

Sources: McKelvey and Palfrey 1995, section 6; the example of Ochs, 1995, in the manual of Gambit.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import exp, log
from pathlib import Path
from typing import NamedTuple

from gdl.errors import DamagedData, clean, listing
from gdl.numbers import read_number
from gdl.solvers.equilibria.logit import LogitCurve, LostCurve, Point
from gdl.solvers.equilibria.positions import InformationSet, PositionGraph

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
        best = LikelihoodTop([0.0] * (self.curve.unknowns + 1), self.log([0.0] * (self.curve.unknowns + 1)))
        yield best
        point = best.point
        try:
            for low, high in self._pieces():
                chord = [b - a for a, b in zip(low, high, strict=True)]
                point = high
                self.looked, self.farthest = self.looked + 1, max(self.farthest, high[-1])
                if self.slope(low, chord)[0] > 0 > self.slope(high, chord)[0]:
                    top = self._between(low, high)
                    best = max(best, LikelihoodTop(top, self.log(top)), key=lambda one: one.log_likelihood)
                    yield best
        except LostCurve:
            pass
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

    def _between(self, low: Point, high: Point) -> Point:
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
            beside = self.curve.at(point, rate)
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
    with open(file, "rb") as stream:
        data = stream.read(MOST_BYTES + 1)
    name = clean(Path(file).name)
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise DamagedData(f"{name} is no text") from None
    if len(data) > MOST_BYTES:
        raise DamagedData(f"{name} is larger than {MOST_BYTES:,} bytes")
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
