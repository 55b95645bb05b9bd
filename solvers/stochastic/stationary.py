"""STATIONARY: equilibria of discounted games whose positions come again, for any number of players: strategies that
look at the position alone, with one action at each (Markov perfect equilibria).

1. Collect the positions; what players remember beside them is left out, since everybody knows them.
2. Keep for each player and position two bounds of what it can be worth, and bring them closer: a move is out from which
   somebody gains by leaving it, however the rest is played.
3. Where several moves are left, try each, at the position with the fewest, and go on with 2.
4. A profile stands if nobody gains by a single deviation at any position, reached or not. With a discount that is
   enough: no longer deviation gains either (Blackwell 1965).

Sources: Shapley 1953; Rubinstein, Perfect equilibrium in a bargaining model, Econometrica 50, 1982; Maskin and Tirole,
Markov perfect equilibrium, Journal of Economic Theory 100, 2001.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any, NamedTuple

from gdl.errors import LimitReached, Refusal
from gdl.game import Decision, Game, Number, exact
from gdl.solution import Solution
from solvers.budget import Budget, answering
from solvers.solver import Progress, Solver
from solvers.stochastic.stages import Plan, Stages
from solvers.stochastic.stationary_play import start_worth, way_worth, worth

BRANCHES = 200_000  # that are tried if nobody says
Vector = tuple[Number, ...]


def stationary(
    game: Game[Any],
    *,
    most: int = 1000,
    nodes: int | None = None,
    time: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """All equilibria in pure strategies that look at the position alone. `nodes` limits the moves that are tried."""
    answer = STATIONARY.answer(game, exact=False)
    found: list[Choices] = []
    stages: list[Stages] = []
    with answering(lambda: _told(answer, stages[0], found, complete=False) if stages else answer):
        budget = Budget(BRANCHES if nodes is None else nodes, time, progress)
        stages.append(_stages(game, budget))
        complete = True
        try:
            for choices in _Search(stages[0], budget).equilibria():
                found.append(choices)
                if len(found) == most:
                    complete = False
                    break
        except LimitReached:
            if nodes is not None or time is not None:
                raise
            complete = False
        return _told(answer, stages[0], found, complete)


def _stages(game: Game[Any], budget: Budget) -> Stages:
    found = Stages(game, STATIONARY.name, budget.without_node_limit())
    if found.discount == 1:
        raise Refusal(
            f"{STATIONARY.name} needs a discount: else no single deviation tells whether a longer one gains; write one "
            f"in the file of {game.name}, as in `discount 9/10`"
        )
    return found


Choices = Mapping[int, int]  # position -> the move that is made there, by its position in `moves`


class _Branch(NamedTuple):
    """The moves that are still possible at each position, and between what numbers each player's value lies there."""

    moves: dict[int, tuple[int, ...]]
    low: dict[int, list[float]]
    high: dict[int, list[float]]


