"""Positions that are possible for a player, drawn one by one where they are too many to find them all.

1. A play is drawn ply by ply, each weighed as in `gdl.states.possible` (sequential importance sampling).
2. Where plays all end in what the player knows to be false, one is changed, an outcome of chance or a choice of another
   at a time, as long as it departs no earlier from what the player knows (local search); those that come to depart
   nowhere are taken as equally probable.

Source: Doucet and Johansen, A tutorial on particle filtering and smoothing, 2009, section 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from random import Random

from gdl.game import Action
from gdl.states.possible import Possible
from gdl.states.sequential import Turn

LONGEST = 10_000  # plies of a play that is drawn
TINY = 1e-300  # more than what a float makes of the least probabilities
TRIED = 10  # changes of a play between two positions that are taken of it
NOWHERE, HERE = (-1.0, 0.0), (inf, 0.0)  # likeness of a play that leads nowhere, or to the state asked about


@dataclass(frozen=True)
class _Play:
    """A play from the start: its positions with the action taken in each, the last position, and how alike the player's
    knowledge there is to the knowledge given."""

    plies: list[tuple[Turn, Action]]
    end: Turn
    likeness: tuple[float, float]


class PlayDrawer:
    """Draws plays to the positions that are possible for a player."""

    def __init__(self, possible: Possible):
        self.possible = possible

    def draw(self, random: Random) -> tuple[Turn, float] | None:
        """A position that may be the case, found by a random play, and its weight; None if that play does not lead to
        one."""
        state, weight = self.possible.start, 1.0
        for _ in range(LONGEST):
            node = self.possible.node_at(state)
            if self.possible.is_here(state, node):
                return state, weight
            chances = self.possible.chances_at(state, node)
            tried = ((chance, self.possible.agreeing_successor(state, action)) for action, chance in chances.items())
            agreeing = [(chance, after) for chance, after in tried if after is not None]
            if not agreeing:
                return None
            ((_, state),) = random.choices(agreeing, [chance for chance, _ in agreeing])
            weight *= sum(chance for chance, _ in agreeing)
        return None

    def walk(self, random: Random, most: int) -> Iterator[Turn]:
        """Positions that may be the case, found by changing one action of a play at a time, until `most` more actions
        were looked at."""
        most += self.possible.looked_at
        play = self._follow([], self.possible.start, [], None, random)
        tried = 0
        while self.possible.looked_at <= most:
            if play.likeness == HERE:
                if tried % TRIED == 0:
                    yield play.end
                tried += 1
            choices = [self.possible.chances_at(state, self.possible.node_at(state)) for state, _ in play.plies]
            several = [at for at, chances in enumerate(choices) if len(chances) > 1]
            if not several:
                return
            at = random.choice(several)
            before, old = play.plies[at]
            chances = {action: chance for action, chance in choices[at].items() if action != old}
            (new,) = random.choices(list(chances), list(chances.values()))
            after = self.possible.agreeing_successor(before, new)
            if after is not None:
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
            node = self.possible.node_at(state)
            if self.possible.is_here(state, node):
                return _Play(plies, state, HERE)
            chances = self.possible.chances_at(state, node)
            drawn = {action: random.random() ** (1 / max(chance, TINY)) for action, chance in chances.items()}
            order = sorted(drawn, key=drawn.__getitem__, reverse=True)  # drawn one by one, by their probabilities
            first = [action for action in (*wanted[:1], freed) if action in chances]
            wanted = wanted[1:]
            for action in dict.fromkeys([*first, *order]):
                agreeing = self.possible.agreeing_successor(state, action)
                if agreeing is not None:
                    break
                nearest = max(nearest, self._likeness(self.possible.game.successor(state, action)))
            else:
                return _Play(plies, state, nearest)
            plies, state, nearest = [*plies, (state, action)], agreeing, NOWHERE
        return _Play(plies, state, NOWHERE)

    def _likeness(self, state: Turn) -> tuple[float, float]:
        """How far the player's knowledge in a position agrees with the knowledge given: for how many entries, and how
        little the next one differs."""
        game, player = self.possible.game, self.possible.player
        return game.promises.likeness(game.information_set(state, player), self.possible.known)
