"""Small systems of linear equations over the rationals, by Gauss's elimination."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from gdl.game import Number


class RowEchelonForm(NamedTuple):
    """A matrix after elimination in its first columns: the first `rank` rows begin there with a 1, each in a column in
    which all rows behind it have 0, and the rest has nothing there. `factor` is what its determinant was divided by."""

    rows: list[list[Fraction]]
    rank: int
    factor: Fraction


def eliminate_columns(matrix: Sequence[Sequence[Number]], columns: int) -> RowEchelonForm:
    """The matrix with its first columns eliminated."""
    rows, rank, factor = [list(map(Fraction, row)) for row in matrix], 0, Fraction(1)
    for column in range(columns):
        pivot = next((r for r in range(rank, len(rows)) if rows[r][column]), None)
        if pivot is None:
            continue
        if pivot != rank:
            rows[rank], rows[pivot], factor = rows[pivot], rows[rank], -factor
        factor *= rows[rank][column]
        head = rows[rank] = [a / rows[rank][column] for a in rows[rank]]
        for r in range(rank + 1, len(rows)):
            if q := rows[r][column]:
                rows[r] = [a - q * b for a, b in zip(rows[r], head, strict=True)]
        rank += 1
    return RowEchelonForm(rows, rank, factor)


def only_solution(rows: Sequence[Sequence[Number]]) -> list[Fraction] | None:
    """The only solution of a square system, each row with its right-hand side last; None where there is none, or are
    many."""
    size, found = len(rows), eliminate_columns(rows, len(rows))
    if found.rank < size:
        return None
    solution = [row[-1] for row in found.rows]
    for r in reversed(range(size)):
        known = zip(found.rows[r][r + 1 : -1], solution[r + 1 :], strict=True)
        solution[r] -= sum((a * x for a, x in known if a), Fraction(0))
    return solution


def levelling(rows: Sequence[Sequence[Number]]) -> list[Fraction] | None:
    """The weights of the columns, which sum to one, that make all rows of a square matrix worth the same; None where
    there are none, or many."""
    columns = range(len(rows))
    found = only_solution([*([*row, -1, 0] for row in rows), [*(1 for _ in columns), 0, 1]])
    return None if found is None else found[:-1]


def determinant(matrix: Sequence[Sequence[Number]]) -> Fraction:
    """The determinant of a square matrix."""
    found = eliminate_columns(matrix, len(matrix))
    return found.factor if found.rank == len(matrix) else Fraction(0)
