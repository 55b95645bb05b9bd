"""Commitment: the best mixture that a player can announce beforehand."""
