"""A division of payoffs held against the core: the coalition that would leave, and what it would do."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from gdl.errors import Refusal, listing
from gdl.game import Number, exact
from gdl.numbers import brief
from gdl.solvers.equilibria.regret import expectation
from gdl.solvers.equilibria.strategic_form import StrategicForm
from gdl.solvers.equilibria.verdicts import ConceptCondition, ConceptVerdict, ProfileCase
from gdl.wings.theory.coalitions.coalitions import MOST_PLAYERS, CoalitionValue, coalition_value
from gdl.wings.theory.plan_judges import Conditions, form_of_plans, judge_by, strategy_of_mixes

TOLD = 6  # joint plans of a mixture that are listed


def _coalition(case: ProfileCase) -> Conditions:
    """The payoffs lie in the core: no coalition secures more than its members get together."""
    yield from division(case, expectation(case.positions, case.behaviour)).conditions


def division(case: ProfileCase, shares: Sequence[Number]) -> ConceptVerdict:
    """Judge whether a division of payoffs, one share per player, lies in the core."""
    count = len(case.positions.players)
    if count > MOST_PLAYERS:
        raise Refusal(f"coalition looks at every set of players, of {MOST_PLAYERS} at most; there are {count}")
    failed, form = [], form_of_plans(case, "coalition")
    for members in (members for size in range(1, count + 1) for members in combinations(form.players, size)):
        found = coalition_value(form, members, case.budget)
        gets = exact(sum((shares[p] for p in members), Fraction(0)))
        if found.worth > gets:
            failed.append(_worse_off(form, members, gets, found))
    none = ConceptCondition("core", True, words="no coalition secures more than its members get together")
    return ConceptVerdict("coalition", tuple(failed or [none]))


def _worse_off(form: StrategicForm, members: tuple[int, ...], gets: Number, found: CoalitionValue) -> ConceptCondition:
    """The failed condition of a coalition that gets less than it secures, with the joint plan that secures it (in a
    matrix, the mixture of plans)."""
    names = listing(form.positions.players[p] for p in members)
    verb, secures = ("gets", "secures") if len(members) == 1 else ("get", "secure together")
    if len(members) == len(form.positions.players):
        secures = "could get"
    words = f"{names} {verb} {brief(gets)}, and {secures} {brief(found.worth)}"
    deviation = strategy = None
    if all(len(form.positions.sets_of(p)) < 2 for p in members):
        texts = [", ".join(map(form.name, members, row)) for row in found.plans]
        told = [
            text if weight == 1 else f"({text}) {brief(weight)}"
            for text, weight in zip(texts, found.plans.values(), strict=True)
        ]
        deviation = listing(told, most=TOLD)
    if len(members) == 1 or len(found.plans) == 1:
        mixes = {p: [exact(sum((w for row, w in found.plans.items() if row[at] == k), Fraction(0)))
                     for k in range(len(form.plans[p]))] for at, p in enumerate(members)}  # fmt: skip
        strategy = strategy_of_mixes(form, mixes)
    elif deviation:
        words += f" by drawing {deviation}"
    return ConceptCondition("core", False, names, None, deviation, exact(found.worth - gets), words, strategy)


judge_coalition = judge_by(_coalition)
