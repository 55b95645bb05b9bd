"""Small systems of linear equations over the rationals, by Gauss's elimination."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from gdl.game import Number
from gdl.solvers.equilibria.highs import solve_equations


class RowEchelonForm(NamedTuple):
    """A matrix after elimination in its first columns. Each of the first `rank` rows begins with a 1, below which its
    column has only 0; the other rows have only 0 in these columns."""

    rows: list[list[Fraction]]
    rank: int


def eliminate_columns(matrix: Sequence[Sequence[Number]], columns: int) -> RowEchelonForm:
    """Eliminate the first columns of a matrix."""
    rows, rank = [list(map(Fraction, row)) for row in matrix], 0
    for column in range(columns):
        pivot = next((r for r in range(rank, len(rows)) if rows[r][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        head = rows[rank] = [a / rows[rank][column] for a in rows[rank]]
        for r in range(rank + 1, len(rows)):
            if q := rows[r][column]:
                rows[r] = [a - q * b for a, b in zip(rows[r], head, strict=True)]
        rank += 1
    return RowEchelonForm(rows, rank)


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
