"""Counterfactual regret minimisation: strategies of any number of players that improve for as long as they are let.

1. Every player begins with all actions equally likely, and keeps for each action of each information set its regret:
   how much more it would have earned so far than what was played.
2. Iteration after iteration, one player after the other plays each action in proportion to its positive regret.
3. The average of all these strategies is the answer. With two players and a zero sum it approaches an equilibrium.
4. After 16, 32, 64, … iterations the average is rounded to fractions, and what each player could gain against it is
   computed exactly. So whenever the search ends, its regret is proved, and with a zero sum the value lies between what
   the two strategies secure.

With more players, or without a zero sum, no method of this kind is sure to come close; the regret tells how close it
came. `--method` takes the variant: `plus` (CFR+), `discounted` or `predictive`; `--regret 1/1000` stops when nobody can
gain more. The work is done on sequences of own moves (see sequences.py), so that ends which every player reaches by the
same own moves count as one.

Source: Zinkevich, Johanson, Bowling and Piccione, Regret minimization in games with incomplete information, NIPS 2007;
Tammelin, Burch, Johanson and Bowling, Solving heads-up limit Texas hold'em, IJCAI 2015; Brown and Sandholm, Solving
imperfect-information games via discounted regret minimization, AAAI 2019; Farina, Kroer and Sandholm, Faster game
solving via predictive Blackwell approachability, AAAI 2021.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from math import floor, lcm, prod
from typing import Any, Literal, NamedTuple

from gdl.compiler.searches.regret_minimisation import Minimiser, Table
from gdl.game import Bounds, Game, Number, exact
from gdl.numbers import brief
from gdl.solution import Solution
from solvers.budget import Budget, answering
from solvers.equilibria.behaviour import Behaviour, write_profile
from solvers.equilibria.positions import LIMIT, Positions, explore
from solvers.equilibria.sequences import Sequences, sequences
from solvers.needs import AtLeast
from solvers.solver import Progress, Solver

ITERATIONS = 1_000  # where nothing says how many
FIRST = 16  # iterations before the first strategies are judged
COARSE, FINE = 10**6, 10**9  # probabilities are rounded to whole multiples of one part in so many: finely where the
NEAR = Fraction(1, 10**4)  # coarse ones leave a regret of less than this, times the range of the utilities
DECIMALS = 10**12  # ends of an interval are no longer than that
SLICE = 0.05  # seconds of iterations between two looks at the clock
MOST = 1 << 40  # iterations, where only a clock or a regret ends them

Method = Literal["plus", "discounted", "predictive"]


class Plans(NamedTuple):
    """Realization plans in whole numbers: the weight of each sequence of each player, over that player's `units`."""

    weights: tuple[tuple[int, ...], ...]
    units: tuple[int, ...]


class Judged(NamedTuple):
    """Strategies, and what they are worth: `most` is what each player gets by the best reply to the others."""

    iterations: int
    plans: Plans
    value: tuple[Number, ...]
    most: tuple[Number, ...]

    @property
    def regret(self) -> tuple[Number, ...]:
        return tuple(exact(most - value) for most, value in zip(self.most, self.value, strict=True))


