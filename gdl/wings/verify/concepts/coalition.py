"""The checks of what coalitions secure."""

from gdl.wings.verify import coalitions
from gdl.wings.verify.case import VerifierCheck

CHECKS = (
    VerifierCheck(coalitions.check_worths, ("coalitions",)),
    VerifierCheck(coalitions.check_shapley, ("value", "shapley")),
    VerifierCheck(coalitions.check_core, ("core",)),
    VerifierCheck(coalitions.check_nucleolus, ("nucleolus",)),
)
