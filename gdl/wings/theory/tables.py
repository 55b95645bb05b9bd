"""The table that the concepts of this room look at, and how their linear programs are solved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm

from gdl.game import Number, exact
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria import highs
from gdl.solvers.equilibria.bimatrix import Mix
from gdl.solvers.equilibria.simplex import LinearProgram, Optimum, maximise
from gdl.solvers.equilibria.strategic_form import Cell, StrategicForm

SMALL_PROGRAM = 4_000  # coefficients of a program that the exact simplex alone solves in a second


def optimum(program: LinearProgram, budget: Budget) -> Optimum:
    """The exact optimum: in a large program from a basis that HiGHS finds, if it is installed; else by the exact
    simplex."""
    size = sum(map(len, program.rows))
    if size > SMALL_PROGRAM and highs.is_installed():
        found = highs.maximise_large(program, budget)
        if isinstance(found, Optimum):
            return found
    return maximise(program, budget)


def best_mixture(
    wanted: Sequence[Number], rows: Sequence[Mapping[int, Number]], budget: Budget, bounds: Sequence[Number] = ()
) -> Optimum:
    """The mixture with the greatest expected worth; `wanted` has the worth of each part. Each of the `rows` must not
    exceed its bound (0 if `bounds` is empty)."""
    return optimum(
        LinearProgram(
            variables=len(wanted),
            objective={k: worth for k, worth in enumerate(wanted) if worth},
            rows=[*rows, dict.fromkeys(range(len(wanted)), 1)],
            bounds=[*(bounds or [0] * len(rows)), 1],
            equalities=frozenset([len(rows)]),
        ),
        budget,
    )


def welfare(form: StrategicForm, cell: Cell) -> Number:
    """The sum of the utilities of a combination of plans."""
    return exact(sum(form.payoffs[cell], Fraction(0)))


def weighted_sum(weights: Sequence[Number], numbers: Sequence[Number]) -> Fraction:
    """The sum of numbers, each times its weight."""
    return sum((Fraction(w) * x for w, x in zip(weights, numbers, strict=True)), Fraction(0))


def joint(form: StrategicForm, cell: Cell) -> tuple[str, ...]:
    """The names of the plans of a combination, one per player."""
    return tuple(form.name(player, plan) for player, plan in enumerate(cell))


def ends(form: StrategicForm) -> tuple[tuple[Number, Number], ...]:
    """The least and the most that the table pays each player."""
    columns = zip(*form.payoffs.values(), strict=True)
    return tuple((min(column), max(column)) for column in columns)


def whole_payoffs(form: StrategicForm) -> dict[Cell, tuple[int, ...]]:
    """The table with each player's payoffs scaled to whole numbers, which changes nobody's preferences."""
    columns = list(zip(*form.payoffs.values(), strict=True))
    scales = [lcm(*(Fraction(payoff).denominator for payoff in column)) for column in columns]
    return {
        cell: tuple(int(scale * payoff) for scale, payoff in zip(scales, vector, strict=True))
        for cell, vector in form.payoffs.items()
    }


# Whether a mixture of plans is weakly dominated, by another plan or mixture: a linear program says, exactly.


def dominating(form: StrategicForm, player: int, mix: Mix, budget: Budget) -> Mix | None:
    """A mixture of the player's plans that pays as much as `mix` against everything, and more against something; None
    if there is none."""
    own = list(form.by_plan(player).values())
    columns = list(zip(*own, strict=True))
    mine = [weighted_sum(mix, column) for column in columns]
    rows: list[dict[int, Number]] = [{i: -pays for i, pays in enumerate(column) if pays} for column in columns]
    best = best_mixture([sum(row) for row in own], rows, budget, [-pays for pays in mine])
    return None if best.value == sum(mine) else tuple(best.primal)
