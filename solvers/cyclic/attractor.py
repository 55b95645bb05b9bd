"""Retrograde analysis: the value of a zero-sum game without chance in which play may go on for ever.

Endless play has a price. MAX gets more than the price only by forcing an end that pays more, MIN likewise:

1. For every utility above the price, from the greatest down: its attractor for MAX is the ends that pay it, every
   state of MAX with a child in it, and every state of MIN all of whose children are in it or in one of a greater
   utility. These states are worth that utility.
2. For every utility below the price, from the least up, the same for MIN.
3. All other states are worth the price. Where play must end they are those from which an end is forced that pays just
   the price: there MIN hurries and MAX delays, as below the price.

A state's rank is the number of plies to the end when the one who forces hurries and the other delays. Each edge is
looked at once.

Sources: Zermelo 1913; Ströhlein 1970 and Thompson, Retrograde analysis of certain endgames, ICCA Journal 9, 1986
(endgame tables); with many utilities: Washburn, Deterministic graphical games, J. Math. Anal. Appl. 153, 1990.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from gdl.game import Decision, Node, Number, Terminal, require_number
from gdl.solvers.cyclic.play import Play
from gdl.states.explore import Exploration, topological_order


class Forced(Play):
    """Best play at a price of endless play: for every state its value for MAX, and its rank, None where nobody
    forces an end. The exploration must be complete and without chance."""

    def __init__(self, space: Exploration[Any], max_player: int, price: Number):
        self.space = space
        self.endless = len(topological_order(space.children)) < len(space.children)
        self.max_player = max_player
        self.price = price
        self.values: list[Number] = [price] * len(space.nodes)
        self.ranks: list[int | None] = [None] * len(space.nodes)
        ends: dict[Number, list[int]] = {}
        for number, node in enumerate(space.nodes):
            if isinstance(node, Terminal):
                ends.setdefault(require_number(node.utilities[max_player]), []).append(number)
        parents = _parents(space)
        waiting = [len(children) for children in space.children]
        above = sorted((utility for utility in ends if utility > price), reverse=True)
        # Where play must end, no state has the price without an end that pays it, and such ends are forced like any
        # other.
        below = sorted(utility for utility in ends if utility < price or (utility == price and not self.endless))
        # The greatest first: a state that MAX can force to a greater utility must not be given a smaller one.
        for utility in (*above, *below):
            self._attract(utility, ends[utility], parents, waiting)

    def value(self, number: int) -> Number:
        return self.values[number]

    def rank(self, number: int) -> int | None:
        return self.ranks[number]

    def choose(self, number: int) -> int:
        return best_child(self, self.space.nodes[number], self.space.children[number], number, self.max_player)

    def _attract(self, utility: Number, ends: list[int], parents: list[list[int]], waiting: list[int]) -> None:
        """Give the utility to every state from which the one who wants it can force it, nearest to the ends first."""
        for number in ends:
            self.values[number], self.ranks[number] = utility, 0
        queue = deque(ends)
        while queue:
            number = queue.popleft()
            rank = self.ranks[number]
            assert rank is not None
            for parent in parents[number]:
                if self.ranks[parent] is not None:
                    continue
                node = self.space.nodes[parent]
                assert isinstance(node, Decision)
                waiting[parent] -= 1  # children that are not yet in an attractor
                # Counts go on over all utilities of a side: MIN may be driven from one attractor into another that is
                # no worse for MAX.
                forces = (node.player == self.max_player) == (utility > self.price)
                if forces or not waiting[parent]:
                    self.values[parent], self.ranks[parent] = utility, rank + 1
                    queue.append(parent)


def best_child(play: Any, node: Node, children: Sequence[int], number: int, max_player: int) -> int:
    """The place among the children of a best action: it keeps the value, hurries an end that its player forces, and
    delays one that the other player forces."""
    assert isinstance(node, Decision)
    value = play.value(number)
    keeping = [k for k, child in enumerate(children) if play.value(child) == value]
    if play.rank(number) is None:
        return keeping[0]
    hurries = (value > play.price) == (node.player == max_player)

    def delay(position: int) -> int:
        rank: int = play.rank(children[position])
        return rank if hurries else -rank

    return min(keeping, key=delay)


def _parents(space: Exploration[Any]) -> list[list[int]]:
    """For every state its predecessors, each once for every action of it that leads to the state."""
    parents: list[list[int]] = [[] for _ in space.nodes]
    for number, children in enumerate(space.children):
        for child in children:
            parents[child].append(number)
    return parents
