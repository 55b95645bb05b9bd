"""Perfection and properness of an equilibrium of three players or more, in the strategic form.

What is a limit of trembles is also one along a curve, on which each mistake has a probability like c e^w for a small
number e (curve selection: Milnor 1968). Only the powers w, and at times the factors c, decide:

1. Where everyone plays one plan, what it pays more than another one, against the trembles, is a sum of products of
   mistakes. Of these only such count as no other divides. If those that speak for the plan can come first in each sum,
   by powers that solve a linear program, the equilibrium is perfect. If they cannot even come first among others, it is
   not. Which product comes first is tried in every way. Proper: of two mistakes the costlier has the greater power.
2. Where somebody mixes, or powers alone decide nothing: all mistakes have the same power. What is played must go on
   paying alike, and if its equations have an inverse there, mixtures follow the mistakes (the implicit function
   theorem). To first order all is linear in the factors. If some factors make every mistake lose that costs nothing at
   first, the equilibrium is perfect; if none keep all of these from gaining, it is not.
3. Where those equations have no inverse: all probabilities are moved along a straight line, which a linear program
   finds to first order; whether what is played pays alike there, and nothing more, is then looked at to every order.
4. Nobody plays in a perfect equilibrium what is weakly dominated, also by a mixture.

What none of this decides is told as undecided.

Sources: Selten 1975; Myerson 1978; van Damme, Stability and Perfection of Nash Equilibria, 1991 (with three players an
equilibrium may be undominated and yet not perfect).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import NamedTuple

from gdl.game import Number, exact
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.elimination import only_solution
from gdl.solvers.equilibria.simplex import Infeasible, LinearProgram
from gdl.solvers.equilibria.strategic_form import Cell, Mix, StrategicForm
from gdl.solvers.strategic.tables import dominating, optimum

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
    approximate. When `patience` is used up, powers of mistakes are given up."""
    played = _EquilibriumProfile(form, mixes, close, budget, patience)
    mistakes = [len(played.mistakes(player)) for player in form.players]
    ranked = concept == "proper" and max(mistakes) > 1  # of one mistake there is none that is costlier
    found = _by_powers(played, ranked) if played.is_pure else TrembleVerdict(None)
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
    """An equilibrium in the strategic form: its mixtures, their supports, and the payoff of every plan against it. With
    `close` the probabilities are only approximate. `budget` and `patience` limit the work on it."""

    form: StrategicForm
    mixes: Sequence[Mix]
    close: bool
    budget: Budget
    patience: LinearProgramBudget | None
    supports: list[list[int]] = field(init=False)
    worth: list[list[Number]] = field(init=False)  # of each plan against the equilibrium

    def __post_init__(self) -> None:
        self.supports = [[k for k, share in enumerate(mix) if share] for mix in self.mixes]
        self.worth = [
            [self.pays(player, plan, {}) for plan in range(len(self.form.plans[player]))]
            for player in self.form.players
        ]

    @property
    def is_pure(self) -> bool:
        return all(len(support) == 1 for support in self.supports)

    def mistakes(self, player: int) -> list[int]:
        return [k for k, share in enumerate(self.mixes[player]) if not share]

    @property
    def all_mistakes(self) -> list[Mistake]:
        """The plans that somebody has and does not play."""
        return [(player, plan) for player in self.form.players for plan in self.mistakes(player)]

    def tied_mistakes(self, player: int) -> list[int]:
        """The mistakes that cost nothing against the equilibrium, without plans that always pay what the played one
        pays."""
        own = self.supports[player][0]
        most = self.worth[player][own] - (LOST if self.close else Fraction(0))
        return [k for k in self.mistakes(player) if self.worth[player][k] >= most and not self.same(player, own, k)]

    def costs_differ(self) -> bool:
        """True if every mistake costs something, and no two mistakes cost the same, except plans that always pay the
        same."""
        near = LOST if self.close else Fraction(0)
        return not any(
            self.tied_mistakes(player)
            or any(
                -near <= self.worth[player][a] - self.worth[player][b] <= near and not self.same(player, a, b)
                for a, b in combinations(self.mistakes(player), 2)
            )
            for player in self.form.players
        )

    def cells(self, player: int, own: int, fixed: dict[int, int]) -> Iterator[tuple[tuple[int, ...], Number]]:
        """The cells in which the player plays `own`, players in `fixed` their plan there, and the others plans of their
        supports; each with its probability."""
        choices = [
            [own] if p == player else [fixed[p]] if p in fixed else support for p, support in enumerate(self.supports)
        ]
        for cell in product(*choices):
            yield cell, prod(self.mixes[p][k] for p, k in enumerate(cell) if p != player and p not in fixed)

    def pays(self, player: int, own: int, fixed: dict[int, int]) -> Number:
        """The average payoff of the player's plan `own`, if players in `fixed` play their plan there and the others the
        equilibrium."""
        payoffs = self.form.payoffs
        return exact(
            sum((share * payoffs[cell][player] for cell, share in self.cells(player, own, fixed)), Fraction(0))
        )

    def same(self, player: int, one: int, other: int) -> bool:
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


