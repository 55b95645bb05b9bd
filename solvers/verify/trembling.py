"""Perfect and proper equilibria, checked anew, in the table of plans.

Each side must be a best reply to some draw in which the others play everything, which says the same as that it is not
weakly dominated, and is found by another program. Of two players no more is asked (van Damme 1991, theorem 3.2.2), of a
proper one some ranking of the mistakes (`ranked_mistakes`). With three or more the others must err independently
(`mistakes_of_several`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from gdl.game import Number
from gdl.solvers.verify.case import VerifierCase
from gdl.solvers.verify.correlated import plans_of
from gdl.solvers.verify.linear import has_positive_weights
from gdl.solvers.verify.mistakes_of_several import does_bear_out
from gdl.solvers.verify.plans import VerifierPlans
from gdl.solvers.verify.ranked_mistakes import is_proper
from gdl.solvers.verify.verdict import Finding, Unchecked

PERFECT, PROPER = "perfect", "proper"  # concepts
FIELDS = ("equilibria", "concept")


def check_perfect(case: VerifierCase) -> Iterator[Finding]:
    """Each listed equilibrium is perfect or proper, whichever the concept is."""
    plans, concept = plans_of(case), case.claim.concept
    for number, profile in enumerate(case.claim.equilibria, start=1):
        mixes = plans.mixes(case.behaviour(profile))
        for player, mix in zip(case.game.players, mixes, strict=True):
            if sum(mix) != 1:
                raise Unchecked(f"equilibrium {number} does not say all that {player} does")
        worse = find_dominated(plans, mixes)
        said = f"what {case.game.players[worse]} plays is weakly dominated" if worse is not None else ""
        if not said and not is_limit(plans, mixes, concept == PROPER):
            said = f"no mistakes lead there, so it is not {concept}"
        if said:
            ok, fields = (False, FIELDS) if case.claim.exact else (None, FIELDS[1:])
            yield Finding(ok, fields, f"equilibrium {number}: {said}")
            return
    yield Finding(True, FIELDS, "mistakes lead to each equilibrium, and nobody plays what is weakly dominated")


def is_limit(plans: VerifierPlans, mixes: Sequence[Sequence[Number]], proper: bool) -> bool:
    """True if an equilibrium in which nothing is weakly dominated is also perfect, or with `proper`, proper."""
    if len(plans.of) > 2:
        return does_bear_out(plans.table, mixes, proper)
    return not proper or len(plans.of) == 1 or is_proper(plans, mixes)  # of one player no others err


def find_dominated(plans: VerifierPlans, mixes: Sequence[Sequence[Number]]) -> int | None:
    """The first player whose mixture is weakly dominated: it is no best reply to any mixture in which the others play
    all combinations of plans. None if no player's is."""
    for player, mix in enumerate(mixes):
        pays = plans.pays(player)
        mine = [sum((Fraction(x) * y for x, y in zip(mix, column, strict=True)), Fraction(0))
                for column in zip(*pays, strict=True)]  # fmt: skip
        if not has_positive_weights([[x - y for x, y in zip(row, mine, strict=True)] for row in pays]):
            return player
    return None
