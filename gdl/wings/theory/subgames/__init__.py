"""Subgame-perfect equilibria by their payoffs."""
