"""The judge: what each player could gain by deviating from a profile, exactly.

A profile is a Nash equilibrium just if every regret is zero. The best response of one player against the fixed
behaviour of the others is a decision problem of that player alone, solved over beliefs (Åström 1965; for games
Johanson et al., Accelerating Best Response Calculation in Large Extensive Games, IJCAI 2011):

1. Let chance and the others play until the player moves or the game ends, adding up the weights of equal positions.
2. The positions of one information set, with their weights scaled to sum to one, are a belief.
3. A belief is worth the best of its actions, an action the average over the beliefs and ends it leads to.

Equal beliefs are solved once, so positions that can be reached in several ways cost no more than once.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from gdl.errors import Refusal
from gdl.game import Game, Number, Terminal, exact, require_number
from gdl.solution import Profile, Solution
from gdl.solvers.budget import Budget
from gdl.solvers.certificate import UNTIED
from gdl.solvers.equilibria.behaviour import (
    Behaviour,
    Row,
    chances,
    first_action,
    pure_row,
    read_profile,
    read_row,
    uniform_behaviour,
    uniform_row,
    write_profile,
)
from gdl.solvers.equilibria.positions import MOST_POSITIONS, PositionGraph, explore
from gdl.states.explore import Recursion, WalkedGame, run_recursion

if TYPE_CHECKING:
    from gdl.solvers.equilibria.payoffs import Payoffs, RealizationPlans
    from gdl.solvers.equilibria.sequences import Sequences


LARGE = 5_000  # positions of a game, beyond which profiles are judged by realization plans
Weights = dict[int, Number]  # position -> probability
Belief = tuple[tuple[int, Number], ...]  # positions of one information set, weights summing to one


@dataclass(frozen=True)
class Judgement:
    """The value of a profile to each player, and what each gains at most by deviating alone. Players named in
    `at_least` forget, and might gain more."""

    players: tuple[str, ...]
    value: tuple[Number, ...]
    regret: tuple[Number, ...]
    at_least: tuple[str, ...] = ()

    @property
    def nash_conv(self) -> Number:
        return exact(sum(self.regret, Fraction(0)))


class Response(NamedTuple):
    """The most that a player can get against the fixed behaviour of the others, and the numbers of the actions that get
    it at each of the player's information sets that can be reached."""

    value: Number
    choices: Mapping[int, tuple[int, ...]]


def regret(game: Game[Any], profile: Profile, *, limit: int = MOST_POSITIONS) -> Judgement:
    """The value of a profile and the regret of every player.

    The profile may leave out information sets that its own player's moves exclude. Raises DamagedData where it is
    silent about others, LimitReached beyond `limit` positions, Refusal where the game need not end or a player
    forgets.
    """
    positions = explore(game, Budget(limit))
    if isinstance(game, WalkedGame):
        return judge(positions, _RowsAsked(positions, profile))
    return judge(positions, read_profile(positions, profile))


class _RowsAsked(Sequence[Row | None]):
    """The behaviour of a profile of a game that was walked, read at the information sets that are asked for: to name
    all of them takes longer than to judge."""

    def __init__(self, positions: PositionGraph, profile: Profile):
        self._positions, self._profile = positions, profile

    def __len__(self) -> int:
        return len(self._positions.information_sets)

    def __getitem__(self, h: Any) -> Any:
        found = self._positions.information_sets[h]
        return read_row(found, self._profile.get(self._positions.players[found.player], {}).get(found.name))


def with_equilibria(
    answer: Solution,
    positions: PositionGraph,
    behaviours: Sequence[Behaviour],
    judgements: Sequence[Judgement],
    one_value: bool = True,
) -> Solution:
    """The answer with these equilibria and their judgements. It gets a value if all of them pay the same, and
    `one_value` says that then all equilibria do."""
    values = {judgement.value for judgement in judgements}
    return replace(
        answer,
        value=values.pop() if one_value and len(values) == 1 else None,
        equilibria=tuple(write_profile(positions, behaviour) for behaviour in behaviours),
        payoffs=tuple(judgement.value for judgement in judgements),
        regret=tuple(map(max, zip(*(one.regret for one in judgements), strict=True))) if judgements else None,
    )


def between_ends(answer: Solution, positions: PositionGraph) -> Solution:
    """The answer where nothing was found: whatever is played pays each player between the least and the most that an
    end does."""
    paid = zip(*([require_number(u) for u in utilities] for utilities in positions.utilities()), strict=True)
    return replace(answer, exact=False, interval=tuple((min(own), max(own)) for own in paid))


