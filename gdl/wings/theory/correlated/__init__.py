"""Correlated equilibria: plans that are drawn in common."""
