"""A profile held against the greatest sum of utilities: the plans that pay more together."""

from __future__ import annotations

from fractions import Fraction

from gdl.game import exact
from gdl.numbers import brief
from gdl.solvers.equilibria.behaviour import pure_behaviour, write_profile
from gdl.solvers.equilibria.regret import expectation
from gdl.solvers.equilibria.verdicts import ConceptCondition, ProfileCase
from gdl.wings.theory.plan_judges import (
    Conditions,
    judge_by,
)
from gdl.wings.theory.team.team_plans import TeamPlanSearch


def _greatest_sum(case: ProfileCase) -> Conditions:
    """No combination of plans pays more in sum."""
    positions, behaviour = case.positions, case.behaviour
    paid = sum(expectation(positions, behaviour), Fraction(0))
    search = TeamPlanSearch(positions, None, case.budget)
    search.run()
    gain = exact(search.worth - paid)
    if not gain:
        yield ConceptCondition("greatest sum", True, words="no plans pay more in sum")
        return
    best = pure_behaviour(positions, search.best)
    h = next(h for h, (row, other) in enumerate(zip(behaviour, best, strict=True)) if row != other)
    found = positions.information_sets[h]
    who, action = positions.players[found.player], found.actions[search.best[h]]
    words = f"all together get {brief(exact(paid))}, and could get {brief(exact(search.worth))}"
    strategy = write_profile(positions, best)
    yield ConceptCondition("greatest sum", False, who, found.name, action, gain, words, strategy)


judge_greatest_sum = judge_by(_greatest_sum)
