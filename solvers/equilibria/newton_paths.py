"""Paths of equilibria through games with bonuses: the global Newton method, for a table of any number of players.

To what each plan pays a bonus is added, its number on a ray times a multiple. Where the multiple is very large, the
plans with the greatest bonuses are the only equilibrium; where it is zero, the equilibria are those of the game. From
that one a path of equilibria leads through all multiples to the other end, where it is very small, and what it meets at
zero is an equilibrium: an odd number of them on almost every ray, found one after the other, with any index.

1. As long as nobody's support changes, the path is a curve: each plan of a support pays, with its bonus, the same. It
   is followed by its tangent, and corrected by Newton's method at a right angle to it.
2. Where a probability comes to zero, the plan leaves its support; where a plan outside comes to pay as much as those of
   the support, it enters. The path goes on where that probability, or what the plan lacks, grows.
3. Where the multiple changes its sign, the equilibrium in between is corrected with the multiple held at zero.

Sources: Govindan and Wilson, A global Newton method to compute Nash equilibria, Journal of Economic Theory 110, 2003;
Herings and Peeters, Homotopy methods to compute equilibria in game theory, Economic Theory 42, 2010.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from operator import mul
from typing import Any, NamedTuple

from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.logit import linear, unit_tangent
from gdl.solvers.equilibria.strategic_form import Some, StrategicForm

TOLERANCE = 1e-11  # of the equations; payoffs are from 0 to 1
EDGE = 1e-9  # how far below zero a margin may be: a probability, or the lack of a plan outside the support
FIRST_STEP, SHORTEST_STEP, LONGEST_STEP = 0.02, 1e-7, 5.0
CORRECTIONS = 6
MOST_STEPS = 3_000  # of one path
HALVINGS = 60  # to find where a support changes
LEAST_GAP = 0.05  # between the greatest bonus of a player and the others, at both ends

Point = list[float]  # the probabilities of the supports, then what each player gets with the bonus, then the multiple
Floats = list[float]


class FoundMixture(NamedTuple):
    """A profile at which a path meets multiple zero: the support of each player, and the probabilities of its plans."""

    support: Some
    weights: tuple[tuple[float, ...], ...]


class BonusGame:
    """A table with a bonus for each plan, in floating point; each player's payoffs are scaled to 0..1."""

    def __init__(self, form: StrategicForm, bonuses: Sequence[Sequence[float]]):
        self.sizes = [len(plans) for plans in form.plans]
        self.players = range(len(self.sizes))
        self.strides = [prod(self.sizes[p + 1 :]) for p in self.players]
        self.pays: list[Floats] = []
        for p in self.players:
            amounts = [float(form.payoffs[cell][p]) for cell in product(*map(range, self.sizes))]
            low, high = min(amounts), max(amounts)
            self.pays.append([(amount - low) / ((high - low) or 1.0) for amount in amounts])
        self.bonuses = bonuses
        self._support: Some | None = None  # the one of `_on`
        self._on: list[list[Floats]] = []

    def differences(self, rows: Sequence[Floats], support: Some) -> dict[tuple[int, int], list[Floats]]:
        """For each two players p and q, a matrix: the payoff of each plan of p (a row) if q plays each plan of its
        support (a column), and the others mix by `rows`."""
        found: dict[tuple[int, int], list[Floats]] = {}
        for p in self.players:
            others = [q for q in self.players if q != p]
            for pays in self._pays_on(support)[p]:
                for q, part in zip(others, partials(pays, [rows[q] for q in others]), strict=True):
                    found.setdefault((p, q), []).append(part)
        return found

    def _pays_on(self, support: Some) -> list[list[Floats]]:
        """By player and plan: what the plan pays against each combination of the others' supports."""
        if support != self._support:
            self._support, self._on = support, []
            for p in self.players:
                strides = [[k * self.strides[q] for k in support[q]] for q in self.players if q != p]
                places = list(map(sum, product(*strides)))
                plans = range(0, self.sizes[p] * self.strides[p], self.strides[p])
                self._on.append([[self.pays[p][at + plan] for at in places] for plan in plans])
        return self._on


