"""Exact values of zero-sum games in which chance and endless play meet: simple stochastic games with prices.

The states are solved component by component (those that play may come back to together), the last ones first. Within
a component:

1. Howard: with MAX's actions fixed, solve the linear equations of the expected payoffs; switch MIN to better actions
   and repeat until there are none.
2. Hoffman and Karp: switch MAX to better actions and go back to 1, until there are none. A state keeps its action
   unless another is strictly better, so no pair of strategies comes twice.
3. Where the players could stay in the component for ever, a strategy that looks optimal may only put the end off. There
   a further term tells who gains by an early end, or by none (gain_and_bias.py).

Sources: Howard, Dynamic Programming and Markov Processes, 1960; Hoffman and Karp, On nonterminating stochastic games,
Management Science 12, 1966; Condon, The complexity of stochastic games, Information and Computation 96, 1992.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from gdl.game import Chance, Decision, Number, Terminal, require_number
from gdl.solvers.cyclic.gain_and_bias import PROVED, PROVING, GainAndBias, Way
from gdl.solvers.cyclic.play import Play
from gdl.solvers.minimax.backward_induction import average
from gdl.states.components import end_components, strong_components
from gdl.states.explore import Exploration

LARGEST_COMPONENT = 400  # states
LONGEST_NUMBER = 12_000  # bits of a denominator


class TooLargeForExact(Exception):
    """The game has a component, or leads to numbers, too large for exact arithmetic."""


class Exact(Play):
    """The exact value of every state for MAX, and the position of a best action at every decision."""

    def __init__(self, space: Exploration[Any], max_player: int, price: Number, tick: Callable[[], None]):
        self.space = space
        self.endless = False  # whether the players could make play go on for ever
        self.max_player = max_player
        self.price = price
        self.tick = tick
        self.values: dict[int, Number] = {}
        self._choices: dict[int, int] = {}
        edges = dict(enumerate(space.children))
        for component in strong_components(range(len(space.nodes)), edges):
            tick()
            if len(component) == 1 and component[0] not in edges[component[0]]:
                self._solve_single_state(component[0])
            elif len(component) > LARGEST_COMPONENT:
                raise TooLargeForExact
            else:
                self._component(component)

    def value(self, number: int) -> Number:
        return self.values[number]

    def choose(self, number: int) -> int:
        return self._choices[number]

    def _solve_single_state(self, number: int) -> None:
        """Solve a state that play never comes back to, by one step of backward induction."""
        node, children = self.space.nodes[number], self.space.children[number]
        if isinstance(node, Terminal):
            value = require_number(node.utilities[self.max_player])
        elif isinstance(node, Chance):
            weights = [probability for _, probability in node.outcomes]
            (value,) = average(weights, [(self.values[child],) for child in children])
        else:
            assert isinstance(node, Decision)
            worth = [self.values[child] for child in children]
            value = max(worth) if node.player == self.max_player else min(worth)
            self._choices[number] = worth.index(value)
        if isinstance(value, Fraction) and value.denominator.bit_length() > LONGEST_NUMBER:
            raise TooLargeForExact
        self.values[number] = value

    def _component(self, members: list[int]) -> None:
        """Solve a component: states that play may come back to together."""
        nodes, children, inside = self.space.nodes, self.space.children, frozenset(members)
        acting = {n: node.player == self.max_player for n in members if isinstance(node := nodes[n], Decision)}
        options = {n: [(m,) for m in children[n]] if n in acting else [tuple(children[n])] for n in members}
        endless = bool(end_components(options))
        self.endless = self.endless or endless
        ways = {n: [self._way(n, after, inside) for after in options[n]] for n in members}
        play = GainAndBias(ways, acting, dict.fromkeys(members, 1), self.price, self.tick)
        play.improve(self.price, PROVING if endless else PROVED)
        values = {n: bias for n, (_, bias, *_) in play.values.items()}
        if any(Fraction(value).denominator.bit_length() > LONGEST_NUMBER for value in values.values()):
            raise TooLargeForExact
        self.values.update(values)
        self._choices.update(play.choices)

    def _way(self, number: int, after: tuple[int, ...], inside: frozenset[int]) -> Way:
        """A way on from a state of a component: the average value of the states outside that it leads to, and those
        inside."""
        node = self.space.nodes[number]
        weights = [probability for _, probability in node.outcomes] if isinstance(node, Chance) else [1]
        pairs = list(zip(weights, after, strict=True))
        known: Number = sum(weight * self.values[m] for weight, m in pairs if m not in inside)
        return known, [(weight, m) for weight, m in pairs if m in inside]
