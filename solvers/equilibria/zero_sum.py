"""The minimax theorem for matrices: the value and a maximin strategy for each side, proved by linear programming.

1. Add a constant to the payoffs so that all are positive; then so is the value v.
2. The column player's y / v is the largest z ≥ 0 (by sum) with A z ≤ 1, and the dual solution is x / v.

Sources: von Neumann 1928; Dantzig, A proof of the equivalence of the programming problem and the game problem, 1951.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from gdl.game import Number, exact
from gdl.solvers.equilibria.simplex import LinearProgram, Optimum, maximise

Matrix = Sequence[Sequence[Number]]


class Minimax(NamedTuple):
    """The value of a matrix to the row player, a `row` mixture that secures it against every column, and a `column`
    mixture that concedes no more."""

    value: Number
    row: tuple[Number, ...]
    column: tuple[Number, ...]


def minimax(payoffs: Matrix, solved: Callable[[LinearProgram], Optimum] = maximise) -> Minimax:
    """The value and optimal strategies of the zero-sum game in which the row player gets `payoffs`. `solved` solves the
    linear program."""
    shift = 1 - min(min(row) for row in payoffs)
    width = len(payoffs[0])
    rows = [{j: payoff + shift for j, payoff in enumerate(row)} for row in payoffs]
    optimum = solved(LinearProgram(width, dict.fromkeys(range(width), 1), rows, [1] * len(rows)))
    scale = Fraction(optimum.value)
    return Minimax(
        value=exact(1 / scale - shift),
        row=tuple(exact(x / scale) for x in optimum.dual),
        column=tuple(exact(y / scale) for y in optimum.primal),
    )
