"""What random play asks of the kernel that is joined with it where players lean toward some actions."""

from gdl.compiler.kernels.words import Array

lean_on: Array[int]  # whether they do

def lean_begin() -> None:
    """Play at random begins."""

def lean_step() -> None:
    """One decision."""
