"""The curve of logit equilibria of a table: everybody chooses once and at once. Its derivatives are computed, not
estimated by differences, from what each plan pays against each plan of each other player."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import lcm, prod
from operator import mul
from typing import Any

from gdl.game import Chance, Terminal
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.logit import LogitCurve, MixedSet, Point, Rows
from gdl.solvers.equilibria.newton_paths import partials
from gdl.solvers.equilibria.positions import PositionGraph


def curve_of(positions: PositionGraph, budget: Budget, exactly: bool = False) -> LogitCurve:
    """The curve of a game, a TableCurve if it is a table."""
    return (TableCurve if _is_table(positions) else LogitCurve)(positions, budget, exactly)


def _is_table(positions: PositionGraph) -> bool:
    """True if every player has one information set and moves on every way, and chance does not."""
    owners, nodes = positions.owners, positions.nodes
    if len(owners) != len(set(owners)) or any(isinstance(node, Chance) for node in nodes):
        return False
    fewest = [0] + [len(owners)] * (positions.count - 1)  # moves on a way to the position
    for position, successors in enumerate(positions.successors):
        for after in successors:
            fewest[after] = min(fewest[after], fewest[position] + 1)
    return len(owners) > 1 and all(
        least == len(owners) for least, node in zip(fewest, nodes, strict=True) if isinstance(node, Terminal)
    )


class TableCurve(LogitCurve):
    """The logit equilibria of a table."""

    def __init__(self, positions: PositionGraph, budget: Budget, exactly: bool = False):
        super().__init__(positions, budget, exactly)
        paid: list[list[list[Any]]] = [[[] for _ in found.actions] for found in self.sets]
        for cell in product(*map(range, positions.widths)):
            position = 0
            while (h := positions.sets[position]) is not None:
                position = positions.successors[position][cell[h]]
            for h, found in enumerate(self.sets):
                paid[h][cell[h]].append(self.ends[position][found.player])
        self._paid = paid
        side_by_side = [[amount for against in zip(*own, strict=True) for amount in against] for own in paid]
        self._unit = lcm(*(amount.denominator for own in side_by_side for amount in own)) if exactly else 1
        self._side_by_side = [[int(x * self._unit) for x in own] if exactly else own for own in side_by_side]

    @property
    def work(self) -> int:
        return super().work // 10

    def _payoffs_against(self, h: int, rows: Rows) -> list[list[list[Any]]]:
        """The payoff of each action of the set, by each action of each other set, where the rest mixes."""
        others = [*rows[:h], *rows[h + 1 :]]
        return [partials(paid, others) for paid in self._paid[h]]

    def pays(self, rows: Any) -> Rows:
        exactly, means = self.number is Fraction, []
        units = [lcm(*(p.denominator for p in row)) if exactly else 1 for row in rows]  # fractions as whole numbers
        whole = [[int(p * unit) if exactly else p for p in row] for row, unit in zip(rows, units, strict=True)]
        for h, own in enumerate(self._side_by_side):
            unit = prod([self._unit, *units[:h], *units[h + 1 :]])
            means.append([self.number(x) / unit for x in _expect_payoffs(own, [*whole[:h], *whole[h + 1 :]])])
        return means

    def gap_slopes(self, rows: Rows, mixed: Sequence[MixedSet]) -> Rows:
        against = {h: self._payoffs_against(h, rows) for h, _ in mixed}
        pairs = [(h, k, support[0]) for h, support in mixed for k in support[1:]]

        def slope(g: int, m: int, first: int, h: int, k: int, base: int) -> float:
            at = g - (g > h)
            one, other = against[h][k][at], against[h][base][at]
            return float(one[m] - one[first] - other[m] + other[first])

        return [[slope(*moved, *pair) if moved[0] != pair[0] else 0.0 for pair in pairs] for moved in pairs]

    def derivatives(self, point: Point) -> Rows:
        rows, rate = self.rows(point), point[-1]
        system = []
        for h, start in enumerate(self.starts):
            against, others = self._payoffs_against(h, rows), [g for g in range(len(rows)) if g != h]
            pays = [sum(map(mul, parts[0], rows[others[0]])) for parts in against]
            for k in range(1, len(pays)):
                line = [0.0] * self.unknowns + [pays[0] - pays[k]]
                line[start + k - 1] = 1.0
                for g, one, base in zip(others, against[k], against[0], strict=True):
                    at, gap = self.starts[g], pays[k] - pays[0]
                    for m in range(1, len(one)):
                        line[at + m - 1] -= rate * rows[g][m] * (one[m] - base[m] - gap)
                system.append(line)
        return system


def _expect_payoffs(paid: Sequence[Any], others: Sequence[Sequence[Any]]) -> Sequence[Any]:
    """The mean payoff of each plan, where the others mix. `paid` is what each pays against each combination of theirs,
    their first plans first; of these only what is played is looked at."""
    for row in others:
        size = len(paid) // len(row)
        played = [(weight, paid[k * size : (k + 1) * size]) for k, weight in enumerate(row) if weight]
        weights, parts = zip(*played, strict=True)
        if len(weights) == 2:
            (one, other), pairs = weights, zip(*parts, strict=True)
            paid = [one * a + other * b for a, b in pairs]
        else:
            paid = [sum(map(mul, weights, amounts)) for amounts in zip(*parts, strict=True)]
    return paid
