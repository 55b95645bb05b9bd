"""The sequences of a game: all that any number of players with perfect recall can do, each player's own moves in order.

A player with perfect recall reaches a position by one sequence of own information sets and actions. A strategy is then
a weight for every sequence, its realization plan: 1 for the empty one; at each information set the weights of its
actions share out the weight of the sequence that leads there. How likely an end is, is the product of chance and one
weight of each player.

Source: Koller, Megiddo and von Stengel, Fast algorithms for finding randomized strategies in game trees, STOC 1994.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

from gdl.errors import Refusal
from gdl.game import Chance, Number, Terminal, exact, require_number
from gdl.solvers.equilibria.behaviour import Behaviour, uniform_row
from gdl.solvers.equilibria.positions import PositionGraph

FLAT_POSITIONS = 2_000  # positions of a flat game, beyond which kernel code finds the sequences


@dataclass(frozen=True)
class Sequences:
    """Sequences by number per player: 0 is the empty one, then one for every action of every information set.

    `first[h]` is the sequence of the first action of set h, `before[h]` the sequence that leads to h. `led` holds, for
    each combination of sequences that leads to ends, one sequence of each player, and `paid` what these ends pay each
    player together, times the probability that chance does its part, and `likely` that probability: whole numbers over
    `under`.
    """

    positions: PositionGraph
    first: tuple[int, ...]
    before: tuple[int, ...]
    led: Sequence[int]
    paid: Sequence[int]
    likely: Sequence[int]
    under: int

    @property
    def ends(self) -> int:
        """The number of combinations of sequences that lead to ends."""
        return len(self.led) // len(self.positions.players)

    def each_end(self) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Each combination of sequences that leads to ends, with what these pay."""
        seats = len(self.positions.players)
        led, paid = iter(self.led), iter(self.paid)
        return zip(zip(*[led] * seats, strict=True), zip(*[paid] * seats, strict=True), strict=True)

    def of(self, h: int) -> range:
        """The sequences that end with the actions of a set."""
        return range(self.first[h], self.first[h] + self.widths[h])

    @cached_property
    def widths(self) -> Sequence[int]:
        """The number of actions of each information set."""
        return self.positions.widths

    def count(self, player: int) -> int:
        """The number of sequences of a player, the empty one included."""
        return 1 + sum(self.widths[h] for h in self.positions.sets_of(player))

    def behaviour(self, plans: Sequence[Sequence[Number]]) -> Behaviour:
        """The strategies of realization plans; silent where a player's own moves never lead.

        A set that is reached without any weight pays its player nothing, whatever the action: there all actions are
        equally likely.
        """
        reached: list[set[int]] = [{0} for _ in plans]  # the sequences that are played at all
        rows: list[tuple[Number, ...] | None] = []
        for owner, first, width, before in zip(
            self.positions.owners, self.first, self.widths, self.before, strict=True
        ):
            row = _shares(plans[owner][first : first + width])
            if row is None and before in reached[owner]:
                row = uniform_row(width)
            rows.append(row)
            if row is not None:
                reached[owner].update(sequence for sequence, share in enumerate(row, first) if share)
        return tuple(rows)


def _shares(weights: Sequence[Number]) -> tuple[Number, ...] | None:
    """The proportions of the weights, negative ones taken as 0; None if no weight is positive."""
    if not any(weights):
        return None
    weights = [max(weight, 0) for weight in weights]
    total = sum(weights)
    return tuple(exact(Fraction(weight, total)) if weight else 0 for weight in weights) if total else None


def sequences(positions: PositionGraph) -> Sequences:
    """The sequences of all players. Raises Refusal if one of them forgets."""
    flat = positions.flat
    if flat is not None and positions.count > FLAT_POSITIONS:
        from gdl.compiler.searches.sequence_table import end_table

        found = end_table(flat)
        if found is not None:
            return Sequences(positions, *found)
    return by_definition(positions)


def by_definition(positions: PositionGraph) -> Sequences:
    """The sequences of a game, found position by position."""
    players = len(positions.players)
    first: list[int] = []
    count = [1] * players
    for found in positions.information_sets:
        first.append(count[found.player])
        count[found.player] += len(found.actions)
    before: dict[int, int] = {}
    sums: dict[tuple[int, ...], list[Number]] = {}
    reach: dict[int, dict[tuple[int, ...], Number]] = {0: {(0,) * players: 1}}
    for position, node in enumerate(positions.nodes):
        here = reach.pop(position)
        if isinstance(node, Terminal):
            for led, weight in here.items():
                row = sums.setdefault(led, [0] * (players + 1))
                row[players] += weight
                for player, utility in enumerate(node.utilities):
                    row[player] += weight * require_number(utility)
            continue
        for k, after in enumerate(positions.successors[position]):
            there = reach.setdefault(after, {})
            for led, weight in here.items():
                if isinstance(node, Chance):
                    weight *= node.outcomes[k][1]
                else:
                    led = _extend_sequences(positions, position, led, first, before, k)
                there[led] = there.get(led, 0) + weight
    under = lcm(*(Fraction(amount).denominator for row in sums.values() for amount in row))
    return Sequences(
        positions, tuple(first), tuple(before[h] for h in range(len(first))),
        tuple(sequence for led in sums for sequence in led),
        tuple(int(amount * under) for row in sums.values() for amount in row[:-1]),
        tuple(int(row[-1] * under) for row in sums.values()), under,
    )  # fmt: skip


def _extend_sequences(
    positions: PositionGraph, position: int, led: tuple[int, ...], first: Sequence[int], before: dict[int, int], k: int
) -> tuple[int, ...]:
    """The players' sequences after action k at the position. Raises Refusal if the mover comes to the information set
    by different own sequences."""
    h = positions.sets[position]
    assert h is not None
    found = positions.information_sets[h]
    if before.setdefault(h, led[found.player]) != led[found.player]:
        other = "minimax" if positions.open_to_all() else "where all know the position, subgame-perfect"
        raise Refusal(
            f"this method needs perfect recall: {positions.players[found.player]} can come to {found.name} "
            f"by different own moves ({other} does without it)"
        )
    return (*led[: found.player], first[h] + k, *led[found.player + 1 :])
