"""The checks of equilibria that pass the intuitive criterion, which are told apart by the claim's concept."""

from gdl.wings.verify.concepts.sequential import CHECKS as CHECKS
