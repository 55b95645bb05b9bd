"""Perfection and properness of an equilibrium of three players or more, in the strategic form.

What is a limit of trembles is also one along a curve, on which each mistake has a probability like c e^w for a small
number e (curve selection: Milnor 1968). Only the powers w, and at times the factors c, decide:

1. Where everyone plays one plan, what it pays more than another one, against the trembles, is a sum of products of
   mistakes. Of these only such count as no other divides. If those that speak for the plan can come first in each sum,
   by powers that solve a linear program, the equilibrium is perfect. If they cannot even come first among others, it is
   not. Which product comes first is tried in every way. Proper: of two mistakes the costlier has the greater power.
2. Where somebody mixes, or powers alone decide nothing: all mistakes have the same power. To first order all is linear
   in their factors and in how what is played becomes more or less frequent: a linear program moves all probabilities
   along a straight line on which what is played goes on paying alike, and no mistake gains that costs nothing at first.
   If the equations of what is played have an inverse there, mixtures follow the mistakes (the implicit function
   theorem): the equilibrium is perfect if all such mistakes can be made to lose, and is not if they must gain.
3. Where those equations have no inverse: whether what is played pays alike along that line, and nothing more, is looked
   at to every order.
4. Nobody plays in a perfect equilibrium what is weakly dominated, also by a mixture.

What none of this decides is told as undecided.

Sources: Selten 1975; Myerson 1978; van Damme, Stability and Perfection of Nash Equilibria, 1991 (with three players an
equilibrium may be undominated and yet not perfect).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import NamedTuple

from gdl.game import Number, exact
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.simplex import Infeasible, LinearProgram, Optimum
from gdl.solvers.equilibria.strategic_form import Cell, Mix, StrategicForm
from gdl.wings.theory.row_echelon_form import eliminate_columns
from gdl.wings.theory.tables import dominating, optimum

MOST_PROGRAMS = 300  # linear programs for the powers of mistakes
LOST = Fraction(1, 10**9)  # the least loss that counts, where probabilities are only approximate

Mistake = tuple[int, int]  # a player, and a plan that the player does not play
Product = tuple[Mistake, ...]  # of the probabilities of mistakes
Row = tuple[dict[Mistake, Number], Number]  # a sum of powers, and what it is at least
Orders = dict[Mistake, Number]  # the power of the small number that each mistake has


class TrembleVerdict(NamedTuple):
    """The verdict whether an equilibrium is a limit of trembles (None: not decided). If it is not, and one player can
    be blamed: the `player`, and a better `plan` or the mixture `dominating` the player's. If it is: the powers of the
    mistakes that prove it, if these do (`orders`), and True in `follows` if the equilibrium adapts to any mistakes."""

    holds: bool | None
    player: int | None = None
    plan: int | None = None
    dominating: Mix | None = None
    orders: Orders | None = None
    follows: bool = False


@dataclass
class LinearProgramBudget:
    """The number of coefficients that further linear programs for powers may have, all together."""

    left: int

    def spend(self, program: LinearProgram) -> None:
        """Subtract the coefficients of one more program. Raises _TooMany if too few are left."""
        self.left -= sum(map(len, program.rows))
        if self.left < 0:
            raise _TooMany


def judge_trembles(
    form: StrategicForm,
    concept: str,
    mixes: Sequence[Mix],
    budget: Budget,
    *,
    close: bool = False,
    patience: LinearProgramBudget | None = None,
) -> TrembleVerdict:
    """Decide if the equilibrium is perfect, or proper, as `concept` says. With `close` its probabilities are only
    approximate. When `patience` is used up, mistakes are no longer told apart by how fast they vanish."""
    played = _EquilibriumProfile(form, mixes, close, budget, patience)
    several = any(len(played.mistakes(player)) > 1 for player in form.players)
    ranked = concept == "proper" and several  # of one mistake there is none that is costlier
    is_pure = all(len(support) == 1 for support in played.supports)
    found = _by_powers(played, ranked) if is_pure else TrembleVerdict(None)
    if found.holds is None:
        found = _by_factors(played)
        if ranked and found.holds and not (found.follows and played.costs_differ()):
            found = TrembleVerdict(None)
    if found.holds or close:
        return found
    for player, mix in enumerate(mixes):
        better = dominating(form, player, mix, budget)
        if better is not None:
            return TrembleVerdict(False, player, dominating=better)
    return found


@dataclass
class _EquilibriumProfile:
    """An equilibrium in the strategic form: its mixtures, their supports, and in `worth` the payoff of every plan
    against it. With `close` the probabilities are only approximate. `budget` and `patience` limit the work on it."""

    form: StrategicForm
    mixes: Sequence[Mix]
    close: bool
    budget: Budget
    patience: LinearProgramBudget | None

    def __post_init__(self) -> None:
        self.near: Number = LOST if self.close else 0
        self.supports = [[k for k, share in enumerate(mix) if share] for mix in self.mixes]
        self.worth = [[self.pays(p, plan) for plan in range(len(plans))] for p, plans in enumerate(self.form.plans)]

    def mistakes(self, player: int) -> list[int]:
        return [k for k, share in enumerate(self.mixes[player]) if not share]

    @property
    def all_mistakes(self) -> list[Mistake]:
        """The plans that somebody has and does not play."""
        return [(player, plan) for player in self.form.players for plan in self.mistakes(player)]

    def tied_mistakes(self, player: int) -> list[int]:
        """The mistakes that cost nothing against the equilibrium, without plans that always pay what the played one
        pays."""
        own, worth = self.supports[player][0], self.worth[player]
        return [
            k
            for k in self.mistakes(player)
            if worth[k] >= worth[own] - self.near and not self.pays_same(player, own, k)
        ]

    def costs_differ(self) -> bool:
        """True if every mistake costs something, and no two mistakes cost the same, except plans that always pay the
        same."""
        return not any(
            self.tied_mistakes(player)
            or any(
                -self.near <= worth[a] - worth[b] <= self.near and not self.pays_same(player, a, b)
                for a, b in combinations(self.mistakes(player), 2)
            )
            for player, worth in enumerate(self.worth)
        )

    def pays(self, player: int, own: int, change: Mistake | None = None) -> Number:
        """The average payoff of the player's plan `own` against the equilibrium; with `change`, another player plays
        that plan for certain."""
        fixed = {player: own, **dict([change] if change else [])}
        choices = [[fixed[p]] if p in fixed else support for p, support in enumerate(self.supports)]
        total = Fraction(0)
        for cell in product(*choices):
            share = prod(self.mixes[p][k] for p, k in enumerate(cell) if p not in fixed)
            total += share * self.form.payoffs[cell][player]
        return exact(total)

    def lead(self, player: int, own: int, other: int, change: Mistake) -> Number:
        """The lead of plan `own` over plan `other` if another player plays the plan in `change` for certain."""
        return 0 if change[0] == player else exact(self.pays(player, own, change) - self.pays(player, other, change))

    def pays_same(self, player: int, one: int, other: int) -> bool:
        """True if two plans always pay their player the same."""
        return next(self.gains(player, one, other), None) is None

    def gains(self, player: int, one: int, other: int) -> Iterator[tuple[Cell, Number]]:
        """The cells with plan `one` of the player in which plan `other` would pay something else, each with how much
        more `one` pays."""
        everyone = [range(len(plans)) if p != player else (one,) for p, plans in enumerate(self.form.plans)]
        payoffs = self.form.payoffs
        for cell in product(*everyone):
            more = payoffs[cell][player] - payoffs[(*cell[:player], other, *cell[player + 1 :])][player]
            if more:
                yield cell, more


# -- powers of mistakes ------------------------------------------------------------------------------------------------


class _TooMany(Exception):
    """There are too many ways to rank the products."""


Ways = list[list[Row]]  # the rows of one of them must hold
Choice = tuple[Mistake, Ways]  # a condition on a plan


def _by_powers(played: _EquilibriumProfile, ranked: bool) -> TrembleVerdict:
    """Decide if a pure equilibrium survives mistakes whose sizes are powers of one small number. Undecided (None) if
    only ties of powers would do, or there are too many ways. If no powers bear it out, a plan is blamed whose condition
    fails even alone, if there is one."""
    with suppress(_TooMany):
        orders = _powers(played, *_conditions(played, ranked, 1))
        if orders is not None:
            return TrembleVerdict(True, orders=orders)
        rows, choices = _conditions(played, ranked, 0)
        if _powers(played, rows, choices) is None:
            with suppress(_TooMany):
                for one in choices:
                    if _powers(played, rows, [one]) is None:
                        return TrembleVerdict(False, *one[0])
            return TrembleVerdict(False)
    return TrembleVerdict(None)


def _conditions(played: _EquilibriumProfile, ranked: bool, gap: int) -> tuple[list[Row], list[Choice]]:
    """The conditions on the powers of mistakes: no plan pays more than those that are played and, if `ranked`, a
    costlier mistake is a rarer one. With `gap` 1 the decisive products are strictly the largest; with 0 they may
    tie."""
    rows: list[Row] = []
    choices: list[Choice] = []
    for player in played.form.players:
        for plan in played.tied_mistakes(player):
            ahead, behind = _compare_plans(played, player, played.supports[player][0], plan)
            if behind:
                choices.append(((player, plan), [_order_rows(one, behind, gap) for one in ahead]))
        for one, other in combinations(played.mistakes(player), 2) if ranked else ():
            gains = played.worth[player][one] - played.worth[player][other]
            rarer: list[Row] = [({(player, a): 1, (player, b): -1}, 1) for a, b in ((other, one), (one, other))]
            if gains:
                rows.append(rarer[gains < 0])
            elif not played.pays_same(player, one, other):
                ahead, behind = _compare_plans(played, player, one, other)
                ways = [[*_order_rows(key, behind, gap), rarer[0]] for key in ahead]
                ways += [[*_order_rows(key, ahead, gap), rarer[1]] for key in behind]
                for both in () if gap else product(ahead, behind):  # in which both may be alike
                    ways.append([row for key in both for row in _order_rows(key, (*ahead, *behind), 0)])
                choices.append(((player, one), ways))
    return rows, sorted(choices, key=lambda choice: len(choice[1]))


def _order_rows(one: Product, others: Sequence[Product], gap: int) -> list[Row]:
    """The rows that a product is of a larger order than others."""
    return [({m: (m in other) - (m in one) for m in (*other, *one) if (m in other) != (m in one)}, gap)
            for other in others]  # fmt: skip


def _compare_plans(
    played: _EquilibriumProfile, player: int, one: int, other: int
) -> tuple[list[Product], list[Product]]:
    """The products of mistakes by which plan `one` pays more than plan `other`, and those by which it pays less,
    without products that another one divides."""
    found: dict[Product, Number] = {}
    played.budget.check_time()
    for cell, gains in played.gains(player, one, other):
        found[tuple((p, k) for p, k in enumerate(cell) if p != player and k != played.supports[p][0])] = gains
    least = [key for key in found
             if not any(part in found for size in range(len(key)) for part in combinations(key, size))]  # fmt: skip
    return [key for key in least if found[key] > 0], [key for key in least if found[key] < 0]


def _powers(played: _EquilibriumProfile, rows: list[Row], choices: Sequence[Choice]) -> Orders | None:
    """Powers of the mistakes, each 1 or more, with which all rows hold and one way of each choice; None if there are
    none. Raises _TooMany."""
    programs = 0
    first = _least_powers(played, rows)
    stack = [] if first is None else [(0, rows, first)]
    while stack:
        number, given, orders = stack.pop()
        if number == len(choices):
            return orders
        branches = []
        for way in choices[number][1]:
            more = [*given, *way]
            if all(sum(count * orders[m] for m, count in terms.items()) >= least for terms, least in way):
                branches.append((number + 1, more, orders))
                continue
            programs += 1
            if programs > MOST_PROGRAMS:
                raise _TooMany
            found = _least_powers(played, more)
            if found is not None:
                branches.insert(0, (number + 1, more, found))
        stack += branches
    return None


def _least_powers(played: _EquilibriumProfile, rows: Sequence[Row]) -> Orders | None:
    """The powers with the least sum with which the rows hold; None if there are none."""
    at = {mistake: k for k, mistake in enumerate(played.all_mistakes)}
    program = LinearProgram(
        variables=len(at),  # how far each power is above one
        objective=dict.fromkeys(range(len(at)), -1),
        rows=[{at[m]: -count for m, count in terms.items()} for terms, _ in rows],
        bounds=[exact(sum(terms.values()) - least) for terms, least in rows],
    )
    if played.patience is not None:
        played.patience.spend(program)
    try:
        found = optimum(program, played.budget).primal
    except Infeasible:
        return None
    return {mistake: exact(1 + found[k]) for mistake, k in at.items()}


# -- along a line ------------------------------------------------------------------------------------------------------


class _Moves:
    """How much every probability grows along a straight line from the equilibrium, as variables of a linear program:
    of a mistake beyond `least`, of what is played in either direction."""

    def __init__(self, played: _EquilibriumProfile, tied: Sequence[Mistake]):
        self.played, self.mistakes = played, played.all_mistakes
        own = [(player, plan) for player, support in enumerate(played.supports) for plan in support]
        self.plans = [*self.mistakes, *own]
        self.shrinks = {one: len(self.plans) + k for k, one in enumerate(own)}
        self.size = len(self.plans) + len(own)
        self.alike = [(p, support[0], other) for p, support in enumerate(played.supports) for other in support[1:]]
        self.level = [self._leads(*one) for one in self.alike]
        self.losses = [self._leads(player, played.supports[player][0], plan) for player, plan in tied]

    def _leads(self, player: int, own: int, other: int) -> dict[int, Number]:
        """The lead of plan `own` over plan `other` along the line, to first order."""
        self.played.budget.check_time()
        terms: dict[int, Number] = {}
        for k, change in enumerate(self.plans):
            if lead := self.played.lead(player, own, other, change):
                terms[k] = lead
                if change in self.shrinks:
                    terms[self.shrinks[change]] = -lead
        return terms

    def can_follow(self) -> bool:
        """True if the equations by which what is played pays alike have an inverse."""
        more = [(player, plan) for player, _, plan in self.alike]
        matrix = [[terms.get(self.plans.index(change), 0) for change in more] for terms in self.level]
        return eliminate_columns(matrix, len(more)).rank == len(more)

    def most_losing(self) -> Optimum | None:
        """The line on which the tied mistakes lose the most, each up to one; None if there is none on which what is
        played pays alike. Every mistake grows by at least one."""

        def least(terms: dict[int, Number]) -> Number:
            return exact(sum((terms.get(k, 0) for k in range(len(self.mistakes))), Fraction(0)))

        rows: list[dict[int, Number]] = list(self.level)
        bounds = [-least(terms) for terms in self.level]
        slacks = range(self.size, self.size + len(self.losses))
        for slack, terms in zip(slacks, self.losses, strict=True):
            rows += [{**{k: -x for k, x in terms.items()}, slack: 1}, {slack: 1}]
            bounds += [least(terms), 1]
        equal, goal = frozenset(range(len(self.level))), dict.fromkeys(slacks, 1)
        with suppress(Infeasible):
            return optimum(LinearProgram(slacks.stop, goal, rows, bounds, equal), self.played.budget)
        return None

    def must_gain(self, losses: Sequence[dict[int, Number]]) -> bool:
        """True if no mistakes keep those of which these are the losses from gaining."""
        every: dict[int, Number] = dict.fromkeys(range(len(self.mistakes)), 1)
        rows = [*self.level, *({k: -x for k, x in terms.items()} for terms in losses), every]
        equal = frozenset(range(len(self.level)))
        program = LinearProgram(self.size, every, rows, [*(0 for _ in rows[1:]), 1], equal)
        return not optimum(program, self.played.budget).value

    def is_proved_by(self, found: Sequence[Number], tied: Sequence[Mistake]) -> bool:
        """True if along the line to every order what is played pays alike, and tied mistakes lose."""
        line = {one: found[k] + 1 for k, one in enumerate(self.mistakes)}
        line |= {one: found[self.plans.index(one)] - found[k] for one, k in self.shrinks.items()}
        return all(not any(_gains(self.played, line, *one)) for one in self.alike) and all(
            next((x for x in _gains(self.played, line, p, self.played.supports[p][0], plan) if x), 1) > 0
            for p, plan in tied
        )


def _by_factors(played: _EquilibriumProfile) -> TrembleVerdict:
    """Decide by mistakes of the same power with different factors: perfect if some factors make every tied mistake
    lose, not perfect if none keep one of them, or all, from gaining."""
    tied = [(player, plan) for player in played.form.players for plan in played.tied_mistakes(player)]
    moves = _Moves(played, tied)
    follows = not moves.mistakes or moves.can_follow()
    if follows and not tied:
        return TrembleVerdict(True, follows=True)
    if played.close:
        return TrembleVerdict(None)
    found = moves.most_losing()
    if not follows:
        return TrembleVerdict(True if found and moves.is_proved_by(found.primal, tied) else None)
    if found and found.value == len(tied):
        return TrembleVerdict(True, follows=True)
    for one, losses in zip(tied, moves.losses, strict=True):
        if moves.must_gain([losses]):
            return TrembleVerdict(False, *one)
    return TrembleVerdict(False if moves.must_gain(moves.losses) else None)


def _gains(played: _EquilibriumProfile, line: dict[Mistake, Number], player: int, own: int, other: int) -> list[Number]:
    """The gain of plan `own` over plan `other` along the line, as a polynomial in how far play has moved, the constant
    first."""
    played.budget.check_time()
    total = [Fraction(0)] * len(played.form.plans)
    for cell, more in played.gains(player, own, other):
        powers: list[Number] = [more]
        for p, plan in enumerate(cell):
            if p != player:
                here, moved = played.mixes[p][plan], line[p, plan]
                powers = [a * here + b * moved for a, b in zip([*powers, 0], [0, *powers], strict=True)]
        for k, amount in enumerate(powers):
            total[k] += amount
    return [exact(amount) for amount in total]
