"""STATIONARY: equilibria of discounted games whose positions come again, for any number of players: strategies that
look at the position alone (Markov perfect equilibria). MARKOV-PERFECT: the same where ends pay everything, and play
surely comes to one.

1. Collect the positions; what players remember beside them is left out, since everybody knows them.
2. Keep for each player and position two bounds of what it can be worth, and bring them closer: a move is out from which
   somebody gains by leaving it, however the rest is played.
3. Where several moves are left, try each, at the position with the fewest, and go on with 2.
4. A profile of one action at each position stands if nobody gains by a single deviation at any, reached or not. With a
   discount, or a sure end, that is enough: no longer deviation gains either (Blackwell 1965). Where play need not end,
   and the file says by `forever` what that pays, nobody may gain by staying where ends can be kept away for ever, too.
5. A mixed one is sought, too, and told where there is none of these, or none is soon found (mixed_stages.py). Of a
   lone player best moves are found by policy iteration first.

Sources: Shapley 1953; Rubinstein, Perfect equilibrium in a bargaining model, Econometrica 50, 1982; Maskin and Tirole,
Markov perfect equilibrium, Journal of Economic Theory 100, 2001.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, NamedTuple

from gdl.errors import LimitReached, Refusal, count_text
from gdl.errors.shares import JUDGING_SHARE
from gdl.game import Decision, Game, Number, exact, require_number
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.solver import Solver
from gdl.wings.theory.stochastic.mixed_stages import NEARLY, MixedStationaryProfile, find_mixed_profile
from gdl.wings.theory.stochastic.smooth_play import smooth_profiles
from gdl.wings.theory.stochastic.stages import Plan, Stages, Way, led_to, reply, start_worth, way_worth, worth

TRIED_SWEEPS = 50_000  # positions, over all branches, that markov-perfect looks at where nobody set a limit
BRANCHES = 200_000  # tried by default
LATER = 5_000_000  # moves looked at for a first one where nobody set a limit: some ten seconds
LONG = 1_000_000  # if a mixed one is known
SOON = 100_000  # before a mixed one is sought by smoothed play
NOT_FOUND = "no equilibrium of one action at each position exists, and no mixed one was found"
NONE_PURE = "no equilibrium of one action at each position exists; mixed ones are not sought where play need not end"
NOBODY = "nobody gains at any position, reached or not, by doing otherwise once"
Vector = tuple[Number, ...]


def stationary(game: Game[Any], limits: SearchLimits = NO_LIMITS, *, most: int = 1000) -> Solution:
    """All equilibria in pure strategies that look at the position alone, or a mixed one where none of these is found.
    `nodes` limits the moves that are tried."""
    return _solve_stages(STATIONARY, game, most, limits)


def markov_perfect(game: Game[Any], limits: SearchLimits = NO_LIMITS, *, most: int = 1000) -> Solution:
    """Equilibria that look at the position alone, where nothing is gained on the way and play surely ends."""
    return _solve_stages(MARKOV_PERFECT, game, most, limits)


def _solve_stages(row: Solver, game: Game[Any], most: int, limits: SearchLimits) -> Solution:
    answer = row.answer(game, exact=False)
    found = _StationaryResult()
    with answering(lambda: _partial_answer(answer, found, limits)):
        budget = limits.budget(BRANCHES)
        found.stages = _stages(row, game, budget)
        endless, complete = found.stages.discount == 1 and not found.stages.ends_surely(), False
        found.lone = find_best_choices(found.stages, budget)
        try:
            if found.lone is not None:
                complete = _collect(found, most, budget, SOON, SOON)
            else:
                found.mixed = None if endless else find_mixed_profile(found.stages, budget, beginnings=1)
                complete = _collect_in_stages(found, most, budget, endless, not limits.is_set)
        except _LongSearch:
            pass
        except LimitReached:
            if limits.nodes is not None or (limits.time is not None and not found.has_only_mixed):
                raise
        if not found.pure and found.lone is None and not found.has_only_mixed:
            found.keep_nearest(None if endless else find_mixed_profile(found.stages, budget))
            if complete and not found.has_only_mixed:
                raise LimitReached(NONE_PURE if endless else NOT_FOUND)
        return _complete_answer(answer, found, complete)


@dataclass
class _StationaryResult:
    """The findings so far: the positions (None before they are met), the equilibria of one action at each position, and
    a mixed profile, if one was sought and found."""

    stages: Stages | None = None
    pure: list[Choices] = field(default_factory=list)
    mixed: MixedStationaryProfile | None = None
    lone: Choices | None = None  # of a lone player, by policy iteration

    @property
    def has_only_mixed(self) -> bool:
        """True if only a mixed equilibrium was found, exact or as near as floating point brings."""
        return not self.pure and self.mixed is not None and self.mixed.gain <= NEARLY

    def keep_nearest(self, other: MixedStationaryProfile | None) -> None:
        """Keep the other mixed profile, if somebody gains less by leaving it than what is known."""
        if other is not None and (self.mixed is None or other.gain < self.mixed.gain):
            self.mixed = other


class _LongSearch(LimitReached):
    """No equilibrium of one action at each position was found soon."""


def _collect_in_stages(found: _StationaryResult, most: int, budget: Budget, endless: bool, soon: bool) -> bool:
    """Collect equilibria as `_collect` does; if none is found soon, look for a mixed one by smoothed play, and then go
    on. With `soon` no limit is set, so it ends by itself."""
    further = SOON if endless and soon else None
    try:
        return _collect(found, most, budget, SOON if not found.has_only_mixed else LONG, further)
    except _LongSearch:
        if found.has_only_mixed or found.pure:
            raise
    assert found.stages is not None
    for profile in () if endless else smooth_profiles(found.stages, budget):
        found.keep_nearest(profile)
    later = None if not soon else 4 * SOON if endless else LATER
    return not found.has_only_mixed and _collect(found, most, budget, later, further)


def _collect(found: _StationaryResult, most: int, budget: Budget, patience: int | None, further: int | None) -> bool:
    """Collect equilibria of one action at each position, at most `most`. Raises _LongSearch where none is
    found within the patience; further ones are sought as long as that. Returns True if they are all."""
    assert found.stages is not None
    search = _Search(found.stages, budget)
    search.patience = patience
    for choices in search.equilibria():
        if not found.pure:
            search.patience = None if further is None else search.swept + further
        found.pure.append(choices)
        if len(found.pure) == most:
            return False
    return True


def _stages(row: Solver, game: Game[Any], budget: Budget) -> Stages:
    found = Stages(game, row.name, budget.without_node_limit())
    if found.discount == 1 and found.rewards is not None:
        raise Refusal(
            f"{row.name} needs a discount: else no single deviation tells whether a longer one gains; write one "
            f"in the file of {game.name}, as in `discount 9/10`"
        )
    if found.discount == 1 and found.prices is None and not found.ends_surely():
        raise LimitReached(
            f"play of {game.name} need not end, and neither a discount nor `forever` tells what that is worth"
        )
    return found


Choices = Mapping[int, int]  # position -> the move that is made there, by its position in `moves`


class _Branch(NamedTuple):
    """The moves that are still possible at each position, and the bounds of each player's value there."""

    moves: dict[int, tuple[int, ...]]
    low: dict[int, list[float]]
    high: dict[int, list[float]]


