"""The judges of profiles, by concept: which condition fails, for whom, by which deviation, at which information set.

Those of Nash and subgame-perfect equilibrium stand here. The row of every other concept names its own
(`solvers/concepts.py`).
"""

from __future__ import annotations

from collections.abc import Callable

from gdl.concepts import CONCEPTS
from gdl.errors import Refusal, listing
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.behaviour import Behaviour
from gdl.solvers.equilibria.position_paths import PositionPaths
from gdl.solvers.equilibria.positions import PositionGraph
from gdl.solvers.equilibria.subgame_perfect import subgame_roots
from gdl.solvers.equilibria.verdicts import BeliefSystem, ConceptCondition, ConceptVerdict, ProfileCase, best_replies
from gdl.wings import load


def judge_profile(
    concept: str,
    positions: PositionGraph,
    behaviour: Behaviour,
    beliefs: BeliefSystem | None = None,
    budget: Budget | None = None,
    leader: int = 0,
    rate: float | None = None,
) -> ConceptVerdict:
    """The verdict on a profile by the concept of that name. `leader` is the player who commits, for `commitment`;
    `rate` is the lambda of players who err, for `quantal`. Raises Refusal for a concept without a judge."""
    row = CONCEPTS.get(concept)
    if row is None or not row.judge:
        judged = [one.name for one in CONCEPTS.values() if one.judge]
        known = listing(judged, most=len(judged))
        raise Refusal(f"no judge knows the conditions of {concept}; there are those of {known}")
    judge: Callable[[ProfileCase], ConceptVerdict] = load(row.judge)
    return judge(ProfileCase(concept, positions, behaviour, beliefs, budget or Budget(), leader, rate))


def judge_nash(case: ProfileCase) -> ConceptVerdict:
    """Nobody gains by deviating from the profile alone."""
    return ConceptVerdict(case.concept, tuple(best_replies(case, 0, "best reply")))


def judge_subgame_perfect(case: ProfileCase) -> ConceptVerdict:
    """Nobody gains by deviating alone in any subgame."""
    silent = find_silence(case)
    if silent:
        return ConceptVerdict(case.concept, (silent,))
    failed: list[ConceptCondition] = []
    count = 0
    names = PositionPaths(case.positions).names
    for root in subgame_roots(case.positions):
        if not case.positions.successors[root]:
            continue
        count += 1
        case.budget.check_time()
        for one in best_replies(case, root, f"best reply in the subgame at {names[root]}"):
            failed += [] if one.holds else [one]
    told = f"nobody gains by deviating in any of {count:,} subgames" if count > 1 else "there is no smaller subgame"
    whole = ConceptCondition("best reply in every subgame", True, words=told)
    return ConceptVerdict(case.concept, tuple(failed) or (whole,))


def find_silence(case: ProfileCase) -> ConceptCondition | None:
    """The failed condition that the profile says what to do at every information set; None if it does."""
    for h, row in enumerate(case.behaviour):
        if row is None:
            found = case.positions.information_sets[h]
            who = case.positions.players[found.player]
            return ConceptCondition("complete plan", False, who, found.name, words=f"what {who} does there is not said")
    return None
