"""The positions that may be the case, for all that a player knows: found from the rules and the player's information
set alone, never from the position that is the case.

1. Where the player sees everything, there is one.
2. Else play is followed from the start, which everybody knows. A ply is left out if after it the player would know
   something else than they came to know.
3. A play that ends at the player's information set, at a turn of theirs, is weighed by Bayes' rule: chance by its
   probabilities, choices of the others as if they were drawn evenly, the player's own as certain.
4. Where there are few such plays all are found; else single ones are drawn, each with its weight (sequential
   importance sampling). Where these all end in what the player knows to be false, as deals of many cards do, one is
   changed, an outcome of chance or a choice of another at a time, as long as it departs no earlier from what the player
   knows (local search); those that come to depart nowhere are taken as equally probable.

Sources: Russell and Norvig, Artificial Intelligence, section 5.6 (belief states of partially observable games); Doucet
and Johansen, A tutorial on particle filtering and smoothing, 2009, section 3.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from random import Random
from typing import NamedTuple

from gdl.game import Action, Chance, Decision, Node, actions
from gdl.states.sequential import Sequential, Turn

MOST_ACTIONS_FOLLOWED = 4_000  # actions that are looked at in order to find all positions that may be the case
LONGEST = 10_000  # plies of a play that is drawn

TINY = 1e-300  # more than what a float makes of the least probabilities
TRIED = 10  # changes of a play between two positions that are taken of it
NOWHERE, HERE = (-1.0, 0.0), (inf, 0.0)  # likeness of a play that leads nowhere, or to the state asked about

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


@dataclass(frozen=True)
class _Play:
    """A play from the start: its positions with the action taken in each, the last position, and how alike the player's
    knowledge there is to the knowledge given."""

    plies: list[tuple[Turn, Action]]
    end: Turn
    likeness: tuple[float, float]


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
                if self.looked_at > most:
                    return None
                if self._is_here(state):
                    ends[state] = ends.get(state, 0.0) + weight
                    lengths.add(len(layers) - 1)
                    continue
                for ply in self._possible_plies(state):
                    after[ply.after] += weight * ply.probability
            layers.append(after)
        return Belief(ends, self._moves_by_ply(layers[: lengths.pop()], set(ends)) if len(lengths) == 1 else None)

    def draw(self, random: Random) -> tuple[Turn, float] | None:
        """A position that may be the case, found by a random play, and its weight; None if that play does not lead to
        one."""
        state, weight = self.start, 1.0
        for _ in range(LONGEST):
            if self._is_here(state):
                return state, weight
            plies = self._possible_plies(state)
            if not plies:
                return None
            chances = [ply.probability for ply in plies]
            (ply,) = random.choices(plies, chances)
            weight *= sum(chances)
            state = ply.after
        return None

    def walk(self, random: Random, most: int) -> Iterator[Turn]:
        """Positions that may be the case, found by changing one action of a play at a time, until `most` more actions
        were looked at."""
        most += self.looked_at
        play = self._follow([], self.start, [], None, random)
        tried = 0
        while self.looked_at <= most:
            if play.likeness == HERE:
                if tried % TRIED == 0:
                    yield play.end
                tried += 1
            choices = [self._chances(state, self._node(state)) for state, _ in play.plies]
            several = [at for at, chances in enumerate(choices) if len(chances) > 1]
            if not several:
                return
            at = random.choice(several)
            before, old = play.plies[at]
            chances = {action: chance for action, chance in choices[at].items() if action != old}
            (new,) = random.choices(list(chances), list(chances.values()))
            after = self.game.successor(before, new)
            self.looked_at += 1
            if self._acts_until_now(after) is not None:
                later = [action for _, action in play.plies[at + 1 :]]
                other = self._follow([*play.plies[:at], (before, new)], after, later, old, random)
                play = max(other, play, key=lambda each: each.likeness)

    def _follow(
        self, plies: list[tuple[Turn, Action]], state: Turn, wanted: list[Action], freed: Action | None, random: Random
    ) -> _Play:
        """The play from a state on, as far as it agrees with the player's knowledge: by the `wanted` actions where they
        are possible, else by the action `freed` by a change, else by random ones."""
        nearest = NOWHERE
        while len(plies) < LONGEST:
            if self._is_here(state):
                return _Play(plies, state, HERE)
            chances = self._chances(state, self._node(state))
            drawn = {action: random.random() ** (1 / max(chance, TINY)) for action, chance in chances.items()}
            order = sorted(drawn, key=drawn.__getitem__, reverse=True)  # drawn one by one, by their probabilities
            first = [action for action in (*wanted[:1], freed) if action in chances]
            wanted = wanted[1:]
            for action in dict.fromkeys([*first, *order]):
                after = self.game.successor(state, action)
                if self._acts_until_now(after) is not None:
                    break
                nearest = max(nearest, self._likeness(after))
            else:
                return _Play(plies, state, nearest)
            plies, state, nearest = [*plies, (state, action)], after, NOWHERE
        return _Play(plies, state, NOWHERE)

    def _likeness(self, state: Turn) -> tuple[float, float]:
        """How far the player's knowledge in a position agrees with the knowledge given: for how many entries, and how
        little the next one differs."""
        return self.game.promises.likeness(self.game.information_set(state, self.player), self.known)

    def _is_here(self, state: Turn) -> bool:
        """True if it is the mover's turn in a position, with the knowledge given."""
        node = self._node(state)
        if not isinstance(node, Decision) or node.player != self.mover:
            return False
        return bool(self.game.information_set(state, self.player) == self.known)

    def _node(self, state: Turn) -> Node:
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
        node = self._node(state)
        player = node.player if isinstance(node, Decision) else None
        for action, probability in self._chances(state, node).items():
            after = self.game.successor(state, action)
            if self.sees_all or self._acts_until_now(after) is not None:
                yield PossiblePly(player, action, probability, after)

    def _chances(self, state: Turn, node: Node) -> dict[Action, float]:
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
