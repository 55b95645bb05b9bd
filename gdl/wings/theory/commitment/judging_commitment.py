"""A profile held against the best commitment: the reply, ties, and what else could be announced."""

from __future__ import annotations

from collections.abc import Sequence

from gdl.game import Number, exact
from gdl.solvers.equilibria.bimatrix import Mix
from gdl.solvers.equilibria.regret import expectation
from gdl.solvers.equilibria.strategic_form import StrategicForm
from gdl.solvers.equilibria.verdicts import ConceptCondition, ProfileCase, better_reply
from gdl.wings.theory.commitment.commitment import CommitmentSearch
from gdl.wings.theory.plan_judges import (
    Conditions,
    form_of_plans,
    judge_by,
    preferred_mix,
    pure_mix,
    strategy_of_mixes,
    two_players,
)
from gdl.wings.theory.tables import weighted_sum


def _commitment(case: ProfileCase) -> Conditions:
    """A commitment: the follower replies best, ties go to the leader, and no other mixture is worth more."""
    players, leader = two_players(case, "commitment"), case.leader
    leads, follows = players[leader], players[1 - leader]
    value, form = expectation(case.positions, case.behaviour), form_of_plans(case, "commitment")
    better = better_reply(case, 1 - leader, value[1 - leader], 0, "best reply")
    yield better or ConceptCondition("best reply", True, words=f"{follows} gains by no other reply")
    if better is None:
        yield _tie(form, form.mix(leader, case.behaviour), leader, value)
    search = CommitmentSearch(form, leader)
    search.search(case.budget)
    assert search.worth is not None
    more = exact(search.worth - value[leader])
    if more > 0:
        words = f"{leads} would rather announce another mixture, and {follows} reply to it"
        other = strategy_of_mixes(form, {leader: search.mixture, 1 - leader: pure_mix(form, 1 - leader, search.reply)})
        yield preferred_mix(form, "best commitment", leader, search.mixture, words, more)._replace(strategy=other)
    elif more == 0:
        yield ConceptCondition("best commitment", True, words=f"nothing that {leads} could announce is worth more")


def _tie(form: StrategicForm, mix: Mix, leader: int, value: Sequence[Number]) -> ConceptCondition:
    """The condition that none of the follower's best replies is better for the leader than the one that is played."""
    follower = 1 - leader
    leads, follows = form.positions.players[leader], form.positions.players[follower]
    columns = zip(*form.by_plan(leader).values(), strict=True)
    both = zip(columns, form.by_plan(follower).values(), strict=True)
    pays = [(weighted_sum(mix, gets), weighted_sum(mix, replies)) for gets, replies in both]
    most = max(own for _, own in pays)
    reply = max((k for k, (_, own) in enumerate(pays) if own == most), key=lambda k: pays[k][0])
    gain = exact(pays[reply][0] - value[leader])
    if gain <= 0:
        return ConceptCondition("ties", True, words=f"no other best reply of {follows} is better for {leads}")
    words = f"another reply is as good for {follows}, and better for {leads}"
    return preferred_mix(form, "ties", follower, pure_mix(form, follower, reply), words, gain)


judge_commitment = judge_by(_commitment)
