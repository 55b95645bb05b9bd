"""Games made from games: the same game unrolled into a tree, paid otherwise, seats swapped, actions listed backwards.

What a solver answers of the one says what it must answer of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import cached_property
from typing import Any

from gdl.errors import LimitReached
from gdl.game import NO_ENGINE, Bounds, Chance, Decision, Game, Node, Number, Simultaneous, Terminal, Traits, Unknown
from gdl.interpreter.explicit_game import TreeGame
from gdl.interpreter.position import Continuation
from gdl.model.games import TreeModel, TreeNode
from gdl.states.explore import reachable_traits
from gdl.states.sequential import Sequential


class Around(Continuation):
    """A wrapper that leaves the game as it is. Each subclass changes one thing."""

    def __init__(self, game: Game[Any]):
        super().__init__(game, game.initial())
        self.engine = NO_ENGINE
        self.promises = replace(
            self.promises, proved=tuple, proved_of_estimates=tuple, listed=dict
        )  # those are of the game as it was

    @cached_property
    def traits(self) -> Traits:
        return reachable_traits(self)


class Paid(Around):
    """The game with each utility u of player p replaced by `pay(p, u)`, which must grow with u."""

    def __init__(self, game: Game[Any], pay: Callable[[int, Number], Number]):
        super().__init__(game)
        self.pay = pay
        inner = game.promises
        self.promises = replace(
            inner,
            forever=None if inner.forever is None else self._paid(inner.forever),
            bounds=lambda state: self._between(inner.bounds(state) or ()) or None,
            proved=lambda: self._between(inner.proved()),
            proved_of_estimates=lambda: self._between(inner.proved_of_estimates()),
            listed=dict,
        )

    def node(self, state: Any) -> Node:
        node = self.game.node(state)
        return Terminal(self._paid(node.utilities)) if isinstance(node, Terminal) else node

    def evaluate(self, state: Any) -> tuple[Number, ...] | None:
        estimate = self.game.evaluate(state)
        return None if estimate is None else self._paid(estimate)

    def _between(self, pairs: Bounds) -> Bounds:
        paid = [[None if end is None else self.pay(p, end) for end in pair] for p, pair in enumerate(pairs)]
        return tuple((low, high) for low, high in paid)

    def _paid(self, utilities: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(u if isinstance(u, Unknown) else self.pay(p, u) for p, u in enumerate(utilities))


class Swapped(Around):
    """The game with its players in reverse order."""

    def __init__(self, game: Game[Any]):
        super().__init__(game)
        self.players = game.players[::-1]
        inner = game.promises
        self.promises = replace(
            self.promises,
            forever=None if inner.forever is None else inner.forever[::-1],
            bounds=lambda state: (inner.bounds(state) or ())[::-1] or None,
        )

    def node(self, state: Any) -> Node:
        node = self.game.node(state)
        if isinstance(node, Decision):
            return Decision(self.seat(node.player), node.actions)
        if isinstance(node, Terminal):
            return Terminal(node.utilities[::-1])
        return Simultaneous(node.actions[::-1]) if isinstance(node, Simultaneous) else node

    def successor(self, state: Any, action: Any) -> Any:
        return self.game.successor(state, action if isinstance(action, str) else action[::-1])

    def information_set(self, state: Any, player: int) -> Hashable:
        return self.game.information_set(state, self.seat(player))

    def describe(self, state: Any, player: int) -> str:
        return self.game.describe(state, self.seat(player))

    def evaluate(self, state: Any) -> tuple[Number, ...] | None:
        estimate = self.game.evaluate(state)
        return None if estimate is None else estimate[::-1]

    def seat(self, player: int) -> int:
        return len(self.players) - 1 - player


class Backwards(Around):
    """The game with actions and outcomes listed from the last to the first."""

    def node(self, state: Any) -> Node:
        node = self.game.node(state)
        if isinstance(node, Decision):
            return Decision(node.player, node.actions[::-1])
        if isinstance(node, Chance):
            return Chance(node.outcomes[::-1])
        if isinstance(node, Simultaneous):
            return Simultaneous(tuple(actions[::-1] for actions in node.actions))
        return node


def unrolled(game: Game[Any], limit: int) -> TreeGame:
    """The game as an explicit tree of its histories, simultaneous moves as turns taken unseen; LimitReached beyond
    `limit` nodes. An information set is called by its player and its name; where nothing is hidden there are none, and
    every history can be told from the others."""
    turns = Sequential(game)
    nodes: list[TreeNode] = []
    waiting = [turns.initial()]
    for state in waiting:  # grows while it is walked: breadth first, so that parents stand before children
        if len(waiting) > limit:
            raise LimitReached(f"{game.name} has more than {limit} histories")
        actions, fields = _fields(turns, state, not game.traits.perfect_information)
        children = tuple(range(len(waiting), len(waiting) + len(actions)))
        waiting.extend(turns.successor(state, action) for action in actions)
        nodes.append(TreeNode(**fields, evaluation=turns.evaluate(state), actions=actions, children=children))
    return TreeGame(TreeModel(game.name, game.players, tuple(nodes)))


def _fields(turns: Sequential, state: Any, hidden: bool) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The moves at the last state of a history, and the fields of its TreeNode."""
    node = turns.node(state)
    if isinstance(node, Terminal):
        return (), {"kind": "terminal", "utilities": node.utilities}
    if isinstance(node, Chance):
        actions, probabilities = zip(*node.outcomes, strict=True)
        return actions, {"kind": "chance", "probabilities": probabilities}
    assert isinstance(node, Decision)
    name = set_name(turns.players[node.player], turns.describe(state, node.player)) if hidden else None
    return node.actions, {"kind": "decision", "player": node.player, "information_set": name}


def set_name(player: str, name: str) -> str:
    """The name of a player's information set in an unrolled tree."""
    return f"{player}: {name}"
