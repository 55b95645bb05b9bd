"""Monte-Carlo tree search over information sets: what to do where something is hidden, from samples of what may be so.

1. Positions that may be the case are found from the rules and what the player knows (`gdl.states.possible`), all of
   them or a sample, each with its weight.
2. Every simulation begins at one of them. Whoever moves looks at their own information set alone, which is the same for
   all positions that they cannot tell apart; so nobody, in the search either, acts on what they do not know. They take
   the action with the greatest upper confidence bound there, or, some of the time, one drawn by the visits so far
   (Smooth UCT: else players who learn at the same time follow each other in circles). Chance draws an outcome. At an
   information set that is new, everyone goes on at random to the end.
3. Every information set on the way counts one more visit of the action that was taken there, and adds its mover's
   utility.
4. The player's action is drawn by the visits it has had; those with few are left out (thresholding).

This is a heuristic: in games of hidden information it need not come near an equilibrium, however long it goes on.

Sources: Cowling, Powley and Whitehouse, Information set Monte Carlo tree search, IEEE Transactions on Computational
Intelligence and AI in Games 4, 2012 (a tree for each player: MO-ISMCTS); UCB1: Auer, Cesa-Bianchi and Fischer, 2002;
Heinrich and Silver, Smooth UCT search in computer poker, IJCAI 2015; Ganzfried, Sandholm and Waugh, Strategy
purification and thresholding, AAMAS 2012.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from random import Random
from time import monotonic

from gdl.errors import Refusal
from gdl.game import Action, Chance, Decision, Node, Terminal, known
from gdl.states.possible import Possible
from gdl.states.sequential import Turn

SAMPLE = 100  # positions that are drawn where there are too many to weigh all
LOOKED_AT = 20_000  # actions that are looked at to draw them
DRAWING = 0.3  # share of the time for that
LONGEST = 1_000  # plies of a simulation; one that is longer counts what the file says of endless play, or 0
CURIOUS = 0.4  # share of the choices that are made by the bound; the others are drawn by the visits
SELDOM = 0.2  # an action that was visited less, as a share of the most visited one, is not played


@dataclass
class Tried:
    """What has been tried at an information set: visits and the mover's total utility, action by action."""

    actions: Sequence[Action]
    visits: list[int] = field(init=False)
    totals: list[float] = field(init=False)

    def __post_init__(self) -> None:
        self.visits = [0] * len(self.actions)
        self.totals = [0.0] * len(self.actions)


@dataclass(frozen=True)
class Advice:
    """What simulations say of a turn: visits and mean utility of the mover for each action, in the order of the node;
    from how many simulations of how many positions, and whether these were all that may be the case."""

    actions: tuple[Action, ...]
    visits: tuple[int, ...]
    means: tuple[float, ...]
    simulations: int
    positions: int
    complete: bool

    @property
    def best(self) -> int:
        """The number of the most visited action, the first of equals."""
        return self.visits.index(max(self.visits))

    def mixture(self) -> dict[Action, int]:
        """The actions that are played, by their visits."""
        least = SELDOM * max(self.visits)
        return {
            action: count for action, count in zip(self.actions, self.visits, strict=True) if count and count >= least
        }


