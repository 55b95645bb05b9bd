"""The checks of answers to other questions than what a game is worth: a list for each concept."""

from __future__ import annotations

from collections.abc import Mapping

from gdl.solvers.verify import (
    beliefs,
    coalitions,
    committed,
    complete,
    correlated,
    outcome_families,
    populations,
    profiles,
    search,
    trembling,
)
from gdl.solvers.verify.case import VerifierCheck

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
CHECKS: Mapping[str, tuple[VerifierCheck, ...]] = {
    "correlated": _DRAWN,
    "coarse-correlated": _DRAWN,
    **dict.fromkeys(beliefs.KIND, _ASSESSED),
    "commitment": (*_PLANNED, VerifierCheck(committed.check_commitment, ("exact", "options"))),
    "team": (*_PLANNED, VerifierCheck(committed.check_sum, ("exact", "options"))),
    "welfare": (*_PLANNED, VerifierCheck(committed.check_sum, ("exact",))),
    "coalition": (
        VerifierCheck(coalitions.check_worths, ("coalitions",)),
        VerifierCheck(coalitions.check_shapley, ("value", "shapley")),
        VerifierCheck(coalitions.check_core, ("core",)),
        VerifierCheck(coalitions.check_nucleolus, ("nucleolus",)),
    ),
    "quantal": (
        VerifierCheck(populations.check_quantal, ("equilibria", "residual", "options")),
        VerifierCheck(populations.check_fit, ("fit",)),
        *_PAID,
    ),
    **dict.fromkeys(("perfect", "proper"), _TREMBLING),
    "evolutionary": (VerifierCheck(populations.check_stable, ("equilibria", "complete")), *_PAID),
}
