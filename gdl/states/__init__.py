"""Walks over the states of any game: counting, random play, state graphs."""
