"""Refinements of Nash equilibrium by mistakes: perfect and proper equilibria."""
