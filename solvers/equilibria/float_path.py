"""Lemke and Howson's path in floating point, for large games: where it ends is proved or forgotten.

The tableau has a column for each variable that is not basic and one for the right-hand sides; what enters and what
leaves change places. Two bases are left at the end. Their solutions are computed exactly, and are an equilibrium if no
weight is negative, no reply pays more than one, and every label is there: then nothing depends on floating point.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from gdl.game import Number
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.highs import solve_equations
from gdl.solvers.equilibria.tableau import Whole

TINY = 1e-11  # below which an entry is taken for zero
LONGEST_PATH = 20  # pivots for each strategy

Weights = Sequence[Number]


class _Tableau:
    """`over[j]` is the variable of column j, `under[i]` the basic one of row i. The slack of row i is size + i."""

    def __init__(self, system: Whole):
        self.size = len(system[0])
        scale = max(map(max, system))
        self.rows = [[*(a / scale for a in row), 1.0] for row in system]
        self.over = list(range(self.size))
        self.under = [self.size + i for i in range(len(system))]

    def enter(self, variable: int) -> int | None:
        """Let the variable enter the basis; the one that leaves, or None where floating point is lost."""
        column = self.over.index(variable)
        best, leaving = 0.0, None
        for i, row in enumerate(self.rows):
            if row[column] > TINY and (leaving is None or row[-1] / row[column] < best):
                best, leaving = row[-1] / row[column], i
        if leaving is None:
            return None
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


def follow_float_path(replies: Whole, own: Whole, label: int, budget: Budget) -> tuple[Weights, Weights] | None:
    """The weights of both sides at the end of the path, exactly; None where they are no equilibrium."""
    m, n = len(replies[0]), len(replies)
    mine, yours = _Tableau(replies), _Tableau(own)
    entering, in_mine = label, label < m
    for _ in range(LONGEST_PATH * (m + n)):
        budget.check_time()
        if in_mine:
            gone = mine.enter(entering)
        else:
            back = yours.enter(entering - m if entering >= m else entering + n)
            gone = None if back is None else back + m if back < n else back - n
        if gone is None:
            return None
        if gone == label:
            return _verify_equilibrium(replies, own, mine.under, yours.under)
        entering, in_mine = gone, not in_mine
    return None


def _verify_equilibrium(
    replies: Whole, own: Whole, mine: Sequence[int], yours: Sequence[int]
) -> tuple[Weights, Weights] | None:
    x, y = _weights_at_basis(replies, mine), _weights_at_basis(own, yours)
    if x is None or y is None:
        return None
    for system, one, other in ((replies, x, y), (own, y, x)):
        pays = [sum((a * w for a, w in zip(row, one, strict=True) if w), Fraction(0)) for row in system]
        if any(payoff > 1 or (payoff < 1 and weight) for payoff, weight in zip(pays, other, strict=True)):
            return None
    return x, y


def _weights_at_basis(system: Whole, basis: Sequence[int]) -> Weights | None:
    """The weights at a basis: those that are basic make the rows whose slacks are not basic pay one."""
    size = len(system[0])
    used = [variable for variable in basis if variable < size]
    slack = {variable - size for variable in basis if variable >= size}
    equations = [({j: Fraction(row[j]) for j in used}, Fraction(1)) for i, row in enumerate(system) if i not in slack]
    found = solve_equations(equations)
    if not used or found is None or any(weight < 0 for weight in found.values()):
        return None
    return [found.get(j, 0) for j in range(size)]
