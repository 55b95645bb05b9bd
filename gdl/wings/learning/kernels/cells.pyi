"""The cells of a game's state, from which evaluations are learned: code that is made for each game."""

from gdl.compiler.kernels.words import Array

estimate_cell: Array[int]  # of each cell: its class, a number from 0

def estimate_cells() -> None: ...
