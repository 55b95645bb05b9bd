"""Coalitions: what each set of players secures against all others together, who deserves what, and the core.

1. The worth of a set of players is the value of the game between it and everybody else, the sum of its members'
   utilities being what it wins: its members draw their plans together, and so do the others. One linear program for
   each set; the worth of all players is the greatest sum that any combination of plans pays.
2. The Shapley value of a player is what they add to those who came before them, on average over all orders in which
   the players may arrive.
3. The core holds the shares of the worth of all that no set would leave: each gets together what it is worth, or more.
   A linear program finds how far the least contented set can be above its worth (the least core). If that is below
   zero, the core is empty.
4. What the sets get that are then least contented whatever the shares is settled, since a linear program puts a
   positive price on them; the least contented of the others are raised as far as can be, and so on until one vector of
   shares is left, the nucleolus. It lies in the core, unless that is empty.

Sources: von Neumann and Morgenstern, Theory of Games and Economic Behavior, 1944 (the characteristic function);
Shapley, A value for n-person games, 1953; Gillies 1959; Maschler, Peleg and Shapley 1979 (the least
core); Schmeidler, The nucleolus of a characteristic function game, 1969.
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
from gdl.numbers import brief, opposite_of
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.equilibria.elimination import only_solution
from gdl.solvers.equilibria.simplex import LinearProgram, minimax
from gdl.solvers.equilibria.strategic_form import MOST_CELLS, StrategicForm, table_of
from gdl.solvers.solver import Solver
from gdl.wings.theory.coalitions.coalition_worths import Coalitions, CoalitionWorths
from gdl.wings.theory.row_echelon_form import eliminate_columns
from gdl.wings.theory.tables import optimum, welfare

MOST_PLAYERS = 10  # whose 1,024 coalitions are looked at

Members = tuple[int, ...]
Worths = dict[Members, Number]


def coalition(game: Game[Any], limits: SearchLimits = NO_LIMITS, *, cells: int = MOST_CELLS) -> Solution:
    """The worth of each coalition, the Shapley value, nucleolus and core, on a table of at most that many cells."""
    count = len(game.players)
    if count > MOST_PLAYERS:
        raise Refusal(f"coalition looks at every set of players, of {MOST_PLAYERS} at most; {game.name} has {count}")
    form, budget = table_of(game, cells, limits)
    worths: Worths = {}

    def worths_by_name() -> tuple[tuple[tuple[str, ...], Number], ...]:
        return tuple((tuple(game.players[p] for p in members), worth) for members, worth in worths.items())

    def partial_solution() -> Solution:
        begun = COALITION.answer(game, exact=False)
        return replace(begun, part=CoalitionWorths(Coalitions(worths_by_name(), None, None))) if worths else begun

    with answering(partial_solution):
        for size in range(1, count + 1):
            for members in combinations(range(count), size):
                worths[members] = coalition_value(form, members, budget).worth
        center, least = nucleolus(worths, count, budget)
    value = shapley(worths, count)
    core = center if least >= 0 else None
    return replace(
        COALITION.answer(game),
        value=value,
        part=CoalitionWorths(Coalitions(worths_by_name(), core, least, center)),
        notes=tuple(_notes(game, core, least, center)),
    )


def _notes(game: Game[Any], core: Sequence[Number] | None, least: Number, center: Sequence[Number]) -> list[str]:
    def of_each(shares: Sequence[Number]) -> str:
        stated = map(opposite_of, shares) if game.promises.cost else shares
        return ", ".join(f"{player} {brief(share)}" for player, share in zip(game.players, stated, strict=True))

    notes = ["The value is Shapley's: what a player adds, on average over all orders in which they may arrive."]
    if len(game.players) == 1:
        return notes
    notes.append(f"The nucleolus is {of_each(center)}.")
    if core is None:
        return [*notes, f"The core is empty: by any shares some coalition gets {brief(-least)} less than it secures."]
    more = f", and leaves every coalition {brief(least)} above its worth" if least else ""
    return [*notes, f"The core is not empty: {of_each(core)} lies in it{more}."]


class CoalitionValue(NamedTuple):
    """The worth of a coalition, with the frequency of each combination of its members' plans that secures it."""

    worth: Number
    plans: dict[tuple[int, ...], Number]


