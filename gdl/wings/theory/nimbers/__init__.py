"""Combinatorial games: outcome classes and nimbers."""
