"""Assessments: strategies together with beliefs, and the equilibria that are made of them."""