class Search:
    """The information sets of all players that simulations have come to, for the player whose turn it is in `state`.
    Of the state itself nothing is used but what the player knows there."""

    def __init__(self, possible: Possible, seed: int):
        self.possible = possible
        self.game = possible.game
        self.random = Random(seed)
        self.tried: dict[tuple[int, Hashable], Tried] = {}
        self.low: list[float] = []  # the least and greatest utilities that were met, one per player
        self.high: list[float] = []
        self.simulations = 0
        self.positions: list[Turn] = []
        self.complete = False
        self._shares: list[float] = []  # of the positions, added up

    def advise(self, simulations: int | None = None, time: float | None = None) -> Advice | None:
        """What so many simulations, or those that can be made in so many seconds, say; None where no position was
        found that may be the case."""
        deadline = math.inf if time is None else monotonic() + time
        self._find(math.inf if time is None else monotonic() + DRAWING * time)
        if not self.positions:
            return None
        compiled = self.compiled(deadline) if simulations is None else None
        if compiled is not None:
            return compiled
        while not self.simulations or (self.simulations != simulations and monotonic() < deadline):
            (start,) = self.random.choices(self.positions, cum_weights=self._shares)
            self._simulate(start)
        found = self.tried[self.possible.player, self.possible.known]
        means = [total / max(1, count) for total, count in zip(found.totals, found.visits, strict=True)]
        return Advice(
            tuple(found.actions), tuple(found.visits), tuple(means),
            self.simulations, len(self.positions), self.complete,
        )  # fmt: skip

    def compiled(self, deadline: float, simulations: int | None = None) -> Advice | None:
        """The same by the compiled engine, until the time is over or so many are made; None where it does not take the
        game, or the players are in the middle of a move at once."""
        engine = self.game.game.engine
        if any(turn.chosen for turn in self.positions) or not engine.offers("information sets") or not engine.fast:
            return None
        try:
            search = engine.search("information sets")
        except Refusal:
            return None
        shares = [share - before for before, share in pairwise([0.0, *self._shares])]
        states = [turn.state for turn in self.positions]
        search.begin(states[: search.most], shares, self.random.getrandbits(63), simulations)
        for _ in search:
            if monotonic() > deadline:
                break
        player, known = self.possible.player, self.possible.known
        visits, totals = search.tried(player, known)
        if not any(visits):
            return None
        self.simulations = search.nodes
        node = self.game.node(self.positions[0])
        assert isinstance(node, Decision)
        means = tuple(total / max(1, count) for total, count in zip(totals, visits, strict=True))
        return Advice(node.actions, visits, means, search.nodes, len(self.positions), self.complete)

    def _find(self, deadline: float) -> None:
        """Find the positions to begin at."""
        belief = self.possible.all()
        weights = {} if belief is None else belief.weights
        self.complete = belief is not None
        drawn = 0
        before = self.possible.looked_at
        while belief is None and drawn < SAMPLE and monotonic() < deadline:
            found = self.possible.draw(self.random)
            drawn += 1
            if found is not None:
                weights[found[0]] = weights.get(found[0], 0.0) + found[1]
            if weights and self.possible.looked_at - before > LOOKED_AT:
                break
        self.positions = list(weights)
        self._shares = list(accumulate(weights.values()))

    # -- one simulation -------------------------------------------------------------------------------------

    def _simulate(self, start: Turn) -> None:
        state, path = self._selected(start)
        utilities = self._played_out(state)
        self.low = list(map(min, self.low or utilities, utilities))
        self.high = list(map(max, self.high or utilities, utilities))
        for player, tried, number in path:
            tried.visits[number] += 1
            tried.totals[number] += utilities[player]
        self.simulations += 1

    def _selected(self, state: Turn) -> tuple[Turn, list[tuple[int, Tried, int]]]:
        """Go down to the first information set that is new; who chose what on the way."""
        path: list[tuple[int, Tried, int]] = []
        for _ in range(LONGEST):
            node = self.game.node(state)
            if isinstance(node, Terminal):
                break
            if isinstance(node, Chance):
                state = self.game.successor(state, self._any(node))
                continue
            assert isinstance(node, Decision)
            place = node.player, self.game.information_set(state, node.player)
            tried = self.tried.get(place)
            new = tried is None
            if tried is None:
                tried = self.tried[place] = Tried(node.actions)
            number = self._choice(tried, node.player)
            path.append((node.player, tried, number))
            state = self.game.successor(state, node.actions[number])
            if new:
                break
        return state, path

    def _choice(self, tried: Tried, player: int) -> int:
        """One that was never tried comes first; else that with the greatest upper confidence bound, or one drawn by
        its visits."""
        new = [number for number, count in enumerate(tried.visits) if not count]
        if new:
            return self.random.choice(new)
        if self.random.random() >= CURIOUS:
            return self.random.choices(range(len(tried.actions)), tried.visits)[0]
        low, spread = self.low[player], self.high[player] - self.low[player]
        log = 2 * math.log(sum(tried.visits))
        bounds = [
            ((total / count - low) / spread if spread else 0.0) + math.sqrt(log / count)
            for count, total in zip(tried.visits, tried.totals, strict=True)
        ]
        return bounds.index(max(bounds))

    def _played_out(self, state: Turn) -> tuple[float, ...]:
        """Play at random to the end, and the utilities there."""
        for _ in range(LONGEST):
            node = self.game.node(state)
            if isinstance(node, Terminal):
                return tuple(float(known(utility)) for utility in node.utilities)
            state = self.game.successor(state, self._any(node))
        price = self.game.promises.forever or (0,) * len(self.game.players)
        return tuple(map(float, price))

    def _any(self, node: Node) -> Action:
        if isinstance(node, Chance):
            (outcome,) = self.random.choices(node.outcomes, [float(chance) for _, chance in node.outcomes])
            return outcome[0]
        assert isinstance(node, Decision)
        return self.random.choice(node.actions)
