"""Pivoting in whole numbers: the tableau of a system  B y <= 1,  y >= 0  of positive whole numbers B.

Every basic solution is a quotient of whole numbers by the determinant of its basis. So the tableau is kept multiplied
by that determinant: it stays whole, and every division by the last pivot is exact (Edmonds and Bareiss). The ratio test
breaks ties lexicographically, as if the right-hand sides were 1 + e, 1 + e^2, … for a very small e (Charnes 1952): so
each entering variable has one leaving variable, and no path runs in a circle.

Source: von Stengel, Equilibrium computation for two-player games in strategic and extensive form, in Nisan et al.,
Algorithmic Game Theory, 2007, section 3.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from gdl.game import Number

Whole = list[list[int]]


def positive(payoffs: Sequence[Sequence[Number]]) -> Whole:
    """The payoffs moved and scaled so that all are positive whole numbers; best replies stay what they were."""
    least = min(min(row) for row in payoffs)
    scale = lcm(*(Fraction(payoff).denominator for row in payoffs for payoff in row))
    return [[int((payoff - least + 1) * scale) for payoff in row] for row in payoffs]


class Tableau:
    """The rows of a basis. Column j < size is the variable y[j], column size + i the slack of row i, the last column
    the right-hand sides; `basis[i]` is the column whose variable is basic in row i, `det` the determinant."""

    __slots__ = ("basis", "det", "rows", "size")

    def __init__(self, rows: Whole, basis: list[int], det: int, size: int):
        self.rows = rows
        self.basis = basis
        self.det = det
        self.size = size

    @classmethod
    def of(cls, system: Whole) -> Tableau:
        """The tableau in which all slacks are basic."""
        count, size = len(system), len(system[0])
        rows = [[*row, *(int(k == i) for k in range(count)), 1] for i, row in enumerate(system)]
        return cls(rows, [size + i for i in range(count)], 1, size)

    def leaving(self, entering: int) -> int:
        """The row whose variable leaves the basis when that column enters it: the lexicographically least ratio. The
        system is bounded, so there is one."""
        rows = self.rows
        tied = [i for i, row in enumerate(rows) if row[entering] > 0]
        for column in (-1, *range(self.size, self.size + len(rows))):
            best: list[int] = []
            for i in tied:
                if not best:
                    best, top, bottom = [i], rows[i][column], rows[i][entering]
                    continue
                order = rows[i][column] * bottom - top * rows[i][entering]
                if order < 0:
                    best, top, bottom = [i], rows[i][column], rows[i][entering]
                elif order == 0:
                    best.append(i)
            tied = best
            if len(tied) == 1:
                break
        return tied[0]

    def pivot(self, leaving: int, entering: int) -> int:
        """Let the column enter the basis in that row; the column that leaves it."""
        rows, last = self.rows, self.det
        head = rows[leaving]
        p = head[entering]
        for i, row in enumerate(rows):
            if i != leaving:
                q = row[entering]
                if q:
                    rows[i] = [(p * a - q * b) // last for a, b in zip(row, head, strict=True)]
                elif p != last:
                    rows[i] = [p * a // last for a in row]
        self.det = p
        gone, self.basis[leaving] = self.basis[leaving], entering
        return gone

    def enter(self, entering: int) -> int:
        """Let the column enter the basis; the column that leaves it."""
        return self.pivot(self.leaving(entering), entering)

    def copy(self) -> Tableau:
        return Tableau(list(self.rows), list(self.basis), self.det, self.size)

    def weights(self) -> list[int]:
        """The variables y at this basis, times the determinant."""
        found = [0] * self.size
        for column, row in zip(self.basis, self.rows, strict=True):
            if column < self.size:
                found[column] = row[-1]
        return found

    def tight(self) -> int:
        """The variables and the rows that are zero, or hold with equality, at this basis, as bits by column."""
        loose = sum(1 << column for column, row in zip(self.basis, self.rows, strict=True) if row[-1])
        return ~loose & ((1 << (self.size + len(self.rows))) - 1)
