"""The positions that may be the case, for all that a player knows: found from the rules and the player's information
set alone, never from the position that is the case.

1. Where the player sees everything, there is one.
2. Else play is followed from the start, which everybody knows. A ply is left out if after it the player would know
   something else than they came to know.
3. A play that ends at the player's information set, at a turn of theirs, is weighed by Bayes' rule: chance by its
   probabilities, choices of the others as if they were drawn evenly, the player's own as certain.
4. Where there are few such plays all are found.

Source: Russell and Norvig, Artificial Intelligence, section 5.6 (belief states of partially observable games).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from gdl.errors.deadline import CLOCK
from gdl.game import Action, Chance, Decision, Node, actions
from gdl.states.sequential import Sequential, Turn

MOST_ACTIONS_FOLLOWED = 4_000  # actions that are looked at in order to find all positions that may be the case


Played = tuple[int | None, Action]  # whose ply it was (None: chance), and what was played


class PossiblePly(NamedTuple):
    """A ply that may have been played: its player (None: chance), its probability, and the position after it."""

    player: int | None
    action: Action
    probability: float
    after: Turn


@dataclass(frozen=True)
class Belief:
    """All possible positions with their weights, and for each ply the actions that may have been played there; None for
    these if plays of different lengths are possible."""

    weights: dict[Turn, float]
    played: tuple[frozenset[Played], ...] | None


class Possible:
    """The positions that are possible at a turn of the mover's, by all that a player knows in the state. Unless it is
    given, the mover is this player. With `whole`, by plays from the start even where the player knows the position."""

    def __init__(self, game: Sequential, state: Turn, player: int, whole: bool = False, mover: int | None = None):
        self.game = game
        self.player = player
        self.mover = player if mover is None else mover
        self.known = game.information_set(state, player)
        self.sees_all = self.known == state.state and not whole  # but not choices that are being made
        self.start = Turn(state.state, ()) if self.sees_all else game.initial()
        self.looked_at = 0  # actions, of positions that were met
        self.deadline = inf  # by the clock, for what is drawn
        self._nodes: dict[Turn, Node] = {}
        self._plies: dict[Turn, tuple[PossiblePly, ...]] = {}

    def known_to(self, player: int, state: Turn) -> Possible:
        """The positions that are possible at a turn of the same mover, by all that another player knows in a state."""
        other = Possible(self.game, state, player, mover=self.mover)
        other._nodes = self._nodes
        return other

    def all(self, most: int = MOST_ACTIONS_FOLLOWED) -> Belief | None:
        """Everything that may be the case; None if more than `most` actions would have to be looked at."""
        layers: list[dict[Turn, float]] = [{self.start: 1.0}]
        ends: dict[Turn, float] = {}
        lengths: set[int] = set()
        while layers[-1]:
            after: dict[Turn, float] = defaultdict(float)
            for state, weight in layers[-1].items():
                if self.looked_at > most or CLOCK.now() > self.deadline:
                    return None
                if self.is_here(state, self.node_at(state)):
                    ends[state] = ends.get(state, 0.0) + weight
                    lengths.add(len(layers) - 1)
                    continue
                for ply in self._possible_plies(state):
                    after[ply.after] += weight * ply.probability
            layers.append(after)
        return Belief(ends, self._moves_by_ply(layers[: lengths.pop()], set(ends)) if len(lengths) == 1 else None)

    def agreeing_successor(self, state: Turn, action: Action) -> Turn | None:
        """The position after an action; None if it does not agree with the player's knowledge."""
        self.looked_at += 1
        after = self.game.successor(state, action)
        return after if self.sees_all or self._acts_until_now(after) is not None else None

    def is_here(self, state: Turn, node: Node) -> bool:
        """True if it is the mover's turn at a node, with the knowledge given."""
        if not isinstance(node, Decision) or node.player != self.mover:
            return False
        return bool(self.game.information_set(state, self.player) == self.known)

    def node_at(self, state: Turn) -> Node:
        found = self._nodes.get(state)
        if found is None:
            found = self._nodes[state] = self.game.node(state)
            self.looked_at += 1 + len(actions(found))
        return found

    def _possible_plies(self, state: Turn) -> tuple[PossiblePly, ...]:
        """The plies that may have been played in a position."""
        found = self._plies.get(state)
        if found is None:
            found = self._plies[state] = tuple(self._possible(state))
        return found

    def _possible(self, state: Turn) -> Iterator[PossiblePly]:
        node = self.node_at(state)
        player = node.player if isinstance(node, Decision) else None
        for action, probability in self.chances_at(state, node).items():
            after = self.agreeing_successor(state, action)
            if after is not None:
                yield PossiblePly(player, action, probability, after)

    def chances_at(self, state: Turn, node: Node) -> dict[Action, float]:
        """The actions that may have been played at a node, with the probabilities by which they are weighed."""
        if isinstance(node, Chance):
            return {action: float(probability) for action, probability in node.outcomes}
        if not isinstance(node, Decision):
            return {}
        if node.player != self.player:
            return dict.fromkeys(node.actions, 1 / len(node.actions))
        acted = self._acts_until_now(state)
        return dict.fromkeys(acted[:1] if acted else node.actions, 1.0)

    def _acts_until_now(self, state: Turn) -> tuple[Action, ...] | None:
        """The player's own actions after a position, as the player remembers them; None if play cannot have come
        through it."""
        return self.game.promises.acts_until(state, self.player, self.known)

    def _moves_by_ply(self, layers: list[dict[Turn, float]], ends: set[Turn]) -> tuple[frozenset[Played], ...]:
        """The moves that may have been played at each ply of a play through the layers to one of the ends."""
        found: list[frozenset[Played]] = []
        reached = ends
        for layer in reversed(layers):
            ways = [(state, ply) for state in layer for ply in self._possible_plies(state) if ply.after in reached]
            found.append(frozenset((ply.player, ply.action) for _, ply in ways))
            reached = {state for state, _ in ways}
        return tuple(reversed(found))
