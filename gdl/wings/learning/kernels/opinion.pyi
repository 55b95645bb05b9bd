"""The function that `one_ply` needs of the kernel it is joined with."""

def payoff_estimate(player: int) -> float:
    """The payoff that the player expects from the present state."""
