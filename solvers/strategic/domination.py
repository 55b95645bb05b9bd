"""Whether a mixture of plans is weakly dominated, by another plan or mixture: a linear program says, exactly."""

from __future__ import annotations

from fractions import Fraction

from gdl.game import Number
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.bimatrix import Mix
from gdl.solvers.equilibria.strategic_form import StrategicForm
from gdl.solvers.strategic.tables import best_mixture


def is_undominated(form: StrategicForm, player: int, mix: Mix, budget: Budget) -> bool:
    """Whether no mixture of the player's plans pays as much against everything, and more against something."""
    return dominating(form, player, mix, budget) is None


def dominating(form: StrategicForm, player: int, mix: Mix, budget: Budget) -> Mix | None:
    """A mixture of the player's plans that pays as much against everything, and more against something; None where
    there is none."""
    own = list(form.by_plan(player).values())
    against = range(len(own[0]))
    mine = [sum((x * row[j] for x, row in zip(mix, own, strict=True)), Fraction(0)) for j in against]
    rows: list[dict[int, Number]] = [{i: -row[j] for i, row in enumerate(own) if row[j]} for j in against]
    best = best_mixture([sum(row) for row in own], rows, budget, [-pays for pays in mine])
    return None if best.value == sum(mine) else tuple(best.primal)
