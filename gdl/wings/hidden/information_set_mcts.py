"""Monte-Carlo tree search over information sets: what to do where something is hidden, from samples of what may be so.

1. Everything that may be the case for all that is common knowledge is found, with the plays that lead there
   (`gdl.wings.hidden.common_knowledge`). A part of it may be the case for all that the player knows.
2. One simulation begins in that part, and only the player learns from it: others, if they met this hand alone, would
   come to know it. The next begins anywhere, also on the way there, and all learn.
3. Whoever moves looks at their own information set alone, which is the same for all positions that they cannot tell
   apart; so nobody, in the search either, acts on what they do not know. They draw an action in proportion to what it
   is regretted that it was not always taken there (regret matching), or, ever more seldom, one of all alike. Chance
   draws an outcome. At an information set that is new, everyone goes on at random to the end.
4. Every information set on the way counts one more visit of the action that was taken there, and adds its mover's
   utility. That utility, counted from the middle of those that were met, over how likely the action was, is an estimate
   of what the action is worth; what it is worth more than what is done there is added to its regret.
5. Positions have the weights that chance gives them, and what players have learned to choose on the way there; at
   first they are taken to choose evenly. Weights are found anew whenever there are twice as many simulations.
6. The player's action is drawn by the visits it has had; those with few are left out (thresholding).
7. Where the compiled engine plays, all this has half of the time. In the other half mccfr learns from whole plays, from
   turn to turn; where its tables can hold the game, and it has come to the player's information set often enough, the
   action is drawn by its average strategy.

Where all this is too much, the positions of 1. are a sample (`gdl.wings.hidden.drawn_plays`), and past choices are
weighed as if they were drawn evenly. What is possible for the player is drawn first. From there a walk goes through
common knowledge: each step draws a position that one of the players, by turns, cannot tell from the last (Gibbs
sampling).

Without 7. this is a heuristic: in games of hidden information it need not come near an equilibrium, however long it
goes on, as each turn is searched by itself, for past choices that are taken as given. mccfr comes as near as one likes
in games of two players with a constant sum.

Sources: Cowling, Powley and Whitehouse, Information set Monte Carlo tree search, IEEE Transactions on Computational
Intelligence and AI in Games 4, 2012 (a tree for each player: MO-ISMCTS), and Goodman, Re-determinizing MCTS in Hanabi,
IEEE Conference on Games 2019, for what others learn of the player's hand there; Lisý, Lanctot and Bowling, Online Monte
Carlo counterfactual regret minimization for search in imperfect information games, AAMAS 2015 (simulations that begin
before the position, so that players learn what past choices tell; in every turn the same search goes on, and comes near
an equilibrium); Lisý, Kovařík, Lanctot and Bošanský, Convergence of
Monte Carlo tree search in simultaneous move games, NIPS 2013 (regret matching in the tree); Ganzfried, Sandholm and
Waugh, Strategy purification and thresholding, AAMAS 2012.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, islice
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from gdl.errors import Refusal
from gdl.errors.deadline import CLOCK
from gdl.game import Action, Chance, Decision, Node, Simultaneous, Terminal, require_number
from gdl.states.possible import Possible
from gdl.states.sequential import Turn
from gdl.wings.hidden.common_knowledge import MOST_ACTIONS_FOLLOWED, CommonKnowledgeCell, find_common_knowledge
from gdl.wings.hidden.drawn_plays import PlayDrawer
from gdl.wings.hidden.search_kinds import INFORMATION_SETS, MCCFR, POSSIBLE_PLAYS, WHOLE_PLAYS

if TYPE_CHECKING:
    from gdl.wings.hidden.possible_plays import PossiblePlays
    from gdl.wings.hidden.simulations import Simulations

SAMPLE = 100  # positions that are drawn if there are too many to weigh them all
LOOKED_AT = 200_000  # actions that may be looked at to draw the sample,
COUNTED, COUNTED_CELL = 8_000, 2_000  # where work is counted, and then those for what is commonly known
UNLUCKY = 40  # plays drawn in vain, before plays are searched for by a walk instead
WALKED = 100_000  # actions that this walk may look at
FASTER = 3  # times as many actions may be looked at on the compiled engine
DRAWING = 0.15  # share of the time that may go into what is commonly known, into positions possible for the player,
SEARCHING = 5  # (this many times as much, until there is one of them,) and into those possible for others
WEIGHED, AGAIN = 64, 2  # simulations before positions are first weighed anew; this many times as many each next time
LONGEST = 1_000  # plies of a simulation; one that is longer counts what the file says of endless play, or 0
SELDOM = 0.2  # an action that was visited less, as a share of the most visited one, is not played;
RARE = 0.01  # nor is one that weighs less in an average strategy
SEED, MEMORY = 1, 1 << 24  # of mccfr from the start; bytes
MOST_SETS = 100_000  # information sets, with more of which it is not asked
LEARNT = 10  # an average is used where its weight is this many times the number of iterations


class InformationSetStatistics:
    """The statistics of an information set, action by action: visits, the mover's total utility, and regret, from which
    the probabilities of the next choice follow."""

    def __init__(self, actions: Sequence[Action]):
        self.actions = actions
        self.visits = [0] * len(actions)
        self.totals = [0.0] * len(actions)
        self.regrets = [0.0] * len(actions)  # by action: how much better always taking it would have been

    def shares(self) -> list[float]:
        """The probability of each action: in proportion to its positive regret, or even if no regret is positive."""
        positive = [max(0.0, regret) for regret in self.regrets]
        total = sum(positive)
        return [regret / total for regret in positive] if total else [1 / len(positive)] * len(positive)

    def learn(self, chosen: InformationSetChoice, utility: float, worth: float) -> None:
        """Learn from a simulation in which the choice was made and its mover got the utility. `worth` is the utility
        less the middle of the mover's range of utilities so far; regrets change by it."""
        self.visits[chosen.number] += 1
        self.totals[chosen.number] += utility
        gain = worth / chosen.chance
        self.regrets = [regret - chosen.share * gain for regret in self.regrets]
        self.regrets[chosen.number] += gain


