"""The checks of coarse correlated equilibria, those of correlated ones with fewer ways to deviate."""

from gdl.wings.verify.concepts.correlated import CHECKS as CHECKS
