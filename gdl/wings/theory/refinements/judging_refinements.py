"""A profile held against perfect and proper equilibrium: the plan that dominates, and mistakes that support nothing."""

from __future__ import annotations

from collections.abc import Sequence

from gdl.solvers.equilibria.bimatrix import Mix
from gdl.solvers.equilibria.strategic_form import StrategicForm
from gdl.solvers.equilibria.verdicts import ConceptCondition, ProfileCase, best_replies
from gdl.wings.theory.plan_judges import (
    Conditions,
    form_of_plans,
    judge_by,
    preferred_mix,
    pure_mix,
)
from gdl.wings.theory.refinements.properness import properness
from gdl.wings.theory.refinements.trembles import judge_trembles
from gdl.wings.theory.tables import dominating


def _perfect_conditions(case: ProfileCase, concept: str = "perfect") -> Conditions:
    """A perfect equilibrium. With two players: one in which nobody plays what is weakly dominated."""
    form = form_of_plans(case, concept)
    mixes = [form.mix(player, case.behaviour) for player in form.players]
    replies = list(best_replies(case, 0, "best reply"))
    yield from replies
    if len(mixes) > 2:
        if all(one.holds for one in replies):
            yield _trembling(case, form, concept, mixes)
        return
    found = [(player, dominating(form, player, mix, case.budget)) for player, mix in enumerate(mixes)]
    failed = [_domination(form, player, better) for player, better in found if better is not None]
    yield from failed or [ConceptCondition("no dominated plan", True, words="nobody plays what is weakly dominated")]


def _domination(form: StrategicForm, player: int, better: Mix) -> ConceptCondition:
    words = f"another strategy never pays {form.positions.players[player]} less than this one, and sometimes more"
    return preferred_mix(form, "no dominated plan", player, better, words)


def _trembling(case: ProfileCase, form: StrategicForm, concept: str, mixes: Sequence[Mix]) -> ConceptCondition:
    """The condition, with three players or more, that an equilibrium is a limit of play with mistakes."""
    found = judge_trembles(form, concept, mixes, case.budget)
    if found.player is not None and found.dominating is not None:
        return _domination(form, found.player, found.dominating)
    rare = ", the costlier as the rarer," if concept == "proper" else ""
    if found.player is not None and found.plan is not None:
        who = case.positions.players[found.player]
        words = f"however the others err now and then{rare or ','} {who} would rather play otherwise"
        return preferred_mix(form, "trembles", found.player, pure_mix(form, found.player, found.plan), words)
    words = {
        True: f"somebody may err now and then{rare} so that nobody gains by playing otherwise",
        None: f"mistakes{rare} that support it were neither found nor ruled out",
        False: f"however they err now and then{rare or ','} somebody would rather play otherwise",
    }[found.holds]
    return ConceptCondition("trembles", found.holds, words=words)


def _proper_conditions(case: ProfileCase) -> Conditions:
    """A proper equilibrium. With two players: a perfect one for which mistakes can be ranked, costlier ones as rarer
    ones."""
    perfect = list(_perfect_conditions(case, "proper" if len(case.positions.players) > 2 else "perfect"))
    yield from perfect
    if len(case.positions.players) > 2 or not all(one.holds for one in perfect):
        return
    form, name = form_of_plans(case, "proper"), "rarer mistakes"
    first, second = (form.mix(player, case.behaviour) for player in form.players)
    found = properness(form.tables(), (first, second), case.budget)
    words = {
        True: "mistakes can be ranked so that of two the costlier is far rarer, and nobody gains by that",
        None: "mistakes can be ranked in too many ways to try them all",
        False: "however mistakes are ranked, the costlier ones as the rarer, somebody would rather play otherwise",
    }[found.holds]
    if found.player is None:
        yield ConceptCondition(name, found.holds, words=words)
        return
    who, other = (case.positions.players[p] for p in (found.player, 1 - found.player))
    words = f"however {other}'s mistakes are ranked, the costlier as the rarer, {who} would rather play otherwise"
    if found.plan is None:
        yield ConceptCondition(name, False, who, words=words)
    else:
        yield preferred_mix(form, name, found.player, pure_mix(form, found.player, found.plan), words)


judge_perfect = judge_by(_perfect_conditions)
judge_proper = judge_by(_proper_conditions)
