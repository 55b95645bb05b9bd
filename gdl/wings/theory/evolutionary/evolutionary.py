"""Evolutionarily stable strategies of a symmetric game of two players.

A strategy x is evolutionarily stable if every small group of mutants fares worse than x: (x, x) is an equilibrium, and
against any other best reply y to x, x pays more than y does against itself. All of them are found, exactly:

1. For each set of plans, solve for the mixture of them against which all of them pay the same. A stable one is the only
   mixture of its support with that property; what has none, or many, or a weight that is not positive, is left.
2. Nothing may pay more against it: then (x, x) is an equilibrium. What pays as much is a best reply.
3. Stability: z A z < 0 for every change z other than zero that sums to zero and takes from the plans of x alone. One
   weight of the support is expressed by the others; the matrix of the form that is left must be positive definite in
   the rest of the support, and what remains of it by elimination strictly copositive in the other best replies, which
   is tried on one set of these after the other.

If a mixture fails at 3, some mutant invades; a pure one is named where there is one.

Sources: Maynard Smith and Price, The logic of animal conflict, 1973; Haigh, Game theory and evolution, 1975; Abakuks
1980; Motzkin and Straus, Maxima for graphs and a new proof of a theorem of Turan, 1965 (forms on weights).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from gdl.errors import Refusal
from gdl.game import Game, Number, exact
from gdl.numbers import brief
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.equilibria.behaviour import write_profile
from gdl.solvers.equilibria.elimination import levelling, only_solution
from gdl.solvers.equilibria.regret import complete_behaviour
from gdl.solvers.equilibria.strategic_form import MOST_CELLS, StrategicForm, table_of
from gdl.solvers.solver import Solver
from gdl.wings.theory.tables import weighted_sum

MOST_PLANS = 14  # whose 16,383 supports are looked at
TOLD = 6  # equilibria whose invaders are named

Matrix = list[list[Fraction]]
Mixture = tuple[Fraction, ...]


def evolutionary(game: Game[Any], limits: SearchLimits = NO_LIMITS, *, cells: int = MOST_CELLS) -> Solution:
    """All evolutionarily stable strategies of a symmetric game of two."""
    form, budget = table_of(game, cells, limits)
    matrix = symmetric_matrix(form)
    if len(matrix) > MOST_PLANS:
        raise Refusal(
            f"evolutionary looks at every set of plans, of {MOST_PLANS} at most; {game.name} has {len(matrix)}"
        )
    found: list[Resident] = []
    with answering(lambda: _build_solution(game, form, matrix, found, proved=False)):
        for resident in residents(matrix, budget):
            found.append(resident)
    return _build_solution(game, form, matrix, found, proved=True)


@dataclass(frozen=True)
class Resident:
    """A mixture that is an equilibrium against itself, its best replies, and whether it is stable."""

    mixture: Mixture
    replies: tuple[int, ...]
    stable: bool


def symmetric_matrix(form: StrategicForm) -> Matrix:
    """The payoff of each plan (a row) against each plan (a column), whoever plays it. Raises Refusal if the game is not
    the same for both players."""
    mine, yours = (list(form.by_plan(player).values()) for player in (0, 1))
    if mine != yours:
        first, second = form.positions.players
        raise Refusal(
            f"evolutionary needs a symmetric game: in {form.positions.game}, {first} and {second} do not get the same "
            "when they change places"
        )
    return [list(map(Fraction, row)) for row in mine]


def residents(matrix: Matrix, budget: Budget) -> Iterator[Resident]:
    """For each support, small ones first, the mixture that alone makes its plans pay alike, if it is an equilibrium
    against itself. Every stable strategy is among them."""
    for weights in _level_weights(matrix, budget.check_time):
        mixture, support = tuple(weights.get(i, Fraction(0)) for i in range(len(matrix))), list(weights)
        replies = replies_to(matrix, mixture)
        if support[0] in replies:
            yield Resident(mixture, replies, invading(matrix, support, replies) is None)


def replies_to(matrix: Matrix, mixture: Mixture) -> tuple[int, ...]:
    """The plans that pay the most against a mixture."""
    pays = [weighted_sum(mixture, row) for row in matrix]
    return tuple(i for i, payoff in enumerate(pays) if payoff == max(pays))


def _level_weights(form: Matrix, look: Callable[[], None] = lambda: None) -> Iterator[dict[int, Fraction]]:
    """For each set of places, small ones first, the weights above zero that alone give their rows the same sum, if
    there are such; the weights sum to one. `look` is called for each set."""
    for support in (chosen for size in range(len(form)) for chosen in combinations(range(len(form)), size + 1)):
        look()
        weights = levelling([[form[i][j] for j in support] for i in support])
        if weights is not None and min(weights) > 0:
            yield dict(zip(support, weights, strict=True))


def invading(matrix: Matrix, support: Sequence[int], replies: Sequence[int]) -> dict[int, Fraction] | None:
    """A change z other than zero with z A z >= 0, by plans, that sums to zero, changes only best replies, and takes
    weight from plans of the support alone; None if there is none. A mutant a little way from the mixture in its
    direction does as well against itself as the mixture does against it, or better."""
    base, *inner = support
    outer = [i for i in replies if i not in support]
    form = _form(matrix, base, [*inner, *outer])
    left = form
    for k in range(len(inner)):  # positive definite in the support: eliminate its weights one by one
        pivot = left[0][0]
        if pivot <= 0:
            return _change(base, [*inner, *outer], form, range(k), {k: Fraction(1)})
        left = [[a - row[0] * b / pivot for a, b in zip(row[1:], left[0][1:], strict=True)] for row in left[1:]]
    weights = not_copositive(left)
    if weights is None:
        return None
    chosen = {len(inner) + k: weight for k, weight in weights.items()}
    return _change(base, [*inner, *outer], form, range(len(inner)), chosen)


def _change(
    base: int, plans: Sequence[int], form: Matrix, least: Sequence[int], chosen: dict[int, Fraction]
) -> dict[int, Fraction]:
    """A change, by plans, in which the `chosen` places of the form have these weights, the places in `least` those that
    make the form smallest, and `base` balances them all."""
    rows = [[*(form[i][j] for j in least), -sum((form[i][k] * w for k, w in chosen.items()), Fraction(0))]
            for i in least]  # fmt: skip
    found = dict(zip(least, only_solution(rows) or (), strict=True)) | chosen
    change = {plans[k]: weight for k, weight in found.items() if weight}
    return change | {base: -sum(change.values(), Fraction(0))}


def _form(matrix: Matrix, base: int, others: Sequence[int]) -> Matrix:
    """The symmetric matrix of -z A z as a form in the changes of the other plans, the change of `base` balancing
    them."""
    a = matrix

    def entry(i: int, j: int) -> Fraction:
        return a[i][j] - a[i][base] - a[base][j] + a[base][base]

    return [[-(entry(i, j) + entry(j, i)) / 2 for j in others] for i in others]


def not_copositive(form: Matrix) -> dict[int, Fraction] | None:
    """Weights, none negative and some positive, at which the form is not positive; None if it always is. Where it is
    least on weights that sum to one, those above zero have equal slopes; it is enough to look where these are the only
    such weights, since others lead on, without a change of the form, to where fewer are above zero."""
    slopes = ((weights, form[next(iter(weights))]) for weights in _level_weights(form))
    return next((weights for weights, row in slopes if sum(row[j] * w for j, w in weights.items()) <= 0), None)


def _build_solution(
    game: Game[Any], form: StrategicForm, matrix: Matrix, found: Sequence[Resident], proved: bool
) -> Solution:
    stable = [one for one in found if one.stable]
    behaviours = [complete_behaviour(form.positions, form.behaviour((one.mixture, one.mixture))) for one in stable]
    pays = [fitness(matrix, one.mixture, one.mixture) for one in stable]
    notes = [
        f"{_mixture_text(form, one)} is no stable one: {_invader(form, matrix, one)}."
        for one in found
        if not one.stable
    ]
    more = len(notes) - TOLD
    return replace(
        EVOLUTIONARY.answer(game, proved),
        value=(pays[0], pays[0]) if len(set(pays)) == 1 else None,
        equilibria=tuple(write_profile(form.positions, behaviour) for behaviour in behaviours),
        payoffs=tuple((payoff, payoff) for payoff in pays),
        complete=True if proved else None,
        regret=(0, 0) if stable else None,
        notes=(
            _COUNTED.get(len(stable), f"{len(stable)} strategies are evolutionarily stable."),
            *notes[:TOLD],
            *([f"{more} more are equilibria against themselves, and not stable."] if more > 0 else []),
        ),
    )


_COUNTED = {0: "No strategy is evolutionarily stable.", 1: "One strategy is evolutionarily stable."}


def fitness(matrix: Matrix, own: Sequence[Fraction], other: Sequence[Fraction]) -> Number:
    """The payoff of a mixture against another mixture."""
    return exact(weighted_sum(own, [weighted_sum(other, row) for row in matrix]))


def _mixture_text(form: StrategicForm, one: Resident) -> str:
    told = [f"{form.name(0, i)} {brief(exact(x))}" for i, x in enumerate(one.mixture) if x]
    return f"({', '.join(told)})" if len(told) > 1 else told[0].rpartition(" ")[0]


def _invader(form: StrategicForm, matrix: Matrix, one: Resident) -> str:
    """Words for a mutant that does as well against itself as the resident does against it, or better: a pure best
    reply, if one does."""
    for i in one.replies:
        mutant = tuple(Fraction(int(k == i)) for k in range(len(matrix)))
        if mutant != one.mixture and fitness(matrix, mutant, mutant) >= fitness(matrix, one.mixture, mutant):
            return f"{form.name(0, i)} invades it"
    return "a mixture invades it"


EVOLUTIONARY = Solver(
    name="evolutionary",
    run=evolutionary,
    needs={"players": 2, "perfect_recall": True, "cyclic": False},
    summary="all evolutionarily stable strategies of a symmetric game of two",
    concept="evolutionary",
)