class _Search:
    def __init__(self, stages: Stages, budget: Budget):
        self.stages, self.budget = stages, budget
        self.acting = [n for n in range(stages.size) if stages.moves[n]]
        self.others = {
            n: {k: self._other_moves(n, k) for k in range(len(stages.moves[n]))} for n in self.acting
        }  # per player, the moves that differ in what that player does
        self.margin = 1e-9 * max(1.0, self._greatest_value())
        self.patience: int | None = None  # cells that are looked at until an equilibrium must be found
        self.swept, self.cells = 0, sum(map(len, stages.leads))

    def _other_moves(self, number: int, move: int) -> list[list[int]]:
        own = (len(self.stages.actions(number, player)) for player in self.stages.players)
        return [self.stages.unilateral(number, move, p) if count > 1 else [] for p, count in enumerate(own)]

    def _greatest_value(self) -> float:
        """A bound on the absolute value of any player's value at any position."""
        gains = [abs(gain) for own in self.stages.leads for gained, _ in own for gain in gained]
        ends = [abs(float(paid)) for n in range(self.stages.size) for paid in self._end_payoffs(n)]
        ends += [abs(float(require_number(price))) for price in self.stages.prices or ()]
        rate = float(self.stages.discount)
        return (max([*gains, 0.0]) / (1 - rate) if rate < 1 else 0) + max([*ends, 0.0])

    def _end_payoffs(self, number: int) -> list[Number]:
        found = (self.stages.end_payoff(number, player) for player in self.stages.players)
        return [paid for paid in found if paid is not None]

    def equilibria(self) -> Iterator[Choices]:
        """Every profile of one move at each position from which nobody gains by a single deviation anywhere. Raises
        LimitReached when the patience ends."""
        most = self._greatest_value()
        bounds = [[[float(paid) for paid in self._end_payoffs(n)] or [end] * len(self.stages.players)
                   for n in range(self.stages.size)] for end in (-most, most)]  # fmt: skip
        low, high = (dict(enumerate(one)) for one in bounds)
        stack = [_Branch({n: tuple(range(len(self.stages.moves[n]))) for n in self.acting}, low, high)]
        while stack:
            branch = stack.pop()
            self.budget.visit()
            if not self._narrow_bounds(branch):
                continue
            open_ = [n for n in self.acting if len(branch.moves[n]) > 1]
            if not open_:
                choices = {n: moves[0] for n, moves in branch.moves.items()}
                if self.is_stable(choices):
                    yield choices
                continue
            number = min(open_, key=lambda n: len(branch.moves[n]))
            for move in reversed(branch.moves[number]):
                low, high = ({n: list(numbers) for n, numbers in one.items()} for one in (branch.low, branch.high))
                stack.append(_Branch({**branch.moves, number: (move,)}, low, high))

    def _narrow_bounds(self, branch: _Branch) -> bool:
        """Take out moves from which somebody surely gains by leaving, and narrow the bounds, until little changes.
        Returns False if a position has no move left."""
        while True:
            self.budget.check_time()
            self.swept += self.cells
            if self.patience is not None and self.swept > self.patience:
                raise _LongSearch("no equilibrium of one action at each position was found soon")
            moved = 0.0
            for n in self.acting:
                lows = [led_to(way, branch.low) for way in self.stages.leads[n]]
                highs = [led_to(way, branch.high) for way in self.stages.leads[n]]
                left = self._remaining_moves(branch.moves[n], n, lows, highs)
                if not left:
                    return False
                if left != branch.moves[n]:
                    branch.moves[n] = left
                    moved = inf
                for p in self.stages.players:
                    low, high = min(lows[k][p] for k in left), max(highs[k][p] for k in left)
                    low = max(low, branch.low[n][p], self._assured_value(n, p, lows))
                    high = min(high, branch.high[n][p])
                    moved = max(moved, low - branch.low[n][p], branch.high[n][p] - high)
                    branch.low[n][p], branch.high[n][p] = low, high
            if moved <= 1e3 * self.margin:
                return True

    def _assured_value(self, number: int, player: int, lows: Sequence[Sequence[float]]) -> float:
        """The least value of the position to the player who alone moves there, by the best action; -inf for other
        players."""
        node = self.stages.nodes[number]
        mine = isinstance(node, Decision) and node.player == player
        return max(low[player] for low in lows) - self.margin if mine else -inf

    def _remaining_moves(
        self, moves: tuple[int, ...], n: int, lows: Sequence[Sequence[float]], highs: Sequence[Sequence[float]]
    ) -> tuple[int, ...]:
        """The moves of these from which nobody surely gains at position `n` by another action."""
        node = self.stages.nodes[n]
        if isinstance(node, Decision):
            assured = max(low[node.player] for low in lows) - self.margin
            return tuple(k for k in moves if highs[k][node.player] >= assured)
        return tuple(k for k in moves if self._may_hold(n, k, lows, highs))

    def _may_hold(self, n: int, k: int, lows: Sequence[Sequence[float]], highs: Sequence[Sequence[float]]) -> bool:
        """True if nobody surely gains by an action of their own in place of the one in this joint move."""
        others = self.others[n][k]
        return all(highs[k][p] >= lows[other][p] - self.margin for p, own in enumerate(others) for other in own)

    def is_stable(self, choices: Choices) -> bool:
        """True if nobody gains by a single deviation anywhere, exactly."""
        ways = {n: [(1, k)] for n, k in choices.items()}
        for player in self.stages.players:
            values = worth(self.stages, player, ways)
            others = ((n, other) for n, move in choices.items() for other in self.others[n][move][player])
            if any(way_worth(self.stages, n, player, [(1, other)], values) > values[n] for n, other in others):
                return False
            if self.stages.prices is not None and self._would_stay(choices, player, values):
                return False
        return True

    def _would_stay(self, choices: Choices, player: int, values: Mapping[int, Number]) -> bool:
        """True if the player gains by keeping play from its end for ever: no single deviation shows that."""
        assert self.stages.prices is not None
        ways = {n: [[k] for k in (move, *self.others[n][move][player])] for n, move in choices.items()}
        price = require_number(self.stages.prices[player])
        return any(values[n] < price for n in self.stages.staying_positions(ways))