def partials(amounts: Sequence[Any], weights: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """The derivatives, by each weight, of the sum of all amounts, each multiplied by one weight of every row. The
    amounts stand in the order of product(*weights)."""
    *before, last = weights
    if not before:
        return [list(amounts)]
    width, joint = len(last), list(before[0])
    for row in before[1:]:
        joint = [a * b for a in joint for b in row]
    if width == 2:
        left = [last[0] * a + last[1] * b for a, b in zip(amounts[::2], amounts[1::2], strict=True)]
    else:
        left = [sum(map(mul, amounts[k : k + width], last)) for k in range(0, len(amounts), width)]
    return [*partials(left, before), [sum(map(mul, amounts[k::width], joint)) for k in range(width)]]


class NewtonPath:
    """One path of equilibria of the game with bonuses, followed from the greatest multiple of the bonuses down to zero
    and on."""

    def __init__(self, game: BonusGame, budget: Budget):
        self.game, self.budget = game, budget
        self._last: tuple[object, _Evaluation] = (None, _Evaluation([], [], {}))  # of `_evaluate`
        gaps = [sorted(own)[-1] - sorted(own)[-2] for own in game.bonuses if len(own) > 1]
        gaps += [sorted(own)[1] - sorted(own)[0] for own in game.bonuses if len(own) > 1]
        self.farthest = 1.1 / min(gaps, default=1.0)  # beyond which the bonuses alone decide
        best = [own.index(max(own)) for own in game.bonuses]
        self.support: list[list[int]] = [[plan] for plan in best]
        here = self._evaluate([1.0] * len(best) + [0.0] * len(best) + [self.farthest])
        worths = [here.pays[p][plan] + self.farthest * game.bonuses[p][plan] for p, plan in enumerate(best)]
        self.point: Point = [1.0] * len(best) + worths + [self.farthest]

    def equilibria(self) -> Iterator[FoundMixture]:
        """The equilibria of the game without bonuses that the path meets."""
        step, ahead = FIRST_STEP, self._tangent([0.0] * (len(self.point) - 1) + [-1.0])
        for _ in range(MOST_STEPS):
            self.budget.check_time()
            if ahead is None or abs(self.point[-1]) > self.farthest * 1.01:
                return
            further, rounds = self._correct_point([a + step * b for a, b in zip(self.point, ahead, strict=True)], ahead)
            if further is None or rounds == CORRECTIONS:
                step /= 2
                if step < SHORTEST_STEP:
                    return
                continue
            edge = None
            if min(self._margins(further).values(), default=0.0) < -EDGE:
                place = self._find_edge(self.point, further)
                if place is None:
                    return
                further, edge = place
            if self.point[-1] > 0 >= further[-1] or self.point[-1] < 0 <= further[-1]:
                yield from self._at_zero(further)
            self.point = further
            ahead = self._tangent(ahead) if edge is None else self._switch(*edge)
            step = min(LONGEST_STEP, step * (1.6 if rounds <= 3 else 1.0)) if edge is None else FIRST_STEP

    # -- the equations ----------------------------------------------------------------------------------------------

    def _rows(self, point: Point) -> list[Floats]:
        rows, at = [], 0
        for own in self.support:
            rows.append(point[at : at + len(own)])
            at += len(own)
        return rows

    def _evaluate(self, point: Point) -> _Evaluation:
        """The payoffs of the plans at a point, and their derivatives by the weights."""
        key = (tuple(point), tuple(map(tuple, self.support)))
        if key != self._last[0]:
            rows = self._rows(point)
            tables = self.game.differences(rows, key[1])
            pays = []
            for p in self.game.players:
                q = (p + 1) % len(self.support)
                pays.append([sum(map(mul, line, rows[q])) for line in tables[p, q]])
            self._last = key, _Evaluation(rows, pays, tables)
        return self._last[1]

    def _row_of(self, here: _Evaluation, p: int, plan: int) -> Floats:
        """The derivatives, by all unknowns, of the plan's payoff with its bonus less what its player gets."""
        row: Floats = []
        for q in self.game.players:
            row += [0.0] * len(self.support[q]) if q == p else here.tables[p, q][plan]
        return [*row, *(-1.0 if q == p else 0.0 for q in self.game.players), self.game.bonuses[p][plan]]

    def _system(self, point: Point) -> tuple[list[Floats], Floats]:
        """The derivatives of the equations, row by row, and the residual of each equation."""
        here = self._evaluate(point)
        count = len(point) - 1 - len(self.support)
        rows, errors, at = [], [], 0
        for p, own in enumerate(self.support):
            for plan in own:
                rows.append(self._row_of(here, p, plan))
                errors.append(here.pays[p][plan] + point[-1] * self.game.bonuses[p][plan] - point[count + p])
            rows.append([1.0 if at <= k < at + len(own) else 0.0 for k in range(len(point))])
            errors.append(sum(here.rows[p]) - 1.0)
            at += len(own)
        return rows, errors

    def _tangent(self, row: Sequence[float]) -> Point | None:
        """The direction of the path, of length one, whose product with `row` is positive; None if the equations are
        singular."""
        return unit_tangent(self._system(self.point)[0], row)

    def _correct_point(self, point: Point, row: Sequence[float]) -> tuple[Point | None, int]:
        """The point of the path near `point`, moved at a right angle to `row` (None if Newton's method fails), and the
        number of rounds."""
        for rounds in range(CORRECTIONS + 1):
            rows, errors = self._system(point)
            if max(map(abs, errors)) <= TOLERANCE:
                return point, rounds
            change = linear([*([*each, -e] for each, e in zip(rows, errors, strict=True)), [*row, 0.0]])
            if change is None or max(map(abs, change)) > 10 + self.farthest:
                break
            point = [a + b for a, b in zip(point, change, strict=True)]
        return None, CORRECTIONS

    # -- the edges --------------------------------------------------------------------------------------------------

    def _margins(self, point: Point) -> dict[tuple[int, int], float]:
        """By player and plan: the probability of a plan in a support of several, or how much less than the player gets
        a plan outside pays. On the path no margin is negative."""
        here = self._evaluate(point)
        count = len(point) - 1 - len(self.support)
        found = {}
        for p, own in enumerate(self.support):
            for plan in range(self.game.sizes[p]):
                if plan not in own:
                    bonus = point[-1] * self.game.bonuses[p][plan]
                    found[p, plan] = point[count + p] - here.pays[p][plan] - bonus
                elif len(own) > 1:
                    found[p, plan] = here.rows[p][own.index(plan)]
        return found

    def _find_edge(self, low: Point, high: Point) -> tuple[Point, tuple[int, int]] | None:
        """The first point between `low` and `high` at which a support changes, with the player and the plan; None if
        the path is lost. Found by secants of the margin that is negative at `high`, and by halving."""
        ends = [self._margins(low), self._margins(high)]
        for turn in range(HALVINGS):
            edge = min(ends[1], key=ends[1].__getitem__)
            before, behind = ends[0][edge], ends[1][edge]
            share = 0.5 if turn % 3 == 2 or before <= 0 else before / (before - behind)
            chord = [b - a for a, b in zip(low, high, strict=True)]
            middle, _ = self._correct_point([a + share * by for a, by in zip(low, chord, strict=True)], chord)
            if middle is None:
                return None
            margins = self._margins(middle)
            if abs(margins[edge]) < EDGE / 10 and min(margins.values()) > -EDGE:
                return middle, edge
            if min(margins.values()) < 0:
                high, ends[1] = middle, margins
            else:
                low, ends[0] = middle, margins
        return None

    def _switch(self, p: int, plan: int) -> Point | None:
        """Let a plan enter its player's support, or leave it. Returns the direction of the path from there; None if the
        path is lost."""
        own = self.support[p]
        at = sum(map(len, self.support[:p]))
        if plan in own:
            del self.point[at + own.index(plan)]
            own.remove(plan)
            return self._tangent([-x for x in self._row_of(self._evaluate(self.point), p, plan)])
        own.append(plan)
        self.point.insert(at + len(own) - 1, 0.0)
        return self._tangent([float(k == at + len(own) - 1) for k in range(len(self.point))])

    def _at_zero(self, further: Point) -> Iterator[FoundMixture]:
        """The equilibrium at multiple zero between the present point and `further`, if Newton's method finds it."""
        share = self.point[-1] / (self.point[-1] - further[-1])
        start = [a + share * (b - a) for a, b in zip(self.point, further, strict=True)]
        found, _ = self._correct_point([*start[:-1], 0.0], [0.0] * (len(start) - 1) + [1.0])
        if found is not None:
            yield FoundMixture(tuple(map(tuple, self.support)), tuple(map(tuple, self._rows(found))))


class _Evaluation(NamedTuple):
    """The probabilities of the supports, the payoff of every plan, and the matrices of `BonusGame.differences`."""

    rows: list[Floats]
    pays: list[Floats]
    tables: dict[tuple[int, int], list[Floats]]


def follow_rays(form: StrategicForm, rays: int, budget: Budget) -> Iterator[FoundMixture]:
    """The equilibria on the paths of this many random rays, which are always the same."""
    dice = random.Random(1)
    for _ in range(rays):
        bonuses = []
        for plans in form.plans:
            order = [k + dice.random() * (1 - LEAST_GAP) for k in range(len(plans))]
            dice.shuffle(order)
            bonuses.append([amount / len(plans) for amount in order])
        yield from NewtonPath(BonusGame(form, bonuses), budget).equilibria()
