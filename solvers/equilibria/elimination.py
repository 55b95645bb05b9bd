"""Small systems of linear equations over the rationals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from gdl.game import Number
from gdl.solvers.equilibria.highs import solve_equations


def only_solution(rows: Sequence[Sequence[Number]]) -> list[Fraction] | None:
    """The only solution of a square system, each row with its right-hand side last; None if there is no solution, or
    more than one."""
    found = solve_equations([(dict(enumerate(row[:-1])), row[-1]) for row in rows])
    return None if found is None else [Fraction(found[k]) for k in range(len(rows))]


def levelling(rows: Sequence[Sequence[Number]]) -> list[Fraction] | None:
    """The weights of the columns, with sum one, that give all rows of a square matrix the same weighted sum; None if
    there are none, or more than one solution."""
    columns = range(len(rows))
    found = only_solution([*([*row, -1, 0] for row in rows), [*(1 for _ in columns), 0, 1]])
    return None if found is None else found[:-1]