class _Sum(NamedTuple):
    """The payoff of one plan less that of another, as products of mistakes: `ahead` those with a positive coefficient,
    `behind` those with a negative one, without products that another one divides."""

    ahead: tuple[Product, ...]
    behind: tuple[Product, ...]


@dataclass
class _Choice:
    """A condition on the plan of a player that holds if the rows of one of several `ways` hold."""

    player: int
    plan: int
    ways: list[list[Row]]


def _by_powers(played: _EquilibriumProfile, ranked: bool) -> TrembleVerdict:
    """Decide if a pure equilibrium survives mistakes whose sizes are powers of one small number. Undecided (None) if
    only ties of powers would do, or there are too many ways."""
    try:
        for gap in (1, 0):
            rows, choices = _conditions(played, ranked, gap)
            orders = _powers(played, rows, choices)
            if gap and orders is not None:
                return TrembleVerdict(True, orders=orders)
            if not gap and orders is None:
                return _blame_plan(played, rows, choices)
    except _TooMany:
        pass
    return TrembleVerdict(None)


def _blame_plan(played: _EquilibriumProfile, rows: list[Row], choices: Sequence[_Choice]) -> TrembleVerdict:
    """The verdict that no powers bear the equilibrium out, with a player and the plan whose condition fails even alone,
    if there is one."""
    with suppress(_TooMany):
        for one in choices:
            if _powers(played, rows, [one]) is None:
                return TrembleVerdict(False, one.player, one.plan)
    return TrembleVerdict(False)


def _conditions(played: _EquilibriumProfile, ranked: bool, gap: int) -> tuple[list[Row], list[_Choice]]:
    """The conditions on the powers of mistakes: no plan pays more than those that are played and, if `ranked`, a
    costlier mistake is a rarer one. With `gap` 1 the decisive products are strictly the largest; with 0 they may
    tie."""
    rows: list[Row] = []
    choices: list[_Choice] = []
    for player in played.form.players:
        own = played.supports[player][0]
        for plan in played.tied_mistakes(player):
            found = _compare_plans(played, player, own, plan)
            if found.behind:
                choices.append(_Choice(player, plan, _first(found.ahead, found.behind, gap)))
        for one, other in combinations(played.mistakes(player), 2) if ranked else ():
            gains = played.worth[player][one] - played.worth[player][other]
            better, worse = (one, other) if gains > 0 else (other, one)
            if gains:
                rows.append(_rarer(player, worse, better))
            elif not played.same(player, one, other):
                choices.append(_Choice(player, one, _ways_to_rank(played, player, one, other, gap)))
    return rows, sorted(choices, key=lambda choice: len(choice.ways))


def _rarer(player: int, worse: int, better: int) -> Row:
    return {(player, worse): 1, (player, better): -1}, 1


