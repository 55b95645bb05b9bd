"""Searches of a tree of perfect information: minimax and its kin."""