def find_best_choices(stages: Stages, budget: Budget) -> Choices | None:
    """The best moves of a lone player, by policy iteration; None of several players, or where it pays more to stay for
    ever, which no single deviation shows."""
    if len(stages.players) > 1:
        return None
    first = {n: 0 for n, own in enumerate(stages.moves) if own}
    choices = {**first, **reply(stages, 0, {}).choices}
    return choices if _Search(stages, budget).is_stable(choices) else None


def _partial_answer(answer: Solution, found: _StationaryResult, limits: SearchLimits) -> Solution:
    """The answer at a limit; without the mixed profile, if it is not soon judged."""
    if found.stages is not None:
        found.stages.budget = Budget(time=JUDGING_SHARE * max(1.0, limits.time or 0.0))
    try:
        return _complete_answer(answer, found, complete=False)
    except LimitReached:
        found.pure, found.mixed = [], None
        return _complete_answer(answer, found, complete=False)


def _complete_answer(answer: Solution, found: _StationaryResult, complete: bool) -> Solution:
    stages = found.stages
    if stages is None:
        return answer
    if found.lone is not None:
        found.pure = found.pure or [found.lone]
    answer = replace(answer, nodes=stages.size, states=stages.size)
    if not found.pure and found.mixed is not None:
        return _complete_mixed_answer(answer, stages, found, complete)
    payoffs = [_payoffs(stages, {n: [(1, k)] for n, k in choices.items()}) for choices in found.pure]
    order = sorted(range(len(payoffs)), key=lambda k: [-number for number in payoffs[k]])
    strategies = "strategies look at the position alone, and play one action at each"
    notes = [f"{strategies}; {NOBODY}" if found.pure else f"{strategies}; none of those that were tried stands"]
    if complete:
        notes.append("these are all")
    one = payoffs[0] if complete and len(set(payoffs)) == 1 else None
    return replace(
        answer,
        exact=complete,
        value=one,
        interval=None if found.pure else stages.play_bounds(),
        equilibria=tuple(stages.profile(_plans(stages, found.pure[k])) for k in order),
        payoffs=tuple(payoffs[k] for k in order),
        regret=(0,) * len(answer.players) if found.pure else None,
        notes=tuple(notes),
        limit=None if complete else f"stopped after {count_text(len(payoffs), 'equilibrium')}; there may be more",
    )


