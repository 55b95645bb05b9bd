"""Certificates of a value: what each player does at every decision that their own strategy leaves open to the others.

Such a strategy proves a value from its player's side alone: with it fixed, the others' best reply is a search of the
positions it allows, and that is what the judge and the verifier do.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import chain
from typing import Any

from gdl.game import Action, Decision, Game, actions
from gdl.solution import Mixture, Profile

MOST_CHOICES = 20_000  # information sets; an answer with more strategies than this is no longer readable by anyone
MANY_CHOICES = f"no strategies are listed: they have more than {MOST_CHOICES:,} choices"  # its note
MOST_WALKED = 5 * MOST_CHOICES  # positions between the ends, where some are chance's
MANY_POSITIONS = f"no strategies are listed: there are more than {MOST_WALKED:,} positions to look at"
UNLISTED = "no strategies are listed: the time was over when the value was found"  # another note
UNTIED = "whether other actions are as good was too long to prove"  # another note

Look = Callable[[], None]
Choice = Callable[[Any, Decision], Action]  # a pure strategy: the action that the mover takes at a state


def strategies(game: Game[Any], choices: tuple[Choice, ...], look: Look = lambda: None) -> Profile | None:
    """For each player, the choice at every decision that can be reached whatever the others and chance do.
    None if there are more than MOST_CHOICES such decisions. `look` is called at every position, and may stop the
    work."""
    return _profile(
        game, chain.from_iterable(_chosen_mixtures(game, choice, own, look) for own, choice in enumerate(choices))
    )


def everyone_chooses(game: Game[Any], choice: Choice, look: Look = lambda: None) -> Profile | None:
    """Everyone's choice at every decision of the game, breadth first. None if there are more than MOST_CHOICES. `look`
    is called at every position, and may stop the work."""
    return _profile(game, _chosen_mixtures(game, choice, None, look))


def _profile(game: Game[Any], chosen: Iterable[tuple[int, str, Mixture]]) -> Profile | None:
    profile: dict[str, dict[str, Mixture]] = {name: {} for name in game.players}
    for player, name, mixture in chosen:
        profile[game.players[player]][name] = mixture
        if sum(map(len, profile.values())) > MOST_CHOICES:
            return None
    return profile


def _chosen_mixtures(
    game: Game[Any], choice: Choice, own: int | None, look: Look
) -> Iterator[tuple[int, str, Mixture]]:
    """For each decision: who moves, the information set, and the mixture chosen there. With `own`, only decisions of
    that player that the player's own choices allow."""
    queue = [game.initial()]
    met: set[Hashable] = set(queue)
    for state in queue:  # grows while it is walked
        look()
        node = game.node(state)
        followed = actions(node)
        if isinstance(node, Decision) and own in (None, node.player):
            chosen = choice(state, node)
            yield node.player, game.describe(state, node.player), pure(node, chosen)
            followed = followed if own is None else (chosen,)
        for action in followed:
            after = game.successor(state, action)
            if after not in met:
                met.add(after)
                queue.append(after)


def pure(node: Decision, chosen: Action) -> Mixture:
    """The mixture that always plays the chosen action of the node."""
    return {action: int(action == chosen) for action in node.actions}