class InformationSetChoice(NamedTuple):
    """A choice made at an information set: the set's statistics, the number of the action, its probability by regrets
    alone, and the probability with which it was in fact drawn (curiosity included)."""

    tried: InformationSetStatistics
    number: int
    share: float
    chance: float


@dataclass(frozen=True)
class Advice:
    """Advice of simulations for the player to move: for each action, in the order of the node, its visits and the
    player's mean utility. `positions` is the number of positions that the player thinks possible, or of a sample of
    them; `complete` is True if they are all; `others` is True if some simulations began at positions that only other
    players think possible. `average` has the weight of each action in an average strategy; () if none was found."""

    actions: tuple[Action, ...]
    visits: tuple[int, ...]
    means: tuple[float, ...]
    simulations: int
    positions: int
    complete: bool
    others: bool
    average: tuple[float, ...] = ()

    @property
    def best(self) -> int:
        """The number of the action with the most weight, the first of equals."""
        weights = self.average or self.visits
        return weights.index(max(weights))

    def mixture(self) -> dict[Action, Fraction]:
        """The actions that may be played, each with its weight in the average strategy; without one, with its visits,
        and then those with few are left out."""
        least = RARE if self.average else SELDOM
        weights = self.average or self.visits
        return {
            action: Fraction(weight)
            for action, weight in zip(self.actions, weights, strict=True)
            if weight and weight >= least * max(weights)
        }


