"""Linear equations and linear programs in fractions, as small as checks need them.

Nothing that is found here is taken on trust: a solution of equations is put into them again, and an optimum x goes with
prices y of the rows. If rows·x <= bounds and x >= 0, and if y >= 0 and y·rows >= goal, then goal·x <= y·rows·x <=
y·bounds, whatever x and y are; where both ends are equal nothing is better than either (weak duality: Chvátal, Linear
Programming, 1983, chapter 5). That nothing keeps the bounds is shown by y >= 0 with y·rows >= 0 > y·bounds (Farkas).

The program is worked in a table of whole numbers over a common denominator, one column for each variable that is zero:

1. Where a bound is negative, one more variable is taken off every row; it is made large enough, and then as small as
   can be. The program has no solution if it does not vanish (Chvátal, chapter 3).
2. Of the variables that would raise the goal the steepest enters. After a step that raised nothing the first in order
   does, and the first of those leaves that limit it, so that no table comes again (Bland 1977).
3. Divisions leave no rest, since each number is a minor of the first table (Edmonds 1967).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from gdl.game import Number, exact

Equation = tuple[Mapping[int, Number], Number]  # the weights of unknowns, and their weighted sum
_EXTRA = -1  # the extra variable of the first phase, which is subtracted in every row


class Optimum(NamedTuple):
    """The greatest value of the goal, a point x that attains it, and prices of the rows that prove it."""

    value: Fraction
    x: tuple[Fraction, ...]
    prices: tuple[Fraction, ...]


def maximise(goal: Sequence[Number], rows: Sequence[Sequence[Number]], bounds: Sequence[Number]) -> Optimum | None:
    """The greatest goal·x with rows·x <= bounds and x >= 0; None if no x meets the bounds."""
    table = _Table(goal, rows, bounds)
    if not table.is_made_feasible():
        prices = table.prices(len(rows) + 1)
        columns = zip(*rows, strict=True)
        if (
            min(prices) < 0
            or any(weighted_sum(one, prices) < 0 for one in columns)
            or weighted_sum(bounds, prices) >= 0
        ):
            raise ArithmeticError("a linear program was not shown to have no solution")
        return None
    table.climb(len(rows))
    found = table.optimum(len(goal))
    _prove_optimum(goal, rows, bounds, found)
    return found


def greatest_mean(worth: Sequence[Number], rows: Sequence[Sequence[Number]]) -> Number | None:
    """The greatest average of `worth` over the columns by a probability distribution that gives no row an average above
    0; None if there is no such distribution. Proved by prices of the rows, at which no column is worth more."""
    below = min(worth) - 1
    found = maximise([one - below for one in worth], [*rows, [1] * len(worth)], [*(0 for _ in rows), 1])
    return exact(below + found.value) if found is not None and found.value else None


def has_positive_weights(rows: Sequence[Sequence[Number]], strict: int = 0) -> bool:
    """True if there are weights above 0 by which no row sums to more than 0, and each of the first `strict` rows to
    less. A linear program makes the least weight and the least loss as large as possible."""
    size = len(rows[0]) if rows else 0
    if not size:
        return not strict
    told = [[*row, sum(row) + (k < strict)] for k, row in enumerate(rows)]  # weights above the least, and the least
    found = maximise([0] * size + [1], [*told, [1] * size + [size]], [0] * len(rows) + [1])
    return found is not None and found.value > 0


def _prove_optimum(
    goal: Sequence[Number], rows: Sequence[Sequence[Number]], bounds: Sequence[Number], found: Optimum
) -> None:
    columns = zip(*rows, strict=True) if rows else [()] * len(goal)
    if not (
        min(found.x, default=0) >= 0
        and min(found.prices, default=0) >= 0
        and all(weighted_sum(row, found.x) <= bound for row, bound in zip(rows, bounds, strict=True))
        and all(weighted_sum(column, found.prices) >= wanted for column, wanted in zip(columns, goal, strict=True))
        and weighted_sum(goal, found.x) == found.value == weighted_sum(bounds, found.prices)
    ):
        raise ArithmeticError("a linear program was not solved")


def weighted_sum(one: Sequence[Number], other: Sequence[Number]) -> Number:
    """The sum of the products of two lists of numbers."""
    return sum((a * b for a, b in zip(one, other, strict=True) if a and b), Fraction(0))


class _Table:
    """The table of the simplex method: the rows, then the goal, then the goal of the first phase. Each entry stands for
    itself divided by `under`."""

    def __init__(self, goal: Sequence[Number], rows: Sequence[Sequence[Number]], bounds: Sequence[Number]):
        full = [[*row, -1, bound] for row, bound in zip(rows, bounds, strict=True)]
        full.append([*(-number for number in goal), 0, 0])
        self.scales = [lcm(*(number.denominator for number in row)) for row in full]
        self.numbers = [[int(a * scale) for a in row] for row, scale in zip(full, self.scales, strict=True)]
        self.numbers.append([0] * len(goal) + [1, 0])
        self.under = 1
        self.columns = [*range(len(goal)), _EXTRA]
        self.basis = list(range(len(goal), len(goal) + len(rows)))

    def is_made_feasible(self) -> bool:
        count = len(self.basis)
        lowest = min(range(count), key=lambda r: Fraction(self.numbers[r][-1], self.scales[r]), default=None)
        if lowest is None or self.numbers[lowest][-1] >= 0:
            return True
        self._pivot(lowest, self.columns.index(_EXTRA))
        self.climb(count + 1)
        return _EXTRA not in self.basis

    def climb(self, goal: int) -> None:
        """Pivot until no variable that could enter would raise the goal in row number `goal`."""
        is_level = False
        while True:
            row = self.numbers[goal]
            entering = [
                s for s, name in enumerate(self.columns) if row[s] < 0 and (name != _EXTRA or goal > len(self.basis))
            ]
            if not entering:
                return
            s = min(entering, key=lambda s: (self.columns[s] if is_level else row[s], self.columns[s]))
            limiting = [r for r in range(len(self.basis)) if self.numbers[r][s] > 0]
            if not limiting:
                raise ArithmeticError("a linear program has no greatest value")
            r = min(limiting, key=lambda r: (Fraction(self.numbers[r][-1], self.numbers[r][s]), self.basis[r]))
            is_level = self.numbers[r][-1] == 0
            self._pivot(r, s)

    def _pivot(self, r: int, s: int) -> None:
        """Exchange the variable of row r, which leaves the basis, for that of column s, which enters."""
        pivot, under, chosen = self.numbers[r][s], self.under, self.numbers[r]
        for i, row in enumerate(self.numbers):
            if i != r:
                share = row[s]
                row[:] = [(a * pivot - share * b) // under for a, b in zip(row, chosen, strict=True)]
                row[s] = -share
        chosen[s] = under
        self.under = abs(pivot)
        if pivot < 0:
            self.numbers = [[-a for a in row] for row in self.numbers]
        self.columns[s], self.basis[r] = self.basis[r], self.columns[s]

    def optimum(self, variables: int) -> Optimum:
        count, goal = len(self.basis), self.numbers[len(self.basis)]
        worth = self.scales[count] * self.under
        solved = {name: Fraction(row[-1], self.under) for name, row in zip(self.basis, self.numbers, strict=False)}
        x = tuple(solved.get(j, Fraction(0)) for j in range(variables))
        return Optimum(Fraction(goal[-1], worth), x, tuple(Fraction(price, worth) for price in self.prices(count)))

    def prices(self, goal: int) -> list[int]:
        """The prices of the rows for the goal in row number `goal`, times the denominator of that row."""
        paid = dict(zip(self.columns, self.numbers[goal], strict=False))
        first = len(self.columns) - 1  # the number of the goal's variables; those of the rows come after them
        return [paid.get(first + i, 0) * scale for i, scale in enumerate(self.scales[:-1])]


def matrix_game(matrix: Sequence[Sequence[Number]]) -> tuple[Fraction, tuple[Fraction, ...]]:
    """The value that the player who chooses the row can secure on average, and a mixture of rows that does it (Dantzig
    1951: with positive payoffs, maximise the sum of weights of the columns that give no row more than 1)."""
    least = min(map(min, matrix)) - 1
    found = maximise([1] * len(matrix[0]), [[x - least for x in row] for row in matrix], [1] * len(matrix))
    assert found is not None  # no weights at all keep the bounds
    return 1 / found.value + least, tuple(price / found.value for price in found.prices)


def solve(equations: Iterable[Equation]) -> dict[int, Fraction] | None:
    """The unknowns of linear equations; None unless these have just one solution.

    Gaussian elimination: each equation in turn, the one with the fewest unknowns first, eliminates one unknown from the
    others, the one that occurs in the fewest; then the unknowns are found from the last to the first.
    """
    told = list(equations)
    rows = [{x: Fraction(weight) for x, weight in row.items() if weight} for row, _ in told]
    sides = [Fraction(side) for _, side in told]
    users: dict[int, set[int]] = {}
    for i, row in enumerate(rows):
        for x in row:
            users.setdefault(x, set()).add(i)
    left, order = set(range(len(rows))), list[tuple[int, int]]()
    while left:
        i = min(left, key=lambda i: (len(rows[i]), i))
        left.remove(i)
        if not rows[i]:
            if sides[i]:
                return None
            continue
        x = min(rows[i], key=lambda x: (len(users[x]), x))
        order.append((i, x))
        for j in users[x] & left:
            share = rows[j].pop(x) / rows[i][x]
            sides[j] -= share * sides[i]
            for y, weight in rows[i].items():
                if y != x:
                    rows[j][y] = rows[j].get(y, Fraction(0)) - share * weight
                    users[y].add(j)
                    if not rows[j][y]:
                        del rows[j][y]
                        users[y].remove(j)
    found: dict[int, Fraction] = {}
    for i, x in reversed(order):
        if any(y != x and y not in found for y in rows[i]):
            return None
        found[x] = (sides[i] - sum(weight * found[y] for y, weight in rows[i].items() if y != x)) / rows[i][x]
    if len(found) < len(users):
        return None
    if any(sum(weight * found[x] for x, weight in row.items()) != side for row, side in told):
        raise ArithmeticError("linear equations were not solved")
    return found
