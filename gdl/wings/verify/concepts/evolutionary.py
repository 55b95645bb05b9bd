"""The checks of evolutionarily stable strategies."""

from gdl.wings.verify import populations, profiles
from gdl.wings.verify.case import VerifierCheck

CHECKS = (VerifierCheck(populations.check_stable, ("equilibria", "complete")), *profiles.PAID)
