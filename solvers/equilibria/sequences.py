"""The sequences of a game: all that any number of players with perfect recall can do, each player's own moves in order.

A player with perfect recall reaches a position by one sequence of own information sets and actions. A strategy is then
a weight for every sequence, its realization plan: 1 for the empty one; at each information set the weights of its
actions share out the weight of the sequence that leads there. How likely an end is, is the product of chance and one
weight of each player.

Source: Koller, Megiddo and von Stengel, Fast algorithms for finding randomized strategies in game trees, STOC 1994.

Parts of a zero-sum game that its linear program need not ask: sets where an action is surely best, or nothing at
stake.

1. An action of the first player is surely best if everything that it leads to pays the most there is: its ends, and the
   sets behind it by an action of the same kind. Whatever else could be done there is left out.
2. An action of the second player is, if what is left after it pays the first player the least there is. The set needs
   no variable: it is worth that least.
3. What is left of the first player's actions, but pays only the least, is left out, too.

Nothing of this changes the value, and every optimal strategy of what is left is one of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import compress, repeat
from math import lcm
from operator import mul, ne
from typing import NamedTuple

from gdl import wings
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

    def sequences_of(self, h: int) -> range:
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
        found = wings.call_hook("the compiled table of sequences", flat)
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


class SequencePruning(NamedTuple):
    """The rest of a game after pruning. `kept`: for each player, by the number of a sequence, 1 if the linear program
    has it. `sure`: for each set of the second player that the program leaves out, the sequence played there. `above`:
    for each combination of sequences that leads to ends, the first player's payoff above the least payoff of all ends,
    weighted by chance, in the units of `form`."""

    kept: tuple[bytearray, bytearray]
    sure: Mapping[int, int]
    above: Sequence[Number]

    def complete(self, form: Sequences, plan: list[Number]) -> None:
        """Complete a plan of the second player by the sure actions."""
        for h, sequence in sorted(self.sure.items()):
            plan[sequence] = plan[form.before[h]]


def keep_everything(form: Sequences) -> SequencePruning:
    """The game without pruning: all sequences of both players are kept."""
    all_of = [bytearray(b"\1" * form.count(player)) for player in (0, 1)]
    return SequencePruning((all_of[0], all_of[1]), {}, _payoffs_above(form, min(_end_payoffs(form, 0))))


def prune_sequences(form: Sequences) -> SequencePruning:
    """The rest of the game after the three steps of pruning."""
    own, other = form.led[::2], form.led[1::2]
    above = _payoffs_above(form, min(_end_payoffs(form, 0)))
    first = best_actions(form, 0)
    met = [amount and first[x] for x, amount in zip(own, above, strict=True)]
    sure = _safe_actions(form, 1, compress(other, met))
    second = _remaining_sequences(form, 1, sure, False)
    paying = bytearray(form.count(0))
    for x in {x for x, y in compress(zip(own, other, strict=True), met) if second[y]}:
        paying[x] = 1
    for h in reversed(form.positions.sets_of(0)):
        if any(paying[form.first[h] : form.first[h] + form.widths[h]]):
            paying[form.before[h]] = 1
    paying[0] = 1
    return SequencePruning((paying, second), sure, above)


def best_actions(form: Sequences, player: int) -> bytearray:
    """The sequences, by number, that are left (1) if the player takes every action that is surely best whatever the
    others play. Any number of players may take part."""
    most, seats = max(_end_payoffs(form, player)), len(form.positions.players)
    below = map(ne, form.paid[player::seats], map(mul, form.likely, repeat(most)))
    return _remaining_sequences(
        form, player, _safe_actions(form, player, compress(form.led[player::seats], below)), True
    )


def _end_payoffs(form: Sequences, player: int) -> list[Number]:
    """A player's payoffs at the ends."""
    return [exact(require_number(utilities[player])) for utilities in form.positions.utilities()]


def _payoffs_above(form: Sequences, least: Number) -> list[Number]:
    return [amount - least * likely for amount, likely in zip(form.paid[::2], form.likely, strict=True)]


def _safe_actions(form: Sequences, player: int, at_stake: Iterable[int]) -> dict[int, int]:
    """At each of the player's sets that has one, the first action after which nothing is at stake any more. `at_stake`
    are the sequences whose own ends leave something at stake."""
    open_ones = bytearray(form.count(player))
    for sequence in set(at_stake):
        open_ones[sequence] = 1
    sure = {}
    for h in reversed(form.positions.sets_of(player)):
        safe = open_ones.find(0, form.first[h], form.first[h] + form.widths[h])
        if safe < 0:
            open_ones[form.before[h]] = 1
        else:
            sure[h] = safe
    return sure


def _remaining_sequences(form: Sequences, player: int, sure: Mapping[int, int], with_it: bool) -> bytearray:
    """The player's sequences that are left, as 1 by number. At a set with a sure action the other actions go, and
    unless `with_it` the sure one too; so does everything after an action that is gone."""
    kept = bytearray(form.count(player))
    kept[0] = 1
    for h in form.positions.sets_of(player):
        if kept[form.before[h]]:
            if h not in sure:
                kept[form.first[h] : form.first[h] + form.widths[h]] = b"\1" * form.widths[h]
            elif with_it:
                kept[sure[h]] = 1
    return kept
