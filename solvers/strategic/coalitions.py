"""Coalitions: what each set of players secures against all others together, who deserves what, and the core.

1. The worth of a set of players is the value of the game between it and everybody else, the sum of its members'
   utilities being what it wins: its members draw their plans together, and so do the others. One linear program for
   each set; the worth of all players is the greatest sum that any combination of plans pays.
2. The Shapley value of a player is what they add to those who came before them, on average over all orders in which
   the players may arrive.
3. The core holds the shares of the worth of all that no set would leave: each gets together what it is worth, or more.
   A linear program finds the shares by which the least contented set is as far above its worth as can be (the least
   core). If that is not below zero, they lie in the core; otherwise the core is empty.

Sources: von Neumann and Morgenstern, Theory of Games and Economic Behavior, 1944 (the characteristic function);
Shapley, A value for n-person games, 1953; Gillies 1959; Maschler, Peleg and Shapley 1979 (the least core).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import factorial
from typing import Any, NamedTuple

from gdl.errors import Refusal
from gdl.game import Game, Number, exact
from gdl.numbers import brief
from gdl.solution import Coalitions, Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.equilibria.simplex import LinearProgram
from gdl.solvers.equilibria.strategic_form import MOST_CELLS, StrategicForm, table_of
from gdl.solvers.equilibria.zero_sum import minimax
from gdl.solvers.solver import Solver
from gdl.solvers.strategic.tables import optimum, welfare

MOST_PLAYERS = 10  # whose 1,024 coalitions are looked at

Members = tuple[int, ...]
Worths = dict[Members, Number]


def coalition(game: Game[Any], limits: SearchLimits = NO_LIMITS, *, cells: int = MOST_CELLS) -> Solution:
    """The worth of each coalition, the Shapley value and the core, on a table of at most that many cells."""
    count = len(game.players)
    if count > MOST_PLAYERS:
        raise Refusal(f"coalition looks at every set of players, of {MOST_PLAYERS} at most; {game.name} has {count}")
    form, budget = table_of(game, cells, limits)
    worths: Worths = {}
    with answering(lambda: _partial_solution(game, worths)):
        for size in range(1, count + 1):
            for members in combinations(range(count), size):
                worths[members] = coalition_value(form, members, budget).worth
        shares, least = least_core(worths, count, budget)
    value = shapley(worths, count)
    core = shares if least >= 0 else None
    return replace(
        COALITION.answer(game),
        value=value,
        coalitions=Coalitions(_worths_by_name(game, worths), core, least),
        notes=tuple(_notes(game, core, least)),
    )


def _worths_by_name(game: Game[Any], worths: Worths) -> tuple[tuple[tuple[str, ...], Number], ...]:
    return tuple((tuple(game.players[p] for p in members), worth) for members, worth in worths.items())


def _partial_solution(game: Game[Any], worths: Worths) -> Solution:
    """The answer when time is over: what the coalitions examined so far secure."""
    return replace(
        COALITION.answer(game, exact=False),
        coalitions=Coalitions(_worths_by_name(game, worths), None, None) if worths else None,
    )


def _notes(game: Game[Any], core: Sequence[Number] | None, least: Number) -> list[str]:
    notes = ["The value is Shapley's: what a player adds, on average over all orders in which they may arrive."]
    if core is None:
        return [*notes, f"The core is empty: by any shares some coalition gets {brief(-least)} less than it secures."]
    if len(game.players) == 1:
        return notes
    told = ", ".join(f"{player} {brief(share)}" for player, share in zip(game.players, core, strict=True))
    more = f", and leaves every coalition {brief(least)} above its worth" if least else ""
    return [*notes, f"The core is not empty: {told} lies in it{more}."]


class CoalitionValue(NamedTuple):
    """The worth of a coalition, with the frequency of each combination of its members' plans that secures it."""

    worth: Number
    plans: dict[tuple[int, ...], Number]


def coalition_value(form: StrategicForm, members: Members, budget: Budget) -> CoalitionValue:
    """The value of the coalition's game against all others together."""
    budget.check_time()
    others = [p for p in form.players if p not in members]
    if not others:
        best = max(form.payoffs, key=lambda cell: welfare(form, cell))
        return CoalitionValue(welfare(form, best), {best: 1})
    own = list(product(*(range(len(form.plans[p])) for p in members)))
    columns = list(product(*(range(len(form.plans[p])) for p in others)))
    matrix: list[list[Number]] = []
    for row in own:
        pays: list[Number] = []
        for column in columns:
            chosen = dict(zip([*members, *others], [*row, *column], strict=True))
            vector = form.payoffs[tuple(chosen[p] for p in form.players)]
            pays.append(sum(vector[p] for p in members))
        matrix.append(pays)
    found = minimax(matrix, lambda program: optimum(program, budget))
    return CoalitionValue(found.value, {row: weight for row, weight in zip(own, found.row, strict=True) if weight})


def shapley(worths: Worths, count: int) -> tuple[Number, ...]:
    """Each player's contribution to a coalition, on average over all orders of arrival."""
    value = []
    for player in range(count):
        total = Fraction(0)
        for members, worth in worths.items():
            if player in members:
                before = tuple(p for p in members if p != player)
                orders = factorial(len(before)) * factorial(count - len(members))
                total += Fraction(orders, factorial(count)) * (worth - worths.get(before, 0))
        value.append(exact(total))
    return tuple(value)


def least_core(worths: Worths, count: int, budget: Budget) -> tuple[tuple[Number, ...], Number]:
    """The shares of the worth of all by which the least contented coalition is as far above its worth as can be, and
    how far that is. Variables: the shares above what each player secures alone less the margin, and the margin above
    the least that it can be."""
    everyone = tuple(range(count))
    if count == 1:
        return (worths[everyone],), 0
    alone = [Fraction(worths[p,]) for p in everyone]
    spare = Fraction(worths[everyone]) - sum(alone)
    low = min([spare / count, *(_margin_by_equal_shares(m, worths, alone, spare) for m in worths if len(m) < count)])
    rows: list[dict[int, Number]] = []
    bounds: list[Number] = []
    for members, worth in worths.items():
        if len(members) == count:
            continue
        due = worth - sum(alone[p] for p in members)
        rows.append({**dict.fromkeys(members, -1), count: 1 - len(members)})
        bounds.append(-(due + low - len(members) * low))
    rows.append({**dict.fromkeys(everyone, 1), count: count})
    bounds.append(spare - count * low)
    program = LinearProgram(count + 1, {count: 1}, rows, bounds, frozenset([len(rows) - 1]))
    found = optimum(program, budget)
    margin = exact(found.primal[count] + low)
    shares = tuple(exact(alone[p] + margin + found.primal[p]) for p in everyone)
    return shares, margin


def _margin_by_equal_shares(members: Members, worths: Worths, alone: Sequence[Fraction], spare: Fraction) -> Fraction:
    """How far the coalition is above its worth if what all win together is shared equally."""
    got = sum((alone[p] for p in members), Fraction(0)) + spare * Fraction(len(members), len(alone))
    return got - worths[members]


COALITION = Solver(
    name="coalition",
    run=coalition,
    needs={"perfect_recall": True, "cyclic": False},
    summary="what each set of players secures against the others, the Shapley value and the core",
    concept="coalition",
)
