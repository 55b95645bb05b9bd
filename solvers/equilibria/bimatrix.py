"""All extreme equilibria of a two-player game in strategic form, by exact support enumeration.

The mixtures of a player that leave the other a payoff of at most one (payoffs made positive, mixtures not yet scaled
to sum to one) are a polytope. At a vertex, as many of the other's strategies are best replies as it has strategies
in its support, or more:

1. For each pair of equally large sets I of own and J of the other's strategies, solve for the weights on I that
   make every strategy of J pay exactly one. Keep positive solutions against which nothing pays more: the vertices.
2. A vertex has the label i of each own strategy it does not use, and the label j of each best reply of the other.
3. Two vertices, one for each player, that together have every label are an equilibrium, and the extreme ones are all
   found so. Every equilibrium is a mixture of extreme ones that share the other side (Mangasarian 1964).
4. The game is degenerate if a mixture has more best replies than strategies in its support.

Sources: Dickhaut and Kaplan 1991; Mangasarian, Equilibrium points of bimatrix games, 1964; von Stengel, Computing
equilibria for two-person games, Handbook of Game Theory 3, 2002.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, lcm
from operator import mul
from typing import NamedTuple

from gdl.game import Number, exact
from solvers.equilibria.zero_sum import Matrix

Mix = tuple[Number, ...]


@dataclass(frozen=True)
class ExtremeEquilibria:
    """The extreme equilibria, and whether some mixture has more best replies than strategies of its own."""

    equilibria: tuple[tuple[Mix, Mix], ...]
    degenerate: bool


class _Vertex(NamedTuple):
    mix: Mix
    labels: int  # bits: own strategies not used and best replies of the other


def supports(rows: int, columns: int) -> int:
    """How many pairs of equally large supports there are."""
    return comb(rows + columns, rows) - 1


def extreme_equilibria(row_payoffs: Matrix, column_payoffs: Matrix) -> ExtremeEquilibria:
    """The extreme equilibria of the game in which cell (i, j) pays row_payoffs[i][j] and column_payoffs[i][j]."""
    rows, columns = len(row_payoffs), len(row_payoffs[0])
    everything = (1 << (rows + columns)) - 1
    replies = [[column_payoffs[i][j] for i in range(rows)] for j in range(columns)]
    xs = list(_vertices(_positive(replies), own=0, other=rows))
    ys = list(_vertices(_positive(row_payoffs), own=rows, other=0))
    found = [(x.mix, y.mix) for x in xs for y in ys if x.labels | y.labels == everything]
    degenerate = any(v.labels.bit_count() > rows for v in xs) or any(v.labels.bit_count() > columns for v in ys)
    return ExtremeEquilibria(tuple(sorted(found, key=_order)), degenerate)


def _order(equilibrium: tuple[Mix, Mix]) -> tuple[int, list[list[int]], list[list[Number]]]:
    """Small supports first, then the order of the strategies."""
    used = [[k for k, weight in enumerate(mix) if weight] for mix in equilibrium]
    return sum(map(len, used)), used, [[-weight for weight in mix] for mix in equilibrium]


def _positive(payoffs: Matrix) -> list[list[int]]:
    """The payoffs moved and scaled so that all are positive whole numbers; best replies stay what they were."""
    least = min(min(row) for row in payoffs)
    scale = lcm(*(Fraction(payoff).denominator for row in payoffs for payoff in row))
    return [[int((payoff - least + 1) * scale) for payoff in row] for row in payoffs]


def _vertices(replies: list[list[int]], own: int, other: int) -> Iterator[_Vertex]:
    """The vertices of the mixtures against which no reply (a row of payoffs, one per own strategy) pays above one.
    `own` and `other` are the first labels of the two players."""
    size = len(replies[0])
    seen: set[Mix] = set()
    for count in range(1, min(size, len(replies)) + 1):
        for support in combinations(range(size), count):
            columns = [[reply[i] for i in support] for reply in replies]
            for tight in combinations(range(len(replies)), count):
                solved = _solve([[*columns[j], 1] for j in tight])
                if solved is None or min(solved.weights) <= 0:
                    continue
                pays = [sum(map(mul, column, solved.weights)) for column in columns]
                mix = _scaled(size, support, solved.weights)
                if max(pays) > solved.total or mix in seen:
                    continue
                seen.add(mix)
                labels = sum(1 << (own + i) for i in range(size) if i not in support)
                labels += sum(1 << (other + j) for j, pay in enumerate(pays) if pay == solved.total)
                yield _Vertex(mix, labels)


def _scaled(size: int, support: Sequence[int], weights: Sequence[int]) -> Mix:
    mix: list[Number] = [0] * size
    for i, weight in zip(support, weights, strict=True):
        mix[i] = exact(Fraction(weight, sum(weights)))
    return tuple(mix)


class _Solved(NamedTuple):
    """Weights that all pay `total`."""

    weights: list[int]
    total: int


def _solve(equations: list[list[int]]) -> _Solved | None:
    """The only solution of a square system with right-hand sides one, as whole numbers over a positive denominator;
    or None. Gauss and Jordan's elimination without fractions: every division is exact (Bareiss 1968)."""
    size, last = len(equations), 1
    for column in range(size):
        pivot = next((r for r in range(column, size) if equations[r][column]), None)
        if pivot is None:
            return None
        equations[column], equations[pivot] = equations[pivot], equations[column]
        head = equations[column]
        p = head[column]
        for r in range(size):
            if r != column:
                q = equations[r][column]
                equations[r] = [(p * a - q * b) // last for a, b in zip(equations[r], head, strict=True)]
        last = p
    sign = 1 if last > 0 else -1
    return _Solved([sign * equation[size] for equation in equations], sign * last)
