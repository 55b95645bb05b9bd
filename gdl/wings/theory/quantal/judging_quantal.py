"""A profile held against quantal response: the action whose probability is not in proportion."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from gdl.solvers.equilibria.logit import LogitCurve, in_proportion
from gdl.solvers.equilibria.verdicts import ConceptCondition, ProfileCase
from gdl.wings.theory.plan_judges import (
    Conditions,
    judge_by,
)

NEAR = 1e-9  # error of a probability in floating point that counts as none


def _quantal(case: ProfileCase) -> Conditions:
    """A logit equilibrium: each action is played in proportion to exp(lambda times its payoff), at one lambda for all:
    the given one, or the one that the clearest choice shows."""
    rows = [[float(share) for share in row or ()] for row in case.behaviour]
    pays = LogitCurve(case.positions, case.budget).pays(rows)
    rate = _implied_lambda(rows, pays) if case.rate is None else case.rate
    meant = [in_proportion(rate, own) for own in pays]
    most, h, k = max((abs(share - meant[h][k]), -h, -k) for h, row in enumerate(rows) for k, share in enumerate(row))
    told = f"{rate:.6g}"
    if most <= NEAR:
        words = f"every action is played in proportion to exp({told} times what it pays), to {most:.1g}"
        yield ConceptCondition("logit response", True, words=words)
        return
    found, share, right = case.positions.information_sets[-h], rows[-h][-k], meant[-h][-k]
    who, action = case.positions.players[found.player], found.actions[-k]
    words = (
        f"with lambda {told} {who} would play {action} at {found.name} with probability {right:.6g}, not {share:.6g}"
    )
    yield ConceptCondition("logit response", False, who, found.name, action, None, words)


def _implied_lambda(rows: Sequence[Sequence[float]], pays: Sequence[Sequence[float]]) -> float:
    """The lambda that follows from the two played actions of one information set whose payoffs differ most; 0 if all
    are alike."""
    pairs = [
        (own[a] - own[b], row[a] / row[b])
        for row, own in zip(rows, pays, strict=True)
        for a in range(len(row))
        for b in range(len(row))
        if row[a] > 0 < row[b] and own[a] > own[b]
    ]
    if not pairs:
        return 0.0
    gain, ratio = max(pairs)
    return max(0.0, log(ratio) / gain)


judge_quantal = judge_by(_quantal)
