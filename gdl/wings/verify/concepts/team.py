"""The checks of a team's best plans."""

from gdl.wings.verify import plans
from gdl.wings.verify.case import VerifierCheck
from gdl.wings.verify.concepts.commitment import PLANNED

CHECKS = (*PLANNED, VerifierCheck(plans.check_sum, ("exact", "options")))
