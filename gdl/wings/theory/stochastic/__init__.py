"""Stochastic games: positions that come again, with moves at once, of which everybody knows which it is."""
