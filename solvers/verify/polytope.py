"""All extreme equilibria of a table of two players, by the vertices of two polytopes, in whole numbers.

Payoffs are moved so that all are positive. The mixtures x of the rows against which no column pays more than one, not
yet scaled to sum to one, are the polytope {x >= 0, x B <= 1}; those of the columns are {y >= 0, A y <= 1}.

1. Begin with the cone of all (x, t) that are not negative, whose extreme rays are known, and cut it by one inequality
   after the other. The rays on its wrong side go. New ones lie on its edge, between two old rays, one of each side,
   that are neighbours: no other ray keeps all the inequalities with equality that both of them do.
2. A ray with t = 1 is a vertex. It has the label of every own strategy that it does not use, and of every strategy of
   the other that is a best reply to it.
3. Two vertices, one of each polytope, that have all labels together are an equilibrium, but for the pair of zeros.
   Every equilibrium is a mixture of such that share a side (Mangasarian 1964).

Sources: Motzkin, Raiffa, Thompson and Thrall, The double description method, 1953; Fukuda and Prodon, Double
description method revisited, 1996; von Stengel, Handbook of Game Theory 3, 2002 (labels).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

from gdl.game import Number
from gdl.solvers.verify.verdict import Unchecked

MOST_RAYS = 300  # the most rays of a cone that are kept

Matrix = Sequence[Sequence[Number]]
Mix = tuple[Number, ...]
Ray = tuple[int, ...]


def extreme_equilibria(rows: Matrix, columns: Matrix) -> list[tuple[Mix, Mix]]:
    """The extreme equilibria, as pairs of mixtures, of the game in which cell (i, j) pays rows[i][j] to the one and
    columns[j][i] to the other player."""
    m, n = len(rows), len(columns)
    everything = (1 << (m + n)) - 1
    xs = [(mix, own | replies << m) for mix, own, replies in _vertices(_positive(columns))]
    ys = [(mix, own << m | replies) for mix, own, replies in _vertices(_positive(rows))]
    return [(x, y) for x, one in xs for y, other in ys if one | other == everything]


def _positive(payoffs: Matrix) -> list[list[int]]:
    """The payoffs scaled to whole numbers and moved to be at least 1; best replies stay the same."""
    least = min(min(row) for row in payoffs)
    scale = lcm(*(Fraction(payoff).denominator for row in payoffs for payoff in row))
    return [[int((payoff - least + 1) * scale) for payoff in row] for row in payoffs]


def _vertices(replies: Sequence[Sequence[int]]) -> list[tuple[Mix, int, int]]:
    """The vertices of a polytope but for zero. For each: the mixture, scaled to sum to one; as bits, the own strategies
    that it does not use; and as bits, the best replies to it. `replies` has a row for each reply: its payoff against
    each own strategy."""
    size = len(replies[0])
    unit = [tuple(int(i == k) for i in range(size + 1)) for k in range(size + 1)]
    kept: list[tuple[Ray, int]] = [(ray, sum(1 << i for i, x in enumerate(ray) if not x)) for ray in unit]
    for number, reply in enumerate(replies):
        kept = _cut(kept, [*(-payoff for payoff in reply), 1], size + 1 + number)
        if len(kept) > MOST_RAYS:
            raise Unchecked(f"the polytopes of its mixtures have more than {MOST_RAYS:,} corners")
    found: list[tuple[Mix, int, int]] = []
    for ray, tight in kept:
        total = sum(ray[:size])
        if ray[size] and total:
            mix = tuple(Fraction(x, total) for x in ray[:size])
            found.append((mix, tight & ((1 << size) - 1), tight >> (size + 1)))
    return found


def _cut(rays: Sequence[tuple[Ray, int]], side: Sequence[int], number: int) -> list[tuple[Ray, int]]:
    """The extreme rays of the part of a cone in which the linear form `side` is not negative. Each ray comes with the
    inequalities that it keeps with equality, as bits; the new inequality has bit `number`."""
    values = [sum(a * x for a, x in zip(side, ray, strict=True)) for ray, _ in rays]
    above = [k for k, value in enumerate(values) if value > 0]
    below = [k for k, value in enumerate(values) if value < 0]
    found = [
        (ray, tight | (value == 0) << number) for (ray, tight), value in zip(rays, values, strict=True) if value >= 0
    ]
    for i in above:
        for j in below:
            common = rays[i][1] & rays[j][1]
            if any(common & tight == common for k, (_, tight) in enumerate(rays) if k not in (i, j)):
                continue
            new = [values[i] * y - values[j] * x for x, y in zip(rays[i][0], rays[j][0], strict=True)]
            scale = gcd(*new)
            found.append((tuple(x // scale for x in new), common | 1 << number))
    return found
