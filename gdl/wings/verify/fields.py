"""The table of the verifier: each field of an answer, with its parts, and the checks that it is put to.

A check names the fields that it looks at, and looks at all their parts. Which of the checks of a field are made depends
on the game and on the question alone: those of ALWAYS, and those of the concept, of positions that come again, or else
of CHECKS. Of a concept without a file in `concepts` nothing more is checked.
"""

from __future__ import annotations

from gdl.wings.verify import (
    best,
    combinatorial,
    complete,
    dominated,
    followed,
    open_numbers,
    payoff_set,
    profiles,
    search,
    stationary,
    value,
)
from gdl.wings.verify.case import VerifierCase, VerifierCheck
from gdl.wings.verify.concepts import concept_checks
from gdl.wings.verify.verdict import ANSWERING, CONCEPTS_OF_PLAIN_ANSWERS

ALWAYS = (
    VerifierCheck(value.check_promised, ("value", "interval")),
    VerifierCheck(best.check_play, ("line",)),
    VerifierCheck(best.check_order, ("best",)),
    VerifierCheck(profiles.check_lists, ("equilibria", "payoffs", "beliefs", "regret")),
    VerifierCheck(profiles.check_algebraic, ("algebraic",)),
)
CHECKS = (
    VerifierCheck(search.check_estimate, ("value", "best", "line")),
    VerifierCheck(value.check_value, ("value", "secured")),
    VerifierCheck(followed.check_followed, ("strategy", "regret", "interval")),
    VerifierCheck(profiles.check_strategy, ("strategy",)),
    VerifierCheck(profiles.check_equilibria, ("equilibria",)),
    VerifierCheck(profiles.check_payoffs, ("payoffs",)),
    VerifierCheck(profiles.check_families, ("groups",)),
    VerifierCheck(profiles.check_regret, ("regret",)),
    VerifierCheck(value.check_interval, ("interval",)),
    VerifierCheck(best.check_best, ("best",)),
    VerifierCheck(best.check_line, ("line",)),
    VerifierCheck(open_numbers.check_open_numbers, open_numbers.FIELDS),
    VerifierCheck(combinatorial.check_combinatorial, combinatorial.FIELDS),
    VerifierCheck(dominated.check_rounds, dominated.FIELDS),
    VerifierCheck(search.check_counts, ("nodes", "leaves", "states")),
    VerifierCheck(search.check_alpha_beta, ("nodes", "leaves", *search.RECORD)),
    VerifierCheck(search.check_values, ("values", "trace")),
    VerifierCheck(complete.check_complete, ("complete",)),
)

ROWS = (
    *ALWAYS,
    *CHECKS,
    *stationary.CHECKS,
    *payoff_set.CHECKS,
    *(row for rows in concept_checks().values() for row in rows),
)


def checks(case: VerifierCase, plain: tuple[VerifierCheck, ...] = CHECKS) -> tuple[VerifierCheck, ...]:
    """The checks for this answer besides those of ALWAYS: those of its game or of its concept, else `plain`."""
    if "payoff_set" in case.claim.keys:
        return payoff_set.CHECKS
    if case.game.promises.rewards is not None or case.claim.solver in stationary.SOLVERS:
        return stationary.CHECKS  # no other counts what is gained on the way
    if not case.claim.exact and ANSWERING.isdisjoint(case.claim.keys):
        return plain  # a limit left nothing of the concept but what is known of the value
    if case.claim.concept is None or case.claim.concept in CONCEPTS_OF_PLAIN_ANSWERS:
        return plain
    return concept_checks().get(case.claim.concept, ())
