"""A game of players who are alike and move once, all at the same time, folded: what a player is paid depends on their
own action and on how many of the others take each.

1. Where there are few combinations of actions, all are looked at: of any two players who do the same while the others
   are counted alike, both must be paid the same.
2. Of many combinations one is looked at for each way to count the actions, and from there those in which the players
   stand the other way round, or two neighbours have changed places. That shows the payoffs, and proves nothing about
   the combinations that are left.
3. Where the file itself says what is paid by counts, no combination is looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, lcm, prod
from typing import Any, NamedTuple

from gdl.errors import Refusal, listing
from gdl.game import Game, Number, Simultaneous, Terminal, require_number
from gdl.numbers import brief
from gdl.solvers.budget import Budget, TableTooLarge
from gdl.wings.theory.action_graphs.action_graph import ActionGraph
from gdl.wings.theory.action_graphs.action_graph_game import ActionGraphGame

MOST_LISTED = 20_000  # combinations of actions that are all looked at
MOST_COUNTS = 20_000  # ways to count the actions

Counts = tuple[int, ...]  # for each action, how many take it


class AlikeGame(NamedTuple):
    """The payoffs of each of some players who are alike: by the counts of the others' actions, by the own action.
    `sets` are the names of their information sets; `is_proved` is False if they were seen to be alike only in the
    combinations that were `tried`, which is 0 if the file says that they are."""

    players: tuple[str, ...]
    sets: tuple[str, ...]
    actions: tuple[str, ...]
    table: Mapping[Counts, Mapping[int, Number]]
    tried: int
    is_proved: bool

    def expected_payoffs(self, mix: Sequence[Number]) -> list[Fraction]:
        """The payoff of each action, exactly, if all others take the actions with these probabilities."""
        whole, size = lcm(*(x.denominator for x in mix)), len(self.players) - 1
        powers = [[int(x * whole) ** e for e in range(size + 1)] for x in mix]
        sums: list[Number] = [0] * len(mix)
        for counts, row in self.table.items():
            weight = prod(own[count] for own, count in zip(powers, counts, strict=True) if count) * _orders(counts)
            if weight:
                sums = [total + weight * row[action] for action, total in enumerate(sums)]
        return [Fraction(total) / whole**size for total in sums]


@cache
def _orders(counts: Counts) -> int:
    """The number of combinations that are counted so."""
    return factorial(sum(counts)) // prod(map(factorial, counts))


def alike_game(game: Game[Any], budget: Budget) -> AlikeGame:
    """The folded game. Raises Refusal if not all players move once, at the same time, or they are not alike."""
    start, count = game.initial(), len(game.players)
    node = game.node(start)
    if not isinstance(node, Simultaneous):
        raise _refuse_shape(game)
    actions, width = node.actions[0], len(node.actions[0])
    for name, choice in zip(game.players, node.actions, strict=True):
        if set(choice) != set(actions):
            lists = [listing(one, most=4) for one in (actions, choice)]
            raise _refuse_unlike(game, f"{game.players[0]} can play {lists[0]}, and {name} {lists[1]}")
    ways = comb(count + width - 1, count)
    if ways > MOST_COUNTS:
        raise TableTooLarge(f"what {count} players do can be counted in {ways:,} ways, more than {MOST_COUNTS:,}")
    sets = tuple(game.describe(start, player) for player in range(count))
    if isinstance(game, ActionGraphGame) and game.graph.are_alike:
        return AlikeGame(game.players, sets, actions, _stated_table(game.graph, budget), 0, True)
    table: dict[Counts, dict[int, Number]] = {}
    known: dict[tuple[Counts, int], int] = {}  # the first player of whom the payoff is known
    for cell in _cells(count, width):
        budget.visit()
        end = game.node(game.successor(start, tuple(actions[action] for action in cell)))
        if not isinstance(end, Terminal):
            raise _refuse_shape(game)
        for player, (own, payoff) in enumerate(zip(cell, map(require_number, end.utilities), strict=True)):
            others = tuple(cell.count(action) - (action == own) for action in range(width))
            first, told = known.setdefault((others, own), player), table.setdefault(others, {}).setdefault(own, payoff)
            if told != payoff:
                where = listing([f"{actions[k]} ({times})" for k, times in enumerate(others) if times], most=6)
                pair = f"{game.players[first]} gets {brief(told)}, and {game.players[player]} {brief(payoff)}"
                raise _refuse_unlike(game, f"by {actions[own]} {pair}, where the others play {where}")
    return AlikeGame(game.players, sets, actions, table, budget.spent, width**count <= MOST_LISTED)


def _stated_table(graph: ActionGraph, budget: Budget) -> dict[Counts, dict[int, Number]]:
    """The payoffs of players who are alike, as an action graph states them."""
    own, table = graph.choices[0][0], dict[Counts, dict[int, Number]]()
    for others in combinations_with_replacement(own, len(graph.players) - 1):
        budget.visit()
        counts = Counter(others)
        row = {action: graph.payoff(node, counts + Counter([node])) for action, node in enumerate(own)}
        table[tuple([counts[node] for node in own])] = row
    return table


def _cells(count: int, width: int) -> Iterator[Sequence[int]]:
    """The combinations of actions to be looked at: all; of many, those in which players stand in the order of their
    actions, the same backwards, and with one pair of neighbours exchanged."""
    if width**count <= MOST_LISTED:
        yield from product(range(width), repeat=count)
        return
    for cell in combinations_with_replacement(range(width), count):
        yield cell
        yield cell[::-1]
        for k in range(1, count):
            if cell[k - 1] != cell[k]:
                yield (*cell[: k - 1], cell[k], cell[k - 1], *cell[k + 1 :])


def _refuse_shape(game: Game[Any]) -> Refusal:
    return Refusal(
        f"symmetric needs a game of one move by all players at the same time, which ends it; {game.name} is none"
    )


def _refuse_unlike(game: Game[Any], why: str) -> Refusal:
    return Refusal(f"symmetric needs players who are alike; in {game.name}, {why}")
