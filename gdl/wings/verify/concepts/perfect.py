"""The checks of perfect equilibria."""

from gdl.wings.verify import complete, profiles, trembling
from gdl.wings.verify.case import VerifierCheck

CHECKS = (
    VerifierCheck(profiles.check_equilibria, ("equilibria",)),
    VerifierCheck(trembling.check_perfect, ("concept",)),
    VerifierCheck(complete.check_complete, ("complete",)),
    *profiles.PAID,
)
