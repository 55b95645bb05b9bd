"""The checks of commitments."""

from gdl.wings.verify import plans, profiles, search
from gdl.wings.verify.case import VerifierCheck

PLANNED = (  # the checks of any answer that is a combination of plans
    VerifierCheck(plans.check_strategy, ("strategy", "value")),
    VerifierCheck(profiles.check_regret, ("regret",)),
    VerifierCheck(plans.check_best, ("best",)),
    VerifierCheck(search.check_counts, ("nodes",)),
)
CHECKS = (*PLANNED, VerifierCheck(plans.check_commitment, ("exact", "options")))
