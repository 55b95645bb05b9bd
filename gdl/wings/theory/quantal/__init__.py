"""Quantal response: players who err, the less the more it costs."""