def cfr(
    game: Game[Any],
    *,
    method: Method = "plus",
    iterations: int | None = None,
    regret: Fraction | None = None,
    nodes: int = LIMIT,
    time: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """Strategies whose regret is proved, and an interval for the value where the sum of utilities is constant.

    Ends after so many `iterations`, when no player can gain more than `regret`, or with the time; after ITERATIONS if
    nothing is given. At most `nodes` positions. Raises Refusal for games of imperfect recall.
    """
    budget = Budget(nodes, time, progress)
    positions = explore(game, budget)
    begun = Solution(game.name, CFR.name, game.players, game.traits, exact=False, nodes=len(positions.nodes))
    search = Averaging(sequences(positions), method)
    wanted = iterations or (ITERATIONS if regret is None and time is None else MOST)
    with answering(lambda: search.answer(begun)):
        search.improve(wanted, regret or 0, budget)
    return search.answer(begun)


def _missing(judged: Judged) -> Number:
    """How far strategies are from an equilibrium: what all players together could gain."""
    return sum(judged.regret, Fraction(0))


class Averaging:
    """The average strategies of a game, and the best of those that were judged."""

    def __init__(self, form: Sequences, method: Method):
        self.form = form
        self._payoffs = Payoffs(form)
        self._minimiser = Minimiser(self._payoffs.table(), method)
        self.best: Judged | None = None

    def improve(self, iterations: int, regret: Number, budget: Budget) -> None:
        """Go on until so many iterations are done, or nobody can gain more than that much."""
        target = min(FIRST, iterations)
        while True:
            while not self._minimiser.run(target, SLICE):
                self._pause(budget)
            if max(self._judge().regret) <= regret or target >= iterations:
                return
            self._pause(budget)
            target = min(2 * target, iterations)

    def _pause(self, budget: Budget) -> None:
        if budget.progress:
            budget.progress(self._minimiser.iterations)
        budget.check_time()

    def _judge(self) -> Judged:
        """The best so far, after the average as it is now."""
        average = self._minimiser.average()
        now = self._judged(self._payoffs.plans(average, COARSE))
        if max(now.regret) < NEAR * self._payoffs.range:
            now = min(now, self._judged(self._payoffs.plans(average, FINE)), key=_missing)
        self.best = now if self.best is None else min(self.best, now, key=_missing)
        return self.best

    def _judged(self, plans: Plans) -> Judged:
        players = range(len(plans.weights))
        value = tuple(self._payoffs.value(plans, player) for player in players)
        most = tuple(self._payoffs.most(plans, player) for player in players)
        return Judged(self._minimiser.iterations, plans, value, most)

    def answer(self, begun: Solution) -> Solution:
        """What the best strategies so far say of the game."""
        found = self.best or self._judge()
        positions = self.form.positions
        behaviour = self.form.behaviour(found.plans.weights)
        proved = not any(found.regret)
        total = positions.constant_sum() if len(positions.players) == 2 else None
        return replace(
            begun,
            exact=proved,
            value=found.value if proved else tuple(map(float, found.value)),
            interval=None if proved or total is None else _interval(found, total),
            strategy=write_profile(positions, behaviour),
            best=_first_action(positions, behaviour) if proved else (),
            regret=found.regret,
            notes=(_said(found, total is not None),),
        )


def _interval(found: Judged, total: Number) -> Bounds:
    """Where the values lie: no less than what a strategy secures, no more than what the other's allows."""
    first, second = found.most
    low, high = _floor(total - second), -_floor(-first)
    return (low, high), (exact(total - high), exact(total - low))


def _floor(number: Number) -> Number:
    """The number, or one a little below that has no more than twelve decimals."""
    number = Fraction(number)
    return exact(number if number.denominator <= DECIMALS else Fraction(floor(number * DECIMALS), DECIMALS))


def _said(found: Judged, sure: bool) -> str:
    if not any(found.regret):
        return f"After {found.iterations:,} iterations nobody can gain by deviating: this is an equilibrium."
    regret = brief(max(found.regret), "about ")
    told = f"After {found.iterations:,} iterations no player can gain more than {regret} by deviating."
    return told if sure else f"{told} In a game of this kind more iterations need not bring less."


def _first_action(positions: Positions, behaviour: Behaviour) -> tuple[str, ...]:
    """What the first mover does, if one player begins and mixes nothing."""
    h = positions.sets[0]
    row = None if h is None else behaviour[h]
    return (positions.information_sets[h].actions[row.index(1)],) if h is not None and row and 1 in row else ()


class _Set(NamedTuple):
    """An information set: its first sequence, its number of actions, the sequence that leads to it."""

    first: int
    actions: int
    before: int


class Payoffs:
    """The sequences of all players in one numbering, and what they pay together: whole numbers over `under`."""

    def __init__(self, form: Sequences):
        players = len(form.positions.players)
        self.counts = tuple(form.count(player) for player in range(players))
        self.begin = tuple(accumulate(self.counts, initial=0))  # the empty sequence of each player
        self.sets = tuple(
            tuple(
                _Set(begin + form.first[h], len(form.of(h)), begin + form.before[h])
                for h in form.positions.sets_of(player)
            )
            for player, begin in enumerate(self.begin[:-1])
        )
        sums: dict[tuple[int, ...], list[Number]] = {}
        for end in form.ends:
            row = sums.setdefault(end.sequences, [0] * players)
            for player, utility in enumerate(end.utilities):
                row[player] += end.chance * utility
        utilities = [utility for end in form.ends for utility in end.utilities]
        self.range = max(utilities) - min(utilities)
        self.under = lcm(*(amount.denominator for row in sums.values() for amount in row))
        self.ends = tuple(
            (tuple(map(int.__add__, self.begin, led)), tuple(int(amount * self.under) for amount in row))
            for led, row in sums.items()
        )

    def table(self) -> Table:
        """The same for kernel code. Utilities are scaled: only their proportions matter there."""
        largest = max((abs(amount) for _, row in self.ends for amount in row), default=0) or 1
        ends = tuple((led, tuple(amount / largest for amount in row)) for led, row in self.ends)
        return Table(self.counts, self.sets, ends)

    def plans(self, average: Sequence[float], parts: int) -> Plans:
        """The plans of average strategies whose probabilities are rounded to whole multiples of one part in so many;
        what is left over goes to the likeliest action."""
        weights, units = [], []
        for begin, count, sets in zip(self.begin, self.counts, self.sets, strict=False):
            depth = [0] * count  # own moves of each sequence
            for first, actions, before in sets:
                depth[first - begin : first - begin + actions] = [depth[before - begin] + 1] * actions
            unit = parts ** max(depth)
            weight = [unit] + [0] * (count - 1)
            for first, actions, before in sets:
                led = weight[before - begin] // parts
                shares = _rounded(average[first : first + actions], parts)
                weight[first - begin : first - begin + actions] = [led * share for share in shares]
            weights.append(tuple(weight))
            units.append(unit)
        return Plans(tuple(weights), tuple(units))

    def value(self, plans: Plans, player: int) -> Number:
        """What the plans pay a player."""
        weight = [part for plan in plans.weights for part in plan]
        total = 0
        for led, paid in self.ends:
            amount = paid[player]
            for sequence in led:
                amount *= weight[sequence]
            total += amount
        return exact(Fraction(total, self.under * prod(plans.units)))

    def most(self, plans: Plans, player: int) -> Number:
        """What the best reply to the plans of the others pays a player: from the last set to the first, an action is
        worth what its ends and the sets behind it are, a set as much as its best action."""
        weight = [part for plan in plans.weights for part in plan]
        gain = [0] * len(weight)
        for led, paid in self.ends:
            amount = paid[player]
            for other, sequence in enumerate(led):
                if other != player:
                    amount *= weight[sequence]
            gain[led[player]] += amount
        for first, actions, before in reversed(self.sets[player]):
            gain[before] += max(gain[first : first + actions])
        others = prod(unit for other, unit in enumerate(plans.units) if other != player)
        return exact(Fraction(gain[self.begin[player]], self.under * others))


def _rounded(shares: Sequence[float], parts: int) -> list[int]:
    """The shares as whole parts of the whole; equal ones, where there are none."""
    total = sum(shares)
    if not total > 0:
        shares, total = [1.0] * len(shares), float(len(shares))
    rounded = [int(parts * (share / total)) for share in shares]
    rounded[rounded.index(max(rounded))] += parts - sum(rounded)
    return rounded


CFR = Solver(
    name="cfr",
    run=cfr,
    needs={"players": AtLeast(2), "perfect_recall": True, "cyclic": False},
    summary="hidden information, any number of players: strategies that improve with time, and their proven regret",
    advised={"perfect_information": False},
    extent="whole",
)
