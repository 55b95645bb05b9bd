"""POLICY-ITERATION: what is gained on the way, discounted or in full, where play can come back to a position: Markov
decision processes, and zero-sum games of two players with perfect information.

1. Collect the positions that can be reached, and what every move gains.
2. A decision is worth the best that an action gains and leads to; chance is worth the mean of it. A decision or an end
   that follows counts `discount` times, a chance step in full: it belongs to the action before it.
3. Howard: with all actions fixed, solve the linear equations of the values, exactly; switch to actions that are
   strictly better, and repeat until there are none. With two players MIN is done with before MAX switches (Hoffman and
   Karp). Where nobody can switch, the values are the only ones that fit all positions (Shapley).
4. Stopped by a limit, it gives bounds: if one more move can change no value by more than x, then all further moves
   together cannot by more than x / (1 - discount) (MacQueen).
5. Without a discount, the same with the gain and the bias of each position in place of its value (gain_and_bias.py).
   The bias is the total where nobody gains a move in the long run. Else the total is infinite, and the loop that makes
   it so is named. Play without end is paid its price besides; where there is none, any must give the same value.
   Where the average of rewards counts, a wing works out the gain.

Sources: Shapley, Stochastic games, Proceedings of the National Academy of Sciences 39, 1953; Howard, Dynamic
Programming and Markov Processes, 1960; Hoffman and Karp, On nonterminating stochastic games, Management Science 12,
1966; MacQueen, A modified dynamic programming method for Markovian decision problems, Journal of Mathematical Analysis
and Applications 14, 1966.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Any

from gdl.errors import Refusal
from gdl.game import Action, Chance, Decision, Game, Node, Number, Rewards, Terminal, exact, require_number
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.certificate import MANY_CHOICES, strategies
from gdl.solvers.cyclic.gain_and_bias import GainAndBias, Way, improve_choices, in_floats, worth_of_ways
from gdl.solvers.cyclic.play import RETURNS, line_of_play
from gdl.solvers.cyclic.total_reward import endless_prices, refuse_endless_gain
from gdl.solvers.minimax.windows import constant_sum_vector, max_player
from gdl.solvers.needs import ALL_SEEN, OPPOSED, Watch
from gdl.solvers.solver import Solver
from gdl.states.explore import Walk, topological_order
from gdl.states.linear import Equation, solve
from gdl.wings import hook

LARGEST = 5_000  # positions, each an equation
GRAIN = 10**12  # values from which bounds are found are multiples of 1 / GRAIN
SWEPT = 60_000  # positions, over all sweeps, by which these values are found: a tenth of a second
ONE_OR_TWO = {**OPPOSED, **ALL_SEEN, "rewards": True}


def policy_iteration(game: Game[Any], limits: SearchLimits = NO_LIMITS) -> Solution:
    """The exact value of rewards, and the best actions. `nodes` limits the positions that are collected."""
    rewards = game.promises.rewards
    if rewards is None:
        raise Refusal(f"{POLICY_ITERATION.name} is for rewards on the way, and the ends of {game.name} pay everything")
    answer = POLICY_ITERATION.answer(game, exact=False)
    process: RewardProcess | None = None
    with answering(lambda: answer if process is None else _partial_answer(answer, process)):
        kind: type[RewardProcess] = hook("average rewards") if rewards.average else RewardProcess
        process = kind(game, rewards, limits.budget())
        answer = replace(answer, nodes=len(process.nodes), states=len(process.nodes), leaves=process.ends)
        process.improve()
        if len(game.players) == 2:  # no gain and no end was met whose sum is another
            answer = replace(answer, traits=replace(game.traits, zero_sum=True, constant_sum=0))
        return _complete_answer(answer, process)


class RewardProcess:
    """The positions, the moves between them and their gains for MAX; in the end their values and the best actions."""

    def __init__(self, game: Game[Any], rewards: Rewards, budget: Budget):
        self.game, self.discount, self.budget = game, rewards.discount, budget
        self.max_player = max_player(game)
        self.nodes: list[Node] = []
        self.children: list[tuple[int, ...]] = []
        self.gains: list[tuple[Number, ...]] = []
        watch = self.watch = Watch(POLICY_ITERATION.name, POLICY_ITERATION.needs, game)
        walk = Walk(game)
        for number, node, made, children in walk:  # in the order of their numbers, every move being one ply
            budget.visit()
            watch.check_node(walk.states[number], node)
            if len(walk.states) > LARGEST:
                fewer = ", and stationary leaves out chance" if self.discount < 1 else ""
                raise Refusal(
                    f"{POLICY_ITERATION.name} solves an equation for every position, and {game.name} has more than "
                    f"{LARGEST:,} with those of chance; coarser states have fewer{fewer}"
                )
            self.nodes.append(node)
            self.children.append(children)
            self.gains.append(tuple(self._to_max(rewards.of(walk.states[number], move)) for move in made))
        self.numbers = {state: number for number, state in enumerate(walk.states)}
        self.ends = sum(isinstance(node, Terminal) for node in self.nodes)
        top = self.max_player
        self.maximises = {n: node.player == top for n, node in enumerate(self.nodes) if isinstance(node, Decision)}
        self.choices = dict.fromkeys(self.maximises, 0)
        self.values: Mapping[int, Any] = {}
        self.totals: GainAndBias | None = None  # where nothing is discounted
        self.notes: tuple[str, ...] = (
            f"what each action leads to counts {self.discount} times as much as what it gains",
        )

    def _to_max(self, gained: tuple[Number, ...]) -> Number:
        """MAX's share of a gain of both, which must be zero-sum."""
        if len(gained) == 2 and sum(gained) != 0:
            raise self.watch.unmet_need("zero_sum")
        return gained[self.max_player]

    def improve(self) -> None:
        """Switch to better actions until nobody can."""
        if self.discount < 1:
            improve_choices(self.choices, self.maximises, self._policy_values, self.worth)
        else:
            self._find_totals()

    def _find_totals(self) -> None:
        """The total from each position on, where nothing is discounted."""
        self.notes = ("every gain counts in full, however late",)
        prices, note = endless_prices(self.game, self.max_player, self.all_ways)
        totals = self.totals = self.gain_and_bias(prices[0])
        at_start = set()
        for price in prices:
            self.improve_series(totals, price)
            refuse_endless_gain(self.game, self.max_player, totals, self.nodes, self.children)
            self.values = totals.find_totals()
            at_start.add(self.values[0])
        if len(at_start) > 1:
            raise Refusal(
                f"{POLICY_ITERATION.name} needs to know what endless play of {self.game.name} is worth besides its "
                "rewards; say so in the file, as in `forever -> 0`"
            )
        self.notes += note

    def gain_and_bias(self, price: Number) -> GainAndBias:
        """Best play by gain and bias, still to be improved; its choices become those of the process."""
        moves = {n: int(not isinstance(node, Chance)) for n, node in enumerate(self.nodes)}
        found = GainAndBias(self.all_ways, self.maximises, moves, price, self.budget.check_time)
        self.choices = found.choices
        return found

    def improve_series(self, found: GainAndBias, price: Number) -> None:
        """Improve best play by gain and bias, at this price of play without end."""
        try:
            found.improve(price)
        except ZeroDivisionError:
            raise self.endless_chance() from None

    def worth(self, number: int, values: Mapping[int, Number]) -> list[Number]:
        """The value to MAX of each action of a decision: its gain plus the discounted value of the position after
        it."""
        return list(map(exact, worth_of_ways(self.all_ways[number], values)))

    def _counts(self, child: int) -> Number:
        """The factor for the value of a position that follows: the discount, but 1 for a chance step, which belongs to
        the action before it."""
        return 1 if isinstance(self.nodes[child], Chance) else self.discount

    def _policy_values(self) -> dict[int, Number]:
        """The value of every position when everyone follows the choices."""
        self.budget.check_time()
        self.values = self._solve_equations({n: self._equation(n, own) for n, own in self.all_ways.items()})
        return self.values

    def _equation(self, number: int, ways: Sequence[Way]) -> Equation:
        """The equation of a position's value when everyone follows the choices; `ways` are the ways on from it."""
        gain, leads = ways[self.choices.get(number, 0)]
        return Equation(gain, {child: weight for weight, child in leads})

    def _solve_equations(self, equations: dict[int, Equation]) -> dict[int, Number]:
        try:
            return {number: exact(value) for number, value in solve(equations).items()}
        # The equations have no single solution: chance steps, which are not discounted, lead back to each other with
        # probability 1.
        except ZeroDivisionError:
            raise self.endless_chance() from None

    def endless_chance(self) -> Refusal:
        return Refusal(f"chance alone could go on for ever in {self.game.name}, so its rewards have no sum")

    def value(self, values: Mapping[int, Number]) -> Number:
        """The value of play from the start, by those of the positions. Chance steps before the first action are not
        discounted."""
        if self.discount == 1:
            return values[0]
        opening: dict[int, Equation] = {}
        queue = [0]
        for number in queue:  # grows while it is walked
            if isinstance(self.nodes[number], Chance):
                opening[number] = self._equation(number, self._ways(number, lambda child: 1))
                queue += [child for child in dict.fromkeys(self.children[number]) if child not in queue]
            else:
                opening[number] = Equation(values[number], {})
        return self._solve_equations(opening)[0]

    def bounds(self) -> tuple[Number, Number] | None:
        """Bounds of the value of play from the start, proved by one move from nearby values; the choices become those
        that are best by them. None if chance steps lead back to each other."""
        acting, order = self.maximises, self.chance_order()
        if order is None:
            return None
        ways = {n: self.all_ways[n] for n in (*order, *acting)}
        values: dict[int, Any] = {n: float(self.values.get(n, 0)) for n in ways}
        rough = in_floats(ways)
        for _ in range(max(1, SWEPT // len(ways))):
            for n, own in rough.items():
                worth = worth_of_ways(own, values)
                values[n] = max(worth) if acting.get(n, True) else min(worth)
                if n in acting:
                    self.choices[n] = worth.index(values[n])
        near = self.round_values(ways, order, values)
        gains = [Fraction(0)]
        for n, maximises in acting.items():
            worth = worth_of_ways(ways[n], near)
            best = max(worth) if maximises else min(worth)
            gains += [Fraction(there - near[n]) for there in (best, worth[self.choices[n]])]
        start, scale = self.value(near), 1 - self.discount
        return exact(start + min(gains) / scale), exact(start + max(gains) / scale)

    def chance_order(self) -> list[int] | None:
        """The positions where nobody acts, each after all that follow it; None if chance steps lead back to each
        other."""
        acting = self.maximises
        by_chance = [() if n in acting else tuple(m for m in after if m not in acting)
                     for n, after in enumerate(self.children)]  # fmt: skip
        order = [n for n in reversed(topological_order(by_chance)) if n not in acting]
        return order if len(order) + len(acting) == len(self.nodes) else None

    def round_values(
        self, ways: Mapping[int, Sequence[Way]], order: Sequence[int], values: Mapping[int, float]
    ) -> dict[int, Number]:
        """The values in multiples of 1 / GRAIN where somebody acts, and what follows of them for the positions in
        `order`."""
        near: dict[int, Number] = {n: Fraction(round(values[n] * GRAIN), GRAIN) for n in self.maximises}
        for n in order:
            near[n] = worth_of_ways(ways[n], near)[0]
        return near

    @cached_property
    def all_ways(self) -> dict[int, list[Way]]:
        """The gain of each action of each decision, with the weights of the positions that follow; of chance, or an
        end, the one way on."""
        return {n: self._ways(n, self._counts) for n in range(len(self.nodes))}

    def _ways(self, number: int, counts: Callable[[int], Number]) -> list[Way]:
        """The ways on from a position; `counts` is the factor of the value of a position that follows."""
        node = self.nodes[number]
        if isinstance(node, Terminal):
            return [(self._to_max(tuple(map(require_number, node.utilities))), [])]
        pairs = list(zip(self.gains[number], self.children[number], strict=True))
        if not isinstance(node, Chance):
            return [(gain, [(counts(child), child)]) for gain, child in pairs]
        gain: Number = 0
        weights: dict[int, Number] = {}
        for (_, share), (gained, child) in zip(node.outcomes, pairs, strict=True):
            weights[child] = weights.get(child, 0) + share * counts(child)
            gain += share * gained
        return [(gain, [(weight, child) for child, weight in weights.items()])]

    def best(self) -> tuple[Action, ...]:
        """All actions at the start that are best, the one that is played first; () if nobody moves there."""
        node = self.nodes[0]
        if not isinstance(node, Decision):
            return ()
        worth, first = self.worth_at_start(), self.choices[0]
        others = [a for k, a in enumerate(node.actions) if k != first and worth[k] == worth[first]]
        return (node.actions[first], *others)

    def worth_at_start(self) -> Sequence[Any]:
        """The value of each action at the start, by which actions are compared."""
        return self.worth(0, self.values)

    def choice(self, state: Any, node: Decision) -> Action:
        return node.actions[self.choices[self.numbers[state]]]


def _partial_answer(answer: Solution, process: RewardProcess) -> Solution:
    """The answer where a limit stops the work: bounds of the value, and what everyone does by the last policy."""
    if process.totals is not None:
        least = process.totals.secured_total() if len(process.game.players) == 1 else None
        if least is not None:
            low = exact(Fraction(floor(least * GRAIN), GRAIN))
            answer = replace(answer, value=(float(least),), interval=((low, None),))
    elif (bounds := process.bounds()) is None:
        return answer
    else:
        ends = [constant_sum_vector(process.game, process.max_player, end) for end in bounds]
        answer = replace(
            answer,
            value=tuple(float(a + b) / 2 for a, b in zip(*ends, strict=True)),
            interval=tuple((min(pair), max(pair)) for pair in zip(*ends, strict=True)),
        )
    start = process.nodes[0]
    return replace(
        answer,
        best=(start.actions[process.choices[0]],) if isinstance(start, Decision) else (),
        strategy=strategies(process.game, (process.choice,) * len(answer.players)),
        notes=process.notes,
    )


def _complete_answer(answer: Solution, process: RewardProcess) -> Solution:
    profile = strategies(process.game, (process.choice,) * len(answer.players))
    line, returns = line_of_play(
        process.nodes.__getitem__, process.children.__getitem__, lambda _, number: process.choices[number]
    )
    return replace(
        answer,
        exact=True,
        value=constant_sum_vector(process.game, process.max_player, process.value(process.values)),
        best=process.best(),
        line=line,
        strategy=profile,
        regret=(0,) * len(answer.players),
        notes=(
            *process.notes,
            *([RETURNS] if returns and process.discount == 1 else []),
            *([MANY_CHOICES] if profile is None else []),
        ),
    )


POLICY_ITERATION = Solver(
    name="policy-iteration",
    run=policy_iteration,
    needs=ONE_OR_TWO,
    summary="rewards on the way, discounted or in full: Markov decision processes, and such games of two with zero sum",
    extent="whole",
    averages=True,
    doubt="refuses",
)
