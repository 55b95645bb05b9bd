"""Matrices in row echelon form over the rationals, by Gauss's elimination."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from gdl.game import Number


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
