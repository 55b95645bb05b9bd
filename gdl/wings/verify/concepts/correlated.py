"""The checks of correlated equilibria."""

from gdl.wings.verify import plans
from gdl.wings.verify.case import VerifierCheck

CHECKS = (
    VerifierCheck(plans.check_distribution, ("distribution", "value")),
    VerifierCheck(plans.check_equilibria, ("equilibria", "payoffs")),
    VerifierCheck(plans.check_welfare, ("exact",)),
    VerifierCheck(plans.check_interval, ("interval",)),
)
