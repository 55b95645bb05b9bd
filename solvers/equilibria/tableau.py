"""Pivoting in whole numbers: the tableau of a system  B y <= 1,  y >= 0  of positive whole numbers B.

Every basic solution is a quotient of whole numbers by the determinant of its basis. So the tableau is kept multiplied
by that determinant: it stays whole, and every division by the last pivot is exact (Edmonds and Bareiss). The columns of
basic variables say nothing, and are not kept: what enters takes the place of what leaves. The ratio test breaks ties
lexicographically, as if the right-hand sides were 1 + e, 1 + e^2, … for a very small e (Charnes 1952): so each entering
variable has one leaving variable, and no path runs in a circle.

Source: von Stengel, Equilibrium computation for two-player games in strategic and extensive form, in Nisan et al.,
Algorithmic Game Theory, 2007, section 3.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from gdl.game import Number

Whole = list[list[int]]

TINY = 1e-11  # entries up to this count as zero in floating point


def positive(payoffs: Sequence[Sequence[Number]]) -> Whole:
    """The payoffs shifted and scaled so that all are positive whole numbers; best replies stay the same."""
    least = min(min(row) for row in payoffs)
    scale = lcm(*(Fraction(payoff).denominator for row in payoffs for payoff in row))
    return [[int((payoff - least + 1) * scale) for payoff in row] for row in payoffs]


class Tableau:
    """A basis and its tableau. Variable j < size is y[j], variable size + i the slack of row i. `over[c]` is the
    nonbasic variable of column c, `under[i]` the basic variable of row i; the last column has the right-hand sides.
    `det` is the determinant of the basis, by which all entries are multiplied."""

    __slots__ = ("det", "over", "rows", "size", "under")

    def __init__(self, rows: Whole, over: list[int], under: list[int], det: int):
        self.rows = rows
        self.over = over
        self.under = under
        self.det = det
        self.size = len(over)

    @classmethod
    def from_system(cls, system: Whole) -> Tableau:
        """The tableau in which all slacks are basic."""
        size = len(system[0])
        return cls([[*row, 1] for row in system], list(range(size)), [size + i for i in range(len(system))], 1)

    def leaving(self) -> list[int]:
        """For each column the row whose variable leaves the basis when that column enters: the row of the
        lexicographically least ratio. There always is one, since the system is bounded."""
        *columns, sides = zip(*self.rows, strict=True)
        return [self._leaving_row(c, column, sides) for c, column in enumerate(columns)]

    def _leaving_row(self, entering: int, column: Sequence[int], sides: Sequence[int]) -> int:
        """The row that leaves when a column enters. Ratios are compared as floats, whose order is that of the
        fractions; equal floats are compared again exactly."""
        try:
            ratios = [b / a if a > 0 else _NEVER for a, b in zip(column, sides, strict=True)]
        except OverflowError:  # one is too large for a float
            return self._least_of_tied(entering, [i for i, a in enumerate(column) if a > 0])
        least = min(ratios)
        if ratios.count(least) == 1:
            return ratios.index(least)
        return self._least_of_tied(entering, [i for i, ratio in enumerate(ratios) if ratio == least])

    def _least_of_tied(self, entering: int, tied: list[int]) -> int:
        """The row of the lexicographically least ratio among the tied rows."""
        for column in (-1, *range(self.size, self.size + len(self.rows))):
            best, (top, bottom) = tied[:1], self._ratio(tied[0], column, entering)
            for i in tied[1:]:
                entry, slope = self._ratio(i, column, entering)
                order = entry * bottom - top * slope
                if order < 0:
                    best, top, bottom = [i], entry, slope
                elif order == 0:
                    best.append(i)
            tied = best
            if len(tied) == 1:
                break
        return tied[0]

    def _ratio(self, i: int, variable: int, entering: int) -> tuple[int, int]:
        """The numerator and the denominator of a ratio in row i: the entry of a variable's column (-1: of the
        right-hand side), and that of the entering column."""
        row = self.rows[i]
        if variable < 0:
            return row[-1], row[entering]
        if variable in self.over:
            return row[self.over.index(variable)], row[entering]
        return self.det if self.under[i] == variable else 0, row[entering]

    def pivot(self, leaving: int, entering: int) -> None:
        """Let column `entering` enter the basis in row `leaving`; the row's variable takes the column."""
        rows, last = self.rows, self.det
        head = rows[leaving]
        p = head[entering]
        for i, row in enumerate(rows):
            if i == leaving:
                changed = head.copy()
                changed[entering] = last
            elif q := row[entering]:
                changed = [(p * a - q * b) // last for a, b in zip(row, head, strict=True)]
                changed[entering] = -q
            else:
                changed = [p * a // last for a in row] if p != last else row
            rows[i] = changed
        self.det = p
        self.under[leaving], self.over[entering] = self.over[entering], self.under[leaving]

    def enter(self, variable: int) -> int:
        """Let the variable enter the basis. Returns the one that leaves."""
        entering = self.over.index(variable)
        column, sides = ([row[c] for row in self.rows] for c in (entering, -1))
        self.pivot(self._leaving_row(entering, column, sides), entering)
        return self.over[entering]

    def copy(self) -> Tableau:
        return Tableau(list(self.rows), list(self.over), list(self.under), self.det)

    def weights(self) -> list[int]:
        """The values of the variables y at this basis, times the determinant."""
        found = [0] * self.size
        for variable, row in zip(self.under, self.rows, strict=True):
            if variable < self.size:
                found[variable] = row[-1]
        return found

    def tight_variables(self) -> int:
        """The variables that are zero at this basis, as bits; a slack of zero means that its row holds with
        equality."""
        zero = [variable for variable, row in zip(self.under, self.rows, strict=True) if not row[-1]]
        return sum(1 << variable for variable in (*self.over, *zero))


_NEVER = float("inf")  # the ratio of a row that does not bound what enters


class LostPath(Exception):
    """The path cannot be followed further in floating point."""


class FloatTableau:
    """A tableau in floating point: `over[j]` is the nonbasic variable of column j, `under[i]` the basic variable of row
    i; what enters and what leaves change places. The slack of row i is variable size + i."""

    def __init__(self, system: Whole):
        self.size = len(system[0])
        scale = max(map(max, system))
        self.rows = [[*(a / scale for a in row), 1.0] for row in system]
        self.over = list(range(self.size))
        self.under = [self.size + i for i in range(len(system))]

    def enter(self, variable: int) -> int:
        """Let the variable enter the basis. Returns the one that leaves."""
        column = self.over.index(variable)
        best, leaving = 0.0, None
        for i, row in enumerate(self.rows):
            if row[column] > TINY and (leaving is None or row[-1] / row[column] < best):
                best, leaving = row[-1] / row[column], i
        if leaving is None:
            raise LostPath
        p = self.rows[leaving][column]
        head = [a / p for a in self.rows[leaving]]
        head[column] = 1 / p
        for i, row in enumerate(self.rows):
            q = row[column]
            if i != leaving and q:
                row[column] = 0.0
                self.rows[i] = [a - q * b for a, b in zip(row, head, strict=True)]
        self.rows[leaving] = head
        gone = self.under[leaving]
        self.over[column], self.under[leaving] = gone, variable
        return gone
