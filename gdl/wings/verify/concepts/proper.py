"""The checks of proper equilibria, which are told apart from perfect ones by the claim's concept."""

from gdl.wings.verify.concepts.perfect import CHECKS as CHECKS