def _ways_to_rank(played: _EquilibriumProfile, player: int, one: int, other: int, gap: int) -> list[list[Row]]:
    """The ways in which one of two mistakes is better and the other rarer; with `gap` 0 also those in which both may be
    alike."""
    ahead, behind = _compare_plans(played, player, one, other)
    ways = [[*way, _rarer(player, other, one)] for way in _first(ahead, behind, gap)]
    ways += [[*way, _rarer(player, one, other)] for way in _first(behind, ahead, gap)]
    if not gap:
        for mine, yours in product(ahead, behind):
            ways.append([*_before(mine, (*ahead, *behind), 0), *_before(yours, (*ahead, *behind), 0)])
    return ways


def _first(ahead: Sequence[Product], behind: Sequence[Product], gap: int) -> list[list[Row]]:
    """The ways in which one of the products `ahead` is of a larger order than all of those `behind`."""
    return [_before(one, behind, gap) for one in ahead]


def _before(one: Product, others: Sequence[Product], gap: int) -> list[Row]:
    rows: list[Row] = []
    for other in others:
        terms: dict[Mistake, Number] = dict.fromkeys(other, 1)
        for mistake in one:
            terms[mistake] = terms.get(mistake, 0) - 1
        rows.append(({mistake: count for mistake, count in terms.items() if count}, gap))
    return rows


def _compare_plans(played: _EquilibriumProfile, player: int, one: int, other: int) -> _Sum:
    """The products of mistakes by which plan `one` pays more than plan `other`, and by which it pays less, without
    those that another one divides."""
    found: dict[Product, Number] = {}
    played.budget.check_time()
    for cell, gains in played.gains(player, one, other):
        found[tuple((p, k) for p, k in enumerate(cell) if p != player and k != played.supports[p][0])] = gains
    least = {key: gains for key, gains in found.items() if not any(part in found for part in _parts(key))}
    return _Sum(
        tuple(key for key, gains in least.items() if gains > 0), tuple(key for key, gains in least.items() if gains < 0)
    )


def _parts(key: Product) -> Iterator[Product]:
    for size in range(len(key)):
        yield from combinations(key, size)


def _powers(played: _EquilibriumProfile, rows: list[Row], choices: Sequence[_Choice]) -> Orders | None:
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
        for way in choices[number].ways:
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


# -- factors of mistakes -----------------------------------------------------------------------------------------------


def _by_factors(played: _EquilibriumProfile) -> TrembleVerdict:
    """Decide by mistakes of the same power with different factors: perfect if some factors make every tied mistake
    lose, not perfect if none keep one of them, or all, from gaining."""
    tied = [(player, plan) for player in played.form.players for plan in played.tied_mistakes(player)]
    follow = _following(played)
    if follow is None:
        return TrembleVerdict(True if not played.close and _by_line(played, tied) else None)
    if not tied:
        return TrembleVerdict(True, follows=True)
    if played.close:
        return TrembleVerdict(None)
    mistakes = list(follow)
    forms = [_first_order_losses(played, follow, player, plan) for player, plan in tied]
    rows: list[dict[int, Number]] = [{k: -x for k, x in enumerate(own) if x} for own in forms]
    try:
        optimum(LinearProgram(len(mistakes), {}, rows, [exact(sum(own) - 1) for own in forms]), played.budget)
        return TrembleVerdict(True, follows=True)
    except Infeasible:
        pass
    every: dict[int, Number] = dict.fromkeys(range(len(mistakes)), 1)
    for number in (*range(len(forms)), None):  # one plan alone, or all together
        chosen = rows if number is None else [rows[number]]
        program = LinearProgram(len(mistakes), every, [*chosen, every], [*(0 for _ in chosen), 1])
        if not optimum(program, played.budget).value:
            return TrembleVerdict(False) if number is None else TrembleVerdict(False, *tied[number])
    return TrembleVerdict(None)


Shift = dict[Mistake, Number]  # the change of probability of each played plan but the first, by player and plan


