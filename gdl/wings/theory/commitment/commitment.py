"""Commitment: one of two players announces a mixture of plans and is bound by it; the other answers with a best reply.

A tie of the follower goes to the leader (the strong Stackelberg equilibrium): a little more of one plan would make the
follower strictly want it, so the leader comes as close as they like.

1. For each plan of the follower, maximise what the leader gets over the mixtures against which that plan is a best
   reply: a linear program, with a row for each other plan of the follower. Mixtures may be of any plans of the leader.
2. The best of these is the leader's commitment. It is never worth less than a Nash equilibrium.

Sources: von Stackelberg 1934; Conitzer and Sandholm, Computing the optimal strategy to commit to, EC 2006; von Stengel
and Zamir, Leadership games with convex strategy sets, 2010.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from gdl.game import Game, Number
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.equilibria.behaviour import write_profile
from gdl.solvers.equilibria.regret import complete_behaviour, judge
from gdl.solvers.equilibria.simplex import Infeasible
from gdl.solvers.equilibria.strategic_form import MOST_CELLS, StrategicForm, table_of
from gdl.solvers.options import player_called
from gdl.solvers.solver import Solver
from gdl.wings.theory.tables import best_mixture


def commitment(
    game: Game[Any], limits: SearchLimits = NO_LIMITS, *, as_: str | None = None, cells: int = MOST_CELLS
) -> Solution:
    """The best mixture for the leader to announce, and the follower's reply: the first player leads unless another is
    named."""
    leader = player_called(game, as_)
    form, budget = table_of(game, cells, limits)
    found = CommitmentSearch(form, leader)
    with answering(lambda: _build_solution(game, found, proved=False)):
        found.search(budget)
    return _build_solution(game, found, proved=True)


@dataclass
class CommitmentSearch:
    """The search for the best commitment, with the best so far: `worth` is its value to the leader (None before any),
    `mixture` a weight for each of the leader's plans, `reply` the follower's plan."""

    form: StrategicForm
    leader: int
    worth: Number | None = None
    mixture: Sequence[Number] = ()
    reply: int = 0

    def search(self, budget: Budget) -> None:
        """For each plan of the follower find the leader's best mixture against which the plan is a best reply."""
        follower = 1 - self.leader
        columns, replies = zip(*self.form.by_plan(self.leader).values(), strict=True), self.form.by_plan(follower)
        for wanted, (reply, paid) in zip(columns, replies.items(), strict=True):
            budget.check_time()
            if self.worth is not None and max(wanted) <= self.worth:
                continue
            gains = ([a - b for a, b in zip(other, paid, strict=True)] for other in replies.values())
            rows = [{i: gain for i, gain in enumerate(row) if gain} for row in gains if max(row) > 0]
            try:
                best = best_mixture(wanted, rows, budget)
            except Infeasible:
                continue
            if self.worth is None or best.value > self.worth:
                self.worth, self.mixture, self.reply = best.value, best.primal, reply


def _build_solution(game: Game[Any], found: CommitmentSearch, proved: bool) -> Solution:
    solution = COMMITMENT.answer(game, exact=proved)
    if found.worth is None:
        return solution
    form, follower = found.form, 1 - found.leader
    reply = tuple(int(k == found.reply) for k in range(len(form.plans[follower])))
    mixes = (tuple(found.mixture), reply) if found.leader == 0 else (reply, tuple(found.mixture))
    behaviour = complete_behaviour(form.positions, form.behaviour(mixes))
    judgement = judge(form.positions, behaviour)
    leads, follows = game.players[found.leader], game.players[follower]
    notes = [f"{leads} announces the mixture and is bound by it; {follows} replies, and a tie goes to {leads}."]
    if not proved:
        notes.append(f"Not all replies of {follows} were tried.")
    return replace(
        solution,
        value=judgement.value,
        strategy=write_profile(form.positions, behaviour),
        regret=judgement.regret,
        notes=tuple(notes),
    )


COMMITMENT = Solver(
    name="commitment",
    run=commitment,
    needs={"players": 2, "perfect_recall": True, "cyclic": False},
    summary="the best mixture for one of two players to announce beforehand, the other replying to it",
    concept="commitment",
)