class InformationSetMcts:
    """Tree search for the player whose turn it is, with the statistics of every player's information sets that
    simulations have met. Of the true state nothing is used but what the player knows there."""

    def __init__(self, possible: Possible, seed: int):
        self.possible = possible
        self.game = possible.game
        self.random = Random(seed)
        self.tried: dict[tuple[int, Hashable], InformationSetStatistics] = {}
        self.low: list[float] = []  # the least and greatest utilities that were met, one per player
        self.high: list[float] = []
        self.simulations = 0
        self.plies = 0  # of all simulations
        self.starts: list[Any] = []  # positions at which simulations may begin
        self.weights: list[float] = []  # of these, by all that the player knows
        # All positions of common knowledge, with the plays to them; None: too many, or no more than one.
        self.common: CommonKnowledgeCell | None = None
        self.shared: list[float] = []  # weights of the positions where all players learn; []: others know as much
        self.own: list[int] = []  # numbers of the positions that are possible for the player to move
        self._added: tuple[list[float], list[float]] = [], []  # both weights, cumulated
        self.complete = False

    def advise(
        self, simulations: int | None = None, time: float | None = None, most: float = math.inf
    ) -> Advice | None:
        """Advise the player by this number of simulations, or by as many as fit into `time` seconds, or into at `most`
        so many plies if the interpreter makes them; None if no position agrees with what the player knows."""
        deadline = math.inf if time is None else CLOCK.now() + time
        self.find_starts(*((math.inf, COUNTED, COUNTED_CELL) if time is None else (DRAWING * time,)))
        if not self.starts:
            return None
        compiled = self.advise_compiled(deadline, simulations, learns=time is not None)
        if compiled is not None:
            return compiled
        weighed = WEIGHED
        while not self.simulations or (
            self.simulations != simulations and self.plies < most and CLOCK.now() < deadline
        ):
            if self.common is not None and self.simulations == weighed:
                self._weigh(lambda *place: self.tried[place].visits if place in self.tried else ())
                weighed *= AGAIN
            self._simulate()
        found = self.tried[self.possible.player, self.possible.known]
        return self._advice(found.visits, found.totals)

    def advise_compiled(self, deadline: float, simulations: int | None = None, learns: bool = True) -> Advice | None:
        """Advice from the compiled engine, until the deadline or after this number of simulations; None if it cannot
        play the game. Where it `learns`, an average strategy is improved from turn to turn."""
        engine = self.game.game.engine
        if not engine.offers(INFORMATION_SETS) or not engine.fast:
            return None
        try:
            search = engine.search(INFORMATION_SETS)
            self._begin(search)
        except Refusal:
            return None
        average = self._average_strategy(search, (CLOCK.now() + deadline) / 2, simulations) if learns else ()
        weighed = WEIGHED
        while True:
            until = simulations if self.common is None else min(weighed, simulations or weighed)
            search.set_simulation_target(until)
            for _ in search:
                if CLOCK.now() > deadline:
                    break
            self.simulations = search.nodes
            if self.common is None or self.simulations != weighed or CLOCK.now() > deadline:
                break
            self._weigh(lambda player, known: search.visits_and_totals(player, known)[0])
            search.weigh(self.weights, self.shared, self._learner)
            weighed *= AGAIN
        visits, totals = search.visits_and_totals(self.possible.player, self.possible.known)
        return self._advice(visits, totals, average) if any(visits) else None

    def _average_strategy(self, search: Simulations, end: float, iterations: int | None) -> tuple[float, ...]:
        """The average strategy here of mccfr from the start of the game, by actions of the player; it goes on learning
        from turn to turn; () where it does not suit the game, or memories are too many for it."""
        game = self.game.game
        engine = game.engine
        if self.common is None or not (game.traits.perfect_recall and engine.offers(MCCFR)):
            return ()
        try:
            whole = engine.take(WHOLE_PLAYS) or engine.search(WHOLE_PLAYS, seed=SEED, memory=MEMORY)
        except Refusal:
            return ()
        engine.keep(WHOLE_PLAYS, whole)
        whole.learn(iterations)
        for _ in whole:
            if CLOCK.now() > end:
                break
        if whole.full or whole.sets > MOST_SETS:
            return ()
        first = [search.memory_number(player, known) for player, known in enumerate(self.common.states[0].memories)]
        here = search.memory_number(self.possible.player, self.possible.known)
        (number,) = whole.counterparts(search, [here], first)
        average = () if number is None else whole.average(number) or ()
        return average if sum(average) > LEARNT * whole.iterations else ()

    def _begin(self, search: Simulations) -> None:
        """Tell a compiled search at which positions simulations begin."""
        seed = self.random.getrandbits(63)
        if self.common is None:
            search.begin(self.starts[: search.most], self.weights[: search.most], seed, None)
        else:
            search.begin_on_plays(self.common, seed)
        if self.shared:
            search.weigh(self.weights[: search.most], self.shared[: search.most], self._learner)

    def _advice(self, visits: Sequence[int], totals: Sequence[float], average: Sequence[float] = ()) -> Advice:
        node = self.game.game.node(self.starts[self.own[0]])
        assert isinstance(node, Decision | Simultaneous)
        actions = node.actions if isinstance(node, Decision) else node.actions[self.possible.player]
        means = tuple(total / max(1, count) for total, count in zip(totals, visits, strict=True))
        others = bool(self.shared)
        return Advice(
            actions, tuple(visits), means, self.simulations, len(self.own), self.complete, others, (*average,)
        )

    # -- positions to begin at --------------------------------------------------------------------------------------

    def find_starts(self, seconds: float, looks: int = LOOKED_AT, cell: int = MOST_ACTIONS_FOLLOWED) -> None:
        """Find the positions at which simulations begin, and their weights. Drawing a sample of what is possible for
        the player, or of what others reckon with, is limited to so many seconds, and looks at actions, each; what is
        commonly known to `cell` looks."""
        player, known = self.possible.player, self.possible.known
        keeps = seconds < math.inf
        drawer, late = PlayDrawer(self.possible, keeps), CLOCK.now() + seconds
        plays = self.game.game.engine.take(POSSIBLE_PLAYS) if keeps else None
        self.countless = drawer.is_countless or (plays is not None and plays.is_countless(player, known))
        self.common = None if self.countless else find_common_knowledge(self.game.game, player, known, cell, late)
        if self.common is not None and sum(self.common.here) > 1:
            self.starts, self.complete = list(self.common.states), True
            for number, here in enumerate(self.common.here):
                if here and self.game.game.information_set(self.starts[number], player) == known:
                    self.own.append(number)
            self._weigh(lambda player, known: ())
            return
        alone, self.common = self.common is not None, None
        begun = CLOCK.now()
        self.possible.deadline = begun + seconds
        belief = None if self.countless and not drawer.draws_deals else drawer.find_all(SEARCHING * seconds)
        self.complete = belief is not None
        own, shared = dict[Any, float](), dict[Any, float]()
        if belief is None and not drawer.draws_deals:
            own, shared = self._draw_plays(plays, seconds, looks)
        if not own:
            weights = self._draw_belief(drawer, begun, seconds, looks) if belief is None else belief.weights
            own = _by_state(weights)
            if weights and not alone and not self.possible.sees_all:
                shared = _by_state(self._draw_shared(weights, drawer, CLOCK.now() + seconds, looks))
        self.starts = [*(shared | own)]
        self.own = [number for number, state in enumerate(self.starts) if state in own]
        self.weights = [own.get(state, 0.0) for state in self.starts]
        self.shared = [shared.get(state, 0.0) for state in self.starts] if shared.keys() - own.keys() else []
        self._added = list(accumulate(self.weights)), list(accumulate(self.shared))

    def _draw_plays(
        self, plays: PossiblePlays | None, seconds: float, looks: int
    ) -> tuple[dict[Any, float], dict[Any, float]]:
        """Samples of what is possible for the player and for others, by the compiled engine; empty where it has
        none."""
        engine = self.game.game.engine
        if not engine.offers(POSSIBLE_PLAYS) or not engine.fast:
            return {}, {}
        try:
            plays = plays or engine.search(POSSIBLE_PLAYS)
            sample = plays.draw(self.possible, self.random, seconds, FASTER * looks, seconds < math.inf)
        except Refusal:
            return {}, {}
        engine.keep(POSSIBLE_PLAYS, plays)
        return {**sample.own}, {**sample.shared}

    def _draw_belief(self, drawer: PlayDrawer, begun: float, seconds: float, looks: int) -> Mapping[Turn, float]:
        """A sample of the positions that agree with what the player knows, with their weights. If drawing finds none in
        so many seconds since it was `begun`, or looks, a walk looks for the first until SEARCHING times as many are
        over."""
        weights: dict[Turn, float] = {}
        drawn, before = 0, self.possible.looked_at
        while drawn < SAMPLE and CLOCK.now() < self.possible.deadline:
            found = drawer.draw(self.random)
            drawn += 1
            if found is not None:
                if not weights:
                    self.possible.deadline = min(self.possible.deadline, CLOCK.now() + seconds)
                weights[found[0]] = weights.get(found[0], 0.0) + found[1]
            if self.possible.looked_at - before > looks if weights else drawn == UNLUCKY:
                break
        if not weights:
            self.possible.deadline = max(self.possible.deadline, begun + SEARCHING * seconds)
            for state in islice(drawer.walk(self.random, min(WALKED, (SEARCHING - 1) * looks)), SAMPLE):
                self.possible.deadline = min(self.possible.deadline, CLOCK.now() + seconds)
                weights[state] = weights.get(state, 0.0) + 1
        return weights

    def _draw_shared(
        self, belief: Mapping[Turn, float], own: PlayDrawer, deadline: float, looks: int
    ) -> Mapping[Turn, float]:
        """A sample of the positions of common knowledge, each with the number of times that it was drawn. Walks through
        them begin at positions that the player thinks possible, which were drawn by the player's `own` drawer."""
        counts: dict[Turn, float] = {}
        known: dict[tuple[int, Hashable], PlayDrawer] = {}
        mover, players = self.possible.player, range(len(self.game.players))
        looked_at = 0
        for start in self.random.choices([*belief], [*belief.values()], k=SAMPLE):
            state = start
            for player in [*(p for p in players if p != mover), mover]:
                place = player, self.game.information_set(state, player)
                if place not in known:
                    known[place] = PlayDrawer(self.possible.known_to(player, state), like=own)
                    known[place].possible.deadline = deadline
                drawer, before = known[place], known[place].possible.looked_at
                draws = (drawer.draw(self.random) for _ in range(UNLUCKY) if drawer.possible.looked_at - before < looks)
                state = next((found[0] for found in draws if found is not None), state)
                looked_at += drawer.possible.looked_at - before
                counts[state] = counts.get(state, 0.0) + 1
            if looked_at > looks or CLOCK.now() > deadline:
                break
        return counts

    def _weigh(self, visits: Callable[[int, Hashable], Sequence[int]]) -> None:
        """Weigh the positions by how often players have chosen the actions that lead there. `visits` gives the visits
        of each action at a player's information set; empty if there were none."""
        assert self.common is not None
        met: dict[tuple[int, Hashable], Sequence[float]] = {}

        def shares(player: int, known: Hashable, of: int) -> Sequence[float]:
            if (player, known) not in met:
                counts = visits(player, known) or (0,) * of
                met[player, known] = [(count + 1) / (sum(counts) + of) for count in counts]
            return met[player, known]

        reached = self.common.reach_probabilities(shares)
        own = {*self.own}
        self.weights = [reach if number in own else 0.0 for number, reach in enumerate(reached)]
        self.shared = self.common.spread(reached)
        self._added = list(accumulate(self.weights)), list(accumulate(self.shared))

    @property
    def _learner(self) -> int:
        """The only player to learn from a simulation that begins at positions possible for the player to move; -1 for
        all players, if these are all positions that are common knowledge."""
        few = self.common is None or len(self.own) < sum(self.common.here)
        return self.possible.player if self.shared and few else -1

    # -- one simulation -------------------------------------------------------------------------------------

    def _simulate(self) -> None:
        own = not self.shared or self.simulations % 2 == 0
        (start,) = self.random.choices(self.starts, cum_weights=self._added[not own])
        learner = self._learner if own else -1
        state, path = self._select_path(Turn(start, ()), learner)
        utilities = self._played_out(state)
        self.low = list(map(min, self.low or utilities, utilities))
        self.high = list(map(max, self.high or utilities, utilities))
        for player, chosen in path:
            middle = (self.low[player] + self.high[player]) / 2
            chosen.tried.learn(chosen, utilities[player], utilities[player] - middle)
        self.simulations += 1

    def _select_path(self, state: Turn, learner: int) -> tuple[Turn, list[tuple[int, InformationSetChoice]]]:
        """Go down to the first new information set; the first time through those of others who act at the same time,
        to that of the player to move. Returns the position there, and the choices on the way of the player who learns
        (`learner` -1: all players), each with its mover."""
        path: list[tuple[int, InformationSetChoice]] = []
        here = self.possible.player, self.possible.known
        met = here in self.tried
        for _ in range(LONGEST):
            node = self.game.node(state)
            self.plies += 1
            if isinstance(node, Terminal):
                break
            if isinstance(node, Chance):
                state = self.game.successor(state, self._random_move(node))
                continue
            assert isinstance(node, Decision)
            place = node.player, self.game.information_set(state, node.player)
            learns, new = learner in (-1, node.player), place not in self.tried
            if new and not learns and met:
                break
            tried = self.tried.setdefault(place, InformationSetStatistics(node.actions))
            chosen = self._choice(tried, learns)
            if learns:
                path.append((node.player, chosen))
            state = self.game.successor(state, node.actions[chosen.number])
            met = met or place == here
            if new and met:
                break
        return state, path

    def _choice(self, tried: InformationSetStatistics, learns: bool) -> InformationSetChoice:
        """Draw an action in proportion to regrets; if the mover learns, ever more seldom evenly among all actions."""
        shares, count = tried.shares(), len(tried.actions)
        curious = math.sqrt(count / (sum(tried.visits) + count)) if learns else 0.0
        chances = [(1 - curious) * share + curious / count for share in shares]
        (number,) = self.random.choices(range(len(shares)), chances)
        return InformationSetChoice(tried, number, shares[number], chances[number])

    def _played_out(self, state: Turn) -> tuple[float, ...]:
        """Play at random to the end. Returns the utilities there; after LONGEST plies the price of endless play, or
        0."""
        for _ in range(LONGEST):
            node = self.game.node(state)
            self.plies += 1
            if isinstance(node, Terminal):
                return tuple(float(require_number(utility)) for utility in node.utilities)
            state = self.game.successor(state, self._random_move(node))
        price = self.game.promises.forever or (0,) * len(self.game.players)
        return tuple(map(float, price))

    def _random_move(self, node: Node) -> Action:
        if isinstance(node, Chance):
            (outcome,) = self.random.choices(node.outcomes, [float(chance) for _, chance in node.outcomes])
            return outcome[0]
        assert isinstance(node, Decision)
        return self.random.choice(node.actions)


def _by_state(weights: Mapping[Turn, float]) -> dict[Any, float]:
    """The weights of positions, without the choices that are being made in them: these are made anew."""
    found: dict[Any, float] = {}
    for turn, weight in weights.items():
        found[turn.state] = found.get(turn.state, 0.0) + weight
    return found
