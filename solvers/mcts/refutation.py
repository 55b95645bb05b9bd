"""Refutation of actions by a short exact search: random simulations may not have met the one good reply.

An action of whoever moves is refuted where the others can force its player down to the least utility that the file
promises or the rules prove, within a few plies, as some hundred positions show it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from gdl.errors import LimitReached
from gdl.game import Action, Decision, Game, Number, Terminal, require_number, surely_at
from gdl.solvers.budget import Budget

PLIES = 3  # after the action: a reply, an answer to it, and the end
POSITIONS = 500  # of all actions together: seconds where the rules are slow
SECONDS = 0.3  # that a refutation may take, where the time is limited
SHARE = 0.1  # of that time that it may take


class RefutingTree(Protocol):
    """A tree of the compiled engine that can also count refuted actions."""

    def count_refuted(
        self, ways: Sequence[int], least: Number, positions: int, seconds: float | None
    ) -> int | None: ...


def refutation_seconds(time: float | None) -> float:
    """The seconds that a refutation may take, given the time for the whole search."""
    return SECONDS if time is None else min(SECONDS, SHARE * time)


def refuted_actions(
    game: Game[Any], actions: Sequence[Action], seconds: float | None = None, tree: RefutingTree | None = None
) -> list[Action]:
    """The given actions, in order, that are proved to lose, up to the first that is not or until the seconds
    are spent. With a tree the compiled engine proves it."""
    start = game.initial()
    node = game.node(start)
    least = surely_at(game, start)
    if not isinstance(node, Decision) or (lost := least[node.player][0]) is None:
        return []
    if tree is not None:
        known = {action: number for number, action in enumerate(node.actions)}
        count = tree.count_refuted([known[action] for action in actions], lost, POSITIONS, seconds)
        if count is not None:
            return list(actions[:count])
    return list(_refute_by_rules(game, start, node.player, lost, actions, Budget(POSITIONS, seconds)))


def _refute_by_rules(
    game: Game[Any], start: Any, player: int, least: Number, actions: Sequence[Action], budget: Budget
) -> Iterator[Action]:
    """The actions that are refuted, up to the first that is not, or until the budget is spent; found by playing by the
    rules in Python. `least`: the utility to which the others must bring the player down."""
    for action in actions:
        try:
            lost = _loses(game, game.successor(start, action), player, least, PLIES, budget)
        except LimitReached:
            return
        if not lost:
            return
        yield action


def _loses(game: Game[Any], state: Any, player: int, least: Number, plies: int, budget: Budget) -> bool:
    """True if within `plies` the others can bring the player down to the least utility, whatever the player does."""
    budget.visit()
    node = game.node(state)
    if isinstance(node, Terminal):
        return require_number(node.utilities[player]) <= least
    if not isinstance(node, Decision) or plies == 0:
        return False
    every = all if node.player == player else any
    return every(
        _loses(game, game.successor(state, action), player, least, plies - 1, budget) for action in node.actions
    )
