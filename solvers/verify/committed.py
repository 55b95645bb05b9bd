"""Commitment, teams and welfare: does the strategy pay the value, and could another pay more?

Nothing is searched as the solvers do. A commitment is proved best by prices of the follower's deviations, one program
for each reply; the greatest sum is looked for in the whole table of plans.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from gdl.game import Number, exact
from gdl.solvers.verify.case import VerifierCase
from gdl.solvers.verify.correlated import LARGEST_PROGRAM, plans_of, worth_of
from gdl.solvers.verify.linear import greatest_mean
from gdl.solvers.verify.numbers import amounts, same_all
from gdl.solvers.verify.replies import expectation
from gdl.solvers.verify.verdict import Finding, Unchecked


def check_strategy(case: VerifierCase) -> Iterator[Finding]:
    """The strategy can be played, and pays the value."""
    strategy = case.claim.strategy
    if strategy is None:
        return
    behaviour = case.behaviour(strategy)
    pays = expectation(case.graph.positions, behaviour)
    said = f"the strategy pays {amounts(case.game.players, pays)}"
    if case.claim.value is None:
        yield Finding(None, ("strategy",), f"{said}, and the answer does not say what it should")
        return
    ok = same_all(case.in_order(case.claim.value), pays)
    yield Finding(ok, ("strategy", "value", "concept"), said)
    if None in behaviour:
        yield Finding(None, ("strategy",), "what the strategy does at information sets of which it says nothing")


def check_best(case: VerifierCase) -> Iterator[Finding]:
    """The answer's best actions are those with which the strategy begins."""
    if not case.claim.best or case.claim.strategy is None:
        return
    found = case.graph.positions.information_sets[case.graph.positions.sets[0] or 0]
    row = case.claim.strategy.get(case.game.players[found.player], {}).get(found.name, {})
    ok = [action for action, chance in row.items() if chance] == list(case.claim.best)
    yield Finding(ok, ("best",), "the strategy begins with it")


# -- commitment --------------------------------------------------------------------------------------------------------


def check_commitment(case: VerifierCase) -> Iterator[Finding]:
    """The follower's strategy is a best reply, and no commitment is worth more to the leader."""
    claim = case.claim
    if len(case.game.players) != 2:
        yield Finding(False, ("concept",), "a commitment is that of one of two players")
        return
    if claim.strategy is None or claim.value is None:
        return
    leader = _leader(case)
    follower = 1 - leader
    reply = case.judge_profile(claim.strategy).regret[follower]
    said = f"{case.game.players[follower]} could reply better by {reply}" if reply else "the reply is a best one"
    yield Finding(not reply, ("strategy",), said)
    if not claim.exact:
        return
    mine = case.in_order(claim.value)[leader]
    most = max(map(max, plans_of(case).pays(leader)))
    if mine != most:
        most = max(_commitments(case, leader))
    said = f"no commitment of {case.game.players[leader]} is worth more than {most}"
    yield Finding(most == mine, ("exact", "options"), said)


def _leader(case: VerifierCase) -> int:
    named = case.claim.options.get("as_")
    if named is None:
        return 0
    if named not in case.game.players:
        raise Unchecked("the leader is a stranger")
    return case.game.players.index(str(named))


def _commitments(case: VerifierCase, leader: int) -> Iterator[Number]:
    """For each plan of the follower that can be a best reply, the most that a mixture of the leader is worth to which
    it is one (Conitzer and Sandholm 2006). Each is proved by prices of the other replies, at which no plan of the
    leader is worth more."""
    own, replies = plans_of(case).pays(leader), plans_of(case).pays(1 - leader)
    if len(own) * len(replies) ** 2 > LARGEST_PROGRAM:
        raise Unchecked("that no other commitment is worth more: the table is too large for it")
    for k, reply in enumerate(replies):
        rows = [[other - paid for other, paid in zip(row, reply, strict=True)] for row in replies]
        found = greatest_mean([row[k] for row in own], rows)
        if found is not None:  # else it is never a best reply
            yield found


# -- the greatest sum --------------------------------------------------------------------------------------------------


def check_sum(case: VerifierCase) -> Iterator[Finding]:
    """No combination of plans pays a greater sum, or, if the answer favours a player, pays that player more."""
    claim = case.claim
    if claim.value is None or not claim.exact or claim.value.keys() != set(case.game.players):
        return
    worth = worth_of(case)
    most = max(worth(vector) for vector in plans_of(case).table.values())
    mine = worth([Fraction(number) for number in case.in_order(claim.value)])
    yield Finding(mine == most, ("exact", "options"), f"no combination of plans pays more than {exact(most)}")
