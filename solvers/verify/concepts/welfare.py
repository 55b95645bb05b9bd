"""The checks of plans with the greatest sum."""

from gdl.solvers.verify import plans
from gdl.solvers.verify.case import VerifierCheck
from gdl.solvers.verify.concepts.commitment import PLANNED

CHECKS = (*PLANNED, VerifierCheck(plans.check_sum, ("exact",)))
