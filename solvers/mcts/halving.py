"""Sequential halving: which action of the root a simulation goes to, where there are but few simulations.

1. Those actions are considered to which the net gives the greatest shares P: eight, or half as many as there are
   simulations.
2. They are tried equally often; then the better half of them, again and again, down to two. Better is what has the
   greater ln P + (50 + n) Q / 5: n are the most visits of an action, Q is its mean worth, from -1 to 1.
3. The best of these is the answer.

Source: Danihelka, Guez, Schrittwieser and Silver, Policy improvement by planning with Gumbel, ICLR 2022 (without its
noise, which is for learning); Karnin, Koren and Somekh, Almost optimal exploration in multi-armed bandits, ICML 2013.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gdl.solvers.mcts.uct_nodes import ln

MOST_HALVED_SIMULATIONS = 32  # simulations that are spent so, at most
CONSIDERED = 8  # actions, at most
SURE, SCALE = 50.0, 0.2  # how a value is weighed against the logarithm of a share
_ONE = 1 << 30  # a share of 1 as a whole number, whose logarithm every engine finds alike


class Halving:
    """What is considered at the root, whose children a net has looked at."""

    def __init__(self, children: Sequence[Any], player: int, simulations: int):
        self._children, self._player, self._simulations = children, player, simulations
        self._base = [ln(float(int(child.prior * _ONE) + 1)) for child in children]
        ranked = sorted(range(len(children)), key=lambda way: -self._base[way])
        self._ways = ranked[: min(CONSIDERED, max(1, simulations // 2))]
        self._times = max(1, (len(self._ways) - 1).bit_length())
        self._turn, self._each = 0, self._share()

    def _share(self) -> int:
        """How often each of those considered is to be tried before they are halved."""
        return max(1, self._simulations // (self._times * len(self._ways)))

    def next(self) -> int | None:
        """The number of the action that comes next; None where those that are considered are all proven."""
        while not all(self._children[way].proven for way in self._ways):
            if self._turn < len(self._ways):
                way = self._ways[self._turn]
                self._turn += 1
                if not self._children[way].proven:
                    return way
                continue
            self._turn = 0
            self._each -= 1
            if self._each == 0:
                self._sort()
                if len(self._ways) > 2:
                    del self._ways[len(self._ways) // 2 :]
                self._each = self._share()
        return None

    def best(self) -> int | None:
        """The number of the best action; None where another way to choose is needed."""
        self._sort()
        child = self._children[self._ways[0]]
        return self._ways[0] if child.N and not child.inferior else None

    def _sort(self) -> None:
        sigma = (SURE + float(max(child.N for child in self._children))) * SCALE

        def score(way: int) -> float:
            child = self._children[way]
            return self._base[way] + (sigma * (child.total[self._player] / float(child.N)) if child.N else 0.0)

        self._ways.sort(key=score, reverse=True)