def coalition_value(form: StrategicForm, members: Members, budget: Budget) -> CoalitionValue:
    """The value of the zero-sum game of the coalition against all other players; for all players together, the greatest
    sum of utilities."""
    budget.check_time()
    others = [p for p in form.players if p not in members]
    if not others:
        best = max(form.payoffs, key=lambda cell: welfare(form, cell))
        return CoalitionValue(welfare(form, best), {best: 1})
    own = list(product(*(range(len(form.plans[p])) for p in members)))
    columns = list(product(*(range(len(form.plans[p])) for p in others)))

    def wins(row: tuple[int, ...], column: tuple[int, ...]) -> Number:
        chosen = dict(zip([*members, *others], [*row, *column], strict=True))
        vector = form.payoffs[tuple(chosen[p] for p in form.players)]
        return sum(vector[p] for p in members)

    matrix = [[wins(row, column) for column in columns] for row in own]
    found = minimax(matrix, lambda program: optimum(program, budget))
    return CoalitionValue(found.value, {row: weight for row, weight in zip(own, found.row, strict=True) if weight})


def shapley(worths: Worths, count: int) -> tuple[Number, ...]:
    """Each player's contribution to a coalition, on average over all orders of arrival."""
    value = [Fraction(0)] * count
    for members, worth in worths.items():
        orders = factorial(len(members) - 1) * factorial(count - len(members))
        for player in members:
            before = tuple(p for p in members if p != player)
            value[player] += Fraction(orders, factorial(count)) * (worth - worths.get(before, 0))
    return tuple(map(exact, value))


def nucleolus(worths: Worths, count: int, budget: Budget) -> tuple[tuple[Number, ...], Number]:
    """The nucleolus, and its margin: the least that any coalition gets beyond its worth. Its shares put the least
    contented coalitions as far above their worth as possible, then the next, and so on. The linear program has a
    variable, a price, for each coalition, of either sign where what it gets is settled; its rows are the players, whose
    coalitions are to cost nothing in sum, and the sum of the other prices."""
    everyone = tuple(range(count))
    settled: Worths = {everyone: worths[everyone]}
    least: Number | None = None
    while (span := eliminate_columns([[p in members for p in everyone] for members in settled], count)).rank < count:
        vectors = {members: [Fraction(p in members) for p in everyone] for members in worths}
        free = [members for members, vector in vectors.items()
                if eliminate_columns([*span.rows[: span.rank], vector], count).rank > span.rank]  # fmt: skip
        columns = [(1, members) for members in free] + [(sign, members) for sign in (1, -1) for members in settled]
        rows = [{k: sign for k, (sign, members) in enumerate(columns) if p in members} for p in everyone]
        rows.append(dict.fromkeys(range(len(free)), 1))
        goal = {k: sign * settled.get(members, worths[members]) for k, (sign, members) in enumerate(columns)}
        found = optimum(
            LinearProgram(len(goal), goal, rows, [*(0 for _ in everyone), 1], frozenset(range(count + 1))), budget
        )
        margin = exact(-found.value)
        least = margin if least is None else least
        settled |= {
            members: exact(worths[members] + margin)
            for members, price in zip(free, found.primal, strict=False) if price > 0
        }  # fmt: skip
    equations = [[*(p in members for p in everyone), total] for members, total in settled.items()]
    shares = only_solution(eliminate_columns(equations, count).rows[:count])
    assert shares is not None
    return tuple(map(exact, shares)), exact(least or 0)


COALITION = Solver(
    name="coalition",
    run=coalition,
    needs={"perfect_recall": True, "cyclic": False},
    summary="what each set of players secures against the others, the Shapley value, the nucleolus and the core",
    concept="coalition",
)
