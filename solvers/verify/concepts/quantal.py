"""The checks of quantal responses."""

from gdl.solvers.verify import populations, profiles
from gdl.solvers.verify.case import VerifierCheck

CHECKS = (
    VerifierCheck(populations.check_quantal, ("equilibria", "residual", "options")),
    VerifierCheck(populations.check_fit, ("fit",)),
    *profiles.PAID,
)
