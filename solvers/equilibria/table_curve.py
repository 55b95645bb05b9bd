"""The curve of logit equilibria of a table: everybody chooses once and at once. Its derivatives are computed, not
estimated by differences, from what each plan pays against each plan of each other player."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from operator import mul
from typing import Any

from gdl.game import Chance, Terminal
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.logit import LogitCurve, Point, Rows
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
        self._paid: list[list[list[Any]]] = [[[] for _ in found.actions] for found in self.sets]
        for cell in product(*map(range, positions.widths)):
            position = 0
            while (h := positions.sets[position]) is not None:
                position = positions.successors[position][cell[h]]
            for h, found in enumerate(self.sets):
                self._paid[h][cell[h]].append(self.ends[position][found.player])

    @property
    def work(self) -> int:
        return super().work // 10

    def _payoffs_against(self, h: int, rows: Rows) -> list[list[list[Any]]]:
        """The payoff of each action of the set, by each action of each other set, where the rest mixes."""
        others = [*rows[:h], *rows[h + 1 :]]
        return [partials(paid, others) for paid in self._paid[h]]

    def pays(self, rows: Rows) -> Rows:
        return [_expect_payoffs(paid, [*rows[:h], *rows[h + 1 :]]) for h, paid in enumerate(self._paid)]

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


def _expect_payoffs(paid: Sequence[Sequence[Any]], others: Sequence[Sequence[Any]]) -> list[Any]:
    """The mean payoff of each plan, where the others mix: of what it pays against each combination of their plans only
    what is played is looked at."""
    places = [0]
    for row in others:
        places = [at * len(row) + k for at in places for k, weight in enumerate(row) if weight]
    found = []
    for own in paid:
        amounts = [own[at] for at in places]
        for row in others:
            weights = [weight for weight in row if weight]
            size = len(amounts) // len(weights)
            parts = [amounts[at : at + size] for at in range(0, len(amounts), size)]
            amounts = [weights[0] * amount for amount in parts[0]]
            for weight, part in zip(weights[1:], parts[1:], strict=True):
                amounts = [total + weight * amount for total, amount in zip(amounts, part, strict=True)]
        found.append(amounts[0])
    return found