def uniform(game: Game[Any], *, limit: int = MOST_POSITIONS) -> Profile:
    """The profile in which everyone acts uniformly at random."""
    positions = explore(game, Budget(limit))
    return write_profile(positions, uniform_behaviour(positions))


def judge(positions: PositionGraph, behaviour: Behaviour) -> Judgement:
    """The value and the regrets of a behaviour in a game whose positions are at hand, as `regret` gives them."""
    return _judge(positions, behaviour, _realization_plans(positions, behaviour))


def _judge(
    positions: PositionGraph, behaviour: Behaviour, planned: tuple[Payoffs, RealizationPlans] | None
) -> Judgement:
    """The judgement of a behaviour, by its realization plans if `planned` has them."""
    players = range(len(positions.players))
    if planned is not None:
        payoffs, plans = planned
        value = tuple(payoffs.value(plans, player) for player in players)
        most = [payoffs.best_reply_payoff(plans, player) for player in players]
    else:
        value = expectation(positions, behaviour)
        most = [best_response(positions, behaviour, player).value for player in players]
    return Judgement(positions.players, value, tuple(exact(most[player] - value[player]) for player in players))


def _realization_plans(
    positions: PositionGraph, behaviour: Behaviour, form: Sequences | None = None
) -> tuple[Payoffs, RealizationPlans] | None:
    """The payoffs of plans and the behaviour's own plans, in whole numbers, for a large game from the compiled engine.
    None if the game is small or not from the engine, if the behaviour is silent about more than its own moves exclude,
    if somebody forgets, or if the numbers are too long."""
    if positions.flat is None or positions.count <= LARGE:
        return None
    from gdl.solvers.equilibria.payoffs import Payoffs, plans_of
    from gdl.solvers.equilibria.sequences import sequences

    try:
        form = form or sequences(positions)
    except Refusal:
        return None
    plans = plans_of(form, behaviour)
    return None if plans is None else (Payoffs(form), plans)


def expectation(positions: PositionGraph, behaviour: Behaviour, start: Weights | None = None) -> tuple[Number, ...]:
    """The expected utilities of a behaviour, from the start or from the weighted positions `start`."""
    total: list[Number] = [0] * len(positions.players)
    for position, weight in _stops(positions, behaviour, {0: 1} if start is None else dict(start)):
        node = positions.nodes[position]
        assert isinstance(node, Terminal)
        total = [t + weight * require_number(u) for t, u in zip(total, node.utilities, strict=True)]
    return tuple(exact(t) for t in total)


def _stops(
    positions: PositionGraph, behaviour: Behaviour, weights: Weights, player: int | None = None
) -> Iterator[tuple[int, Number]]:
    """Play on from the weighted positions, which are used up, until play ends or the player moves: the positions where
    that is so, with their weights."""
    queue = sorted(weights)
    while queue:
        position = heapq.heappop(queue)
        weight, h = weights.pop(position), positions.sets[position]
        if isinstance(positions.nodes[position], Terminal) or (
            h is not None and positions.information_sets[h].player == player
        ):
            yield position, weight
            continue
        row = chances(positions, behaviour, position)
        for probability, after in zip(row, positions.successors[position], strict=True):
            if probability:
                if after not in weights:
                    weights[after] = 0
                    heapq.heappush(queue, after)
                weights[after] += weight * probability


def untied_note(positions: PositionGraph, behaviour: Behaviour) -> tuple[str, ...]:
    """The note, in a tuple, that an action beside the first mover's one may be as good: it is a best reply too, or the
    game is too large to look; else ()."""
    h = positions.first_set
    if h is None or not first_action(positions, behaviour):
        return ()
    player = positions.information_sets[h].player
    is_tied = positions.count > LARGE or len(best_response(positions, behaviour, player).choices[h]) > 1
    return (UNTIED,) if is_tied else ()