def _complete_mixed_answer(answer: Solution, stages: Stages, found: _StationaryResult, complete: bool) -> Solution:
    """The answer with the mixed profile: an equilibrium, or the nearest that the search came to one."""
    assert found.mixed is not None
    plans, gain = found.mixed
    ways = {n: stages.shares(n, plans, {}) for n in range(stages.size) if stages.moves[n]}
    profile = stages.profile(plans)
    paid = _payoffs(stages, ways)
    replies = (start_worth(stages, p, reply(stages, p, plans).values) for p in stages.players)
    regret = tuple(exact(best - now) for best, now in zip(replies, paid, strict=True))
    searched = "there is none of one action at each position" if complete else "not all of one action were looked at"
    if not found.has_only_mixed:
        notes = [f"{searched}; the strategies listed are none: somebody gains {float(gain):.6g} at some position"]
        return replace(answer, strategy=profile, regret=regret, notes=tuple(notes))
    notes = [f"strategies look at the position alone; {NOBODY}", f"{searched}; there may be more equilibria"]
    if gain:
        notes.append(f"probabilities stand for others close by: nobody gains more than {float(gain):.1g} anywhere")
    return replace(
        answer, exact=not gain, equilibria=(profile,), payoffs=(paid,), regret=regret, notes=tuple(notes),
        value=paid if not gain and not sum(paid) else None,
    )  # fmt: skip


def _payoffs(stages: Stages, ways: Mapping[int, Way]) -> Vector:
    """The payoff of each player from the start, if moves are made with the probabilities of `ways`."""
    return tuple(exact(start_worth(stages, p, worth(stages, p, ways))) for p in stages.players)


def _plans(stages: Stages, choices: Choices) -> dict[int, Plan]:
    """Each player's plan, by position, from the joint moves chosen."""
    plans: dict[int, dict[int, tuple[Number, ...]]] = {player: {} for player in stages.players}
    for n, move in choices.items():
        for player, action in stages.chosen_actions(n, move).items():
            plans[player][n] = tuple(int(one == action) for one in stages.actions(n, player))
    return dict(plans)


STATIONARY = Solver(
    name="stationary",
    run=stationary,
    needs={"rewards": True},
    summary="equilibria of discounted games whose positions come again, in strategies that look at the position alone",
    position=True,
    extent="whole",
)
MARKOV_PERFECT = Solver(
    name="markov-perfect",
    run=markov_perfect,
    needs={"cyclic": True},
    summary="the same of games that surely end, though their positions can come again",
    advised={"cyclic": True, "has_scalar_value": False},
    position=True,
    extent="whole",
    doubt="fails",
    picked_nodes=lambda game, traits: max(1, TRIED_SWEEPS // (traits.states or 1)),
)
