"""Perfect and proper equilibria of three players or more: each equilibrium that `nash` finds is held against trembles.

1. The pure equilibria are all found, mixed ones support by support; of each it is decided whether trembles lead to it
   (`trembles.py`).
2. Where they lead to none: everybody is made to err a little, all mistakes as often (Selten's perturbed game). What the
   equilibria of that game come close to is decided in the same way.
3. What is decided neither way is told, and listed only where nothing is proved. Where there are many equilibria, or
   large tables, each is given up after its share of the work, unless a time is set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain

from gdl.errors import LimitReached
from gdl.game import exact
from gdl.solution import Solution
from gdl.solvers.budget import Budget, answering
from gdl.solvers.equilibria.behaviour import Behaviour
from gdl.solvers.equilibria.mixed_of_several import SMALL_DENOMINATOR, MixtureProfile, candidates, too_many
from gdl.solvers.equilibria.nash import Equilibria, equilibria, pure_equilibria
from gdl.solvers.equilibria.regret import complete_behaviour, judge, with_equilibria
from gdl.solvers.equilibria.strategic_form import Mix, StrategicForm
from gdl.solvers.strategic.trembles import LinearProgramBudget, judge_trembles

SMALL = Fraction(1, 1 << 20)  # how often each mistake is made in the game in which everybody errs
PATIENCE = 200_000  # numbers in the linear programs for all equilibria: some ten seconds


def of_several(begun: Solution, form: StrategicForm, budget: Budget) -> Solution:
    """The answer that was `begun`, with the equilibria that were found, of these the ones to which trembles lead.
    LimitReached, with those that were not decided, where there are no others."""
    concept = begun.solver
    found, left_over = Equilibria([]), Equilibria([])
    looked = _TrembleCandidates(form, concept, budget)

    def partial_solution() -> Solution:
        proved = looked.those(True)
        left = looked.those(None) or [complete_behaviour(form.positions, one) for one in left_over.behaviours]
        answer = _build_solution(begun, form, proved or left, found, False)
        if proved or not left:
            return answer
        return replace(
            answer, notes=(f"Whether these are {concept} was not decided: they are equilibria.", *answer.notes)
        )

    with answering(partial_solution):
        found = equilibria(form.positions, len(form.payoffs), budget, several=True, begun=left_over)
        looked.decide(found)
    proved, undecided = looked.those(True), looked.those(None)
    lost, every = len(looked.those(False)), len(looked.verdicts)
    notes = [f"{lost} of {every} equilibria that were found are not {concept}."] if lost else []
    if not proved and not undecided:
        limit = f"the {concept} equilibria of {begun.game} are among those that were not found: there is one at least"
        raise LimitReached(
            limit, replace(_build_solution(begun, form, [], found, False), limit=limit, notes=tuple(notes))
        )
    longer = "; --time looks for longer" if looked.given_up and budget.time is None else ""
    if not proved:
        answer = _build_solution(begun, form, undecided, found, False)
        notes.append(f"Whether these are {concept} is not known: they are equilibria, and nothing rules them out.")
        limit = f"trembles that lead to an equilibrium were neither found nor ruled out, in {begun.game}{longer}"
        raise LimitReached(limit, replace(answer, limit=limit, notes=(*notes, *answer.notes)))
    if undecided:
        notes.append(
            f"Of {len(undecided)} it was not decided: trembles that lead there were neither found nor ruled out"
            f"{longer}."
        )
    answer = _build_solution(begun, form, proved, found, True)
    return replace(answer, complete=None if undecided else found.complete, notes=(*notes, *answer.notes))


class _TrembleCandidates:
    """Equilibria, and of each whether trembles lead to it (None: not decided)."""

    def __init__(self, form: StrategicForm, concept: str, budget: Budget):
        self.form, self.concept, self.budget = form, concept, budget
        self.verdicts: dict[Behaviour, bool | None] = {}
        self.given_up: list[Behaviour] = []  # those for which patience was over

    def those(self, verdict: bool | None) -> list[Behaviour]:
        return [behaviour for behaviour, holds in self.verdicts.items() if holds is verdict]

    def decide(self, found: Equilibria) -> None:
        """First all of them, each with a share of the patience; those that take longer then, if a time was set."""
        seen: dict[tuple[Mix, ...], None] = {}
        left = PATIENCE
        for number, behaviour in enumerate(chain(found.behaviours, _near_those_of_trembling(self))):
            mixes = tuple(self.form.mix(player, behaviour) for player in self.form.players)
            if mixes in seen:  # another full plan that does the same
                continue
            seen[mixes] = None
            share = left // max(1, len(found.behaviours) - number)
            patience = LinearProgramBudget(share)
            self._look(behaviour, mixes, found, patience)
            left -= min(share, share - patience.left)
            if patience.left < 0 and self.verdicts[behaviour] is None:
                self.given_up.append(behaviour)
        for behaviour in self.given_up if self.budget.time is not None else ():
            self._look(behaviour, [self.form.mix(player, behaviour) for player in self.form.players], found, None)

    def _look(
        self, behaviour: Behaviour, mixes: Sequence[Mix], found: Equilibria, patience: LinearProgramBudget | None
    ) -> None:
        close = behaviour in found.close
        verdict = judge_trembles(self.form, self.concept, mixes, self.budget, close=close, patience=patience)
        self.verdicts[behaviour] = verdict.holds


def _near_those_of_trembling(looked: _TrembleCandidates) -> Iterator[Behaviour]:
    """Unless some are proved: the equilibria close by those of the game in which everybody errs a little."""
    form = looked.form
    every = form.every
    if looked.those(True) or too_many(every):
        return
    trembling = _perturb_form(form)
    pure = (
        MixtureProfile(tuple(tuple(int(k == own) for k in every[p]) for p, own in enumerate(cell)))
        for cell in pure_equilibria(trembling)
    )
    for mixed in chain(pure, candidates(trembling, every, looked.budget)):
        if looked.those(True):
            return
        near = [[Fraction(x).limit_denominator(SMALL_DENOMINATOR) for x in mix] for mix in mixed.mixes]
        if all(sum(mix) == 1 for mix in near):
            behaviour = complete_behaviour(form.positions, form.behaviour([tuple(map(exact, mix)) for mix in near]))
            if not any(judge(form.positions, behaviour).regret):
                yield behaviour


def _perturb_form(form: StrategicForm) -> StrategicForm:
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


def _build_solution(
    begun: Solution, form: StrategicForm, chosen: Sequence[Behaviour], found: Equilibria, sure: bool
) -> Solution:
    judgements = [judge(form.positions, behaviour) for behaviour in chosen]
    close = any(behaviour in found.close for behaviour in chosen)
    roots = tuple(found.close.get(behaviour, {}) for behaviour in chosen)
    return replace(
        with_equilibria(begun, form.positions, chosen, judgements, found.one_value),
        exact=sure and not close,
        rounded=close,
        roots=roots if any(roots) else (),
        notes=(*(as_a_whole(begun, form) if sure else ()), *found.notes),
    )


def as_a_whole(begun: Solution, form: StrategicForm) -> list[str]:
    """What is to be said of the trembles of a tree."""
    tree = any(len(form.positions.sets_of(p)) > 1 for p in form.players)
    return [f"It is {begun.solver} in the strategic form, where a plan trembles as a whole."] if tree else []