def best_response(
    positions: PositionGraph, behaviour: Behaviour, player: int, begin: Weights | None = None
) -> Response:
    """The player's best reply to the others' behaviour, from the start or from the weighted positions `begin`; the
    player's own rows are ignored. Raises Refusal if a best reply would need what the player's information sets
    forget."""
    start = _flow(positions, behaviour, player, {0: 1} if begin is None else dict(begin))
    values: dict[Belief, Number] = {}
    choices: dict[int, tuple[int, ...]] = {}

    def worth(flow: _Flow) -> Recursion[Number]:
        total = flow.payoff
        for chance, belief in flow.beliefs:
            if belief not in values:
                values[belief] = yield best(belief)
            total += chance * values[belief]
        return total

    def best(belief: Belief) -> Recursion[Number]:
        amounts = []
        for plan in _plans(positions, behaviour, player, belief):
            amounts.append((yield worth(plan)))
        most: Number = max(amounts)
        _choose(positions, choices, belief, tuple(k for k, amount in enumerate(amounts) if amount == most))
        return most

    return Response(exact(run_recursion(worth(start))), choices)


def complete_behaviour(positions: PositionGraph, behaviour: Behaviour) -> Behaviour:
    """The behaviour with a row for every information set. Where it was silent, as its player's own moves never lead
    there, it plays a best reply; where the others never lead there either, all actions alike. No player's value or
    regret changes."""
    if None not in behaviour:
        return behaviour
    return _fill_silent_rows(positions, behaviour, _realization_plans(positions, behaviour))


def _fill_silent_rows(
    positions: PositionGraph, behaviour: Behaviour, planned: tuple[Payoffs, RealizationPlans] | None
) -> Behaviour:
    """The behaviour with its silent rows filled by best replies: to the realization plans if `planned` has them, else
    to the behaviour."""
    rows, players = list(behaviour), range(len(positions.players))
    if planned is not None:
        payoffs, plans = planned
        replies = [payoffs.replies(plans, player) for player in players]
    else:
        responses = [best_response(positions, behaviour, player).choices for player in players]
        replies = [{h: best[0] for h, best in choices.items()} for choices in responses]
    for h, (owner, width) in enumerate(zip(positions.owners, positions.widths, strict=True)):
        if rows[h] is None:
            reply = replies[owner].get(h)
            rows[h] = uniform_row(width) if reply is None else pure_row(width, reply)
    return tuple(rows)


def completed_and_judged(
    positions: PositionGraph, behaviour: Behaviour, form: Sequences
) -> tuple[Behaviour, Judgement]:
    """The behaviour with its silent rows filled, and its judgement, which is the same with and without them. `form` are
    the game's sequences."""
    planned = _realization_plans(positions, behaviour, form)
    whole = _fill_silent_rows(positions, behaviour, planned) if None in behaviour else behaviour
    return whole, _judge(positions, whole, planned)


class _Flow(NamedTuple):
    """A part of play until the player moves: the payoff of the ends on the way, and the beliefs at which the player
    then moves, with their probabilities."""

    payoff: Number
    beliefs: list[tuple[Number, Belief]]


def _plans(positions: PositionGraph, behaviour: Behaviour, player: int, belief: Belief) -> list[_Flow]:
    """The flow after each action at a belief."""
    plans = []
    for k in range(len(positions.successors[belief[0][0]])):
        weights: Weights = {}
        for position, weight in belief:
            after = positions.successors[position][k]
            weights[after] = weights.get(after, 0) + weight
        plans.append(_flow(positions, behaviour, player, weights))
    return plans


def _flow(positions: PositionGraph, behaviour: Behaviour, player: int, weights: Weights) -> _Flow:
    """Let chance and the others play on from the weighted positions until the player moves or play ends."""
    payoff: Number = 0
    stops: dict[int | None, Weights] = {}
    for position, weight in _stops(positions, behaviour, weights, player):
        node = positions.nodes[position]
        if isinstance(node, Terminal):
            payoff += weight * require_number(node.utilities[player])
        else:
            stops.setdefault(positions.sets[position], {})[position] = weight
    return _Flow(payoff, [_belief(stop) for stop in stops.values()])


def _belief(weights: Weights) -> tuple[Number, Belief]:
    total = exact(sum(weights.values(), Fraction(0)))
    return total, tuple((position, exact(Fraction(weight) / total)) for position, weight in weights.items())


def _choose(
    positions: PositionGraph, choices: dict[int, tuple[int, ...]], belief: Belief, best: tuple[int, ...]
) -> None:
    """Narrow the choice at the belief's information set to actions that are best at every belief met there. Raises
    Refusal if none is left."""
    h = positions.sets[belief[0][0]]
    assert h is not None
    choices[h] = tuple(k for k in choices.get(h, best) if k in best)
    if not choices[h]:
        found = positions.information_sets[h]
        raise Refusal(
            f"{positions.players[found.player]} forgets: what is best at {found.name} depends on more than is known "
            "there, and without perfect recall no best response can be found this way"
        )
