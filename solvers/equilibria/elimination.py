"""Small systems of linear equations over the rationals, by Gauss's elimination."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def only_solution(rows: Sequence[Sequence[Fraction]]) -> list[Fraction] | None:
    """The only solution of a square system, each row with its right-hand side last; None where there is none, or are
    many."""
    system = [list(row) for row in rows]
    size = len(system)
    for column in range(size):
        pivot = next((r for r in range(column, size) if system[r][column]), None)
        if pivot is None:
            return None
        system[column], system[pivot] = system[pivot], system[column]
        head = [a / system[column][column] for a in system[column]]
        system[column] = head
        for r in range(size):
            if r != column and system[r][column]:
                q = system[r][column]
                system[r] = [a - q * b for a, b in zip(system[r], head, strict=True)]
    return [row[size] for row in system]


def determinant(matrix: Sequence[Sequence[Fraction]]) -> Fraction:
    """The determinant of a square matrix."""
    rows, product = [list(row) for row in matrix], Fraction(1)
    for column in range(len(rows)):
        pivot = next((r for r in range(column, len(rows)) if rows[r][column]), None)
        if pivot is None:
            return Fraction(0)
        if pivot != column:
            rows[column], rows[pivot] = rows[pivot], rows[column]
            product = -product
        product *= rows[column][column]
        for r in range(column + 1, len(rows)):
            q = rows[r][column] / rows[column][column]
            rows[r] = [a - q * b for a, b in zip(rows[r], rows[column], strict=True)]
    return product
