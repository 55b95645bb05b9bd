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
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from gdl.game import Game, Number, exact
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, TableTooLarge, answering
from gdl.solvers.equilibria.dominance import undominated_plans
from gdl.solvers.equilibria.nash import pure_equilibria
from gdl.solvers.equilibria.strategic_form import MOST_CELLS, Cell, StrategicForm, table_of
from gdl.solvers.solver import Solver
from gdl.solvers.strategic.tables import best_mixture, ends, joint, player_called, welfare, whole_payoffs

PlanDistribution = dict[Cell, Number]  # how often each combination of plans is drawn
MOST_COEFFICIENTS = 1_000_000  # of the linear program: it is held as a whole, and proved in exact numbers


def correlated(
    game: Game[Any], limits: SearchLimits = NO_LIMITS, *, for_: str | None = None, cells: int = MOST_CELLS
) -> Solution:
    """The correlated equilibrium that pays most in sum, or one player, on a table of at most that many cells."""
    return _solve_correlated(_CorrelatedQuery(game, CORRELATED, for_, cells), limits)


def coarse_correlated(
    game: Game[Any], limits: SearchLimits = NO_LIMITS, *, for_: str | None = None, cells: int = MOST_CELLS
) -> Solution:
    """The coarse correlated equilibrium that pays most in sum, or one player."""
    return _solve_correlated(_CorrelatedQuery(game, COARSE_CORRELATED, for_, cells), limits)


@dataclass(frozen=True)
class _CorrelatedQuery:
    """A question for a correlated equilibrium: the game, the solver (of correlated or of coarse ones), the player whose
    utility counts (None: the sum of all), and the most cells."""

    game: Game[Any]
    row: Solver
    favoured: str | None
    cells: int


def _solve_correlated(asked: _CorrelatedQuery, limits: SearchLimits) -> Solution:
    favoured = None if asked.favoured is None else player_called(asked.game, asked.favoured)
    form, budget = table_of(asked.game, asked.cells, limits)
    with answering(lambda: _build_solution(asked, form, _at_hand(form, favoured), proved=False)):
        drawn = best(form, favoured, coarse=asked.row is COARSE_CORRELATED, budget=budget)
    return _build_solution(asked, form, drawn, proved=True)


def best(form: StrategicForm, favoured: int | None, *, coarse: bool, budget: Budget) -> PlanDistribution:
    """The distribution that everyone follows and that has the greatest sum of utilities, or is best for the player
    `favoured`."""
    alive = form.every if coarse else undominated_plans(form, budget)
    drawn = list(product(*alive))
    _refuse_large(len(drawn), sum(len(plans) if coarse else len(plans) - 1 for plans in alive))
    table = whole_payoffs(form)
    rows: list[dict[int, Number]] = []
    for player, plans in enumerate(alive):
        for recommended in [None] if coarse else plans:
            budget.check_time()
            rows += _gains(table, drawn, plans, player, recommended)
    wanted = [welfare(form, cell) if favoured is None else form.payoffs[cell][favoured] for cell in drawn]
    found = best_mixture(wanted, rows, budget).primal
    return {cell: chance for cell, chance in zip(drawn, found, strict=True) if chance}


def _refuse_large(drawn: int, deviations: int) -> None:
    """Raise TableTooLarge if the linear program would have too many coefficients."""
    if drawn * deviations > MOST_COEFFICIENTS:
        size = f"{drawn:,} combinations of plans and {deviations:,} ways to deviate"
        raise TableTooLarge(f"the linear program of {size} is too large: at most {MOST_COEFFICIENTS:,} coefficients")


def _gains(
    table: Mapping[Cell, tuple[int, ...]], drawn: Sequence[Cell], plans: Sequence[int], player: int, told: int | None
) -> Iterator[dict[int, Number]]:
    """For each deviation from the plan `told` (None: from any plan), the player's gain by the combination that is
    drawn; combinations and deviations without gain are left out."""
    met = [(k, cell) for k, cell in enumerate(drawn) if told in (None, cell[player])]
    for other in plans:
        if other == told:
            continue
        row: dict[int, Number] = {}
        for k, cell in met:
            gain = table[(*cell[:player], other, *cell[player + 1 :])][player] - table[cell][player]
            if gain:
                row[k] = gain
        if any(gain > 0 for gain in row.values()):
            yield row


def _at_hand(form: StrategicForm, favoured: int | None) -> PlanDistribution:
    """The best equilibrium in pure plans, as a distribution; {} if there is none. It is a correlated equilibrium
    too."""
    worth = {
        cell: welfare(form, cell) if favoured is None else form.payoffs[cell][favoured]
        for cell in pure_equilibria(form)
    }
    return {max(worth, key=worth.__getitem__): 1} if worth else {}


def _build_solution(asked: _CorrelatedQuery, form: StrategicForm, drawn: PlanDistribution, proved: bool) -> Solution:
    pays = tuple(
        exact(sum((chance * form.payoffs[cell][player] for cell, chance in drawn.items()), Fraction(0)))
        for player in form.players
    )
    return replace(
        asked.row.answer(asked.game, proved),
        value=pays if drawn else None,
        interval=None if proved else ends(form),
        distribution=tuple((joint(form, cell), chance) for cell, chance in drawn.items()),
        notes=tuple(_notes(asked, sum(pays, Fraction(0)), proved)) if drawn else (),
    )


def _notes(asked: _CorrelatedQuery, total: Number, proved: bool) -> list[str]:
    kind = asked.row.name.replace("-", " ")
    if not proved:
        return [f"This is the best equilibrium in pure plans; the best {kind} one was not found in time."]
    if asked.favoured is not None:
        return [f"No {kind} equilibrium pays {asked.favoured} more."]
    return [f"The utilities sum to {exact(total)}, the most in any {kind} equilibrium."]


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
