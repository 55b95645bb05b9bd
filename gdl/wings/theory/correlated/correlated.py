"""Correlated equilibria: somebody draws a combination of plans and tells each player only their own part.

A distribution over the combinations is a correlated equilibrium if nobody gains by doing other than recommended,
whatever is recommended to them. It is a coarse correlated equilibrium if nobody gains by deciding, before anything is
recommended, to play one plan always. Both sets are polytopes, and every mixture of Nash equilibria lies in them:

1. One variable for each combination of plans: how often it is drawn. They sum to one.
2. Correlated: for each two plans of a player, what the player would gain by playing the second wherever the first is
   recommended is not above zero. Plans that another one strictly dominates are never drawn: they go beforehand.
   Coarse: for each plan of a player, what the player would gain by playing it always is not above zero.
3. Maximise the sum of all utilities, or what one player gets (`--for PLAYER`). The linear program is solved exactly.

Sources: Aumann, Subjectivity and correlation in randomized strategies, 1974; Moulin and Vial 1978 (coarse).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from gdl.game import Game, Number, exact
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, TableTooLarge, answering
from gdl.solvers.equilibria.dominance import undominated_plans
from gdl.solvers.equilibria.nash import pure_equilibria
from gdl.solvers.equilibria.strategic_form import MOST_CELLS, Cell, StrategicForm, table_of
from gdl.solvers.options import player_called
from gdl.solvers.solver import Solver
from gdl.wings.theory.correlated.distribution import Distribution
from gdl.wings.theory.tables import best_mixture, ends, joint, welfare, whole_payoffs

PlanDistribution = dict[Cell, Number]  # how often each combination of plans is drawn
MOST_COEFFICIENTS = 1_000_000  # of the linear program: it is held as a whole, and proved in exact numbers


def correlated(
    game: Game[Any], limits: SearchLimits = NO_LIMITS, *, for_: str | None = None, cells: int = MOST_CELLS
) -> Solution:
    """The correlated equilibrium that pays most in sum, or one player, on a table of at most that many cells."""
    return _solve_correlated(CORRELATED, game, limits, for_, cells)


def coarse_correlated(
    game: Game[Any], limits: SearchLimits = NO_LIMITS, *, for_: str | None = None, cells: int = MOST_CELLS
) -> Solution:
    """The coarse correlated equilibrium that pays most in sum, or one player."""
    return _solve_correlated(COARSE_CORRELATED, game, limits, for_, cells)


def _solve_correlated(row: Solver, game: Game[Any], limits: SearchLimits, for_: str | None, cells: int) -> Solution:
    favoured = None if for_ is None else player_called(game, for_)
    form, budget = table_of(game, cells, limits)

    def solution(drawn: PlanDistribution, proved: bool) -> Solution:
        paid = ([chance * payoff for payoff in form.payoffs[cell]] for cell, chance in drawn.items())
        pays = tuple(exact(sum(column, Fraction(0))) for column in zip(*paid, strict=True))
        kind = row.name.replace("-", " ")
        note = f"The utilities sum to {exact(sum(pays, Fraction(0)))}, the most in any {kind} equilibrium."
        if not proved:
            note = f"This is the best equilibrium in pure plans; the best {kind} one was not found in time."
        elif for_ is not None:
            note = f"No {kind} equilibrium pays {for_} more."
        return replace(
            row.answer(game, proved),
            value=pays if drawn else None,
            interval=None if proved else ends(form),
            part=Distribution(tuple((joint(form, cell), chance) for cell, chance in drawn.items())),
            notes=(note,) if drawn else (),
        )

    with answering(lambda: solution(_at_hand(form, favoured), proved=False)):
        drawn = best(form, favoured, coarse=row is COARSE_CORRELATED, budget=budget)
    return solution(drawn, proved=True)


def best(form: StrategicForm, favoured: int | None, *, coarse: bool, budget: Budget) -> PlanDistribution:
    """The distribution that everyone follows and that has the greatest sum of utilities, or is best for the player
    `favoured`."""
    alive = form.all_plans if coarse else undominated_plans(form, budget)
    drawn = list(product(*alive))
    deviations = sum(len(plans) if coarse else len(plans) - 1 for plans in alive)
    if len(drawn) * deviations > MOST_COEFFICIENTS:
        size = f"{len(drawn):,} combinations of plans and {deviations:,} ways to deviate"
        raise TableTooLarge(f"the linear program of {size} is too large: at most {MOST_COEFFICIENTS:,} coefficients")
    table = whole_payoffs(form)
    rows: list[dict[int, Number]] = []
    for player, plans in enumerate(alive):
        for recommended in [None] if coarse else plans:
            budget.check_time()
            rows += _gains(table, drawn, plans, player, recommended)
    found = best_mixture([_worth_of_cell(form, cell, favoured) for cell in drawn], rows, budget).primal
    return {cell: chance for cell, chance in zip(drawn, found, strict=True) if chance}


def _worth_of_cell(form: StrategicForm, cell: Cell, favoured: int | None) -> Number:
    return welfare(form, cell) if favoured is None else form.payoffs[cell][favoured]


def _gains(
    table: Mapping[Cell, tuple[int, ...]], drawn: Sequence[Cell], plans: Sequence[int], player: int, told: int | None
) -> Iterator[dict[int, Number]]:
    """For each deviation from the plan `told` (None: from any plan), the player's gain by the combination that is
    drawn; combinations and deviations without gain are left out."""
    met = [(k, cell) for k, cell in enumerate(drawn) if told in (None, cell[player])]
    for other in (plan for plan in plans if plan != told):
        gains = {
            k: table[(*cell[:player], other, *cell[player + 1 :])][player] - table[cell][player] for k, cell in met
        }
        if max(gains.values(), default=0) > 0:
            yield {k: gain for k, gain in gains.items() if gain}


def _at_hand(form: StrategicForm, favoured: int | None) -> PlanDistribution:
    """The best equilibrium in pure plans, as a distribution; {} if there is none. It is a correlated equilibrium
    too."""
    worth = {cell: _worth_of_cell(form, cell, favoured) for cell in pure_equilibria(form)}
    return {max(worth, key=worth.__getitem__): 1} if worth else {}


_NEEDS = {"perfect_recall": True, "cyclic": False}

CORRELATED = Solver(
    name="correlated",
    run=correlated,
    needs=_NEEDS,
    summary="the best correlated equilibrium of a matrix or a small game, any number of players",
    concept="correlated",
)
COARSE_CORRELATED = Solver(
    name="coarse-correlated",
    run=coarse_correlated,
    needs=_NEEDS,
    summary="the best coarse correlated equilibrium of a matrix or a small game, any number of players",
    concept="coarse-correlated",
)
