"""Coalitions: what sets of players secure, and how all divide what they win together."""
