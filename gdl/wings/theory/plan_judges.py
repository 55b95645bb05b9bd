"""Judging a profile by a concept of the table of plans: what is found as the solver of the concept finds it.

What a player plays in a tree is taken as the mixture of plans that does the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from gdl.errors import LimitReached, Refusal, listing
from gdl.game import Number, exact
from gdl.numbers import brief
from gdl.solution import Profile
from gdl.solvers.equilibria.behaviour import write_profile
from gdl.solvers.equilibria.bimatrix import Mix
from gdl.solvers.equilibria.regret import complete_behaviour
from gdl.solvers.equilibria.strategic_form import StrategicForm, strategic_form
from gdl.solvers.equilibria.verdicts import ConceptCondition, ConceptVerdict, ProfileCase

Conditions = Iterator[ConceptCondition]  # the conditions of a concept, as a profile meets them
Judge = Callable[[ProfileCase], ConceptVerdict]


def form_of_plans(case: ProfileCase, concept: str) -> StrategicForm:
    """The table of plans. Raises Refusal if it is too large; `concept` is named there."""
    try:
        return strategic_form(case.positions, budget=case.budget)
    except LimitReached as large:
        case.budget.check_time()
        why = str(large).partition(";")[0]
        raise Refusal(f"{concept} is judged by the table of plans, which is too large: {why}") from None


def two_players(case: ProfileCase, concept: str) -> tuple[str, ...]:
    """The two players of the game. Raises Refusal if it has another number of them."""
    players = case.positions.players
    if len(players) != 2:
        raise Refusal(f"{concept} is a concept of games of two; {case.positions.game} has {len(players)}")
    return players


def mixture_in_words(form: StrategicForm, player: int, mix: Sequence[Number]) -> str | None:
    """`bet 1/3 and check 2/3`, or the name of the one plan; None in a tree, where names of plans are long."""
    if len(form.positions.sets_of(player)) > 1:
        return None
    played = [(form.name(player, plan), weight) for plan, weight in enumerate(mix) if weight]
    if len(played) == 1:
        return played[0][0]
    return listing((f"{name} {brief(exact(weight))}" for name, weight in played), most=len(played))


def strategy_of_mixes(form: StrategicForm, mixes: Mapping[int, Sequence[Number]]) -> Profile:
    """The strategies of some players from their mixtures of plans, silent where their own play never leads."""
    nothing = [mixes.get(player, (0,) * len(form.plans[player])) for player in form.players]
    profile = write_profile(form.positions, form.behaviour([tuple(mix) for mix in nothing]))
    return {player: sets for player, sets in profile.items() if sets}


def pure_mix(form: StrategicForm, player: int, plan: int) -> Mix:
    return tuple(int(k == plan) for k in range(len(form.plans[player])))


def preferred_mix(
    form: StrategicForm, condition: str, player: int, mix: Sequence[Number], words: str, gain: Number | None = None
) -> ConceptCondition:
    """The failed condition of a player who would rather play a mixture of plans, with the gain if it is known."""
    who, strategy = form.positions.players[player], strategy_of_mixes(form, {player: mix})
    return ConceptCondition(condition, False, who, None, mixture_in_words(form, player, mix), gain, words, strategy)


def judge_by(conditions: Callable[[ProfileCase], Conditions]) -> Judge:
    """The judge of profiles by the conditions of a concept."""

    def judge(case: ProfileCase) -> ConceptVerdict:
        behaviour = complete_behaviour(case.positions, case.behaviour)
        return ConceptVerdict(case.concept, tuple(conditions(case._replace(behaviour=behaviour))))

    return judge
