"""Equilibria of matrices and of games with hidden information."""
