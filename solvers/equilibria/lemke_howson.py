"""One equilibrium of a two-player game in strategic form, by the paths of Lemke and Howson.

1. Payoffs are made positive. The mixtures x of the rows against which no column pays more than one, not yet scaled to
   sum to one, are a polytope, those of the columns another. A point has the label of each strategy that it does not use
   and of each reply of the other side that pays one: an equilibrium is a pair of vertices with every label.
2. At the pair of zeros all labels are there. Drop one: let its variable enter. The variable that leaves brings a label
   twice; let it enter on the other side. And so on, until the label that was dropped comes back.
3. Ties are broken lexicographically, so the path ends, also in degenerate games. All numbers are whole.
4. In a large game the path is run in floating point first. Of where it ends only the two bases are kept: their exact
   solutions count if they are an equilibrium. Otherwise the path is run again in whole numbers.

Each label leads to an equilibrium; different labels may lead to different ones. `--label N` drops the N-th strategy of
all (rows first); otherwise every label is tried in turn. In a game of more than sixty strategies one is enough: the
first whose path floating point follows to its end, if one of the first twenty is so, else the first of all.

Sources: Lemke and Howson, Equilibrium points of bimatrix games, 1964; von Stengel, in Nisan et al., Algorithmic Game
Theory, 2007, chapter 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any

from gdl.errors import Refusal
from gdl.game import Game, Number, exact
from gdl.solution import Pivot, Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.equilibria.behaviour import Behaviour
from gdl.solvers.equilibria.bimatrix import Mix
from gdl.solvers.equilibria.highs import solve_equations
from gdl.solvers.equilibria.regret import complete_behaviour, judge, with_equilibria
from gdl.solvers.equilibria.simplex import Matrix
from gdl.solvers.equilibria.strategic_form import MOST_CELLS, StrategicForm, table_of
from gdl.solvers.equilibria.tableau import FloatTableau, LostPath, Tableau, Whole, positive
from gdl.solvers.solver import Solver

# Lemke and Howson's path in floating point, for large games: where it ends is proved or forgotten. Two bases are left
# at the end. Their solutions are computed exactly, and are an equilibrium if no weight is negative, no reply pays more
# than one, and every label is there: then nothing depends on floating point.

LONGEST_PATH = 20  # pivots for each strategy, at most

Weights = Sequence[Number]


def follow_float_path(replies: Whole, own: Whole, label: int, budget: Budget) -> tuple[Weights, Weights] | None:
    """The weights of both sides at the end of the path, exactly; None if floating point lost the path, or they are no
    equilibrium."""
    mine, yours = FloatTableau(replies), FloatTableau(own)
    try:
        for _ in islice(_steps(mine, yours, label, budget), LONGEST_PATH * (len(replies) + len(own))):
            pass
    except LostPath:
        return None
    return verify_equilibrium(replies, own, mine.under, yours.under)


def verify_equilibrium(
    replies: Whole, own: Whole, mine: Sequence[int], yours: Sequence[int]
) -> tuple[Weights, Weights] | None:
    """The exact weights at the bases of both players; None unless each is a best reply to the other."""
    x, y = _weights_at_basis(replies, mine), _weights_at_basis(own, yours)
    if x is None or y is None:
        return None
    for system, one, other in ((replies, x, y), (own, y, x)):
        pays = [sum((a * w for a, w in zip(row, one, strict=True) if w), Fraction(0)) for row in system]
        if any(payoff > 1 or (payoff < 1 and weight) for payoff, weight in zip(pays, other, strict=True)):
            return None
    return x, y


def _weights_at_basis(system: Whole, basis: Sequence[int]) -> Weights | None:
    """The exact weights at a basis; None if there are none, or one is negative. The basic weights make each row whose
    slack is not basic pay one."""
    size = len(system[0])
    used = [variable for variable in basis if variable < size]
    slack = {variable - size for variable in basis if variable >= size}
    equations = [({j: Fraction(row[j]) for j in used}, Fraction(1)) for i, row in enumerate(system) if i not in slack]
    found = solve_equations(equations)
    if not used or found is None or any(weight < 0 for weight in found.values()):
        return None
    return [found.get(j, 0) for j in range(size)]


LABELS = 60  # strategies of both players, up to which each one is dropped in turn
LARGE = 40  # strategies of both players, beyond which the path is run in floating point first
FLOATED = 20  # labels tried in floating point at most, if any label will do


def lemke_howson(
    game: Game[Any], limits: SearchLimits = NO_LIMITS, *, label: int | None = None, cells: int = MOST_CELLS
) -> Solution:
    """The equilibria to which the labels lead, or the one label given, on a table of at most that many cells."""
    form, budget = table_of(game, cells, limits)
    labels = sum(map(len, form.plans))
    if label is not None and not 1 <= label <= labels:
        raise Refusal(f"a label is a number from 1 to {labels}: a strategy of {' or of '.join(game.players)}")
    found: list[Behaviour] = []
    tables = form.tables()
    with answering(lambda: _build_solution(game, form, found, labels=0)):
        for dropped in labels_to_try(labels) if label is None else [label - 1]:
            behaviour = complete_behaviour(form.positions, form.behaviour(path(*tables, dropped, budget)))
            if behaviour not in found:
                found.append(behaviour)
    return _build_solution(game, form, found, labels=len(labels_to_try(labels)) if label is None else 1)


def labels_to_try(strategies: int) -> Sequence[int | None]:
    """The labels to try in a game with this number of strategies; None stands for any one label whose path ends
    soon."""
    return range(strategies) if strategies <= LABELS else (None,)


def path(rows: Matrix, columns: Matrix, label: int | None, budget: Budget) -> tuple[Mix, Mix]:
    """The equilibrium at the end of the path that begins by dropping the label: the number of a row, or of a column
    counted after all rows. None: the first label whose path is followed to its end in floating point, or the first of
    all."""
    m, n = len(rows), len(rows[0])
    replies, own = positive([[columns[i][j] for i in range(m)] for j in range(n)]), positive(rows)
    if m + n > LARGE:
        for dropped in range(min(FLOATED, m + n)) if label is None else (label,):
            found = follow_float_path(replies, own, dropped, budget)
            if found is not None:
                return _normalise_weights(found[0]), _normalise_weights(found[1])
    mine, yours = Tableau.from_system(replies), Tableau.from_system(own)
    for _ in _steps(mine, yours, label or 0, budget):
        pass
    return _normalise_weights(mine.weights()), _normalise_weights(yours.weights())


def pivots(rows: Matrix, columns: Matrix, label: int, budget: Budget) -> Iterator[Pivot]:
    """The steps of the path, each with the mixtures to which it leads."""
    replies = positive([[row[j] for row in columns] for j in range(len(rows[0]))])
    tableaux = Tableau.from_system(replies), Tableau.from_system(positive(rows))
    for side, dropped, gained in _steps(*tableaux, label, budget):
        mine, yours = (_normalise_weights(weights) if any(weights := each.weights()) else None for each in tableaux)
        yield Pivot(side, dropped, gained, (mine, yours))


def _steps(
    mine: Tableau | FloatTableau, yours: Tableau | FloatTableau, label: int, budget: Budget
) -> Iterator[tuple[int, int, int]]:
    """The steps of the path until the dropped label is back, each as its side and the labels that the side loses and
    gains. In the tableau `mine` (over x) variables have the numbers of labels; in `yours` (over y) label m + j is
    variable j, and label i is variable n + i."""
    m, n = mine.size, yours.size
    entering, gone, side = label, -1, int(label >= m)
    while gone != label:
        budget.check_time()
        if side == 0:
            gone = mine.enter(entering)
        else:
            back = yours.enter(entering - m if entering >= m else entering + n)
            gone = back + m if back < n else back - n
        yield side, entering, gone
        entering, side = gone, 1 - side


def _normalise_weights(weights: Sequence[Number]) -> Mix:
    total = Fraction(sum(weights))
    return tuple(exact(weight / total) for weight in weights)


def _build_solution(game: Game[Any], form: StrategicForm, found: list[Behaviour], labels: int) -> Solution:
    judgements = [judge(form.positions, behaviour) for behaviour in found]
    constant = form.positions.constant_sum() is not None
    tried = f"{labels} label{'s were' if labels > 1 else ' was'} dropped" if labels else "Not all labels were dropped"
    answer = with_equilibria(LEMKE_HOWSON.answer(game), form.positions, found, judgements, constant)
    return replace(answer, notes=(f"{tried}; there may be equilibria to which no label leads.",))


LEMKE_HOWSON = Solver(
    name="lemke-howson",
    run=lemke_howson,
    needs={"players": 2, "perfect_recall": True, "cyclic": False},
    summary="at least one Nash equilibrium of a matrix or a small game of two players, by Lemke and Howson's paths",
    concept="nash",
)
