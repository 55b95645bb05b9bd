"""The checks of quantal responses."""

from gdl.wings.verify import populations, profiles
from gdl.wings.verify.case import VerifierCheck

CHECKS = (
    VerifierCheck(populations.check_quantal, ("equilibria", "residual", "options")),
    VerifierCheck(populations.check_fit, ("fit",)),
    *profiles.PAID,
)
