"""The checks of answers to other questions than what a game is worth: a list for each concept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gdl.solvers.verify import (
    beliefs,
    coalitions,
    committed,
    complete,
    correlated,
    nucleolus,
    outcome_families,
    populations,
    profiles,
    search,
    trembling,
)
from gdl.solvers.verify.case import VerifierCase, VerifierCheck
from gdl.solvers.verify.verdict import Finding

_DRAWN = (
    VerifierCheck(correlated.check_distribution, ("distribution", "value")),
    VerifierCheck(correlated.check_equilibria, ("equilibria", "payoffs")),
    VerifierCheck(correlated.check_welfare, ("exact",)),
    VerifierCheck(correlated.check_interval, ("interval",)),
)
_PAID = (
    VerifierCheck(profiles.check_payoffs, ("payoffs",)),
    VerifierCheck(profiles.check_regret, ("regret",)),
    VerifierCheck(profiles.check_value, ("value",)),
)
_ASSESSED = (
    VerifierCheck(profiles.check_equilibria, ("equilibria",)),
    VerifierCheck(beliefs.check_beliefs, ("beliefs",)),
    *_PAID,
    VerifierCheck(outcome_families.check_families, ("groups",)),
    VerifierCheck(complete.check_complete, ("complete",)),
)
_PLANNED = (
    VerifierCheck(committed.check_strategy, ("strategy", "value")),
    VerifierCheck(profiles.check_regret, ("regret",)),
    VerifierCheck(committed.check_best, ("best",)),
    VerifierCheck(search.check_counts, ("nodes",)),
)
_TREMBLING = (
    VerifierCheck(profiles.check_equilibria, ("equilibria",)),
    VerifierCheck(trembling.check_perfect, ("concept",)),
    VerifierCheck(complete.check_complete, ("complete",)),
    *_PAID,
)


def check_estimate(case: VerifierCase) -> Iterator[Finding]:
    """An answer that is not exact says itself that it is an estimate, so that nothing is proved of it."""
    if not case.claim.exact:
        yield Finding(None, ("exact",), "it is an estimate by the answer's own account")


_CLAIMED = VerifierCheck(check_estimate, ("exact",))
CHECKS: Mapping[str, tuple[VerifierCheck, ...]] = {
    "correlated": (*_DRAWN, _CLAIMED),
    "coarse-correlated": (*_DRAWN, _CLAIMED),
    **dict.fromkeys(beliefs.KIND, _ASSESSED),
    "commitment": (*_PLANNED, VerifierCheck(committed.check_commitment, ("exact", "options")), _CLAIMED),
    "team": (*_PLANNED, VerifierCheck(committed.check_sum, ("exact", "options")), _CLAIMED),
    "welfare": (*_PLANNED, VerifierCheck(committed.check_sum, ("exact",)), _CLAIMED),
    "coalition": (
        VerifierCheck(coalitions.check_worths, ("coalitions",)),
        VerifierCheck(coalitions.check_shapley, ("value", "shapley")),
        VerifierCheck(coalitions.check_core, ("core",)),
        VerifierCheck(nucleolus.check_nucleolus, ("nucleolus",)),
        _CLAIMED,
    ),
    "quantal": (
        VerifierCheck(populations.check_quantal, ("equilibria", "residual", "options")),
        VerifierCheck(populations.check_fit, ("fit",)),
        *_PAID,
    ),
    **dict.fromkeys(("perfect", "proper"), (*_TREMBLING, _CLAIMED)),
    "evolutionary": (VerifierCheck(populations.check_stable, ("equilibria", "complete")), *_PAID, _CLAIMED),
}
