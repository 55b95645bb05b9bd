"""The value of every state of a solved game: what play from there on is worth to each player.

1. All states are collected.
2. Where everybody sees everything and nobody moves at once, values go back from the ends: the mover takes the best
   action, the first of equals; chance averages. Where positions can come again, retrograde analysis gives the values
   of a zero-sum game; without a price of endless play, of those states where no price makes a difference.
3. In any other game that ends, a state is worth what the strategies of the answer pay from there on.

Values count only where they give the start the value of the answer: an equilibrium need not be the one of step 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from math import prod
from operator import itemgetter
from typing import Any

from gdl.errors import GameError, LimitReached, Refusal
from gdl.game import Chance, Decision, Game, Node, Number, Simultaneous, Terminal, exact, require_number
from gdl.solution import Path, Solution, Vector
from gdl.solvers.cyclic.cyclic import RETROGRADE
from gdl.solvers.cyclic.spaces import Explored
from gdl.solvers.minimax.windows import constant_sum_vector, max_player
from gdl.solvers.needs import Watch
from gdl.states.explore import Exploration, Move, choosers, explore, moves, topological_order

MOST_STATES = 200_000  # that are collected

Numbers = tuple[Number, ...]


class StateValues(Mapping[Any, Numbers]):
    """The values of an answer: those that the search listed, by their paths, which alone are counted and gone through;
    and of any state of the game, packed or not, which are found when the first of them is asked for."""

    def __init__(
        self, listed: Mapping[Path, Numbers], game: Game[Any], solution: Solution, pack: Callable[[Any], Any]
    ):  # fmt: skip
        """`pack` gives, of any state, that of the game, whose states are packed perhaps."""
        self._listed, self.game, self.solution, self._pack = listed, game, solution, pack

    @cached_property
    def by_state(self) -> Mapping[Any, Numbers]:
        """The values by the states of the game."""
        return state_values(self.game, self.solution)

    def __getitem__(self, state: Any) -> Numbers:
        if state in self._listed:
            return self._listed[state]
        found = self.by_state.get(self._pack(state))
        if found is None:
            raise KeyError(f"the answer{'' if self.solution.exact else ', an estimate,'} gives this state no value")
        return Vector(found).name_players(self.game.players)

    def __iter__(self) -> Iterator[Path]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self.solution, "values")


def state_policy(
    game: Game[Any], solution: Solution, values: Mapping[Any, Numbers], state: Any
) -> list[dict[str, Any]]:
    """For each player the probability of each action that they have in a state, as the strategies of the answer play
    there; {} for one who has none. Where they say nothing, and everybody sees everything in a game that ends: the first
    of the best actions, by the values. Raises KeyError where neither is known."""
    node, profile = game.node(state), solution.strategy or next(iter(solution.equilibria), {})
    played: list[dict[str, Any]] = [{} for _ in game.players]
    for player in choosers(node):
        actions = node.actions if isinstance(node, Decision) else node.actions[player]  # type: ignore[union-attr]
        mixture = profile.get(game.players[player], {}).get(game.describe(state, player))
        if mixture is None and state == game.initial() and solution.best:
            mixture = {solution.best[0]: 1}
        if mixture is None and isinstance(node, Decision) and game.traits.cyclic is False:
            worth = {action: values[game.successor(state, action)][player] for action in actions}
            mixture = {max(actions, key=worth.__getitem__): 1}
        if mixture is None:
            raise KeyError("the answer does not say how to play in this state")
        played[player] = {action: mixture.get(action, 0) for action in actions}
    return played


def state_values(game: Game[Any], solution: Solution) -> dict[Any, Numbers]:
    """The value of every state of the game, as far as an exact answer determines it; {} where it is not exact, or the
    states are too many."""
    worth = solution.value if solution.value is not None else next(iter(solution.payoffs), None)
    if not solution.exact or worth is None:
        return {}
    with suppress(GameError, LimitReached, Refusal):
        found = explore(game, MOST_STATES)
        for values in _ways(game, solution, found):
            if values.get(0) == tuple(worth):
                return {found.states[number]: value for number, value in values.items()}
    return {}


def _ways(game: Game[Any], solution: Solution, found: Exploration[Any]) -> Iterator[dict[int, Numbers]]:
    """The values of the states by their numbers, by best play and by the strategies of the answer."""
    order = topological_order(found.children)[::-1]
    if len(order) < len(found.children):
        order = []  # one follows itself
    if game.traits.perfect_information and not any(isinstance(node, Simultaneous) for node in found.nodes):
        yield _by_best_play(found, order) if order else _by_retrograde(game, found)
    if order:
        yield _by_strategies(game, solution, found, order)


def _by_best_play(found: Exploration[Any], order: Sequence[int]) -> dict[int, Numbers]:
    values: dict[int, Numbers] = {}
    for number in order:
        node, below = found.nodes[number], [values[child] for child in found.children[number]]
        best = max(below, key=itemgetter(node.player)) if isinstance(node, Decision) else None
        values[number] = best or _value(node, below, [])
    return values


def _by_retrograde(game: Game[Any], found: Exploration[Any]) -> dict[int, Numbers]:
    maximiser = max_player(game)
    space = Explored(game, found, maximiser, Watch(RETROGRADE.name, RETROGRADE.needs, game))
    price, ends = game.promises.forever, space.utilities()
    prices = {min(0, *ends), max(0, *ends)} if price is None else {require_number(price[maximiser])}
    plays = [space.best_play(each, lambda: None) for each in prices]
    return {
        number: constant_sum_vector(game, maximiser, plays[0].value(number), space.constant_sum)
        for number in range(space.size)
        if not any(play.error(number) for play in plays) and len({play.value(number) for play in plays}) == 1
    }


def _by_strategies(
    game: Game[Any], solution: Solution, found: Exploration[Any], order: Sequence[int]
) -> dict[int, Numbers]:
    profile = solution.strategy or next(iter(solution.equilibria), {})
    values: dict[int, Numbers] = {}
    for number in order:
        node, state, below = found.nodes[number], found.states[number], found.children[number]
        sets = {player: game.describe(state, player) for player in choosers(node)}
        mixtures = {player: profile.get(game.players[player], {}).get(name) for player, name in sets.items()}
        weights = [
            exact(prod(Fraction((mixture or {}).get(_part(move, player), 0)) for player, mixture in mixtures.items()))
            for move in moves(node)
        ]
        taken = [child for child, weight in zip(below, weights, strict=True) if weight or not mixtures]
        if all(mixture is not None for mixture in mixtures.values()) and all(child in values for child in taken):
            values[number] = _value(node, [values.get(child, (0,) * len(game.players)) for child in below], weights)
    return values


def _part(move: Move, player: int) -> str:
    """The action of a player in a move, which may be a joint one."""
    return move if isinstance(move, str) else move[player]


def _value(node: Node, below: Sequence[Numbers], weights: Sequence[Number]) -> Numbers:
    """The utilities of an end; else the average of the values of its children, at these weights, or those of chance."""
    if isinstance(node, Terminal):
        return tuple(require_number(utility) for utility in node.utilities)
    if isinstance(node, Chance):
        weights = [require_number(chance) for _, chance in node.outcomes]
    columns = zip(*below, strict=True)
    return tuple(exact(sum(w * worth for w, worth in zip(weights, column, strict=True))) for column in columns)