def _following(played: _EquilibriumProfile) -> dict[Mistake, Shift] | None:
    """The change of the mixtures after each mistake, to first order, that keeps the played plans equally good; None if
    the equations have no inverse."""
    supports = played.supports
    more = [(player, plan) for player, support in enumerate(supports) for plan in support[1:]]
    columns = [
        [_relative_gain(played, player, supports[player][0], plan, (q, k)) for player, plan in more] for q, k in more
    ]
    matrix = [list(row) for row in zip(*columns, strict=True)]
    found: dict[Mistake, Shift] = {}
    for mistake in played.all_mistakes:
        played.budget.check_time()
        moved = [-_relative_gain(played, p, supports[p][0], plan, mistake) for p, plan in more]
        shifts = only_solution([[*row, change] for row, change in zip(matrix, moved, strict=True)])
        if shifts is None:
            return None
        found[mistake] = dict(zip(more, map(exact, shifts), strict=True))
    return found


def _relative_gain(played: _EquilibriumProfile, player: int, own: int, other: int, change: Mistake) -> Number:
    """The increase of the gain of plan `own` over plan `other` if another player plays the plan in `change` more
    often."""
    who, plan = change
    if who == player:
        return 0
    return exact(played.pays(player, own, {who: plan}) - played.pays(player, other, {who: plan}))


def _first_order_losses(
    played: _EquilibriumProfile, follow: dict[Mistake, Shift], player: int, plan: int
) -> list[Number]:
    """The loss of a mistake against the played plan, for each single mistake of anybody, to first order."""
    own = played.supports[player][0]
    direct = {change: _relative_gain(played, player, own, plan, change) for change in
              (*follow, *(next(iter(follow.values()), {})))}  # fmt: skip
    return [
        exact(direct[mistake] + sum((amount * direct[change] for change, amount in shift.items()), Fraction(0)))
        for mistake, shift in follow.items()
    ]


# -- along a line ------------------------------------------------------------------------------------------------------


def _by_line(played: _EquilibriumProfile, tied: Sequence[Mistake]) -> bool:
    """True if play along some straight line from the equilibrium, suggested by first order, proves that it is
    perfect."""
    plans = [(player, plan) for player, mix in enumerate(played.mixes) for plan in range(len(mix))]
    mistakes = played.all_mistakes
    at = {one: k for k, one in enumerate(plans)}  # by how much each probability grows, beyond one if it is a mistake
    shrinks = {one: len(plans) + k for k, one in enumerate(one for one in plans if one not in mistakes)}
    rows: list[dict[int, Number]] = []
    bounds: list[Number] = []

    def gains(player: int, own: int, other: int) -> tuple[dict[int, Number], Number]:
        """The gain of plan `own` over plan `other` as a sum over the mistakes, and the part of it that does not depend
        on their sizes."""
        terms, least = dict[int, Number](), Fraction(0)
        for change in plans:
            amount = _relative_gain(played, player, own, other, change)
            if amount:
                terms[at[change]] = amount
                if change in shrinks:
                    terms[shrinks[change]] = -amount
                else:
                    least += amount
        return terms, exact(least)

    alike = [(p, support[0], other) for p, support in enumerate(played.supports) for other in support[1:]]
    for player, own, other in alike:
        terms, least = gains(player, own, other)
        rows.append(terms)
        bounds.append(-least)
    slack = len(plans) + len(shrinks)
    for k, (player, plan) in enumerate(tied):
        terms, least = gains(player, played.supports[player][0], plan)
        rows += [{**{j: -amount for j, amount in terms.items()}, slack + k: 1}, {slack + k: 1}]
        bounds += [least, 1]
    goal: dict[int, Number] = {slack + k: 1 for k in range(len(tied))}
    try:
        program = LinearProgram(slack + len(tied), goal, rows, bounds, frozenset(range(len(alike))))
        found = optimum(program, played.budget).primal
    except Infeasible:
        return False
    line = {one: found[at[one]] - found[shrinks[one]] if one in shrinks else 1 + found[at[one]] for one in plans}
    return all(not any(_along(played, line, *one)) for one in alike) and all(
        next((amount for amount in _along(played, line, p, played.supports[p][0], plan) if amount), 1) > 0
        for p, plan in tied
    )


def _along(played: _EquilibriumProfile, line: dict[Mistake, Number], player: int, own: int, other: int) -> list[Number]:
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
