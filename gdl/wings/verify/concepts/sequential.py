"""The checks of sequential equilibria: strategies with beliefs."""

from gdl.wings.verify import beliefs, complete, profiles
from gdl.wings.verify.case import VerifierCheck

CHECKS = (
    VerifierCheck(profiles.check_equilibria, ("equilibria",)),
    VerifierCheck(beliefs.check_beliefs, ("beliefs",)),
    *profiles.PAID,
    VerifierCheck(profiles.check_families, ("groups",)),
    VerifierCheck(complete.check_complete, ("complete",)),
)
