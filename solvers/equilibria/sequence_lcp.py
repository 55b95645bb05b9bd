"""One equilibrium of a two-player game with hidden information, by Lemke's method on the sequence form.

The table of plans grows exponentially with a tree, the sequence form does not (see `sequence_form`). Each player's
realization plan is a best reply to the other's just if it and the duals of its constraints satisfy complementary
slackness: a linear complementarity problem, with a solution for every game in which everyone remembers.

1. Costs in place of utilities, so that all are positive. Unknowns: the weights of the sequences of both players, and
   for each information set, and the start, what the rest of the game costs from there.
2. Lemke's method in floating point, from the ray of the covering vector of ones. The right-hand sides are moved by very
   small amounts, so that no ratio ties; if floating point is lost, by others.
3. Of the end only the basis is kept. The weights that belong to it are computed exactly, over the rationals.
4. The judge computes both players' regret, exactly: without regret it is an equilibrium, however it was found.

Sources: Koller, Megiddo and von Stengel, Efficient computation of equilibria for extensive two-person games, Games and
Economic Behavior 14, 1996; Lemke, Bimatrix equilibrium points and mathematical programming, 1965.
"""

from __future__ import annotations

import random
from fractions import Fraction

from gdl.game import Number
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.behaviour import Behaviour
from gdl.solvers.equilibria.highs import solve_equations
from gdl.solvers.equilibria.positions import PositionGraph
from gdl.solvers.equilibria.regret import complete_behaviour, judge
from gdl.solvers.equilibria.sequences import Sequences, sequences

MOST_ROWS = 800  # of the problem: the path then takes a minute at most
ATTEMPTS = 4  # each with other small amounts on the right-hand sides
MOVED = 1e-6  # by which right-hand sides are moved at most
TINY = 1e-10  # entries up to this count as zero
LONGEST_PATH = 12  # pivots for each row, at most

Row = dict[int, Fraction]


def equilibrium(positions: PositionGraph, budget: Budget) -> Behaviour | None:
    """An equilibrium with a row for every information set; None where the problem is too large, or floating point does
    not find one."""
    form = sequences(positions)
    if rows_of(form) > MOST_ROWS:
        return None
    problem = SequenceFormLcp(form)
    for attempt in range(ATTEMPTS):
        basis = _Dictionary(problem, random.Random(attempt)).end(budget)
        plans = None if basis is None else problem.plans(basis)
        if plans is None:
            continue
        behaviour = complete_behaviour(positions, form.behaviour(plans))
        if not any(judge(positions, behaviour).regret):
            return behaviour
    return None


def rows_of(form: Sequences) -> int:
    """The number of rows of the problem."""
    return form.count(0) + form.count(1) + 2 * (2 + len(form.positions.information_sets))


