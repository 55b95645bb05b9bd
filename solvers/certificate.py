"""Certificates of a value: what each player does at every decision that their own strategy leaves open to the others.

Such a strategy proves a value from its player's side alone: with it fixed, the others' best reply is a search of the
positions it allows, and that is what the judge and the verifier do.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from gdl.game import Action, Chance, Decision, Game, Terminal
from gdl.solution import Mixture, Profile

LARGEST = 20_000  # information sets; an answer with more strategies than this is no longer readable by anyone
MANY_CHOICES = f"no strategies are listed: they have more than {LARGEST:,} choices"  # a note of such an answer

Choice = Callable[[Any, Decision], Action]  # what its mover does at a decision


def strategies(game: Game[Any], choices: tuple[Choice, ...]) -> Profile | None:
    """For each player, the choice at every decision that can be reached whatever the others and chance do.
    None if there are more than LARGEST such decisions."""
    profile: dict[str, dict[str, Mixture]] = {}
    room = LARGEST
    for player, name in enumerate(game.players):
        strategy = _strategy(game, player, choices[player], room)
        if strategy is None:
            return None
        profile[name] = strategy
        room -= len(strategy)
    return profile


def _strategy(game: Game[Any], player: int, choice: Choice, room: int) -> dict[str, Mixture] | None:
    start = game.initial()
    met: set[Hashable] = {start}
    queue = [start]
    strategy: dict[str, Mixture] = {}
    for state in queue:  # grows while it is walked
        node = game.node(state)
        if isinstance(node, Terminal):
            continue
        actions: tuple[Action, ...]
        if isinstance(node, Decision) and node.player == player:
            chosen = choice(state, node)
            strategy[game.describe(state, player)] = pure(node, chosen)
            if len(strategy) > room:
                return None
            actions = (chosen,)
        elif isinstance(node, Decision):
            actions = node.actions
        else:
            assert isinstance(node, Chance)
            actions = tuple(action for action, _ in node.outcomes)
        for action in actions:
            after = game.successor(state, action)
            if after not in met:
                met.add(after)
                queue.append(after)
    return strategy


def pure(node: Decision, chosen: Action) -> Mixture:
    """The mixture that plays one of the node's actions always."""
    return {action: int(action == chosen) for action in node.actions}
