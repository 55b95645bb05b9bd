"""Exact values of zero-sum games in which chance and endless play meet: simple stochastic games with prices.

The states are solved component by component (those that play may come back to together), the last ones first. Within
a component:

1. Begin with the actions that look best after some rounds of value iteration in floating point.
2. Howard: with MAX's actions fixed, solve the linear equations of the expected payoffs; switch MIN to better actions
   and repeat until there are none.
3. Hoffman and Karp: switch MAX to better actions and go back to 2, until there are none. A state keeps its action
   unless another is strictly better, so no pair of strategies comes twice.

Where the players could stay in the component for ever, a strategy that looks optimal may only put the end off. There
every step first ends the game with a small chance at the price of endless play; the strategies found are accepted when
they are proved optimal for the game itself, else the chance is made smaller (discounting: Blackwell 1962; that a small
enough chance serves: Liggett and Lippman 1969; Condon 1992). The proof of MAX's side: nobody has a better action in
the face of the values, and wherever MIN could keep play for ever the value is at most the price; MIN's is its mirror.

Sources: Howard, Dynamic Programming and Markov Processes, 1960; Hoffman and Karp, On nonterminating stochastic games,
Management Science 12, 1966; Condon, The complexity of stochastic games, Information and Computation 96, 1992.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from gdl.game import Chance, Decision, Number, Terminal, exact, require_number
from gdl.solvers.cyclic.play import Play
from gdl.solvers.minimax.backward_induction import average
from gdl.states.components import end_components, strong_components
from gdl.states.explore import Exploration
from gdl.states.linear import Equation, solve

Value = TypeVar("Value", bound=Number | tuple[Number, ...])

LARGEST_COMPONENT = 400  # states
LONGEST_NUMBER = 12_000  # bits of a denominator
GUESSING = 30  # rounds of value iteration before the exact work


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
                self._single(component[0])
            elif len(component) > LARGEST_COMPONENT:
                raise TooLargeForExact
            else:
                self._component(component)

    def value(self, number: int) -> Number:
        return self.values[number]

    def choose(self, number: int) -> int:
        return self._choices[number]

    def _single(self, number: int) -> None:
        """Solve a state that play never comes back to, by one step of backward induction."""
        node, children = self.space.nodes[number], self.space.children[number]
        if isinstance(node, Terminal):
            value = require_number(node.utilities[self.max_player])
        elif isinstance(node, Chance):
            weights = [probability for _, probability in node.outcomes]
            (value,) = average(weights, [(self.values[child],) for child in children])
        else:
            self._choices[number] = self.best(number, self.values)
            value = self.values[children[self._choices[number]]]
        if isinstance(value, Fraction) and value.denominator.bit_length() > LONGEST_NUMBER:
            raise TooLargeForExact
        self.values[number] = value

    def _component(self, members: list[int]) -> None:
        """Solve a component: states that play may come back to together."""
        component = _Component(self, members)
        self.endless = self.endless or component.endless
        values, choices = component.optimum()
        if any(value.denominator.bit_length() > LONGEST_NUMBER for value in values.values()):
            raise TooLargeForExact
        self.values.update({number: exact(value) for number, value in values.items()})
        self._choices.update(choices)

    def best(self, number: int, values: Mapping[int, Number | float], now: int = 0) -> int:
        """The place of the child that is best for the mover; the place `now` of the present choice, unless another is
        strictly better."""
        node, children = self.space.nodes[number], self.space.children[number]
        assert isinstance(node, Decision)
        sign = 1 if node.player == self.max_player else -1
        worth = [sign * (values[child] if child in values else self.values[child]) for child in children]
        most = max(worth)
        return now if worth[now] == most else worth.index(most)


def improve_choices(
    choices: dict[int, int],
    maximises: Mapping[int, bool],
    evaluate: Callable[[], Mapping[int, Value]],
    best: Callable[[int, Mapping[int, Value], int], int],
) -> Mapping[int, Value]:
    """Switch choices to better ones until nobody can, and return the values of the states then: `evaluate` gives them
    by the choices as they are, `best` the choice at a state by values, which stays unless another is strictly better.
    MIN answers fully before MAX moves on: if both switched at once, the values need not rise, and this might go in a
    circle."""
    while True:
        values = evaluate()
        for side in (False, True):
            before = {number: choices[number] for number in choices if maximises[number] is side}
            better = {number: best(number, values, choice) for number, choice in before.items()}
            choices |= better
            if better != before:
                break
        else:
            return values


class _Component:
    """One strongly connected component; the values of all states that play may leave it to are known."""

    def __init__(self, game: Exact, members: list[int]):
        self.game = game
        self.members = members
        self.inside = frozenset(members)
        self.movers = {n: node.player for n in members if isinstance(node := game.space.nodes[n], Decision)}
        self.chances = {n: node for n in members if isinstance(node := game.space.nodes[n], Chance)}
        self.endless = bool(end_components(self._options({})))

    def optimum(self) -> tuple[Mapping[int, Fraction], dict[int, int]]:
        """The exact value of every member, and the place of a best action at every decision."""
        if not self.endless:
            return self._iterate(Fraction(0))
        stop = Fraction(1, 2**16)
        while True:
            _, choices = self._iterate(stop)
            values = self._evaluate(choices, Fraction(0))
            if self._is_proved(values, choices):
                return values, choices
            stop *= stop

    def _iterate(self, stop: Fraction) -> tuple[Mapping[int, Fraction], dict[int, int]]:
        """Hoffman and Karp's strategy iteration for the game that ends with chance `stop` before every step."""
        choices = self._guess()
        maximises = {number: player == self.game.max_player for number, player in self.movers.items()}
        return improve_choices(choices, maximises, lambda: self._evaluate(choices, stop), self.game.best), choices

    def _guess(self) -> dict[int, int]:
        """A good beginning: the choices that look best after some rounds of value iteration. Correctness does not
        depend on it."""
        space, known_values = self.game.space, self.game.values
        around = {child for number in self.members for child in space.children[number]} - self.inside
        values = {child: float(known_values[child]) for child in around}
        values.update(dict.fromkeys(self.members, float(self.game.price)))
        weights = {n: [float(p) for _, p in node.outcomes] for n, node in self.chances.items()}
        for _ in range(GUESSING):
            for number in reversed(self.members):
                seen = [values[child] for child in space.children[number]]
                if number in weights:
                    values[number] = sum(weight * value for weight, value in zip(weights[number], seen, strict=True))
                else:
                    values[number] = max(seen) if self.movers[number] == self.game.max_player else min(seen)
        return {number: self.game.best(number, values) for number in self.movers}

    def _evaluate(self, choices: Mapping[int, int], stop: Fraction) -> dict[int, Fraction]:
        """The expected payoffs to MAX when everyone follows the choices, and the game ends with chance `stop` before
        every step."""
        self.game.tick()
        moves = {number: self._moves(number, choices) for number in self.members}
        leaving = self.inside if stop else self._leaving(moves)
        price = self.game.price
        equations = {}
        for number in self.members:
            if number not in leaving:
                continue
            constant = stop * price
            weights: dict[int, Number] = {}
            for weight, child in moves[number]:
                share = weight * (1 - stop)
                if child in leaving:
                    weights[child] = weights.get(child, 0) + share
                else:
                    constant += share * (price if child in self.inside else self.game.values[child])
            equations[number] = Equation(constant, weights)
        values = solve(equations)
        return {number: values.get(number, Fraction(price)) for number in self.members}

    def _moves(self, number: int, choices: Mapping[int, int]) -> list[tuple[Number, int]]:
        """The states that follow a state, with their probabilities, when everyone follows the choices."""
        children = self.game.space.children[number]
        if number in self.chances:
            outcomes = self.chances[number].outcomes
            return [(probability, child) for (_, probability), child in zip(outcomes, children, strict=True)]
        return [(1, children[choices[number]])]

    def _leaving(self, moves: Mapping[int, list[tuple[Number, int]]]) -> frozenset[int]:
        """The members from which play leaves the component with some chance; from all others it never does."""
        parents: dict[int, list[int]] = {}
        queue = []
        for number, pairs in moves.items():
            if any(child not in self.inside for _, child in pairs):
                queue.append(number)
            for _, child in pairs:
                parents.setdefault(child, []).append(number)
        met = set(queue)
        for number in queue:  # grows while it is walked
            fresh = [parent for parent in dict.fromkeys(parents.get(number, ())) if parent not in met]
            met.update(fresh)
            queue += fresh
        return frozenset(met)

    def _is_proved(self, values: Mapping[int, Fraction], choices: Mapping[int, int]) -> bool:
        """True if each player's choices secure the values by themselves."""
        if any(self.game.best(number, values, choices[number]) != choices[number] for number in self.movers):
            return False
        maximiser = self.game.max_player
        fixed_max = {number: k for number, k in choices.items() if self.movers[number] == maximiser}
        fixed_min = {number: k for number, k in choices.items() if self.movers[number] != maximiser}
        price = self.game.price
        return all(values[n] <= price for n in end_components(self._options(fixed_max))) and all(
            values[n] >= price for n in end_components(self._options(fixed_min))
        )

    def _options(self, fixed: Mapping[int, int]) -> dict[int, list[tuple[int, ...]]]:
        """The choices at each member of the component, each choice as the tuple of states that may follow. A decision
        in `fixed` has only the choice given there; chance has one choice, with all its outcomes."""
        options: dict[int, list[tuple[int, ...]]] = {}
        for number in self.members:
            children = self.game.space.children[number]
            if number in fixed:
                options[number] = [(children[fixed[number]],)]
            elif number in self.movers:
                options[number] = [(child,) for child in children]
            else:
                options[number] = [children]
        return options
