"""The cells of a game's state, from which evaluations are learned: code that is made for each game."""

from gdl.compiler.kernels.words import Array

estimate_cell: Array[int]  # the class of each

def estimate_cells() -> None: ...