class SequenceFormLcp:
    """The problem w = M z + b with z and w not negative, and one of each pair z[i], w[i] zero. z has the weights of the
    sequences of both players; then, for the start and each information set of each player, the cost of the rest of the
    game, as a difference of two entries."""

    def __init__(self, form: Sequences):
        self.form = form
        self.counts = form.count(0), form.count(1)
        weights = sum(self.counts)
        own = [form.positions.sets_of(p) for p in (0, 1)]
        self.size = weights + 2 * (2 + len(own[0]) + len(own[1]))
        self.rows: list[Row] = [{} for _ in range(self.size)]
        self.right = [Fraction(0)] * self.size
        self._add_costs()
        place = weights
        for p in (0, 1):
            offset = p * self.counts[0]
            for h in (None, *own[p]):
                signed: Row = {offset: Fraction(1)}
                if h is not None:
                    signed = {offset + s: Fraction(1) for s in form.sequences_of(h)}
                    signed[offset + form.before[h]] = signed.get(offset + form.before[h], Fraction(0)) - 1
                for sign in (1, -1):
                    for column, a in signed.items():
                        self.rows[place][column] = sign * a
                        self.rows[column][place] = -sign * a
                    self.right[place] = Fraction(-sign if h is None else 0)
                    place += 1

    def _add_costs(self) -> None:
        """Enter the players' costs of each pair of sequences, weighted by chance: from one to two at each end."""
        form = self.form
        ends = [(led, paid, likely) for (led, paid), likely in zip(form.each_end(), form.likely, strict=True) if likely]
        for p in (0, 1):
            average = [Fraction(paid[p], likely) for _, paid, likely in ends]
            most, spread = max(average), max(average) - min(average) or 1
            for (led, _, likely), got in zip(ends, average, strict=True):
                x, y = led[0], self.counts[0] + led[1]
                row, column = (x, y) if p == 0 else (y, x)
                cost = Fraction(likely, form.under) * (1 + (most - got) / spread)
                self.rows[row][column] = self.rows[row].get(column, Fraction(0)) + cost

    def plans(self, basis: list[int]) -> tuple[list[Number], list[Number]] | None:
        """The exact weights of both players' sequences at a basis; None if there are none, or one is negative. Variable
        j < size is z[j], size + i is w[i]."""
        tight = set(range(self.size)) - {variable - self.size for variable in basis if variable >= self.size}
        unknown = {variable for variable in basis if variable < self.size}
        equations = [
            ({j: a for j, a in self.rows[i].items() if j in unknown and a}, -self.right[i]) for i in sorted(tight)
        ]
        found = solve_equations(equations)
        if found is None or any(value < 0 for value in found.values()):
            return None
        weights: list[Number] = [found.get(j, Fraction(0)) for j in range(sum(self.counts))]
        return weights[: self.counts[0]], weights[self.counts[0] :]


class _Dictionary:
    """Each basic variable as a sum over the nonbasic ones: variable j is z[j], size + i is w[i], 2 size the covering
    variable."""

    def __init__(self, problem: SequenceFormLcp, dice: random.Random):
        size = self.size = problem.size
        self.cover = 2 * size
        self.values = [float(b) + MOVED * (dice.random() + 0.1) for b in problem.right]
        self.rows: list[dict[int, float]] = [
            {**{j: float(a) for j, a in row.items() if a}, self.cover: 1.0} for row in problem.rows
        ]
        self.basic = [size + i for i in range(size)]

    def end(self, budget: Budget) -> list[int] | None:
        """The basis at the end of Lemke's path; None if floating point does not come to an end."""
        row = min(range(self.size), key=self.values.__getitem__)
        entering = self._pivot(row, self.cover)
        for _ in range(LONGEST_PATH * self.size):
            budget.check_time()
            variable = entering - self.size if entering >= self.size else entering + self.size
            leaving = self._leaving_row(variable)
            if leaving is None:
                return None
            entering = self._pivot(leaving, variable)
            if entering == self.cover:
                return self.basic
        return None

    def _leaving_row(self, entering: int) -> int | None:
        best, found = 0.0, None
        for i, row in enumerate(self.rows):
            a = row.get(entering, 0.0)
            if a < -TINY:
                ratio = self.values[i] / -a
                if found is None or ratio < best or (ratio == best and self.basic[i] == self.cover):
                    best, found = ratio, i
        return found

    def _pivot(self, leaving: int, entering: int) -> int:
        """Exchange the basic variable of row `leaving` for the nonbasic variable `entering`. Returns the former."""
        gone, head = self.basic[leaving], self.rows[leaving]
        c = head.pop(entering)
        new = {j: -a / c for j, a in head.items()}
        new[gone] = 1 / c
        value = -self.values[leaving] / c
        for i, row in enumerate(self.rows):
            if i == leaving:
                continue
            a = row.pop(entering, 0.0)
            if a:
                self.values[i] += a * value
                for j, b in new.items():
                    total = row.get(j, 0.0) + a * b
                    if -1e-14 < total < 1e-14:
                        row.pop(j, None)
                    else:
                        row[j] = total
        self.rows[leaving], self.values[leaving], self.basic[leaving] = new, value, entering
        return gone
