"""Positions that are possible for a player, drawn one by one where they are too many to find them all.

1. A play is drawn ply by ply, each weighed as in `gdl.states.possible` (sequential importance sampling).
2. What must come about at a later ply, such as a card that the player will hold, is learnt from plays that failed
   there, and drawn before it ever more seldom.
3. Where plays all end in what the player knows to be false, one is changed, an outcome of chance or a choice of another
   at a time, as long as it departs no earlier from what the player knows (local search); those that come to depart
   nowhere are taken as equally probable.

Where sets are dealt, 1. and 2. are done as `gdl.wings.hidden.dealt_things` says, as long as that finds something.

Source: Doucet and Johansen, A tutorial on particle filtering and smoothing, 2009, section 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf
from random import Random

from gdl.errors.deadline import CLOCK
from gdl.game import Action
from gdl.states.possible import Belief, Possible
from gdl.states.sequential import Turn
from gdl.wings.hidden.dealt_things import DealtPlays, dealt_plays

LONGEST = 10_000  # plies of a play that is drawn
FEW = 8  # actions of a ply that are all looked at whenever a play is drawn
RELUCTANT = 1 / 16  # factor of an action's probability for each play that failed as the action was needed later
IN_VAIN = 10  # plays of dealt things that fail one after the other, before no more are drawn
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

    def __init__(self, possible: Possible, keeps: bool = False, like: PlayDrawer | None = None):
        """With `keeps`, what is concluded of who was dealt what is of use in the next turn of the same play. Like
        another drawer, this one begins with what was concluded for another player."""
        self.possible = possible
        dealt = None if like is None else like._dealt
        self._dealt: DealtPlays | None = dealt_plays(possible, keeps, dealt)
        self._in_vain = 0  # plays of dealt things that failed one after the other
        self._agreeing: dict[int, frozenset[Action] | None] = {}  # by ply: those that agreed there; None: all did
        self._reluctance: dict[Action, float] = {}

    @property
    def draws_deals(self) -> bool:
        """True if plays are drawn by what is dealt."""
        return self._dealt is not None

    @property
    def is_countless(self) -> bool:
        """True if in an earlier turn of the play, or before in this one, there were too many positions to find all."""
        return self._dealt is not None and self._dealt.lessons.countless

    def find_all(self, seconds: float) -> Belief | None:
        """All positions that are possible; None if they are too many. Where things were dealt, there are so many
        seconds then to draw one of them."""
        found = None if self.is_countless else self.possible.all()
        if self._dealt is not None and found is None:
            self._dealt.lessons.countless, self.possible.deadline = True, CLOCK.now() + seconds
        return found

    def draw(self, random: Random) -> tuple[Turn, float] | None:
        """A position that may be the case, found by a random play, and its weight; None if that play does not lead to
        one, or the time is over."""
        dealt = None if self._dealt is None or self._in_vain == IN_VAIN else self._dealt.draw(random)
        self._in_vain = 0 if dealt is not None else min(IN_VAIN, self._in_vain + 1)
        if dealt is not None:
            return Turn(dealt[0], ()), dealt[1]
        state, weight, way = self.possible.start, 1.0, list[Action]()
        for ply in range(LONGEST):
            if CLOCK.now() > self.possible.deadline:
                break
            node = self.possible.game.node(state)
            if self.possible.is_here(state, node):
                return state, weight
            chances = self.possible.chances_at(state, node)
            self.possible.looked_at += len(chances)
            found = self._draw_ply(state, chances, ply, random)
            if found is None:
                needed = self._agreeing.get(ply) or frozenset()
                for action in needed.intersection(way):
                    self._reluctance[action] = RELUCTANT * self._reluctance.get(action, 1.0)
                return None
            action, factor, state = found
            weight *= factor
            way.append(action)
        return None

    def _draw_ply(
        self, state: Turn, chances: Mapping[Action, float], ply: int, random: Random
    ) -> tuple[Action, float, Turn] | None:
        """An action drawn among those that agree with the player's knowledge, by how it is weighed and the position
        after it; None if there is none. All are tried where they are few, or it is not known which agreed before."""
        known, reluctant = self._agreeing.get(ply, frozenset()), self._reluctance.get

        def draw_one(among: Mapping[Action, float]) -> tuple[Action, float]:
            eager = [max(TINY, chance * reluctant(action, 1.0)) for action, chance in among.items()]
            (action,) = random.choices(list(among), eager)
            return action, sum(eager) / max(TINY, reluctant(action, 1.0))

        among = chances if known is None else {action: chances[action] for action in known if action in chances}
        if among and len(chances) > FEW:
            action, factor = draw_one(among)
            after = self.possible.agreeing_successor(state, action)
            if after is not None:
                return action, factor, after
        if known and not among and len(chances) > FEW:
            return None
        tried = ((action, self.possible.agreeing_successor(state, action)) for action in chances)
        agreeing = {action: after for action, after in tried if after is not None}
        if not agreeing:
            return None
        self._agreeing[ply] = None if len(agreeing) == len(chances) else frozenset(agreeing)
        action, factor = draw_one({action: chances[action] for action in agreeing})
        return action, factor, agreeing[action]

    def walk(self, random: Random, most: int) -> Iterator[Turn]:
        """Positions that may be the case, found by changing one action of a play at a time, until `most` more actions
        were looked at."""
        most += self.possible.looked_at
        play = self._follow([], self.possible.start, [], None, random)
        tried = 0
        while self.possible.looked_at <= most and CLOCK.now() <= self.possible.deadline:
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
        while len(plies) < LONGEST and CLOCK.now() <= self.possible.deadline:
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
