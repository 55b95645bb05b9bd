"""The checks of perfect equilibria."""

from gdl.solvers.verify import complete, profiles, trembling
from gdl.solvers.verify.case import VerifierCheck

CHECKS = (
    VerifierCheck(profiles.check_equilibria, ("equilibria",)),
    VerifierCheck(trembling.check_perfect, ("concept",)),
    VerifierCheck(complete.check_complete, ("complete",)),
    *profiles.PAID,
)
