"""Evolutionary stability: what no small group of mutants can invade."""
