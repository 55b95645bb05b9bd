"""The equilibria of a small table of plans, worked out step by step as they are by hand, for a page that shows it.

1. Strictly dominated plans go, round after round (`dominance`). They are in no equilibrium.
2. Two players: supports of one size, small ones first. The mixture over the one makes the plans of the other pay the
   same: linear equations. It is an equilibrium if all probabilities are positive and nothing outside pays more. In a
   degenerate game there may be equilibria whose supports differ in size, too.
3. Two players: the path that begins with each label (`lemke_howson`).

Sources: Dickhaut and Kaplan 1991; von Stengel, in Nisan et al., Algorithmic Game Theory, 2007, chapter 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

from gdl.game import Game, Number, exact
from gdl.solution import Supports, Worked
from gdl.solvers.budget import Budget, SearchLimits
from gdl.solvers.equilibria.dominance import eliminate
from gdl.solvers.equilibria.elimination import levelling
from gdl.solvers.equilibria.lemke_howson import pivots
from gdl.solvers.equilibria.strategic_form import Mix, Some, StrategicForm, table_of

MOST_CELLS = 600  # of a table that is worked out
MOST_POSITIONS = 20_000  # of the game that it is a table of
MOST_TRIED = 300  # pairs of supports that are shown
MOST_PATHS = 12  # plans of both players, up to which each label is dropped in turn; else the first alone
LONGEST_PATH = 200  # pivots of a path that is shown


def work_out_equilibria(game: Game[Any]) -> Worked:
    """The table of the game's plans, worked out step by step. Raises LimitReached if it is not small."""
    form, budget = table_of(game, MOST_CELLS, SearchLimits(MOST_POSITIONS))
    elimination = eliminate(form)
    names = tuple(tuple(form.name(p, plan) for plan in range(len(form.plans[p]))) for p in form.players)
    if len(form.plans) != 2:
        return Worked(game.players, names, form.payoffs, elimination.rounds)
    rows, columns = len(elimination.alive[0]), len(elimination.alive[1])
    few = comb(rows + columns, rows) <= MOST_TRIED
    supports = tuple(_try_supports(form, elimination.alive)) if few else None
    return Worked(game.players, names, form.payoffs, elimination.rounds, supports, _paths(form, budget))


def _paths(form: StrategicForm, budget: Budget) -> dict[int, tuple[Any, ...]]:
    """The steps of the paths of Lemke and Howson, by the label that is dropped first; paths that are too long are left
    out."""
    rows, columns = form.tables()
    labels = sum(map(len, form.plans))
    found = {
        label: tuple(pivots(rows, columns, label, budget)) for label in range(labels if labels <= MOST_PATHS else 1)
    }
    return {label: path for label, path in found.items() if len(path) <= LONGEST_PATH}


def _try_supports(form: StrategicForm, alive: Some) -> Iterator[Supports]:
    for size in range(1, min(map(len, alive)) + 1):
        for rows, columns in product(combinations(alive[0], size), combinations(alive[1], size)):
            yield _try(form, (rows, columns))


def _try(form: StrategicForm, plans: tuple[tuple[int, ...], tuple[int, ...]]) -> Supports:
    """The result of trying two supports of one size."""
    own, other = _indifferent_mixture(form, plans, 1), _indifferent_mixture(form, plans, 0)
    tried = Supports(plans, (own, other))
    if own is None or other is None or not tried.are_mixtures:
        return tried
    mixes = (own, other)
    pays = tuple(_payoff_of_plan(form, mixes, player, plans[player][0]) for player in range(2))
    outside = [(p, plan) for p in range(2) for plan in range(len(form.plans[p])) if plan not in plans[p]]
    more = [(_payoff_of_plan(form, mixes, p, plan) - pays[p], p, plan) for p, plan in outside]
    better = next(((p, plan) for much, p, plan in more if much > 0), None)
    return Supports(plans, mixes, pays, better, any(not much for much, _, _ in more))


def _indifferent_mixture(
    form: StrategicForm, plans: tuple[tuple[int, ...], tuple[int, ...]], player: int
) -> Mix | None:
    """The mixture over the other player's support that makes all plans of this player's support pay the same; None if
    there is none, or many."""
    other = 1 - player
    found = levelling(list(form.by_plan(player, plans).values()))
    if found is None:
        return None
    weights = dict(zip(plans[other], found, strict=True))
    return tuple(exact(weights.get(k, Fraction(0))) for k in range(len(form.plans[other])))


def _payoff_of_plan(form: StrategicForm, mixes: tuple[Mix, Mix], player: int, plan: int) -> Number:
    """A plan's payoff to its player against the other's mixture."""
    against = enumerate(mixes[1 - player])
    cells = ((form.payoffs[(plan, k) if player == 0 else (k, plan)][player], weight) for k, weight in against)
    return exact(sum((Fraction(pays) * weight for pays, weight in cells), Fraction(0)))