class _Search:
    def __init__(self, stages: Stages, budget: Budget):
        self.stages, self.budget = stages, budget
        self.acting = [n for n in range(stages.size) if stages.moves[n]]
        self.others = {
            n: {k: self._others(n, k) for k in range(len(stages.moves[n]))} for n in self.acting
        }  # per player, the moves that differ in what that player does
        self.ways = {n: [self._way(n, k) for k in range(len(stages.moves[n]))] for n in self.acting}
        self.margin = 1e-9 * max(1.0, self._greatest())

    def _others(self, number: int, move: int) -> list[list[int]]:
        own = (len(self.stages.actions(number, player)) for player in self.stages.players)
        return [unilateral(self.stages, number, move, p) if count > 1 else [] for p, count in enumerate(own)]

    def _way(self, number: int, move: int) -> tuple[list[float], list[tuple[float, int]]]:
        """What a move gains, and what follows with its weight, in floating point."""
        outcome, discount = self.stages.outcomes[number][move], self.stages.discount
        return [float(gain) for gain in outcome.gains], [(float(part * discount), n) for part, n in outcome.after]

    def _greatest(self) -> float:
        """No value is farther from 0."""
        gains = [abs(gain) for own in self.ways.values() for gained, _ in own for gain in gained]
        ends = [abs(float(paid)) for n in range(self.stages.size) for paid in self._paid(n)]
        return max([*gains, 0.0]) / float(1 - self.stages.discount) + max([*ends, 0.0])

    def _paid(self, number: int) -> list[Number]:
        found = [self.stages.paid(number, player) for player in self.stages.players]
        return [paid for paid in found if paid is not None]

    def equilibria(self) -> Iterator[Choices]:
        """Every profile from which nobody gains by a single deviation anywhere."""
        most = self._greatest()
        bounds = [[[float(paid) for paid in self._paid(n)] or [end] * len(self.stages.players)
                   for n in range(self.stages.size)] for end in (-most, most)]  # fmt: skip
        low, high = (dict(enumerate(one)) for one in bounds)
        stack = [_Branch({n: tuple(range(len(self.stages.moves[n]))) for n in self.acting}, low, high)]
        while stack:
            branch = stack.pop()
            self.budget.visit()
            if not self._narrow(branch):
                continue
            open_ = [n for n in self.acting if len(branch.moves[n]) > 1]
            if not open_:
                choices = {n: moves[0] for n, moves in branch.moves.items()}
                if self._stands(choices):
                    yield choices
                continue
            number = min(open_, key=lambda n: len(branch.moves[n]))
            stack += [self._chosen(branch, number, k) for k in reversed(branch.moves[number])]

    def _chosen(self, branch: _Branch, number: int, move: int) -> _Branch:
        low, high = ({n: list(numbers) for n, numbers in one.items()} for one in (branch.low, branch.high))
        return _Branch({**branch.moves, number: (move,)}, low, high)

    def _narrow(self, branch: _Branch) -> bool:
        """Take out moves from which somebody surely gains by leaving, and bring the bounds closer, until little
        changes; whether a move is left everywhere."""
        while True:
            self.budget.check_time()
            moved = 0.0
            for n in self.acting:
                lows = [self._bounds(way, branch.low) for way in self.ways[n]]
                highs = [self._bounds(way, branch.high) for way in self.ways[n]]
                left = self._left(branch.moves[n], n, lows, highs)
                if not left:
                    return False
                if left != branch.moves[n]:
                    branch.moves[n] = left
                    moved = inf
                for p in self.stages.players:
                    low, high = min(lows[k][p] for k in left), max(highs[k][p] for k in left)
                    low = max(low, branch.low[n][p], self._assured(n, p, lows))
                    high = min(high, branch.high[n][p])
                    moved = max(moved, low - branch.low[n][p], branch.high[n][p] - high)
                    branch.low[n][p], branch.high[n][p] = low, high
            if moved <= 1e3 * self.margin:
                return True

    def _bounds(
        self, way: tuple[list[float], list[tuple[float, int]]], bound: Mapping[int, list[float]]
    ) -> list[float]:
        gains, after = way
        return [gain + sum(weight * bound[n][p] for weight, n in after) for p, gain in enumerate(gains)]

    def _assured(self, number: int, player: int, lows: Sequence[Sequence[float]]) -> float:
        """What a lone mover has at least, by their best action."""
        node = self.stages.nodes[number]
        mine = isinstance(node, Decision) and node.player == player
        return max(low[player] for low in lows) - self.margin if mine else -inf

    def _left(
        self, moves: tuple[int, ...], n: int, lows: Sequence[Sequence[float]], highs: Sequence[Sequence[float]]
    ) -> tuple[int, ...]:
        """The moves from which nobody surely gains at this position by doing something else."""
        node = self.stages.nodes[n]
        if isinstance(node, Decision):
            assured = max(low[node.player] for low in lows) - self.margin
            return tuple(k for k in moves if highs[k][node.player] >= assured)
        return tuple(k for k in moves if self._may_hold(n, k, lows, highs))

    def _may_hold(self, n: int, k: int, lows: Sequence[Sequence[float]], highs: Sequence[Sequence[float]]) -> bool:
        """Whether nobody surely gains by an action of their own in place of the one in this joint move."""
        others = self.others[n][k]
        return all(highs[k][p] >= lows[other][p] - self.margin for p, own in enumerate(others) for other in own)

    def _stands(self, choices: Choices) -> bool:
        """Whether nobody gains by a single deviation anywhere, exactly."""
        ways = {n: [(1, k)] for n, k in choices.items()}
        for player in self.stages.players:
            values = worth(self.stages, player, ways)
            for n, move in choices.items():
                now = values[n]
                for other in self.others[n][move][player]:
                    if way_worth(self.stages, n, player, [(1, other)], values) > now:
                        return False
        return True


def unilateral(stages: Stages, number: int, move: int, player: int) -> list[int]:
    """The moves that differ from this one in what one player does."""
    block = 1
    for later in range(player + 1, len(stages.players)):
        block *= len(stages.actions(number, later)) or 1
    count = len(stages.actions(number, player))
    mine = move // block % count
    return [move + (k - mine) * block for k in range(count) if k != mine]


def _told(answer: Solution, stages: Stages, found: list[Choices], complete: bool) -> Solution:
    payoffs = [_payoff(stages, choices) for choices in found]
    order = sorted(range(len(found)), key=lambda k: [-number for number in payoffs[k]])
    notes = [
        "strategies look at the position alone, and play one action at each; nobody gains at any position, reached or "
        "not, by doing otherwise once"
    ]
    if complete:
        notes.append(
            "these are all" if found else "there is none: only mixed strategies, or those with a memory, may do"
        )
    elif not found:
        notes.append("none was found among those that were tried")
    one = payoffs[0] if payoffs and len(set(payoffs)) == 1 else None
    return replace(
        answer,
        exact=complete,
        value=one,
        nodes=stages.size,
        states=stages.size,
        equilibria=tuple(stages.profile(_plans(stages, found[k])) for k in order),
        payoffs=tuple(payoffs[k] for k in order),
        regret=(0,) * len(answer.players) if found else None,
        notes=tuple(notes),
        limit=None if complete else f"stopped after {len(found):,} equilibria; there may be more",
    )


def _payoff(stages: Stages, choices: Choices) -> Vector:
    ways = {n: [(1, k)] for n, k in choices.items()}
    return tuple(exact(start_worth(stages, p, worth(stages, p, ways))) for p in stages.players)


def _plans(stages: Stages, choices: Choices) -> dict[int, Plan]:
    """What each player does, by position."""
    plans: dict[int, dict[int, tuple[Number, ...]]] = {player: {} for player in stages.players}
    for n, move in choices.items():
        rest = move
        for player in reversed(stages.players):
            own = stages.actions(n, player)
            if own:
                rest, mine = divmod(rest, len(own))
                plans[player][n] = tuple(int(k == mine) for k in range(len(own)))
    return dict(plans)


STATIONARY = Solver(
    name="stationary",
    run=stationary,
    needs={"rewards": True},
    summary="equilibria of discounted games whose positions come again, in strategies that look at the position alone",
    extent="whole",
)
