"""Searches in kernel Python: each is written once, against the functions that every game's module has."""
