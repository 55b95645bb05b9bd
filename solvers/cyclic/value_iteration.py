"""Bounds for zero-sum games in which chance and endless play meet: value iteration from below and from above.

The states are solved component by component, the last ones first. Within a component every state begins with a bound
below and one above that nothing in the component can pass, and is updated in turn: MAX's states to the greatest bound
of their children, MIN's to the least, chance nodes to the average, in floating point and rounded outwards. A value
always stays between its bounds. They meet unless play could stay in the component for ever.

Sources: Shapley, Stochastic games, PNAS 39, 1953; bounds from both sides: Haddad and Monmege, Interval iteration
algorithm for MDPs and IMDPs, Theoretical Computer Science 735, 2018.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gdl.game import Chance, Decision, Number, Terminal, require_number
from gdl.solvers.cyclic.play import Bounded
from gdl.states.components import strong_components
from gdl.states.explore import Exploration

TOLERANCE = 1e-12  # a component is done when all its bounds are as close as this, relative to the utilities
SWEEPS = 100_000  # of a component, at most
_EPSILON = 2.3e-16  # more than the rounding error of one operation


class Bounds(Bounded):
    """For every state of the game a lower and an upper bound on its value for MAX."""

    endless = True

    def __init__(self, space: Exploration[Any], max_player: int, price: Number, tick: Callable[[], None]):
        self.space = space
        self.max_player = max_player
        self.low = [float(price)] * len(space.nodes)
        self.high = [float(price)] * len(space.nodes)
        ends = [require_number(node.utilities[max_player]) for node in space.nodes if isinstance(node, Terminal)]
        self.scale = max(1.0, *(abs(float(u)) for u in (price, *ends)))
        self._weights = [_weights(node) for node in space.nodes]
        # 1 where MAX moves, -1 where MIN does, else 0.
        self._signs = [(1 if n.player == max_player else -1) if isinstance(n, Decision) else 0 for n in space.nodes]
        edges = dict(enumerate(space.children))
        for component in strong_components(range(len(space.nodes)), edges):
            tick()
            if len(component) > 1 or component[0] in edges[component[0]]:
                self._iterate(component, float(price), tick)
            else:
                self._update(component[0])

    def bounds(self, number: int) -> tuple[float, float]:
        return self.low[number], self.high[number]

    def choose(self, number: int) -> int:
        return self.best(self.space.children[number], self._signs[number] > 0)

    def _update(self, number: int) -> None:
        node, children = self.space.nodes[number], self.space.children[number]
        if isinstance(node, Terminal):
            utility = float(require_number(node.utilities[self.max_player]))
            slack = abs(utility) * _EPSILON
            self.low[number], self.high[number] = utility - slack, utility + slack
        elif isinstance(node, Chance):
            weights = self._weights[number]
            slack = 2 * (len(weights) + 2) * _EPSILON * self.scale
            self.low[number] = sum(w * self.low[c] for w, c in zip(weights, children, strict=True)) - slack
            self.high[number] = sum(w * self.high[c] for w, c in zip(weights, children, strict=True)) + slack
        else:
            best = max if self._signs[number] > 0 else min
            self.low[number] = best([self.low[child] for child in children])
            self.high[number] = best([self.high[child] for child in children])

    def _iterate(self, component: list[int], price: float, tick: Callable[[], None]) -> None:
        inside = frozenset(component)
        exits = [child for number in component for child in self.space.children[number] if child not in inside]
        low = min([price, *(self.low[child] for child in exits)])
        high = max([price, *(self.high[child] for child in exits)])
        for number in component:
            self.low[number], self.high[number] = low, high
        backwards = component[::-1]
        for _ in range(SWEEPS):
            tick()
            before = [(self.low[number], self.high[number]) for number in component]
            for number in backwards:
                self._update(number)
                self.low[number], self.high[number] = max(self.low[number], low), min(self.high[number], high)
            after = [(self.low[number], self.high[number]) for number in component]
            if after == before or all(h - lo <= TOLERANCE * self.scale for lo, h in after):
                return


def _weights(node: Any) -> list[float]:
    return [float(probability) for _, probability in node.outcomes] if isinstance(node, Chance) else []
