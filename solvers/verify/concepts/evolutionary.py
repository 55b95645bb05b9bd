"""The checks of evolutionarily stable strategies."""

from gdl.solvers.verify import populations, profiles
from gdl.solvers.verify.case import VerifierCheck

CHECKS = (VerifierCheck(populations.check_stable, ("equilibria", "complete")), *profiles.PAID)
