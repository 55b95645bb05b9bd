"""The checks of perfect Bayesian equilibria, which are told apart by the claim's concept."""

from gdl.wings.verify.concepts.sequential import CHECKS as CHECKS
