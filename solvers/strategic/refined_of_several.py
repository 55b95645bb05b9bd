"""Perfect and proper equilibria of three players or more: each equilibrium that `nash` finds is held against trembles.

1. The pure equilibria are all found, mixed ones support by support; of each it is decided whether trembles lead to it
   (`trembles.py`).
2. Where they lead to none: everybody is made to err a little, all mistakes as often (Selten's perturbed game). What the
   equilibria of that game come close to is decided in the same way.
3. What is decided neither way is told, and listed only where nothing is proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from typing import Any

from gdl.errors import LimitReached
from gdl.game import Game, exact
from gdl.solution import Solution
from solvers.budget import Budget, answering
from solvers.equilibria.behaviour import Behaviour, write_profile
from solvers.equilibria.nash import Equilibria, equilibria, pure_equilibria
from solvers.equilibria.regret import completed, judge
from solvers.equilibria.several import FEW, Mixed, candidates, too_many
from solvers.equilibria.strategic_form import Mix, StrategicForm
from solvers.strategic.trembles import trembled

SMALL = Fraction(1, 1 << 20)  # how often each mistake is made in the game in which everybody errs


def of_several(game: Game[Any], form: StrategicForm, concept: str, budget: Budget) -> Solution:
    """The equilibria that were found, and of these the ones to which trembles lead. LimitReached, with those that were
    not decided, where there are no others."""
    found, begun = Equilibria([]), Equilibria([])
    proved: list[Behaviour] = []
    undecided: list[Behaviour] = []

    def stopped() -> Solution:
        left = undecided or [completed(form.positions, one) for one in begun.behaviours]
        answer = _told(game, form, concept, proved or left, found, False)
        if proved or not left:
            return answer
        return replace(
            answer, notes=(f"Whether these are {concept} was not decided: they are equilibria.", *answer.notes)
        )

    with answering(stopped):
        found = equilibria(form.positions, len(form.payoffs), budget, several=True, begun=begun)
        looked: dict[tuple[Mix, ...], None] = {}
        for behaviour in chain(found.behaviours, _near_those_of_trembling(form, proved, budget)):
            mixes = tuple(form.mix(player, behaviour) for player in form.players)
            if mixes in looked:  # another full plan that does the same
                continue
            looked[mixes] = None
            verdict = trembled(form, concept, mixes, budget, close=behaviour in found.close)
            if verdict.holds is not False:
                (proved if verdict.holds else undecided).append(behaviour)
    lost, open_ones = len(looked) - len(proved) - len(undecided), len(undecided)
    notes = [f"{lost} of {len(looked)} equilibria that were found are not {concept}."] if lost else []
    if not proved and not undecided:
        limit = f"the {concept} equilibria of {game.name} are among those that were not found: there is one at least"
        raise LimitReached(
            limit, replace(_told(game, form, concept, [], found, False), limit=limit, notes=tuple(notes))
        )
    if not proved:
        answer = _told(game, form, concept, undecided, found, False)
        notes.append(f"Whether these are {concept} is not known: they are equilibria, and nothing rules them out.")
        limit = f"trembles that lead to an equilibrium were neither found nor ruled out, in {game.name}"
        raise LimitReached(limit, replace(answer, limit=limit, notes=(*notes, *answer.notes)))
    if undecided:
        notes.append(f"Of {open_ones} it was not decided: trembles that lead there were neither found nor ruled out.")
    answer = _told(game, form, concept, proved, found, True)
    return replace(answer, complete=None if undecided else found.complete, notes=(*notes, *answer.notes))


def _near_those_of_trembling(form: StrategicForm, proved: Sequence[Behaviour], budget: Budget) -> Iterator[Behaviour]:
    """Unless some are proved: the equilibria close by those of the game in which everybody errs a little."""
    every = tuple(tuple(range(len(plans))) for plans in form.plans)
    if proved or too_many(every):
        return
    trembling = _perturbed(form)
    pure = (
        Mixed(tuple(tuple(int(k == own) for k in every[p]) for p, own in enumerate(cell)))
        for cell in pure_equilibria(trembling)
    )
    for mixed in chain(pure, candidates(trembling, every, budget)):
        if proved:
            return
        near = [[Fraction(x).limit_denominator(FEW) for x in mix] for mix in mixed.mixes]
        if all(sum(mix) == 1 for mix in near):
            behaviour = completed(form.positions, form.behaviour([tuple(map(exact, mix)) for mix in near]))
            if not any(judge(form.positions, behaviour).regret):
                yield behaviour


def _perturbed(form: StrategicForm) -> StrategicForm:
    """What every combination of plans pays where each plan is played by mistake, too, with probability SMALL."""
    payoffs = form.payoffs
    for player, plans in enumerate(form.plans):
        meant = 1 - len(plans) * SMALL
        payoffs = {
            cell: tuple(
                meant * amount
                + SMALL
                * sum((payoffs[(*cell[:player], k, *cell[player + 1 :])][p] for k in range(len(plans))), Fraction(0))
                for p, amount in enumerate(vector)
            )
            for cell, vector in payoffs.items()
        }
    return StrategicForm(form.positions, form.plans, payoffs)


def _told(
    game: Game[Any], form: StrategicForm, concept: str, chosen: Sequence[Behaviour], found: Equilibria, sure: bool
) -> Solution:
    judgements = [judge(form.positions, behaviour) for behaviour in chosen]
    values = {judgement.value for judgement in judgements}
    close = any(behaviour in found.close for behaviour in chosen)
    tree = any(len(form.positions.sets_of(p)) > 1 for p in form.players)
    more = [f"It is {concept} in the strategic form, where a plan trembles as a whole."] if tree and sure else []
    roots = tuple(found.close.get(behaviour, {}) for behaviour in chosen)
    return Solution(
        game=game.name,
        solver=concept,
        players=game.players,
        traits=game.traits,
        exact=sure and not close,
        rounded=close,
        roots=roots if any(roots) else (),
        value=values.pop() if found.one_value and len(values) == 1 else None,
        concept=concept,
        equilibria=tuple(write_profile(form.positions, behaviour) for behaviour in chosen),
        payoffs=tuple(judgement.value for judgement in judgements),
        regret=tuple(map(max, zip(*(one.regret for one in judgements), strict=True))) if judgements else None,
        notes=(*more, *found.notes),
    )
