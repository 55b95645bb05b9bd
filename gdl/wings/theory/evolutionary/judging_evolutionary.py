"""A profile held against evolutionary stability: the mutant that invades."""

from __future__ import annotations

from fractions import Fraction

from gdl.game import exact
from gdl.numbers import brief
from gdl.solvers.equilibria.verdicts import ConceptCondition, ProfileCase, best_replies
from gdl.wings.theory.evolutionary.evolutionary import fitness, invading, replies_to, symmetric_matrix
from gdl.wings.theory.plan_judges import (
    Conditions,
    form_of_plans,
    judge_by,
    preferred_mix,
    pure_mix,
    two_players,
)


def _evolutionary(case: ProfileCase) -> Conditions:
    """Evolutionary stability: both play the same strategy, it is a best reply to itself, and no other best reply does
    as well against itself."""
    one, other = two_players(case, "evolutionary")
    form = form_of_plans(case, "evolutionary")
    matrix = symmetric_matrix(form)
    mine, yours = (tuple(map(Fraction, form.mix(player, case.behaviour))) for player in (0, 1))
    if mine != yours:
        yield ConceptCondition("the same strategy", False, other, words=f"{one} and {other} do not play the same")
        return
    yield ConceptCondition("the same strategy", True, words="both play the same")
    replies = list(best_replies(case, 0, "best reply"))
    yield from replies
    if not all(reply.holds for reply in replies):
        return
    best = replies_to(matrix, mine)
    change = invading(matrix, [i for i, x in enumerate(mine) if x], best)
    if change is None:
        yield ConceptCondition("stability", True, words="every mutant does worse than it, once there are a few of them")
        return
    step = min((mine[i] / -z for i, z in change.items() if z < 0), default=Fraction(1))
    mixed = tuple(x + step * change.get(i, 0) for i, x in enumerate(mine))
    pure = [tuple(map(Fraction, pure_mix(form, 0, i))) for i in best]
    mutant = next(y for y in (*pure, mixed) if y != mine and fitness(matrix, y, y) >= fitness(matrix, mine, y))
    own, met = fitness(matrix, mutant, mutant), fitness(matrix, mine, mutant)
    words = f"some mutants get {brief(own)} against each other, and it gets {brief(met)} against them"
    yield preferred_mix(form, "stability", 0, mutant, words, exact(own - met))._replace(player=None)


judge_evolutionary = judge_by(_evolutionary)
