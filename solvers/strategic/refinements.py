"""Equilibria that survive trembles: perfect and proper ones, in the strategic form.

Perfect (Selten 1975): a limit of play in which everybody makes every mistake now and then, and whatever is not a best
reply is only a mistake. For two players these are the equilibria in which neither mixture is weakly dominated (van
Damme): a linear program for each extreme equilibrium looks for a mixture that never pays less and sometimes more.

Proper (Myerson 1978): a limit of play in which of two mistakes the costlier is made far less often. Of each extreme
equilibrium it is decided exactly whether it is proper (`properness.py`). Where none of them is, or they are too many,
limits are looked for. For a small number e let each player mix over the orders of their plans: an order plays its first
plan in proportion to 1, its second to e, its third to e^2. An equilibrium of that game plays what pays less at least e
times as seldom (Kohlberg and Mertens 1986), so its limit is proper; at least one proper equilibrium is found so.

1. The orders are too many to be written down: an equilibrium between a few is found, with e = 2^-64, and whoever has a
   better order (their plans sorted by what they pay) gets it, until nobody has one (double oracle).
2. The limit is the fraction of the smallest denominator close by, and must be an equilibrium itself. Whether it is
   proper is decided as before; where ties leave too many ranks to try, the answer says so and is not exact.

Of three players or more each equilibrium that `nash` finds is held against trembles (`trembles.py`): it is proved to be
a limit of some, or proved to be of none, or told as undecided.

A tree is looked at by its strategic form, where a plan trembles as a whole: what is perfect there need not be perfect
in the tree (there: `--concept sequential`, or `subgame-perfect`).

Sources: Selten 1975; Myerson, Refinements of the Nash equilibrium concept, 1978; van Damme, Stability and Perfection of
Nash Equilibria, 1991, theorem 3.2.2; Kohlberg and Mertens, On the strategic stability of equilibria, 1986; McMahan,
Gordon and Blum, Planning in the presence of cost functions controlled by an adversary, 2003 (the double oracle).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

from gdl.errors import Refusal
from gdl.game import Game, exact
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.equilibria.bimatrix import Mix, TooManyVertices, extreme_equilibria
from gdl.solvers.equilibria.lemke_howson import path
from gdl.solvers.equilibria.regret import complete_behaviour, judge, with_equilibria
from gdl.solvers.equilibria.strategic_form import MOST_CELLS, StrategicForm, table_of
from gdl.solvers.equilibria.tableau import positive
from gdl.solvers.needs import AtLeast
from gdl.solvers.solver import Solver
from gdl.solvers.strategic.properness import properness
from gdl.solvers.strategic.refined_of_several import as_a_whole, of_several
from gdl.solvers.strategic.tables import is_undominated

MOST_ORDERED = 20  # plans of a player for which orders are looked for
SMALL = 64  # the power of 1/2 that trembles are
LABELS = 6  # of Lemke and Howson's paths, and beginnings of the double oracle

Pair = tuple[Mix, Mix]
Orders = Sequence[tuple[int, ...]]  # of a player's plans


def perfect(game: Game[Any], limits: SearchLimits = NO_LIMITS, *, cells: int = MOST_CELLS) -> Solution:
    """The extreme equilibria in which nobody plays what is weakly dominated; of several players, those that trembles
    lead to."""
    begun, (form, budget) = PERFECT.answer(game), table_of(game, cells, limits)
    if len(form.plans) > 2:
        return of_several(begun, form, budget)
    found: list[Pair] = []
    with answering(lambda: _build_solution(begun, form, found, None, [])):
        try:
            extreme = extreme_equilibria(*form.tables(), budget)
        except TooManyVertices:
            return _of_some(begun, form, budget)
        for pair in extreme.equilibria:
            if all(is_undominated(form, player, mix, budget) for player, mix in enumerate(pair)):
                found.append(pair)
    sides = min(len({pair[player] for pair in extreme.equilibria}) for player in (0, 1))
    lost = len(extreme.equilibria) - len(found)
    notes = [f"{lost} of {len(extreme.equilibria)} extreme equilibria play what is weakly dominated."] if lost else []
    return _build_solution(begun, form, found, sides == len(extreme.equilibria), notes)


def _of_some(begun: Solution, form: StrategicForm, budget: Budget) -> Solution:
    """Where there are too many equilibria to list: those on some paths of Lemke and Howson."""
    rows, columns = form.tables()
    pairs = dict.fromkeys(path(rows, columns, label, budget) for label in range(min(LABELS, len(rows))))
    found = [pair for pair in pairs if all(is_undominated(form, p, mix, budget) for p, mix in enumerate(pair))]
    notes = ["There are too many equilibria to look at all; these were found by paths of Lemke and Howson."]
    return _build_solution(begun, form, found, None, notes)


# -- proper ------------------------------------------------------------------------------------------------------------


def proper(game: Game[Any], limits: SearchLimits = NO_LIMITS, *, cells: int = MOST_CELLS) -> Solution:
    """Proper equilibria, one at least: the extreme ones that are proper, else limits of equilibria between orders of
    the plans."""
    begun, (form, budget) = PROPER.answer(game), table_of(game, cells, limits)
    if len(form.plans) > 2:
        return of_several(begun, form, budget)
    found: list[Pair] = []
    with suppress(TooManyVertices), answering(lambda: _build_solution(begun, form, found, None, [])):
        extreme = extreme_equilibria(*form.tables(), budget).equilibria
        verdicts = [_is_proper(form, pair, budget) for pair in extreme]
        found += [pair for pair, holds in zip(extreme, verdicts, strict=True) if holds]
        if found:
            finite = min(len({pair[player] for pair in extreme}) for player in (0, 1)) == len(extreme)
            return _build_solution(begun, form, found, None if None in verdicts else finite, _left_out(verdicts))
    return _by_limits(begun, form, budget)


def _is_proper(form: StrategicForm, pair: Pair, budget: Budget) -> bool | None:
    """Whether it is proper; what is not even perfect is soon found out."""
    if not all(is_undominated(form, player, mix, budget) for player, mix in enumerate(pair)):
        return False
    return properness(form.tables(), pair, budget, blame=False).holds


def _left_out(verdicts: Sequence[bool | None]) -> list[str]:
    lost, open_ones = verdicts.count(False), verdicts.count(None)
    told = [f"{lost} of {len(verdicts)} extreme equilibria are not proper."] if lost else []
    return [*told, f"Of {open_ones} it was not decided: there are too many orders of mistakes."] if open_ones else told


def _by_limits(begun: Solution, form: StrategicForm, budget: Budget) -> Solution:
    """Where no extreme equilibrium is known to be proper: limits of equilibria between orders."""
    most = max(map(len, form.plans))
    if most > MOST_ORDERED:
        raise Refusal(
            f"proper looks for orders of the plans, of {MOST_ORDERED} plans at most; in {begun.game} somebody has "
            f"{most}; --concept perfect takes more"
        )
    found: list[Pair] = []
    with answering(lambda: _build_solution(begun, form, found, None, [])):
        for pair in _limits(form, budget):
            if pair not in found:
                found.append(pair)
        verdicts = [_is_proper(form, pair, budget) for pair in found]
    found[:] = [pair for pair, holds in zip(found, verdicts, strict=True) if holds is not False]
    notes = ["Others may be proper too, as limits of other trembles."]
    if None in verdicts:
        notes.append(f"The trembles are powers of 2^-{SMALL}: whether smaller ones lead to the same is not proved.")
    return _build_solution(begun, form, found, None, notes, None not in verdicts)


def _confirm_limit(form: StrategicForm, pair: Pair, orders: Sequence[Orders]) -> Iterator[Pair]:
    """The limit of an equilibrium between orders, if it is an equilibrium itself."""
    limit = tuple(_limit(mix, own) for mix, own in zip(pair, orders, strict=True))
    assert len(limit) == 2
    if not any(judge(form.positions, complete_behaviour(form.positions, form.behaviour(limit))).regret):
        yield limit


def _limits(form: StrategicForm, budget: Budget) -> Iterator[Pair]:
    """The limits of some equilibria between orders, one for each beginning."""
    rows, columns = form.tables()
    pays = positive(rows), positive(columns)
    for begin in range(LABELS):
        orders = [[_rotate_range(len(plans), begin % len(plans))] for plans in form.plans]
        while True:
            budget.check_time()
            mine, yours = (_between_orders(table, orders) for table in pays)
            pair = path(mine, yours, 0, budget)
            own = [_trembling(mix, some) for mix, some in zip(pair, orders, strict=True)]
            worth = [[sum(x * y for x, y in zip(row, own[1], strict=True)) for row in pays[0]],
                     [sum(x * y for x, y in zip(column, own[0], strict=True)) for column in zip(*pays[1], strict=True)],
                     ]  # fmt: skip
            better = [_better(*sides) for sides in zip(own, worth, strict=True)]
            for some, order in zip(orders, better, strict=True):
                some += [] if order is None else [order]
            if better == [None, None]:
                break
        yield from _confirm_limit(form, pair, orders)


def _rotate_range(count: int, by: int) -> tuple[int, ...]:
    return (*range(by, count), *range(by))


def _trembling(mix: Mix, orders: Orders) -> list[Fraction]:
    """How often each plan is played, but for the scale, by a mixture of orders."""
    found = [Fraction(0)] * len(orders[0])
    for weight, order in zip(mix, orders, strict=True):
        for k, plan in enumerate(order):
            found[plan] += weight * Fraction(1, 1 << (SMALL * k))
    return found


def _better(own: Sequence[Fraction], worth: Sequence[Fraction]) -> tuple[int, ...] | None:
    """The order of the plans by their worth, if it pays more than what is played."""
    order = tuple(sorted(range(len(worth)), key=lambda plan: -worth[plan]))
    best = sum(worth[plan] * Fraction(1, 1 << (SMALL * k)) for k, plan in enumerate(order))
    return order if best > sum(x * y for x, y in zip(own, worth, strict=True)) else None


def _between_orders(table: Sequence[Sequence[int]], orders: Sequence[Orders]) -> list[list[int]]:
    """What an order pays against an order, times the power of two that makes it whole."""
    deepest = len(table) + len(table[0]) - 2
    weights = [1 << (SMALL * (deepest - k)) for k in range(deepest + 1)]

    def pays(own: tuple[int, ...], other: tuple[int, ...]) -> int:
        return sum(table[i][j] * weights[k + n] for k, i in enumerate(own) for n, j in enumerate(other))

    return [[pays(own, other) for other in orders[1]] for own in orders[0]]


def _limit(mix: Mix, orders: Orders) -> Mix:
    """What is played as trembles vanish: the first plan of each order, in the limit of how often the order is drawn."""
    weights = [Fraction(0)] * len(orders[0])
    for weight, order in zip(mix, orders, strict=True):
        weights[order[0]] += weight
    near = [weight.limit_denominator(1 << (SMALL // 3)) for weight in weights]
    total = sum(near, Fraction(0))
    return tuple(exact(weight / total) for weight in near)


def _build_solution(
    begun: Solution,
    form: StrategicForm,
    found: Sequence[Pair],
    complete: bool | None,
    notes: Sequence[str],
    certified: bool = True,
) -> Solution:
    every = (complete_behaviour(form.positions, form.behaviour(pair)) for pair in found)
    behaviours = list(dict.fromkeys(every))
    judgements = [judge(form.positions, behaviour) for behaviour in behaviours]
    answer = with_equilibria(begun, form.positions, behaviours, judgements)
    return replace(answer, exact=certified, complete=complete, notes=(*notes, *as_a_whole(begun, form)))


_NEEDS = {"players": AtLeast(2), "perfect_recall": True, "cyclic": False}

PERFECT = Solver(
    name="perfect",
    run=perfect,
    needs=_NEEDS,
    summary="perfect equilibria of a matrix: limits of play with mistakes; of two players, nothing dominated is played",
    concept="perfect",
)
PROPER = Solver(
    name="proper",
    run=proper,
    needs=_NEEDS,
    summary="proper equilibria of a small matrix: of two mistakes the costlier is made far less often",
    concept="proper",
)
